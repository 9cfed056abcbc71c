"""A run over time: goodput, congestion window and RTT on one time axis, with the drops."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from lab_tools.errors import DataError
from lab_tools.figures.draw import curve, hover
from lab_tools.figures.look import (
    BLUE,
    GREEN,
    ORANGE,
    REFERENCE,
    VERMILLION,
    Scale,
    axis,
    layout,
    rate_scale,
    size_scale,
    time_scale,
)

SEGMENTS = Scale(1.0, "segments")
#: Column, name, its scale from the values, colour; one panel each.
_PANELS = (
    ("goodput_bps", "Goodput", rate_scale, BLUE),
    ("cwnd_segments", "Window", lambda _: SEGMENTS, VERMILLION),
    ("rtt_s", "RTT", time_scale, GREEN),
)


def traces(
    total: pd.DataFrame, queue: pd.DataFrame | None = None, *, title: str = "The run over time"
) -> go.Figure:
    """Draw goodput, congestion window and RTT over time, one panel each with a common time axis.

    Parameters
    ----------
    total : all streams together, from ``RunRecord.total()``.
    queue : the bottleneck queue's trace, from ``RunRecord.queue`` (optional): a fourth panel shows
        its backlog, and thin lines mark the samples in which it dropped packets.
    title : above the figure.

    Raises
    ------
    DataError : no samples, or a column is missing.

    >>> total = pd.DataFrame(
    ...     {"time_s": [0, 1], "goodput_bps": [0, 1e9], "cwnd_segments": [10, 20], "rtt_s": 0.1}
    ... )
    >>> [part.name for part in traces(total).data]
    ['Goodput', 'Window', 'RTT']
    """
    _need("total", total, ["time_s", *(panel[0] for panel in _PANELS)])
    panels: list[tuple[Any, Any, str, Scale, str]] = [
        (total["time_s"], total[column], name, scale_of(total[column]), colour)
        for column, name, scale_of, colour in _PANELS
    ]
    if queue is not None and len(queue):
        _need("queue", queue, ["time_s", "kind", "backlog_bytes", "drops"])
        queue = queue[queue["kind"] == queue["kind"].iloc[0]]
        backlog = queue["backlog_bytes"]
        panels.append((queue["time_s"], backlog, "Queue", size_scale(backlog), ORANGE))
    rows = len(panels)
    figure = make_subplots(
        rows=rows,
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.05,
        figure=go.Figure(layout=layout(title, height_px=160 * rows + 100, showlegend=False)),
    )
    for row, (time_s, values, name, scale, colour) in enumerate(panels, start=1):
        if name == "RTT":  # 0 until the first measurement
            values = values.where(values > 0)
        text = hover("Time", "s", name, scale.unit)
        figure.add_trace(curve(time_s, scale.show(values), name, colour, text), row=row, col=1)
        figure.update_yaxes(axis(name, scale.unit, rangemode="tozero"), row=row, col=1)
    figure.update_xaxes(axis("Time", "s"), row=rows, col=1)
    if queue is not None and len(queue):
        _mark_drops(figure, queue)
    return figure


def _mark_drops(figure: go.Figure, queue: pd.DataFrame) -> None:
    """Mark the samples in which the queue dropped packets, by a line through all panels."""
    dropped = np.asarray(queue["drops"].diff() > 0)
    line = {"color": REFERENCE, "width": 1, "dash": "dot"}
    figure.update_layout(
        shapes=[
            {"type": "line", "xref": "x", "yref": "paper", "x0": t, "x1": t, "y0": 0, "y1": 1}
            | {"line": line, "layer": "below"}
            for t in queue["time_s"][dropped]
        ]
    )


def _need(name: str, table: pd.DataFrame, columns: list[str]) -> None:
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise DataError(name, f"has no column {', '.join(missing)}", "the columns of a run record")
    if not len(table):
        raise DataError(name, "has no rows", "at least one sample")
