"""A mixed class of lab 02: every score as expected."""

import subprocess
import sys
from pathlib import Path

from tests.course.toy_class import needs_bubblewrap

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "grade_class.py"


@needs_bubblewrap
def test_a_class_of_twenty():
    words = [sys.executable, str(SCRIPT), "--students", "20", "--no-ratio"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    assert "all as expected" in done.stdout
