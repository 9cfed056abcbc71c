"""A stand-in pair of hosts, which needs root; `pair.py` makes it."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

from lab_tools.experiment import Experiment
from lab_tools.experiment import Path as NetworkPath
from lab_tools.testbeds.dtn.testbed import DtnTestbed


def standin_module():
    """Return the module `pair.py` of this folder."""
    name = "dtn_standin"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("pair.py"))
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


def lacks():
    """Return what keeps a stand-in pair from being made here; empty if nothing does."""
    if os.getuid() != 0:
        return "it needs root: `test_inside.py` runs it inside the project's kernel"
    if not Path("/usr/sbin/sshd").exists() or not shutil.which("nsenter"):
        return "it needs openssh-server and util-linux"
    return ""


@pytest.fixture(scope="session")
def pair():
    if problem := lacks():
        pytest.skip(problem)
    with standin_module().StandIn() as standin:
        yield standin


@pytest.fixture
def untouched(pair):
    """Check that both hosts are as they were when the test is over."""
    before = {name: pair.state(name) for name in ("h1", "h2")}
    yield before
    pair.wait_until_quiet()
    assert {name: pair.state(name) for name in ("h1", "h2")} == before


@pytest.fixture
def testbed(pair, tmp_path):
    """Return a testbed for the pair, without netem, which not every kernel has."""
    return DtnTestbed(pair.inventory(tmp_path / "dtn.toml", allowed_changes=plain_changes()))


def plain_changes():
    return ["offloads", "shaping", "mtu", "qdisc"]


@pytest.fixture
def experiment():
    """Return a run that changes everything that can be changed without netem."""
    path = NetworkPath(rate_bps=100e6, rtt_s=1e-4, buffer_bytes=100_000, mtu_bytes=9000)
    return Experiment(path, duration_s=0.4, sample_interval_s=0.1)
