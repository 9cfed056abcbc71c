"""A record's traces: choose streams, columns and times; all panels share one time axis."""

from typing import Any

import ipywidgets as w
import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from lab_tools import units
from lab_tools.figures.draw import curve, hover
from lab_tools.figures.look import (
    REFERENCE,
    Scale,
    axis,
    colour,
    dash,
    layout,
    rate_scale,
    size_scale,
    time_scale,
)
from lab_tools.figures.traces import traces
from lab_tools.record import FLOW_COLUMNS, RunRecord
from lab_tools.widgets.controls import Message
from lab_tools.widgets.holder import Held
from lab_tools.widgets.notebook import show, show_still, table, widgets_on
from lab_tools.widgets.page import Page

ALL = "all together"
#: Columns that are no curve over time.
_NO_CURVE = ("time_s", "flow", "stream")
_QUEUE = "queue: backlog_bytes"
_FIRST = ("goodput_bps", "cwnd_segments", "rtt_s")
_SCALES = {"bps": rate_scale, "s": time_scale, "bytes": size_scale}
_NAMES = {
    "cwnd": "Window",
    "rtt": "RTT",
    "rttvar": "RTT variation",
    "min rtt": "Least RTT",
    "mss": "MSS",
    "snd wnd": "Receiver's window",
    "ssthresh": "Slow-start threshold",
}


def trace_explorer(record: RunRecord) -> None:
    """Show a panel to look through a record's traces: streams, columns, a range of time.

    Thin lines mark the samples in which the bottleneck's queue dropped packets. Where widgets
    cannot be shown, a still picture or a short table takes the place.

    Parameters
    ----------
    record : any record.
    """
    words = _words(record)
    if widgets_on():
        show(TraceExplorer(record).widget, words)
    else:
        show_still(traces(record.total(), record.queue, title=record.title), words)


