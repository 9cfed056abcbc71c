"""Forty real points with two kills on the way: the benchmark, made small."""

import subprocess
import sys
from pathlib import Path

import pytest

from lab_tools.kernel import build

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "sweep_throughput.py"


@pytest.mark.kernel
@pytest.mark.timeout(1800)
def test_no_point_is_lost_or_runs_twice_when_the_sweep_is_killed():
    build()
    words = [sys.executable, str(BENCHMARK), "--points", "40", "--kills", "2", "--setups", "two"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "no point was lost, and none ran twice" in done.stdout
