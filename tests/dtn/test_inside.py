"""What needs netem, or root, runs inside the project's own kernel, on this machine's clock."""

import os
import sys
from pathlib import Path

import pytest

from lab_tools.kernel import build
from lab_tools.testbeds import inside

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.kernel
def test_the_pair_works_inside_the_kernel(capfd, monkeypatch):
    if os.environ.get("LAB_INSIDE"):
        pytest.skip("this is inside already")
    if not Path("/usr/sbin/sshd").exists():
        pytest.skip("it needs openssh-server")
    monkeypatch.chdir(ROOT)
    tests = ["tests/dtn/test_emulated.py"]
    if os.getuid() != 0:
        tests += ["tests/dtn/test_restoring.py", "tests/dtn/test_problems.py"]
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--color=no", *tests]

    def show(_stream, data):
        os.write(1, data)

    with capfd.disabled():
        assert inside.run(argv, show, kernel=build(), timeout_s=500.0) == 0
