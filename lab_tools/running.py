"""Run an experiment once, and only once: the store remembers."""

from lab_tools import testbeds
from lab_tools.errors import RunError
from lab_tools.experiment import Experiment
from lab_tools.record import RunRecord
from lab_tools.store import Store
from lab_tools.testbeds.base import OnSample


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
