"""Run every point of a sweep once: what to do, in which order, on which workers."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pandas as pd

from lab_tools.arrays import whole
from lab_tools.errors import CancelledError, MissingToolError
from lab_tools.experiment import Experiment
from lab_tools.store import Store
from lab_tools.sweep import Sweep
from lab_tools.sweeping import placement
from lab_tools.sweeping.point import FAILED, KEPT, RAN, Outcome, chosen_testbed, is_kept
from lab_tools.sweeping.progress import OnProgress, SweepProgress, notebook_line
from lab_tools.sweeping.table import sweep_frame
from lab_tools.testbeds.base import Testbed
from lab_tools.testbeds.plan import guest_memory_bytes

if TYPE_CHECKING:
    from distributed import Client

OnOutcome = Callable[[Experiment, Outcome], None]


@dataclass(frozen=True)
class SweepResult:
    """What became of a sweep.

    Parameters
    ----------
    sweep, store, testbed : what ran, where the records are, who ran it.
    progress : how many points ran, were there already, and failed.
    failures : the failed points, each with its error.
    """

    sweep: Sweep
    store: Store
    testbed: Testbed
    progress: SweepProgress
    failures: tuple[tuple[Experiment, str], ...] = ()

    def frame(self) -> pd.DataFrame:
        """Return one row a point; see `sweep_frame`."""
        return sweep_frame(self.sweep, self.store, testbed=self.testbed)


@dataclass
class _Tally:
    """Counts outcomes and tells how far the sweep is."""

    total: int
    on_progress: OnProgress | None
    kept: int = 0
    ran: int = 0
    failures: list[tuple[Experiment, str]] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    def take(self, experiment: Experiment, outcome: Outcome) -> None:
        self.kept += outcome.state == KEPT
        self.ran += outcome.state == RAN
        if outcome.state == FAILED:
            self.failures.append((experiment, outcome.error))
        self.tell()

    def tell(self) -> None:
        if self.on_progress:
            self.on_progress(self.progress)

    @property
    def progress(self) -> SweepProgress:
        elapsed_s = time.monotonic() - self.began
        return SweepProgress(self.total, self.kept, self.ran, len(self.failures), elapsed_s)


def run_sweep(
    sweep: Sweep,
    *,
    testbed: str | Testbed | None = None,
    store: Store | None = None,
    scheduler: str | None = None,
    workers: int | None = None,
    memory_bytes: int | None = None,
    on_progress: OnProgress | None = None,
) -> SweepResult:
    """Run the points of a sweep that are not in the store yet.

    Parameters
    ----------
    sweep : what to run.
    testbed : name of the testbed; without one ``LAB_TESTBED``, else ``virtual``.
    store : where records are kept; without one, the user's own store.
    scheduler : address of a Dask scheduler whose workers are ``lab sweep worker`` and see the
        store's folder; without one, workers are started here.
    workers : most points at once here; without a number, one on every core.
    memory_bytes : memory of all kernels here together; without a number, most of what is free.
    on_progress : called as points end; without it, a notebook shows a line.

    Returns
    -------
    What became of the points. A point that failed has its error there; it runs again next time.

    Raises
    ------
    LabError : the store cannot be written, the testbed is missing, the cluster is gone.
    CancelledError : Ctrl-C; what was complete is kept.
    """
    chosen, kept = chosen_testbed(testbed), store or Store()
    if workers is not None:
        whole("workers", workers, low=1, high=10_000)
    if memory_bytes is not None:
        whole("memory_bytes", memory_bytes, low=1)
    kept.check_writable()
    points = list(sweep)
    todo = [each for each in points if not is_kept(kept, each, chosen.name)]
    tally = _Tally(len(points), on_progress or notebook_line(), kept=len(points) - len(todo))
    tally.tell()
    try:
        if todo and scheduler is not None:
            _on_cluster(scheduler, todo, testbed or chosen.name, kept, tally.take)
        elif todo:
            _check_available(chosen)
            at_once = workers or placement.cores()
            memory = memory_bytes or placement.free_memory_bytes()
            _here(at_once, memory, todo, testbed or chosen.name, kept, tally.take)
    except KeyboardInterrupt:
        done = sum(is_kept(kept, each, chosen.name) for each in points)
        said = f"it was stopped; {done} of {len(points)} points are kept"
        raise CancelledError("running the sweep", said) from None
    return SweepResult(sweep, kept, chosen, tally.progress, tuple(tally.failures))


def _check_available(testbed: Testbed) -> None:
    found = testbed.available()
    if not found.available:
        problem = f"the testbed {testbed.name} cannot run here: {found.reason}."
        raise MissingToolError(f"{problem} {found.remedy}".rstrip())


def _here(
    workers: int,
    memory_bytes: int,
    todo: list[Experiment],
    testbed: str | Testbed,
    store: Store,
    take: OnOutcome,
) -> None:
    """Run points on this machine, those that fit in larger numbers first."""
    from lab_tools.sweeping import cluster
    from lab_tools.sweeping.window import run_window

    needs = [guest_memory_bytes(each) for each in todo]
    found, too_large = placement.stages(needs, workers, memory_bytes)
    for stage in found:
        with cluster.local(min(stage.workers, len(stage.points)), stage.memory_bytes) as client:
            run_window(client, [todo[n] for n in stage.points], testbed, store, take)
    _refuse((todo[n] for n in too_large), memory_bytes, take)


def _on_cluster(
    address: str, todo: list[Experiment], testbed: str | Testbed, store: Store, take: OnOutcome
) -> None:
    """Run points on the workers of the scheduler at an address."""
    from lab_tools.sweeping import cluster
    from lab_tools.sweeping.window import run_window

    with cluster.existing(address) as client:
        largest = _largest_share(client)
        fits = [each for each in todo if guest_memory_bytes(each) <= largest]
        run_window(client, fits, testbed, store, take)
        _refuse((each for each in todo if guest_memory_bytes(each) > largest), largest, take)


def _largest_share(client: "Client") -> int:
    from lab_tools.sweeping import cluster

    return max(cluster.shares(client))


def _refuse(points: Iterable[Experiment], memory_bytes: int, take: OnOutcome) -> None:
    """Report points whose kernel would not fit into any worker's memory."""
    for each in points:
        need = guest_memory_bytes(each)
        said = (
            f"its kernel needs {need / 1e9:.1f} GB of memory, and a worker has at most "
            f"{memory_bytes / 1e9:.1f} GB. Give it a machine with more, or fewer workers"
        )
        take(each, Outcome(FAILED, f"{said} (lab sweep worker --workers 1)."))
