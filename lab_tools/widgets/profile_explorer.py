"""Throughput profiles of a table: choose the settings, see profile, sigmoids and curvature."""

from typing import Any

import ipywidgets as w
import numpy as np
import pandas as pd
import plotly.graph_objects as go

from lab_tools import models
from lab_tools.analysis.profiles import (
    Curvature,
    Profile,
    SigmoidPair,
    curvature,
    fit_sigmoid_pair,
    throughput_profile,
)
from lab_tools.arrays import FloatArray, number
from lab_tools.errors import LabError
from lab_tools.figures.concavity import concavity_figure
from lab_tools.figures.draw import curve, hover
from lab_tools.figures.look import GREEN, MILLISECONDS, axis, rate_scale
from lab_tools.figures.profile import profile_figure, sigmoid_figure
from lab_tools.figures.profiles import profiles_figure
from lab_tools.sweeping import shipped_table
from lab_tools.units import show_rate, show_time
from lab_tools.widgets.controls import Message
from lab_tools.widgets.expected import ADVERTISED
from lab_tools.widgets.holder import Held
from lab_tools.widgets.notebook import show, show_still, table, widgets_on
from lab_tools.widgets.page import Page
from lab_tools.widgets.profile_table import ProfileTable, label_of, show_value
from lab_tools.widgets.steps import chooser

SHIPPED = "09_throughput_profiles"
#: Of the shipped table's path: 10 Gbit/s, 9000-byte packets, transfers of 10 s from a cold start.
RATE_BPS, MSS_BYTES, DURATION_S = 10e9, 8948, 10.0
VIEWS = ("Profile and model", "Sigmoid pair", "Curvature")
_MODEL_POINTS = 121


def profile_explorer(
    table: pd.DataFrame | None = None,
    *,
    rate_bps: float = RATE_BPS,
    mss_bytes: float = MSS_BYTES,
    duration_s: float = DURATION_S,
) -> None:
    """Show a panel for throughput profiles: choose settings, see the profile and what it says.

    Where widgets cannot be shown, a still picture or a short table takes the place.

    Parameters
    ----------
    table : runs with ``rtt_s`` and ``goodput_bps``, such as `lab_tools.sweeping.sweep_frame`
        gives; each other column of settings is a choice. Without one, the table that the course
        ships: three congestion controls, 1, 4 and 10 streams, buffers of 250 kB to 1 GB.
    rate_bps, mss_bytes, duration_s : the path's rate, the payload of a full segment, and the
        duration of a run, for the model (`models.slow_start_profile`).

    Raises
    ------
    DataError : a table without these columns or without a profile. InputError : a value out of
        range. MissingToolError : the course's tables are not there.

    >>> runs = {"rtt_s": [0.01, 0.01, 0.1, 0.1], "goodput_bps": [9e9, 9.2e9, 4e9, 5e9]}
    >>> profile_explorer(pd.DataFrame(runs))
    RTT     Mean throughput
    10 ms   9.1 Gbit/s
    100 ms  4.5 Gbit/s
    """
    source = shipped_table(SHIPPED) if table is None else table
    panel = ProfileExplorer(source, rate_bps=rate_bps, mss_bytes=mss_bytes, duration_s=duration_s)
    if widgets_on():
        show(panel.widget, panel.words())
    else:
        show_still(panel.held.figure, panel.words())


