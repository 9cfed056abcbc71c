"""One run in a thread of its own, whose samples wait until somebody fetches them."""

import threading
from collections import deque
from collections.abc import Callable

from lab_tools import running
from lab_tools.errors import CancelledError, LabError, RunError
from lab_tools.experiment import Experiment
from lab_tools.record import RunRecord
from lab_tools.testbeds.base import OnSample, Sample

#: Runs an experiment, as `lab_tools.running.run` does.
Runner = Callable[[Experiment, OnSample], RunRecord]


def run_by_default(experiment: Experiment, on_sample: OnSample) -> RunRecord:
    """Run on the default testbed, with the user's own store: never a lab's graded records."""
    return running.run(experiment, on_sample=on_sample)


class BackgroundRun:
    """A run that has been started; its owner asks it now and then what is new.

    Attributes
    ----------
    record : when it is done, the record; of a run that ended early, what was measured, or None.
    error : in words, why it did not complete; "" while it runs and when it did.
    cancelled : whether it ended because of `cancel`.
    """

    def __init__(self, experiment: Experiment, runner: Runner = run_by_default) -> None:
        self.experiment = experiment
        self.record: RunRecord | None = None
        self.error = ""
        self.cancelled = False
        self._runner = runner
        self._stop = threading.Event()
        self._samples: deque[Sample] = deque()
        self._thread = threading.Thread(target=self._work, daemon=True, name="lab-run")
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether the run has ended, for whatever reason."""
        return not self._thread.is_alive()

    def cancel(self) -> None:
        """Ask the run to end at its next sample; what was measured is kept."""
        self._stop.set()

    def wait(self, timeout_s: float | None = None) -> None:
        """Wait until the run has ended."""
        self._thread.join(timeout_s)

    def take(self) -> list[Sample]:
        """Return the samples that came since the last time."""
        return [self._samples.popleft() for _ in range(len(self._samples))]

    def _on_sample(self, sample: Sample) -> None:
        self._samples.append(sample)
        if self._stop.is_set():
            raise CancelledError("running the experiment", "it was cancelled")

    def _work(self) -> None:
        try:
            self.record = self._runner(self.experiment, self._on_sample)
        except LabError as error:
            self.cancelled = isinstance(error, CancelledError)
            partial = error.partial if isinstance(error, RunError) else None
            self.record = partial if isinstance(partial, RunRecord) else None
            self.error = "\n".join([str(error), *getattr(error, "__notes__", [])])
        except Exception as error:  # a thread's traceback would land on standard error
            self.error = f"The run failed: {error}. This is a fault of the program: report it."
