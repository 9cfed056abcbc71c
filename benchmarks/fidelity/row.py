"""One line of the fidelity page, and how runs for it are made."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from lab_tools.experiment import Experiment
from lab_tools.record import RunRecord
from lab_tools.testbeds.virtual.testbed import VirtualTestbed


@dataclass(frozen=True)
class Row:
    """What was expected, what came out, and why they differ.

    Parameters
    ----------
    what : the quantity and its unit.
    expected, measured : numbers, or words where the claim is one.
    source : where the expectation comes from.
    why : why they differ, or "" where they agree.
    """

    what: str
    expected: float | str
    measured: float | str
    source: str
    why: str = ""

    def cells(self) -> list[str]:
        """Return the cells of the page's table."""
        off = ""
        if isinstance(self.expected, float) and isinstance(self.measured, float):
            off = f"{self.measured / self.expected - 1:+.1%}" if self.expected else ""
        return [self.what, shown(self.expected), shown(self.measured), off, self.source, self.why]


def shown(value: float | str) -> str:
    """Return a number with three or four digits, or the words."""
    return f"{value:.4g}" if isinstance(value, float) else value


def run_all(experiments: Sequence[Experiment], boot_options: Sequence[str] = ()) -> list[RunRecord]:
    """Run experiments on every core; every record is calibrated."""
    testbed = VirtualTestbed(boot_options=boot_options)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return [record.require_calibrated() for record in pool.map(testbed.run, experiments)]
