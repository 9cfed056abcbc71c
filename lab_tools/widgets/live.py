"""Goodput, window and RTT of a run over time, drawn while the samples arrive."""

import dataclasses
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from lab_tools.experiment import Experiment
from lab_tools.figures.draw import curve, hover
from lab_tools.figures.look import Scale, axis, colour, layout, rate_scale, time_scale
from lab_tools.record import RunRecord
from lab_tools.testbeds.base import Sample
from lab_tools.units import show_rate, show_time
from lab_tools.widgets.holder import Held

#: Points of a curve while it grows; more would make the page slow and cannot be told apart.
MOST_POINTS = 1500
_ROWS = (("goodput_bps", "Goodput"), ("cwnd_segments", "Window"), ("rtt_s", "RTT"))


class LiveFigure:
    """Three panels over one time axis, one curve for each flow.

    Attributes
    ----------
    held : the figure and its place.
    """

    def __init__(self) -> None:
        base = go.Figure(layout=layout("The run", height_px=640, showlegend=False))
        grid = make_subplots(rows=3, cols=1, shared_xaxes=True, vertical_spacing=0.07, figure=base)
        self.held = Held(grid)
        self._flows = 0
        self._values: list[dict[str, list[float]]] = []
        self._scales: tuple[Scale, ...] = ()

    def start(self, experiment: Experiment) -> None:
        """Empty the figure for a run."""
        path = experiment.path
        self._flows = len(experiment.flows)
        names = ("time_s", *(name for name, _ in _ROWS))
        self._values = [{name: [] for name in names} for _ in range(self._flows)]
        self._scales = (
            rate_scale(path.rate_bps), Scale(1.0, "segments"), time_scale(path.rtt_s),
        )  # fmt: skip
        curves, rows = [], []
        for row, ((_, name), scale) in enumerate(zip(_ROWS, self._scales, strict=True), start=1):
            for flow, about in enumerate(experiment.flows):
                words = f"{about.cc}, flow {flow + 1}" if self._flows > 1 else about.cc
                text = hover("Time", "s", name, scale.unit)
                curves.append(curve([], [], words, colour(flow + row - 1), text))
                rows.append(row)
        figure = self.held.figure
        figure.data = ()
        for row, ((_, name), scale) in enumerate(zip(_ROWS, self._scales, strict=True), 1):
            figure.update_yaxes(axis(name, scale.unit, rangemode="tozero"), row=row, col=1)
        figure.update_xaxes(range=[0, experiment.duration_s])
        figure.update_xaxes(axis("Time", "s"), row=3, col=1)
        title = f"The run: {show_rate(path.rate_bps)}, {show_time(path.rtt_s)}"
        figure.update_layout(title_text=title)
        figure.add_traces(curves, rows=rows, cols=[1] * len(rows))
        self.held.push()

    def add(self, samples: list[Sample]) -> None:
        """Draw new samples, in one message to the page."""
        for sample in samples:
            if sample.flow >= self._flows:
                continue
            values = self._values[sample.flow]
            values["time_s"].append(sample.time_s)
            values["goodput_bps"].append(sample.goodput_bps)
            values["cwnd_segments"].append(sample.cwnd_segments)
            # the kernel says 0 until it has measured one
            values["rtt_s"].append(sample.rtt_s or float("nan"))
        self._draw()

    def show(self, record: RunRecord) -> None:
        """Draw a record that is complete, whether its samples came before or not."""
        self.start(record.experiment)
        for flow, values in enumerate(self._values):
            own = dataclasses.replace(record, flows=record.flows[record.flows["flow"] == flow])
            total = own.total()
            for name in values:
                values[name] = total[name].tolist()
            values["rtt_s"] = [each or float("nan") for each in values["rtt_s"]]
        self._draw()

    def _draw(self) -> None:
        for flow, values in enumerate(self._values):
            keep = _spread(len(values["time_s"]))
            time_s = np.asarray(values["time_s"])[keep]
            for row, ((name, _), scale) in enumerate(zip(_ROWS, self._scales, strict=True)):
                trace: Any = self.held.figure.data[row * self._flows + flow]
                trace.x, trace.y = time_s, scale.show(np.asarray(values[name])[keep])
        self.held.push()


def _spread(count: int) -> Any:
    """Indices of at most `MOST_POINTS` of some points, evenly spread, with the last one."""
    if count <= MOST_POINTS:
        return slice(None)
    return np.linspace(0, count - 1, MOST_POINTS).astype(int)
