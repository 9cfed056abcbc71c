"""Who runs an experiment: testbeds that keep one protocol (`lab_tools.testbeds.base`)."""

import os
import platform

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


def default_name() -> str:
    """Return the testbed for whoever names none: ``LAB_TESTBED``, else ``virtual``.

    Where the virtual-time kernel can never run (no Linux, no x86-64) it is ``replay``.
    """
    can_boot = (platform.system(), platform.machine()) == ("Linux", "x86_64")
    return os.environ.get("LAB_TESTBED") or ("virtual" if can_boot else "replay")


def get(name: str | None = None) -> Testbed:
    """Return a testbed by name; without one, the default (`default_name`).

    Raises
    ------
    UnknownNameError : there is no such testbed.
    """
    chosen = name or default_name()
    if chosen not in TESTBEDS:
        raise UnknownNameError("testbed", chosen, TESTBEDS)
    testbed: Testbed = TESTBEDS[chosen]()
    return testbed
