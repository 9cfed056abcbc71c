"""Work in a thread of its own, so that the page stays alive; what comes is fetched by its owner."""

import threading
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from lab_tools import running
from lab_tools.errors import CancelledError, LabError, RunError
from lab_tools.experiment import Experiment
from lab_tools.record import RunRecord
from lab_tools.testbeds.base import OnSample, Sample

T = TypeVar("T")
#: Runs an experiment, as `lab_tools.running.run` does.
Runner = Callable[[Experiment, OnSample], RunRecord]


def run_by_default(experiment: Experiment, on_sample: OnSample) -> RunRecord:
    """Run on the default testbed, with the user's own store: never a lab's graded records."""
    return running.run(experiment, on_sample=on_sample)


class Job(Generic[T]):
    """A function that runs in a thread of its own.

    Attributes
    ----------
    result : what the function returned, or None.
    failure : the project's error that it raised, or None.
    error : in words, why it did not end as it should; "" while it runs and when it did.
    """

    def __init__(self, work: Callable[[], T]) -> None:
        self.result: T | None = None
        self.failure: LabError | None = None
        self.error = ""
        self._work = work
        self._thread = threading.Thread(target=self._run, daemon=True, name="lab-job")
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether the function has ended, for whatever reason."""
        return not self._thread.is_alive()

    def wait(self, timeout_s: float | None = None) -> None:
        """Wait until it has ended."""
        self._thread.join(timeout_s)

    def _run(self) -> None:
        try:
            self.result = self._work()
        except LabError as error:
            self.failure = error
            self.error = "\n".join([str(error), *getattr(error, "__notes__", [])])
        except Exception as error:  # a thread's traceback would land on standard error
            self.error = f"This is a fault of the program, please report it: {error!r}"


class BackgroundRun:
    """A run that has been started; its owner asks it now and then what is new.

    Parameters
    ----------
    experiment : what to run.
    runner : runs it.
    """

    def __init__(self, experiment: Experiment, runner: Runner = run_by_default) -> None:
        self.experiment = experiment
        self._stop = threading.Event()
        self._samples: deque[Sample] = deque()
        self._job = Job(lambda: runner(experiment, self._on_sample))

    @property
    def done(self) -> bool:
        """Whether the run has ended, for whatever reason."""
        return self._job.done

    @property
    def error(self) -> str:
        """In words, why the run did not complete; "" while it runs and when it did."""
        return self._job.error

    @property
    def cancelled(self) -> bool:
        """Whether the run ended because somebody stopped it."""
        return isinstance(self._job.failure, CancelledError)

    @property
    def record(self) -> RunRecord | None:
        """The record of a complete run; of one that ended early, what was measured, if anything."""
        failure = self._job.failure
        found = failure.partial if isinstance(failure, RunError) else self._job.result
        return found if isinstance(found, RunRecord) else None

    def cancel(self) -> None:
        """Ask the run to end at its next sample; what was measured is kept."""
        self._stop.set()

    def wait(self, timeout_s: float | None = None) -> None:
        """Wait until the run has ended."""
        self._job.wait(timeout_s)

    def take(self) -> list[Sample]:
        """Return the samples that came since the last time."""
        return [self._samples.popleft() for _ in range(len(self._samples))]

    def _on_sample(self, sample: Sample) -> None:
        self._samples.append(sample)
        if self._stop.is_set():
            raise CancelledError("running the experiment", "it was cancelled")
