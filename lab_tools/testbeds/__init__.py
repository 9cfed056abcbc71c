"""Who runs an experiment: testbeds that keep one protocol (`lab_tools.testbeds.base`)."""

import os

from lab_tools.errors import UnknownNameError
from lab_tools.testbeds.base import Testbed
from lab_tools.testbeds.containernet import ContainernetTestbed
from lab_tools.testbeds.dtn.testbed import DtnTestbed
from lab_tools.testbeds.mininet import MininetTestbed
from lab_tools.testbeds.replay import ReplayTestbed
from lab_tools.testbeds.virtual.testbed import VirtualTestbed

TESTBEDS = {
    "virtual": VirtualTestbed,
    "mininet": MininetTestbed,
    "containernet": ContainernetTestbed,
    "dtn": DtnTestbed,
    "replay": ReplayTestbed,
}


def get(name: str | None = None) -> Testbed:
    """Return a testbed by name; without one, the one in ``LAB_TESTBED``, else ``virtual``.

    Raises
    ------
    UnknownNameError : there is no such testbed.
    """
    chosen = name or os.environ.get("LAB_TESTBED") or "virtual"
    if chosen not in TESTBEDS:
        raise UnknownNameError("testbed", chosen, TESTBEDS)
    testbed: Testbed = TESTBEDS[chosen]()
    return testbed
