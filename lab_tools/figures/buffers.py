"""What buffers do: goodput behind a host's window, and utilisation and delay behind a router's."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike
from plotly.subplots import make_subplots

from lab_tools.arrays import number, vector
from lab_tools.errors import DataError
from lab_tools.figures.draw import curve, hover, mark, reference
from lab_tools.figures.look import (
    BLUE,
    MILLISECONDS,
    VERMILLION,
    axis,
    colour,
    dash,
    layout,
    rate_scale,
)
from lab_tools.models import buffer_knee, buffer_limit

POINTS = 100
#: How far the line goes beyond the first and the last point, as a factor.
MARGIN = 1.3
PANEL_PX = 260


def window_knee_figure(
    rtt_s: ArrayLike,
    goodput_bps: ArrayLike,
    capacity_bps: float,
    window_bytes: float,
    *,
    title: str = "One window a round trip",
) -> go.Figure:
    """Draw goodput over RTT with the smaller of the capacity and one window a round trip.

    Both axes are logarithmic: one window a round trip is a straight line of slope -1, and the knee
    is where it meets the capacity.

    Parameters
    ----------
    rtt_s, goodput_bps : one value for each run, in seconds and bit/s, shape (n,).
    capacity_bps : most that the path carries, in bit/s.
    window_bytes : most that is sent and not yet acknowledged, in bytes.
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, values that are not positive.
    InputError : a capacity or a window that is not positive.

    Source: `lab_tools.models.buffer_limit` and `buffer_knee`.

    >>> figure = window_knee_figure([0.001, 0.1], [1e8, 10e6], 1e8, 125e3)
    >>> figure.layout.annotations[0].text
    'knee at 10 ms'
    """
    rtts = vector("rtt_s", rtt_s, positive=True)
    goodput = vector("goodput_bps", goodput_bps, length=rtts.size, positive=True)
    capacity = number("capacity_bps", capacity_bps, above=0)
    window = number("window_bytes", window_bytes, above=0)
    line_s = np.geomspace(rtts.min() / MARGIN, rtts.max() * MARGIN, POINTS)
    limit = buffer_limit(line_s, window)
    scale = rate_scale(goodput, [capacity])
    text = hover("RTT", "ms", "Goodput", scale.unit)
    at, most = MILLISECONDS.show(line_s), scale.show(np.minimum(limit, capacity))
    figure = go.Figure(
        [
            reference(at[[0, -1]], scale.show([capacity, capacity]), "capacity"),
            curve(at, most, f"window of {window / 1000:.4g} kB", VERMILLION, text),
            curve(MILLISECONDS.show(rtts), scale.show(goodput), "measured", BLUE, text,
                  mode="markers"),
        ],
        layout(title, axis("RTT", "ms", log=True), axis("Goodput", scale.unit, log=True)),
    )  # fmt: skip
    knee_ms = float(MILLISECONDS.show(buffer_knee(capacity, window)))
    return mark(figure, knee_ms, f"knee at {knee_ms:.3g} ms", log=True)


def router_buffer_figure(
    runs: Mapping[str, tuple[ArrayLike, ArrayLike, ArrayLike]],
    idle_rtt_s: float,
    *,
    models: Mapping[str, tuple[ArrayLike, ArrayLike]] | None = None,
    title: str = "What a router's buffer buys",
) -> go.Figure:
    """Draw utilisation and RTT over the router's buffer, one panel below the other.

    Parameters
    ----------
    runs : name to buffers in bandwidth-delay products, utilisation as a fraction and RTT under
        load in seconds.
    idle_rtt_s : RTT of the empty path in seconds, a dashed line.
    models : name to buffers and utilisation of a model, lines (optional).
    title : above the figure.

    Raises
    ------
    DataError : no runs, wrong shapes, values that are not positive.
    InputError : an idle RTT that is not positive.

    >>> figure = router_buffer_figure({"reno": ([0.1, 1], [0.8, 1.0], [0.02, 0.04])}, 0.02)
    >>> [part.name for part in figure.data]
    ['reno', 'reno', 'empty path']
    """
    if not runs:
        raise DataError("runs", "has no runs", "at least one")
    idle_ms = float(MILLISECONDS.show(number("idle_rtt_s", idle_rtt_s, above=0)))
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.06,
        figure=go.Figure(layout=layout(title, height_px=2 * PANEL_PX + 60)),
    )  # fmt: skip
    used_text = hover("Buffer", "BDP", "Used", "%")
    rtt_text = hover("Buffer", "BDP", "RTT", "ms")
    ends: list[float] = []
    for index, (name, (buffers, utilisation, rtt_s)) in enumerate(runs.items()):
        x = vector(f"buffers of {name}", buffers, positive=True)
        used = 100 * vector(f"utilisation of {name}", utilisation, length=x.size, positive=True)
        rtt_ms = MILLISECONDS.show(vector(f"rtt_s of {name}", rtt_s, length=x.size, positive=True))
        shade, look = colour(index), {"mode": "lines+markers", "legendgroup": name}
        line = {"color": shade, "width": 2, "dash": dash(index)}
        for row, values, text in ((1, used, used_text), (2, rtt_ms, rtt_text)):
            part = curve(x, values, name, shade, text, line=line, showlegend=row == 1, **look)
            figure.add_trace(part, row=row, col=1)
        ends += [float(x.min()), float(x.max())]
    for index, (name, (buffers, utilisation)) in enumerate((models or {}).items()):
        x = vector(f"buffers of {name}", buffers, positive=True)
        used = 100 * vector(f"utilisation of {name}", utilisation, length=x.size, positive=True)
        line = {"color": colour(len(runs) + index), "width": 2, "dash": "dot"}
        part = curve(x, used, name, colour(len(runs) + index), used_text, line=line)
        figure.add_trace(part, row=1, col=1)
    still = reference([min(ends), max(ends)], [idle_ms, idle_ms], "empty path")
    figure.add_trace(still, row=2, col=1)
    figure.update_xaxes(type="log", row=1, col=1)
    figure.update_xaxes(axis("Router's buffer", "BDP", log=True), row=2, col=1)
    figure.update_yaxes(axis("Utilisation", "%"), row=1, col=1)
    figure.update_yaxes(axis("RTT under load", "ms", rangemode="tozero"), row=2, col=1)
    return figure


def sharing_figure(
    utilisation: Mapping[str, float], *, title: str = "The same buffer, more flows"
) -> go.Figure:
    """Draw the utilisation of several runs as bars.

    Parameters
    ----------
    utilisation : name of each run to its utilisation as a fraction.
    title : above the figure.

    Raises
    ------
    DataError : nothing to draw, or a negative utilisation.

    >>> sharing_figure({"1 flow": 0.8, "16 flows": 0.93}).data[0].text
    ('80.0 %', '93.0 %')
    """
    used = 100 * vector("utilisation", list(utilisation.values()), non_negative=True)
    bars = go.Bar(
        x=list(utilisation),
        y=used,
        marker={"color": [colour(index) for index in range(used.size)]},
        text=[f"{each:.1f} %" for each in used],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{x}<br>%{y:.3g} %<extra></extra>",
        showlegend=False,
    )
    horizontal = {"title": {"text": ""}}
    return go.Figure(bars, layout(title, horizontal, axis("Utilisation", "%", range=[0, 110])))
