"""One point of a sweep, where it runs: claim it, run it, keep it.

A point is complete when its record is in the store, where it arrives in one step. So whatever is
killed, a point is either complete or runs again. The claim, a lock on a file that the operating
system drops with its process, keeps two sweeps on one store from running the same point at once.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from filelock import FileLock, Timeout

from lab_tools import testbeds
from lab_tools.errors import CancelledError, LabError, RunError
from lab_tools.experiment import Experiment
from lab_tools.record import RunRecord
from lab_tools.store import Store
from lab_tools.sweeping.journal import remember, write_journal
from lab_tools.testbeds.base import Sample, Testbed

#: What became of a point: it ran now, it was there, another process runs it, it failed.
RAN, KEPT, CLAIMED, FAILED = "ran", "kept", "claimed", "failed"


@dataclass(frozen=True)
class Outcome:
    """What became of one point; ``error`` says why it failed."""

    state: str
    error: str = ""


def chosen_testbed(testbed: "str | Testbed | None") -> Testbed:
    """Return the testbed of that name, or the one given.

    Raises
    ------
    UnknownNameError : there is no such testbed.
    """
    return testbeds.get(testbed) if testbed is None or isinstance(testbed, str) else testbed


def place_of(store: Store, experiment: Experiment, testbed: str) -> FilePath:
    """Return the folder of the experiment's record; on replay any testbed's counts."""
    place = store.place(experiment, testbed)
    if testbed == "replay":
        made = sorted(place.parent.glob("*/record.json"))
        return made[-1].parent if made else place
    return place


def is_kept(store: Store, experiment: Experiment, testbed: str) -> bool:
    """Say whether the store has the experiment's record."""
    return (place_of(store, experiment, testbed) / "record.json").exists()


def run_point(
    data: dict[str, Any],
    testbed: "str | Testbed",
    folder: str,
    stopped: Callable[[], bool] | None = None,
) -> Outcome:
    """Run one point if its record is not in the store; never raises.

    Parameters
    ----------
    data : the experiment as plain data.
    testbed : its name, or itself.
    folder : the store's folder.
    stopped : says whether nobody waits for the point any more; without one, Dask is asked.
    """
    try:
        experiment = Experiment.from_dict(data)
        return _run(experiment, chosen_testbed(testbed), Store(folder), stopped or dask_stopped())
    except LabError as error:
        return Outcome(FAILED, "\n".join([str(error), *getattr(error, "__notes__", ())]))
    except Exception as error:  # a fault in a testbed must not end the other points
        return Outcome(FAILED, f"{type(error).__name__}: {error}")


def _run(
    experiment: Experiment, testbed: Testbed, store: Store, stopped: Callable[[], bool]
) -> Outcome:
    def heed(_sample: Sample | None = None) -> None:
        if stopped():
            raise CancelledError("running a point of a sweep", "the sweep was stopped")

    heed()
    store.check_writable()
    with claim(store, experiment, testbed.name) as mine:
        if is_kept(store, experiment, testbed.name):
            return Outcome(KEPT)
        if not mine:
            return Outcome(CLAIMED)
        write_journal(store, "started", experiment, testbed.name)
        try:
            record = testbed.run(experiment, heed)
        except RunError as error:
            if isinstance(error.partial, RunRecord) and not isinstance(error, CancelledError):
                place = store.put_partial(error.partial)
                error.add_note(f"What was measured until then is kept in {place}.")
            raise
        store.put(record)
        remember(store, record)
        write_journal(store, "kept", experiment, testbed.name)
    return Outcome(RAN)


@contextlib.contextmanager
def claim(store: Store, experiment: Experiment, testbed: str) -> Iterator[bool]:
    """Hold a point for this process; the value says whether it is free to run."""
    place = store.place(experiment, testbed).parent
    place.mkdir(parents=True, exist_ok=True)
    lock = FileLock(place / f".{testbed}.claim", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def dask_stopped() -> Callable[[], bool]:
    """Return what says whether Dask has given up the task that this thread runs."""
    from distributed import Status, get_worker

    try:
        worker = get_worker()
        key = worker.get_current_task()
    except (ValueError, AttributeError):
        return lambda: False

    def stopped() -> bool:
        task = worker.state.tasks.get(key)
        gone = task is None or task.state == "cancelled"
        return gone or worker.status != Status.running

    return stopped
