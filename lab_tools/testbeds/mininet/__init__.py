"""Mininet on this host, in real time.

It needs Linux and root. While a network runs, some kernel parameters of the whole host are changed
(`lab_tools.testbeds.plan` says which) and its processors are busy; afterwards everything is as it
was. If a run is killed so hard that it cannot clean up, the next one does, or:

    python -m lab_tools.testbeds.mininet        says what was left and removes it
"""

from lab_tools.testbeds.mininet.testbed import MininetTestbed
from lab_tools.testbeds.mininet.worker import cleanup

__all__ = ["MininetTestbed", "cleanup"]
