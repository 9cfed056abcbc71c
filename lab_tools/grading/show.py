"""Show a run's progress in a notebook: one line that is updated, on standard output."""

import time
from types import TracebackType
from typing import Any, Self

from lab_tools import units
from lab_tools.experiment import Experiment
from lab_tools.notebook import in_notebook
from lab_tools.record import RunRecord
from lab_tools.testbeds.base import Sample

#: Wall time between two updates of the line.
_EVERY_S = 0.2
_BAR = 24


class _Line:
    """One line of a notebook's output that is updated."""

    def __init__(self) -> None:
        self._handle: Any = None

    def __enter__(self) -> Self:
        if in_notebook():
            from IPython.display import display

            self._handle = display({"text/plain": "booting …"}, raw=True, display_id=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            self._say("the run did not complete")

    def _say(self, text: str) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": text}, raw=True)


class ProgressOfMany(_Line):
    """A progress line for several runs: how many are done, and the time left."""

    def __init__(self, runs: int) -> None:
        super().__init__()
        self._runs, self._done, self._began = runs, 0, time.monotonic()

    def on_done(self, record: RunRecord) -> None:
        """Move the bar by one run."""
        self._done += 1
        full = _BAR * self._done // self._runs
        bar = "█" * full + "░" * (_BAR - full)
        left_s = (time.monotonic() - self._began) / self._done * (self._runs - self._done)
        when = f"about {left_s:.0f} s left" if self._done < self._runs else "all kept"
        self._say(f"{bar} {self._done} of {self._runs} runs, {when}; last: {record.title}")


class Progress(_Line):
    """A progress line for one run, in virtual seconds."""

    def __init__(self, experiment: Experiment) -> None:
        super().__init__()
        self._experiment = experiment
        self._shown_at = 0.0

    def on_sample(self, sample: Sample) -> None:
        """Move the bar."""
        now = time.monotonic()
        if now - self._shown_at < _EVERY_S:
            return
        self._shown_at = now
        total_s = self._experiment.duration_s
        full = min(_BAR, int(_BAR * sample.time_s / total_s))
        bar = "█" * full + "░" * (_BAR - full)
        rate = units.show_rate(sample.goodput_bps, 3)
        self._say(f"{bar} {sample.time_s:.1f} of {total_s:g} s, {rate}")

    def done(self, record: RunRecord) -> None:
        """Leave one line that says what came out."""
        doubt = "" if record.calibrated else ", NOT CALIBRATED"
        self._say(f"{record.title}: {units.show_rate(record.goodput_bps())}{doubt}")