class TraceExplorer:
    """The panel behind `trace_explorer`.

    Attributes
    ----------
    widget : what to show; ``streams``, ``columns``, ``begin``, ``end`` are its controls.
    held : the figure and its place.
    """

    def __init__(self, record: RunRecord) -> None:
        self.record = record
        self._curves = {ALL: record.total()}
        flows = record.experiment.flows
        table = record.flows
        for flow, stream in table[["flow", "stream"]].drop_duplicates().to_numpy().tolist():
            rows = table[(table["flow"] == flow) & (table["stream"] == stream)]
            self._curves[f"flow {flow + 1} ({flows[flow].cc}), stream {stream + 1}"] = rows
        last_s = float(record.flows["time_s"].max())
        tall = {"width": "20em", "height": "9em"}
        self.streams = w.SelectMultiple(
            options=list(self._curves), value=(ALL,), description="Streams", layout=tall
        )
        choices = [name for name in FLOW_COLUMNS if self._drawable(name)]
        choices += [_QUEUE] if len(record.queue) else []
        first = [name for name in _FIRST if name in choices]
        self.columns = w.SelectMultiple(
            options=choices, value=first, description="Columns", layout=tall
        )
        time = {"min": 0.0, "max": last_s, "step": last_s / 100, "layout": {"width": "12em"}}
        self.begin = w.BoundedFloatText(value=0.0, description="From (s)", **time)
        self.end = w.BoundedFloatText(value=last_s, description="To (s)", **time)
        self._message = Message(alert=True)
        self.held = Held(go.Figure())
        page = Page()
        page.follow(self.held)
        for each in (self.streams, self.columns):
            each.observe(lambda _change: self._draw(), "value")
        for each in (self.begin, self.end):
            each.observe(lambda _change: self._zoom(), "value")
        times = w.VBox([self.begin, self.end])
        row = w.HBox([self.streams, self.columns, times], layout={"flex_flow": "wrap"})
        self.widget = w.VBox(
            [page, row, self._message.box, self.held.widget], layout={"overflow": "hidden"}
        )
        self._draw()

    def _drawable(self, name: str) -> bool:
        kind = FLOW_COLUMNS[name]
        known = name not in _NO_CURVE and kind not in ("string", "bool")
        values = self.record.flows.get(name) if known else None
        return values is not None and bool(np.isfinite(values.astype(float)).any())

    def _draw(self) -> None:
        columns = list(self.columns.value)
        if not columns or not self.streams.value:
            self._message.say("Choose at least one stream and one column.")
            return
        shown = {name: self._tables(name) for name in columns}
        missing = [name for name, tables in shown.items() if not tables]
        self._message.say(
            f"{ALL!r} has no {', '.join(missing)}: choose a single stream for it."
            if missing
            else ""
        )
        shown = {name: tables for name, tables in shown.items() if tables}
        if shown:
            self.held.show(self._picture(shown))
            self._zoom()

    def _tables(self, column: str) -> dict[str, pd.DataFrame]:
        """Return the chosen curves that have a column, by their names."""
        if column == _QUEUE:
            queue = self.record.queue
            return {"queue": queue[queue["kind"] == queue["kind"].iloc[0]]}
        chosen = {name: self._curves[name] for name in self.streams.value}
        return {name: rows for name, rows in chosen.items() if column in rows.columns}

    def _picture(self, shown: dict[str, dict[str, pd.DataFrame]]) -> go.Figure:
        rows = len(shown)
        base = go.Figure(layout=layout(self.record.title, height_px=170 * rows + 140))
        figure = make_subplots(
            rows=rows, cols=1, shared_xaxes=True, vertical_spacing=0.2 / rows, figure=base
        )
        for row, (column, tables) in enumerate(shown.items(), start=1):
            field = column.split(": ")[-1]
            name, scale = _named(field, [table[field] for table in tables.values()])
            text = hover("Time", "s", name, scale.unit)
            for each, rows_of in tables.items():
                number = list(self._curves).index(each) if each in self._curves else 0
                values = scale.show(rows_of[field].astype(float))
                part = curve(
                    rows_of["time_s"], values, each, colour(number), text,
                    line={"color": colour(number), "width": 2, "dash": dash(number // 7 % 6)},
                    legendgroup=each, showlegend=row == 1,
                )  # fmt: skip
                figure.add_trace(part, row=row, col=1)
            figure.update_yaxes(axis(name, scale.unit, rangemode="tozero"), row=row, col=1)
        figure.update_xaxes(axis("Time", "s"), row=rows, col=1)
        figure.update_layout(shapes=self._drops())
        return figure

    def _drops(self) -> list[dict[str, Any]]:
        """Return a thin line through all panels for each sample in which the queue dropped."""
        queue = self.record.queue
        if not len(queue):
            return []
        queue = queue[queue["kind"] == queue["kind"].iloc[0]]
        line = {"color": REFERENCE, "width": 1, "dash": "dot"}
        return [
            {"type": "line", "xref": "x", "yref": "paper", "x0": t, "x1": t, "y0": 0, "y1": 1}
            | {"line": line, "layer": "below"}
            for t in queue["time_s"][np.asarray(queue["drops"].diff() > 0)]
        ]

    def _zoom(self) -> None:
        if self.begin.value >= self.end.value:
            self._message.say("The time in From must be before that in To.")
            return
        self._message.say("")
        self.held.figure.update_xaxes(range=[self.begin.value, self.end.value])
        self.held.push()


def _named(column: str, values: list[Any]) -> tuple[str, Scale]:
    """Return a column's name for an axis, and the unit to read it in."""
    stem, _, unit = column.rpartition("_")
    if not stem:  # a count, such as retransmits
        stem, unit = column, "segments"
    words = stem.replace("_", " ")
    name = _NAMES.get(words, words[:1].upper() + words[1:])
    if unit not in _SCALES:
        return name, Scale(1.0, unit if unit == "segments" else "no unit")
    finite = [np.asarray(each, dtype=float) for each in values]
    if not any(np.isfinite(each).any() for each in finite):
        return name, Scale(1.0, {"bps": "bit/s", "s": "s", "bytes": "B"}[unit])
    return name, _SCALES[unit](*finite)


def _words(record: RunRecord) -> str:
    rows = [
        ("Run", record.title),
        ("Goodput", units.show_rate(record.goodput_bps())),
        ("Sent again", f"{record.retransmits} segments"),
        ("Queue dropped", f"{record.bottleneck_drops} packets"),
    ]
    return table(rows)
