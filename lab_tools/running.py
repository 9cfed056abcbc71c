"""Run an experiment once, and only once: the store remembers."""

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from lab_tools import testbeds
from lab_tools.errors import CancelledError, LabError, RunError
from lab_tools.experiment import Experiment
from lab_tools.record import RunRecord
from lab_tools.store import Store
from lab_tools.testbeds.base import OnSample, Sample

OnDone = Callable[[RunRecord], None]


def run(
    experiment: Experiment,
    *,
    testbed: str | None = None,
    store: Store | None = None,
    fresh: bool = False,
    on_sample: OnSample | None = None,
) -> RunRecord:
    """Return the record of an experiment, from the store or from a run.

    Parameters
    ----------
    experiment : what to run.
    testbed : name of the testbed; without one ``LAB_TESTBED``, else ``virtual``.
    store : where records are kept; without one, the user's own store.
    fresh : run even if the store has a record already.
    on_sample : called with each sample as it arrives.

    Raises
    ------
    LabError : the testbed is missing, the run failed, or the store cannot be written.
    """
    chosen = testbeds.get(testbed)
    kept = store or Store()
    # A recording is as good as another: on replay the records of one's own runs count too.
    known = kept.any(experiment) if chosen.name == "replay" else kept.get(experiment, chosen.name)
    if known is not None and not fresh:
        return known
    kept.check_writable()
    try:
        record = chosen.run(experiment, on_sample)
    except RunError as error:
        if isinstance(error.partial, RunRecord):
            place = kept.put_partial(error.partial)
            error.add_note(f"What was measured until then is kept in {place}.")
        raise
    kept.put(record)
    return record


def run_all(
    experiments: Sequence[Experiment],
    *,
    testbed: str | None = None,
    store: Store | None = None,
    on_done: OnDone | None = None,
) -> list[RunRecord]:
    """Return the records of several experiments, in their order, running one on every core.

    Parameters
    ----------
    experiments : what to run; the same one twice is run once.
    testbed, store : as for `run`.
    on_done : called with each record as it arrives, in the order of arrival.

    Raises
    ------
    LabError : the first run that failed, after all others have ended; they are in the store.
    """
    stop = threading.Event()

    def heed(_sample: Sample | None = None) -> None:
        if stop.is_set():
            raise CancelledError("running several experiments", "they were stopped")

    def one(experiment: Experiment) -> RunRecord:
        heed()
        return run(experiment, testbed=testbed, store=store, on_sample=heed)

    distinct = {experiment.id: experiment for experiment in experiments}
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        running = {pool.submit(one, experiment): name for name, experiment in distinct.items()}
        try:
            done = _gather(running, on_done)
        except KeyboardInterrupt:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise CancelledError(
                "running several experiments", "they were stopped; what was complete is kept"
            ) from None
    return [done[experiment.id] for experiment in experiments]


def _gather(
    running: dict["Future[RunRecord]", str], on_done: OnDone | None
) -> dict[str, RunRecord]:
    """Wait for every run; raise the first failure when all have ended."""
    done: dict[str, RunRecord] = {}
    failed: list[LabError] = []
    left = set(running)
    while left:
        ended, left = wait(left, return_when=FIRST_COMPLETED)
        for future in sorted(ended, key=lambda each: running[each]):
            try:
                record = future.result()
            except LabError as error:
                failed.append(error)
                continue
            done[running[future]] = record
            if on_done:
                on_done(record)
    if failed:
        failed[0].add_note(f"{len(failed)} of {len(running)} runs failed; the others are kept.")
        raise failed[0]
    return done