class ProfileExplorer:
    """The panel behind `profile_explorer`, with its parameters.

    Attributes
    ----------
    widget : what to show; ``choices`` are its lists, ``view`` and ``log`` choose the figure.
    held : the figure and its place.
    pair, curvature : what was found of the present profile; None where it cannot be.
    """

    def __init__(
        self,
        source: pd.DataFrame,
        *,
        rate_bps: float = RATE_BPS,
        mss_bytes: float = MSS_BYTES,
        duration_s: float = DURATION_S,
    ) -> None:
        self._table = ProfileTable(source)
        self._rate_bps = number("rate_bps", rate_bps, above=0)
        self._mss_bytes = number("mss_bytes", mss_bytes, above=0)
        self._duration_s = number("duration_s", duration_s, above=0)
        self.pair: SigmoidPair | None = None
        self.curvature: Curvature | None = None
        first = self._table.first()
        self.choices = {
            name: chooser(
                label_of(name), [(show_value(name, v), v) for v in values], first[name], self._draw
            )
            for name, values in self._table.choices.items()
        }
        self.view = chooser("Show", VIEWS, VIEWS[0], self._draw)
        self.log = w.Checkbox(value=False, description="logarithmic axes", indent=False)
        self.log.observe(lambda _change: self._draw(), "value")
        self._verdict, self._problem = Message(), Message(alert=True)
        self.held = Held(go.Figure())
        page = Page()
        page.follow(self.held)
        rows = [*self.choices.values(), w.HBox([self.view, self.log], layout={"flex_flow": "wrap"})]
        self.widget = w.VBox(
            [page, *rows, self._problem.box, self._verdict.box, self.held.widget],
            layout={"overflow": "hidden"},
        )
        self._draw()

    @property
    def chosen(self) -> dict[str, Any]:
        """The settings chosen, by their columns."""
        return {name: each.value for name, each in self.choices.items()}

    @property
    def verdict(self) -> str:
        """What the panel says of the profile, as HTML."""
        said: str = self._verdict.box.value
        return said

    @property
    def problem(self) -> str:
        """Why there is no such figure, as HTML; "" if there is one."""
        said: str = self._problem.box.value
        return said

    def words(self) -> str:
        """Return the profile as a short table."""
        rtts, runs = self._table.find(self.chosen)
        rows = [(label_of(n), show_value(n, v)) for n, v in self.chosen.items()]
        means = [
            (show_time(r), show_rate(float(m.mean()))) for r, m in zip(rtts, runs, strict=True)
        ]
        return table([*rows, ("RTT", "Mean throughput"), *means])

    def model_bps(self, rtt_s: FloatArray) -> FloatArray:
        """Return slow start and then a full path; at most the advertised windows a round trip."""
        streams = self.chosen.get("streams") or 1
        full: Any = models.slow_start_profile(
            rtt_s,
            self._rate_bps,
            self._mss_bytes,
            self._duration_s,
            streams,
            initial_window=10,
            last_round_in_rampup=False,
        )
        if size_bytes := self.chosen.get("rcvbuf_bytes"):
            full = np.minimum(full, models.buffer_limit(rtt_s, streams * ADVERTISED * size_bytes))
        return np.asarray(full, dtype=float)

    def _draw(self) -> None:
        self._problem.say("")
        try:
            rtts, runs = self._table.find(self.chosen)
        except LabError as error:
            self.pair = self.curvature = None
            self._verdict.say("")
            self._problem.say(str(error))
            return
        if min(each.size for each in runs) < 2:
            self.pair = self.curvature = None
            self._verdict.say("One run at an RTT: there is no band, and the bend cannot be tested.")
            means = {"mean of the runs": np.array([each.mean() for each in runs])}
            figure = profiles_figure(rtts, means, capacity_bps=self._rate_bps)
            self.held.show(self._with_model(figure, rtts, means["mean of the runs"]))
            return
        profile = throughput_profile(rtts, runs)
        self._study(profile, runs)
        self.held.show(self._figure(profile, runs))

    def _study(self, profile: Profile, runs: list[FloatArray]) -> None:
        """Fit the sigmoids, test the curvature, and say what was found."""
        noise_bps = float(np.mean(profile.standard_error_bps)) or None
        said = []
        try:
            self.pair = fit_sigmoid_pair(
                profile.rtt_s, profile.mean_bps, self._rate_bps, noise_bps=noise_bps
            )
            at, low, high = map(
                show_time, (self.pair.transition_s, self.pair.low_s, self.pair.high_s)
            )
            said.append(f"Transition RTT {at}; it can lie from {low} to {high}.")
        except LabError as error:
            self.pair = None
            said.append(f"No sigmoid pair: {error}")
        try:
            self.curvature = curvature(profile.rtt_s, runs)
            said.append(f"Curvature of the whole profile: {self.curvature.verdict}.")
        except LabError as error:
            self.curvature = None
            said.append(f"No test of the curvature: {error}")
        self._verdict.say("\n".join(said))

    def _figure(self, profile: Profile, runs: list[FloatArray]) -> go.Figure:
        if self.view.value == VIEWS[1] and self.pair is not None:
            figure = sigmoid_figure(profile, self.pair, self._rate_bps)
        elif self.view.value == VIEWS[2] and self.curvature is not None:
            return concavity_figure(profile, self.curvature)
        else:
            log_rtt = self.log.value and profile.rtt_s[0] > 0
            figure = profile_figure(
                profile, capacity_bps=self._rate_bps, runs_bps=runs, log_rtt=log_rtt
            )
            if log_rtt:
                unit = rate_scale(profile.mean_bps).unit
                figure.update_layout(yaxis=axis("Throughput", unit, log=True))
        return self._with_model(figure, profile.rtt_s, profile.mean_bps)

    def _with_model(self, figure: go.Figure, rtt_s: FloatArray, mean_bps: FloatArray) -> go.Figure:
        """Add the model's curve, between the shortest and the longest RTT."""
        if rtt_s[0] <= 0:
            return figure
        at = np.unique(np.concatenate([np.geomspace(rtt_s[0], rtt_s[-1], _MODEL_POINTS), rtt_s]))
        try:
            values = self.model_bps(at)
        except LabError as error:
            self._problem.say(f"The model does not apply: {error}")
            return figure
        scale = rate_scale(mean_bps)
        name = "model: slow start, then full"
        text = hover("RTT", "ms", "Throughput", scale.unit)
        line = {"color": GREEN, "width": 2, "dash": "dash"}
        return figure.add_trace(
            curve(MILLISECONDS.show(at), scale.show(values), name, GREEN, text, line=line)
        )
