"""Delay-based congestion control: shares, queues, and windows on their way to equilibrium."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike
from plotly.subplots import make_subplots

from lab_tools.arrays import vector
from lab_tools.duality import Allocation, DualIteration, VegasEquilibrium
from lab_tools.errors import DataError
from lab_tools.figures.checks import given, labels
from lab_tools.figures.draw import curve, reference
from lab_tools.figures.look import REFERENCE, axis, colour, dash, faded, layout


def vegas_figure(
    rows: Sequence[VegasEquilibrium], *, title: str = "Vegas sources that join one by one"
) -> go.Figure:
    """Draw each source's rate, and the queue, as sources join the link.

    A newcomer takes the standing queue for propagation: it gets more, and the queue grows.

    Parameters
    ----------
    rows : from `vegas_joining`: the equilibria with 1, 2, … sources.
    title : above the figure.

    Raises
    ------
    DataError : no row, or not the equilibria of 1, 2, … sources.

    Source: the table of Low, Peterson and Wang, Journal of the ACM 49 (2002).

    >>> from lab_tools.duality import vegas_joining
    >>> figure = vegas_figure(vegas_joining(6000, 2000, 0.010, sources=2))
    >>> [part.name for part in figure.data]
    ['source 1', 'source 2', 'queue']
    """
    if len(rows) == 0:
        raise DataError("rows", "has 0 rows", "at least 1")
    for index, row in enumerate(rows, start=1):
        if given("rows", row, VegasEquilibrium).rates_pps.size != index:
            raise DataError("rows", f"has no {index} sources in row {index}", "1, 2, 3, … sources")
    joined = np.arange(1, len(rows) + 1)
    figure = make_subplots(
        rows=2,
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.08,
        figure=go.Figure(layout=layout(title, height_px=560)),
    )
    for source in range(len(rows)):
        rates = [row.rates_pps[source] for row in rows[source:]]
        text = "%{x} sources<br>%{y:.4g} packets/s"
        name = f"source {source + 1}"
        line = curve(joined[source:], rates, name, colour(source), text, mode="lines+markers")
        figure.add_trace(line, row=1, col=1)
    queue = go.Bar(
        x=joined,
        y=[row.queue_packets for row in rows],
        name="queue",
        marker={"color": faded(REFERENCE, 0.7)},
        width=0.5,
        hovertemplate="%{x} sources<br>queue %{y:.4g} packets<extra></extra>",
    )
    figure.add_trace(queue, row=2, col=1)
    figure.update_yaxes(axis("Rate", "packets/s", rangemode="tozero"), row=1, col=1)
    figure.update_yaxes(axis("Queue", "packets", rangemode="tozero"), row=2, col=1)
    return figure.update_xaxes(axis("Sources that joined", "number", dtick=1), row=2, col=1)


def windows_figure(
    windows_packets: ArrayLike,
    settled_packets: ArrayLike | None = None,
    *,
    names: Sequence[str] = (),
    title: str = "FAST windows",
) -> go.Figure:
    """Draw the windows of sources step by step, with where they should settle.

    Parameters
    ----------
    windows_packets : from `fast_trajectory` in packets, shape (steps + 1, n).
    settled_packets : windows in equilibrium in packets (rate times RTT), shape (n,) (optional).
    names : of the sources; by default "source 1", "source 2", ….
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, not finite.

    Source: Jin, Wei and Low, "FAST TCP", INFOCOM 2004.

    >>> windows_figure([[1, 1], [2, 3]], names=["10 ms", "50 ms"]).data[1].y
    array([1., 3.])
    """
    table = np.asarray(windows_packets, dtype=np.float64)
    if table.ndim != 2 or table.size == 0 or not np.isfinite(table).all():
        raise DataError("windows_packets", f"has shape {table.shape}", "finite steps by sources")
    steps, sources = np.arange(table.shape[0]), table.shape[1]
    default = [f"source {n}" for n in range(1, sources + 1)]
    named = labels("names", names or default, sources)
    text = "step %{x}<br>%{y:.4g} packets"
    parts = [
        curve(steps, table[:, source], named[source], colour(source), text, line=_line(source))
        for source in range(sources)
    ]
    if settled_packets is not None:
        settled = vector("settled_packets", settled_packets, length=sources)
        for index, window in enumerate(settled):
            ends, level = steps[[0, -1]], [window, window]
            parts.append(reference(ends, level, "equilibrium", showlegend=index == 0))
    return go.Figure(
        parts,
        layout(title, axis("Step", "number"), axis("Window", "packets", rangemode="tozero")),
    )


def dual_figure(
    iteration: DualIteration,
    allocation: Allocation | None = None,
    *,
    unit: str = "packets/s",
    title: str = "Rates of the dual algorithm",
) -> go.Figure:
    """Draw the rates of the sources over the iterations, with the optimum.

    Parameters
    ----------
    iteration : from `dual_gradient`.
    allocation : from `maximise_utility` of the same network: dashed lines (optional).
    unit : of the rates.
    title : above the figure.

    Raises
    ------
    DataError : values of other kinds, or of another number of sources.

    Source: Low and Lapsley, IEEE/ACM Transactions on Networking 7 (1999).

    >>> from lab_tools.duality import dual_gradient
    >>> run = dual_gradient([[1, 1]], [3.0], [1.0, 2.0], step=0.1, iterations=9, highest_rate=3.0)
    >>> dual_figure(run).layout.yaxis.title.text
    'Rate (packets/s)'
    """
    given("iteration", iteration, DualIteration)
    steps = np.arange(iteration.rates.shape[0])
    text = f"iteration %{{x}}<br>%{{y:.4g}} {unit}"
    parts = [
        curve(steps, rates, f"source {index + 1}", colour(index), text, line=_line(index))
        for index, rates in enumerate(iteration.rates.T)
    ]
    if allocation is not None:
        best = given("allocation", allocation, Allocation).rates
        if best.size != len(parts):
            raise DataError("allocation", f"has {best.size} sources", f"exactly {len(parts)}")
        for index, rate in enumerate(best):
            ends = steps[[0, -1]]
            parts.append(reference(ends, [rate, rate], "optimum", showlegend=index == 0))
    return go.Figure(
        parts, layout(title, axis("Iteration", "number"), axis("Rate", unit, rangemode="tozero"))
    )


def _line(index: int) -> dict[str, object]:
    """Sources may take the same course: the later ones are dashed."""
    return {"color": colour(index), "width": 2, "dash": dash(index)}
