"""The row under a panel that runs something: Run, Cancel, progress, and one plain message."""

from collections.abc import Callable
from typing import Any

import ipywidgets as w

from lab_tools import units
from lab_tools.experiment import Experiment
from lab_tools.record import RunRecord
from lab_tools.testbeds.base import Sample
from lab_tools.widgets.background import BackgroundRun, Runner, run_by_default
from lab_tools.widgets.controls import Message
from lab_tools.widgets.ticking import Ticker, tick


class RunBar:
    """Runs an experiment in the background and tells its owner what comes.

    Parameters
    ----------
    experiment : called at a press of Run, for what to run.
    on_start : called with the experiment when a run has been started.
    on_samples : called some times a second with the new samples, if there are any.
    on_record : called with the record of a complete run.
    runner : runs it; without one, the default testbed and the user's own store.
    ticker : calls a function again and again; without one, the kernel's loop.
    """

    def __init__(
        self,
        experiment: Callable[[], Experiment],
        *,
        on_start: Callable[[Experiment], None],
        on_samples: Callable[[list[Sample]], None],
        on_record: Callable[[RunRecord], None],
        runner: Runner = run_by_default,
        ticker: Ticker = tick,
    ) -> None:
        self._experiment, self._on_start = experiment, on_start
        self._on_samples, self._on_record = on_samples, on_record
        self._runner, self._ticker = runner, ticker
        self.current: BackgroundRun | None = None
        self._time_s = 0.0
        self.run = w.Button(
            description="Run it", tooltip="Run this experiment for real", button_style="primary"
        )
        self.cancel = w.Button(
            description="Cancel", tooltip="Stop the run; what was measured is kept", disabled=True
        )
        self.bar = w.FloatProgress(min=0, max=1, layout={"width": "12em", "display": "none"})
        self._status = Message()
        self._problem = Message(alert=True)
        self.run.on_click(self._start)
        self.cancel.on_click(self._cancel)
        row = w.HBox(
            [self.run, self.cancel, self.bar, self._status.box],
            layout={"flex_flow": "wrap", "align_items": "center"},
        )
        self.box = w.VBox([row, self._problem.box])

    def allow(self, allowed: bool) -> None:
        """Let the user press Run, or not; while something runs, nothing else can."""
        busy = self.current is not None and not self.current.done
        self.run.disabled = busy or not allowed
        self._allowed = allowed

    @property
    def status(self) -> str:
        """What the bar says, as HTML."""
        words: str = self._status.box.value
        return words

    @property
    def problem(self) -> str:
        """Why the last run did not complete, as HTML; "" if it did."""
        words: str = self._problem.box.value
        return words

    _allowed = True

    def _start(self, _button: Any = None) -> None:
        experiment = self._experiment()
        self._problem.say("")
        self._status.say("starting …")
        self.bar.layout.display = ""
        self.bar.value, self.bar.max, self._time_s = 0.0, experiment.duration_s, 0.0
        self._on_start(experiment)
        self.current = BackgroundRun(experiment, self._runner)
        self.run.disabled, self.cancel.disabled = True, False
        self._ticker(self.look)

    def _cancel(self, _button: Any = None) -> None:
        if self.current is not None:
            self.current.cancel()
            self.cancel.disabled = True
            self._status.say("cancelling …")

    def look(self) -> bool:
        """Pass on what is new; return whether the run goes on."""
        run = self.current
        if run is None:
            return False
        done = run.done  # asked first, so that no sample can come after the last look
        samples = run.take()
        if samples:
            self._time_s = max(self._time_s, samples[-1].time_s)
            self.bar.value = self._time_s
            if not done and not self.cancel.disabled:
                total_s = run.experiment.duration_s
                self._status.say(f"{self._time_s:.1f} of {total_s:g} virtual seconds")
            self._on_samples(samples)
        if done:
            self._end(run)
        return not done

    def _end(self, run: BackgroundRun) -> None:
        self.cancel.disabled = True
        self.run.disabled = not self._allowed
        self.bar.layout.display = "none"
        if run.cancelled:
            kept = f"; the first {self._time_s:.1f} s are kept" if self._time_s else ""
            self._status.say(f"The run was cancelled{kept}.")
        elif run.error:
            self._status.say("")
            self._problem.say(run.error)
        elif run.record is not None:
            self._on_record(run.record)
            before = "" if self._time_s else " It was run before and came from your store."
            self._status.say(f"Measured: {said(run.record)}{before}")


def said(record: RunRecord) -> str:
    """Say what came out of a run, and whether it was what was asked for."""
    text = f"{units.show_rate(record.goodput_bps())} in a run of {record.experiment.duration_s:g} s"
    if record.calibrated:
        return f"{text}."
    return f"{text}, which was not what the experiment asked for: do not use it."
