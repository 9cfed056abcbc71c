"""Tests that change this host: they run inside the kernel, started by `tests/contract`."""

import contextlib
import os
from pathlib import Path

import pytest

from lab_tools.testbeds.mininet import MininetTestbed

SHARED = ("core/rmem_max", "core/wmem_max", "core/netdev_max_backlog", "ipv4/tcp_mem")


@pytest.fixture(scope="session")
def testbed():
    chosen = MininetTestbed()
    says = chosen.available()
    if not says.available:
        pytest.skip(f"{says.reason}; tests/contract runs this inside the project's kernel")
    return chosen


class Host:
    """What can be seen of networks on this host."""

    def processes(self, word=b"DATA_OVER_DISTANCE_NETWORK="):
        """Return the processes with a word in their environment."""
        found = set()
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if word in (entry / "environ").read_bytes():
                    found.add(int(entry.name))
        return found

    def worker(self):
        """Return the one process that holds a network."""
        (found,) = [
            pid
            for pid in self.processes()
            # what it forks to run the flows looks the same, but leads no session
            if os.getsid(pid) == pid
            and b"real_time.py" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]
        return found

    def parameters(self):
        """Return the kernel parameters that the plan sets and all of this host shares."""
        return {name: Path("/proc/sys/net", name).read_text() for name in SHARED}

    def state(self):
        """Return all that a run could leave."""
        return {
            "processes": self.processes(),
            "parameters": self.parameters(),
            "interfaces": {entry.name for entry in Path("/sys/class/net").iterdir()},
            "saved": Path("/run/data-over-distance/mininet.json").exists(),
        }


@pytest.fixture
def host(testbed):
    """Check that this host is as it was when the test is over."""
    this = Host()
    before = this.state()
    yield this
    assert this.state() == before
