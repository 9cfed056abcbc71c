"""The experiment panel: choose, see what the model says at once, run it for real."""

from collections.abc import Sequence

import ipywidgets as w
import numpy as np

from lab_tools import units
from lab_tools.errors import InputError
from lab_tools.experiment import Experiment
from lab_tools.record import RunRecord
from lab_tools.testbeds.base import Sample
from lab_tools.widgets.background import Runner, run_by_default
from lab_tools.widgets.controls import Message
from lab_tools.widgets.expected import Expected, Model, expected
from lab_tools.widgets.experiment_controls import ExperimentControls, usual_fields
from lab_tools.widgets.fields import kind_of, value_of
from lab_tools.widgets.live import LiveFigure
from lab_tools.widgets.model_figure import ModelFigure, answer
from lab_tools.widgets.notebook import show, table, widgets_on
from lab_tools.widgets.page import Page
from lab_tools.widgets.run_bar import RunBar
from lab_tools.widgets.ticking import Ticker, tick

VARY = ("rtt_s", "loss", "cc", "streams", "mss_bytes", "pacing_bps", "buffer_bdp")


def explore(experiment: Experiment, model: Model | None = None, vary: Sequence[str] = VARY) -> None:
    """Show a panel to explore an experiment: sliders, the model's answer, and a button to run it.

    Runs are kept in the user's own store, apart from a lab's graded records. Where widgets cannot
    be shown, or ``LAB_WIDGETS=off`` is set, a short table is printed in the panel's place.

    Parameters
    ----------
    experiment : where to begin; what has no control stays as it is here.
    model : goodput in bit/s of an experiment; without one, the closed forms that fit it
        (`lab_tools.widgets.expected`).
    vary : fields of `Path`, `Host`, `Experiment` or a single `Flow` that get a control. The first
        numeric one is the horizontal axis.

    Raises
    ------
    InputError : a field that there is not, that has no control, or that is of one flow of several.

    >>> from lab_tools.experiment import Path
    >>> explore(Experiment(Path(1e9, 0.02, mtu_bytes=1500)), vary=("rtt_s", "cc"))
    Round-trip time     20 ms
    Congestion control  cubic
    Model's goodput     956.4 Mbit/s, set by the bottleneck's rate
    """
    names = usual_fields(experiment, vary) if tuple(vary) == VARY else list(vary)
    words = as_words(experiment, model or expected, names)
    experiment.replace(**{name: value_of(experiment, name) for name in names})
    if widgets_on():
        show(Explorer(experiment, model or expected, names).widget, words)
    else:
        print(words)


def as_words(experiment: Experiment, model: Model, names: Sequence[str]) -> str:
    """Return the fields and the model's answer as a short table."""
    controls = ((kind_of(experiment, name), name) for name in names)
    rows = [(kind.label, kind.show(value_of(experiment, name))) for kind, name in controls]
    return table([*rows, ("Model's goodput", say(answer(model, experiment)))])


def say(found: Expected) -> str:
    """Say a model's answer in words."""
    if not np.isfinite(found.goodput_bps):
        return f"no closed form says it ({found.limit})" if found.limit else "no closed form"
    limit = f", set by {found.limit}" if found.limit else ""
    return f"{units.show_rate(found.goodput_bps)}{limit}"


class Explorer:
    """The panel behind `explore`.

    Parameters
    ----------
    experiment, model, names : as in `explore`.
    runner, ticker : as in `RunBar`.

    Attributes
    ----------
    widget : what to show.
    """

    def __init__(
        self,
        experiment: Experiment,
        model: Model = expected,
        names: Sequence[str] = VARY,
        *,
        runner: Runner = run_by_default,
        ticker: Ticker = tick,
    ) -> None:
        self.controls = ExperimentControls(experiment, names, self._changed)
        self.model, self.live, self.page = ModelFigure(model), LiveFigure(), Page()
        self.page.follow(self.model.held)
        self.page.follow(self.live.held)
        axes = [(k.label, name) for name, k in self.controls.kinds.items() if k.numeric]
        if not axes:
            raise InputError("vary", tuple(names), "fields of which one at least is a number")
        self.over = w.Dropdown(
            options=axes, description="Over", layout={"width": "26em"},
            style={"description_width": "11em"},
            tooltip="What the horizontal axis shows",
        )  # fmt: skip
        self.log = w.Checkbox(value=True, description="logarithmic goodput", indent=False)
        for each in (self.over, self.log):
            each.observe(lambda _change: self._draw(), "value")
        self.answer = Message()
        self.run_bar = RunBar(
            lambda: self.controls.experiment,
            on_start=self._started, on_samples=self._sampled, on_record=self._measured,
            runner=runner, ticker=ticker,
        )  # fmt: skip
        axis_row = w.HBox([self.over, self.log], layout={"flex_flow": "wrap"})
        parts = [
            self.controls.box,
            self.answer.box,
            axis_row,
            self.model.held.widget,
            self.run_bar.box,
        ]
        self.widget = w.VBox([self.page, *parts], layout={"overflow": "hidden"})
        self._draw()

    def _changed(self, experiment: Experiment | None) -> None:
        self.run_bar.allow(experiment is not None)
        if experiment is not None:
            self._draw()

    def _draw(self) -> None:
        name = self.over.value
        experiment = self.controls.experiment
        self.model.draw(experiment, name, self.controls.kinds[name], log=self.log.value)
        self.answer.say(f"Model: {say(self.model.now)}")

    def _started(self, experiment: Experiment) -> None:
        self.live.start(experiment)
        if self.live.held.widget not in self.widget.children:
            self.widget.children = (*self.widget.children, self.live.held.widget)

    def _sampled(self, samples: list[Sample]) -> None:
        self.live.add(samples)

    def _measured(self, record: RunRecord) -> None:
        self.live.show(record)
        self.model.remember(record)
        self._draw()
