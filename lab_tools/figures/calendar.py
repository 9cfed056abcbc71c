"""Reservations: what each link has free over time, and when a transfer can start."""

from collections.abc import Hashable, Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from lab_tools.arrays import number
from lab_tools.errors import DataError
from lab_tools.figures.look import (
    GREEN,
    SECONDS,
    VERMILLION,
    Scale,
    axis,
    layout,
    rate_scale,
)
from lab_tools.reservation import Intervals, ReservationGraph, interval_sequence, link_calendar

TINT = [[0.0, "#FFFFFF"], [1.0, "#56B4E9"]]
HOURS = Scale(3600.0, "h")
LONG_S = 4 * 3600.0


def calendar_figure(
    graph: ReservationGraph,
    *,
    slot: tuple[Sequence[Hashable], float, float] | None = None,
    starts: Intervals | None = None,
    title: str = "Reservation calendar",
) -> go.Figure:
    """Draw the free bandwidth of each link over time, one row a link.

    Parameters
    ----------
    graph : from `reservation_graph`.
    slot : (path, start_s, duration_s) of a reservation, framed on each link of its path
        (optional).
    starts : from `all_starts`: when a transfer can start, a row of its own below (optional).
    title : above the figure.

    Raises
    ------
    DataError : a link without a calendar, a path of fewer than two nodes or over no link.
    InputError : a slot whose start is no number, or whose duration is not positive.

    Source: the calendars of UltraScience Net (Rao, Wu, Ding, Carter et al. 2006).

    >>> from lab_tools.reservation import LinkCalendar, reservation_graph
    >>> graph = reservation_graph([("ORNL", "CHI", LinkCalendar((0, 4, 10), (10e9, 2e9)))])
    >>> figure = calendar_figure(graph)
    >>> figure.data[0].base.tolist(), figure.data[0].x, figure.data[0].text
    ([0.0, 4.0], array([4., 6.]), ('10', '2'))
    """
    links = list(graph.edges)
    pieces = [
        (row, *piece)
        for row, link in enumerate(links)
        for piece in link_calendar(graph, *link).pieces()
    ]
    row, start_s, end_s, free_bps = np.array(pieces).T
    clock = HOURS if float(end_s.max() - start_s.min()) > LONG_S else SECONDS
    scale = rate_scale(free_bps)
    names = [f"{first} – {second}" for first, second in links]
    low, high = clock.show(start_s), clock.show(end_s)
    bars = go.Bar(
        orientation="h",
        y=row,
        base=low,
        x=high - low,
        width=0.7,
        marker={
            "color": scale.show(free_bps),
            "colorscale": TINT,
            "cmin": 0,
            "colorbar": {"title": {"text": f"free<br>({scale.unit})"}},
            "line": {"color": "#8A9BB0", "width": 1},
        },
        text=[f"{rate:.3g}" for rate in scale.show(free_bps)],
        textposition="inside",
        insidetextanchor="start",
        textangle=0,
        textfont={"color": "#222222"},
        customdata=np.column_stack([low, high, scale.show(free_bps)]),
        hovertemplate=f"%{{customdata[0]:.4g}} to %{{customdata[1]:.4g}} {clock.unit}"
        f"<br>%{{customdata[2]:.4g}} {scale.unit} free<extra></extra>",
        showlegend=False,
    )
    if starts is not None:
        names.append("can start")
    rows = {
        "tickvals": list(range(len(names))),
        "ticktext": names,
        "range": [len(names) - 0.5, -0.5],
        "showgrid": False,
        "title": {"text": ""},
    }
    figure = go.Figure(
        bars, layout(title, axis("Time", clock.unit), rows, height_px=190 + 44 * len(names))
    )
    if starts is not None:
        _add_starts(figure, starts, len(links), clock)
    if slot is not None:
        _add_slot(figure, links, *slot, clock)
    return figure


def _add_starts(figure: go.Figure, starts: Intervals, row: int, clock: Scale) -> None:
    """Closed intervals as thick lines with their ends marked: one may be a single time."""
    x: list[float | None] = []
    for low_s, high_s in interval_sequence(starts):
        x += [*clock.show([low_s, high_s]).tolist(), None]
    figure.add_trace(
        go.Scatter(
            x=x,
            y=[None if at is None else row for at in x],
            mode="lines+markers",
            line={"color": GREEN, "width": 8},
            marker={"color": GREEN, "size": 10, "symbol": "line-ns", "line": {"width": 3}},
            name="times at which it can start",
            showlegend=True,
            hovertemplate=f"can start at %{{x:.4g}} {clock.unit}<extra></extra>",
        )
    )
    figure.data[-1].marker.line.color = GREEN


def _add_slot(
    figure: go.Figure,
    links: list[tuple[Hashable, Hashable]],
    path: Sequence[Hashable],
    start_s: float,
    duration_s: float,
    clock: Scale,
) -> None:
    """A frame around the slot on each link of the path."""
    start = number("slot", start_s)
    end = start + number("slot", duration_s, above=0)
    left, right = clock.show([start, end]).tolist()
    rows = {frozenset(link): row for row, link in enumerate(links)}
    if len(path) < 2:
        raise DataError("slot", f"has a path of {len(path)} nodes", "at least 2")
    for index, link in enumerate(pairwise(path)):
        if frozenset(link) not in rows:
            raise DataError(
                "slot", f"passes {link[0]} – {link[1]}", "a path over links of the graph"
            )
        row = rows[frozenset(link)]
        figure.add_trace(
            go.Scatter(
                x=[left, left, right, right, left],
                y=[row - 0.42, row + 0.42, row + 0.42, row - 0.42, row - 0.42],
                mode="lines",
                line={"color": VERMILLION, "width": 3},
                name=f"reserved: {' – '.join(str(node) for node in path)}",
                legendgroup="slot",
                showlegend=index == 0,
                hovertemplate=f"reserved {left:.4g} to {right:.4g} {clock.unit}<extra></extra>",
            )
        )
