"""Pacing: what is carried and dropped over the pacing rate, and the bursts a router must hold."""

from collections.abc import Mapping

import plotly.graph_objects as go
from numpy.typing import ArrayLike
from plotly.subplots import make_subplots

from lab_tools.arrays import number, vector
from lab_tools.errors import DataError
from lab_tools.figures.draw import curve, hover, reference
from lab_tools.figures.look import (
    BLUE,
    MILLISECONDS,
    VERMILLION,
    axis,
    colour,
    layout,
    size_scale,
)

PANEL_PX = 240


def pacing_figure(
    pacing: ArrayLike,
    goodput: ArrayLike,
    drops: ArrayLike,
    *,
    unpaced: float | None = None,
    title: str = "What a limit on the sender does",
) -> go.Figure:
    """Draw goodput above and drops below, over the rate at which the sender is paced.

    Parameters
    ----------
    pacing : pacing rate of each run as a share of the router's rate, shape (n,).
    goodput : goodput of each run as a share of the router's rate, shape (n,).
    drops : packets that the router dropped in each run, shape (n,).
    unpaced : goodput without pacing as a share of the router's rate, a dashed line (optional).
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, a rate that is not positive, drops that are negative.
    InputError : a goodput without pacing that is not positive.

    >>> figure = pacing_figure([1.1, 0.9], [0.8, 0.9], [40, 0], unpaced=0.5)
    >>> [part.name for part in figure.data], figure.data[0].x
    (['goodput', 'without pacing', 'drops'], array([ 90., 110.]))
    """
    rates = 100 * vector("pacing", pacing, positive=True)
    carried = 100 * vector("goodput", goodput, length=rates.size, non_negative=True)
    lost = vector("drops", drops, length=rates.size, non_negative=True)
    order = rates.argsort(kind="stable")
    rates, carried, lost = rates[order], carried[order], lost[order]
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.06,
        figure=go.Figure(layout=layout(title, height_px=2 * PANEL_PX + 60)),
    )  # fmt: skip
    look = {"mode": "lines+markers"}
    text = hover("Pacing", "%", "Goodput", "%")
    figure.add_trace(curve(rates, carried, "goodput", BLUE, text, **look), row=1, col=1)
    if unpaced is not None:
        level = 100 * number("unpaced", unpaced, above=0)
        line = reference(rates[[0, -1]], [level, level], "without pacing")
        figure.add_trace(line, row=1, col=1)
    text = hover("Pacing", "%", "Drops", "packets")
    figure.add_trace(curve(rates, lost, "drops", VERMILLION, text, **look), row=2, col=1)
    figure.update_xaxes(axis("Pacing rate", "% of the router's rate"), row=2, col=1)
    figure.update_yaxes(axis("Goodput", "% of the rate", range=[0, 105]), row=1, col=1)
    figure.update_yaxes(axis("Drops", "packets", rangemode="tozero"), row=2, col=1)
    return figure


def backlog_panels(
    runs: Mapping[str, tuple[ArrayLike, ArrayLike]],
    *,
    buffer_bytes: float | None = None,
    title: str = "What waits in the router",
) -> go.Figure:
    """Draw the router's backlog over time, a panel for each run on common axes.

    Parameters
    ----------
    runs : name of each run to the times of its samples in seconds and its backlog in bytes.
    buffer_bytes : a buffer to compare with, a dashed line in every panel (optional).
    title : above the figure.

    Raises
    ------
    DataError : no runs, wrong shapes, times that go back, a negative backlog.
    InputError : a buffer that is not positive.

    >>> figure = backlog_panels({"a": ([0, 1], [0, 2000]), "b": ([0, 1], [0, 9000])})
    >>> figure.data[1].y, figure.layout.yaxis2.title.text
    (array([0., 9.]), 'b (kB)')
    """
    if not runs:
        raise DataError("runs", "has no run", "at least one")
    rows = len(runs)
    figure = make_subplots(
        rows=rows, cols=1, shared_xaxes=True, shared_yaxes="all", vertical_spacing=0.08 / rows,
        figure=go.Figure(layout=layout(title, height_px=170 * rows + 100)),
    )  # fmt: skip
    read = {}
    for name, (time_s, backlog_bytes) in runs.items():
        times = vector(f"time_s of {name}", time_s, min_length=2, increasing=True)
        backlog = vector(f"backlog of {name}", backlog_bytes, length=times.size, non_negative=True)
        read[name] = times, backlog
    scale = size_scale([float(backlog.max()) for _, backlog in read.values()])
    text = hover("Time", "ms", "Backlog", scale.unit)
    for row, (name, (times, backlog)) in enumerate(read.items(), start=1):
        at = MILLISECONDS.show(times)
        line = curve(at, scale.show(backlog), name, colour(row - 1), text, showlegend=False)
        figure.add_trace(line, row=row, col=1)
        if buffer_bytes is not None:
            level = float(scale.show(number("buffer_bytes", buffer_bytes, above=0)))
            limit = reference(at[[0, -1]], [level, level], "small buffer", showlegend=row == 1)
            figure.add_trace(limit, row=row, col=1)
        figure.update_yaxes(axis(name, scale.unit, rangemode="tozero"), row=row, col=1)
    figure.update_xaxes(axis("Time", "ms"), row=rows, col=1)
    return figure
