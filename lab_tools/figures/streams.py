"""Parallel streams: goodput over their number, gains side by side, flows that share a path."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.arrays import number, vector
from lab_tools.errors import DataError
from lab_tools.figures.draw import curve, hover, reference
from lab_tools.figures.look import VERMILLION, axis, colour, layout, rate_scale


def streams_figure(
    measured: Mapping[str, tuple[ArrayLike, ArrayLike]],
    one_bps: float,
    *,
    rate_bps: float | None = None,
    title: str = "Goodput over the number of streams",
) -> go.Figure:
    """Draw goodput over the number of parallel streams, log-log, with Hacker's law.

    Parameters
    ----------
    measured : name of each series to its numbers of streams and its goodputs in bit/s.
    one_bps : what one stream gets, in bit/s; the law is n times this.
    rate_bps : of the path, in bit/s; with it the line bends there.
    title : above the figure.

    Raises
    ------
    DataError : no series, wrong shapes, not positive.
    InputError : a rate that is not positive.

    Source: Hacker, Athey and Noble, IPDPS 2002.

    >>> figure = streams_figure({"reno": ([1, 2, 4], [30e6, 60e6, 90e6])}, 30e6, rate_bps=100e6)
    >>> [part.name for part in figure.data]
    ['n times one stream', "the path's rate, 100 Mbit/s", 'reno']
    """
    if not measured:
        raise DataError("measured", "has no series", "at least one")
    one_bps = number("one_bps", one_bps, above=0)
    series = {}
    for name, (streams, goodput_bps) in measured.items():
        n = vector(f"streams of {name}", streams, positive=True)
        series[name] = n, vector(f"goodput_bps of {name}", goodput_bps, length=n.size,
                                 positive=True)  # fmt: skip
    largest = max(float(n.max()) for n, _ in series.values())
    line = np.geomspace(1, max(largest, 2), 100)
    law_bps = line * one_bps
    scale = rate_scale(*(goodput for _, goodput in series.values()))
    text = hover("Streams", "", "Goodput", scale.unit)
    parts = []
    if rate_bps is not None:
        rate_bps = number("rate_bps", rate_bps, above=0)
        law_bps = np.minimum(law_bps, rate_bps)
        level = float(scale.show(rate_bps))
        name = f"the path's rate, {level:.4g} {scale.unit}"
        parts.append(reference(line[[0, -1]], [level, level], name))
    law = curve(line, scale.show(law_bps), "n times one stream", VERMILLION, text)
    points = [
        curve(n, scale.show(goodput), name, colour(0 if index == 0 else index + 1), text,
              mode="markers")
        for index, (name, (n, goodput)) in enumerate(series.items())
    ]  # fmt: skip
    ticks = sorted({float(each) for n, _ in series.values() for each in n})
    streams_axis = axis("Parallel streams", "number", log=True, tickvals=ticks,
                        ticktext=[f"{each:g}" for each in ticks])  # fmt: skip
    return go.Figure(
        [law, *parts, *points],
        layout(title, streams_axis, axis("Goodput", scale.unit, log=True)),
    )


def gains_figure(
    gains: Mapping[str, Mapping[str, float]], *, title: str = "Gain by ten streams"
) -> go.Figure:
    """Draw factors side by side: a group of bars for each key of the inner mappings.

    Parameters
    ----------
    gains : name of each series (a path, a paper) to its factors by congestion control, above 0.
    title : above the figure.

    Raises
    ------
    DataError : no series, or a factor that is not positive.

    >>> figure = gains_figure({"published": {"bbr": 4}, "measured": {"bbr": 1.0, "reno": 9.0}})
    >>> [list(bars.x) for bars in figure.data]
    [['bbr'], ['bbr', 'reno']]
    """
    if not gains:
        raise DataError("gains", "has no series", "at least one")
    bars = []
    for index, (name, factors) in enumerate(gains.items()):
        values = vector(f"gains of {name}", list(factors.values()), positive=True)
        bars.append(
            go.Bar(
                x=list(factors),
                y=values,
                name=name,
                marker={"color": colour(index)},
                text=[f"{value:.3g}" for value in values],
                textposition="outside",
                cliponaxis=False,
                hovertemplate=f"%{{x}}: %{{y:.4g}} times<extra>{name}</extra>",
            )
        )
    frame = layout(
        title,
        {"title": {"text": "Congestion control"}, "showgrid": False},
        axis("Gain", "times", rangemode="tozero"),
        barmode="group",
    )
    return go.Figure(bars, frame)


def sharing_figure(
    time_s: ArrayLike,
    goodput_bps: Mapping[str, ArrayLike],
    *,
    title: str = "Two users of one path",
) -> go.Figure:
    """Draw the goodput of several flows over time, one curve each.

    Parameters
    ----------
    time_s : times of the samples in seconds, increasing; shape (samples,).
    goodput_bps : name of each flow to its goodput in bit/s at these times; shape (samples,).
    title : above the figure.

    Raises
    ------
    DataError : no flow, wrong shapes, negative values.

    >>> figure = sharing_figure([0, 1], {"you": [5e6, 6e6], "they": [90e6, 89e6]})
    >>> figure.layout.yaxis.title.text
    'Goodput (Mbit/s)'
    """
    if not goodput_bps:
        raise DataError("goodput_bps", "has no flow", "at least one")
    times = vector("time_s", time_s, min_length=2, increasing=True)
    values = {
        name: vector(f"goodput_bps of {name}", each, length=times.size, non_negative=True)
        for name, each in goodput_bps.items()
    }
    scale = rate_scale(*values.values())
    text = hover("Time", "s", "Goodput", scale.unit)
    parts = [
        curve(times, scale.show(each), name, colour(index), text)
        for index, (name, each) in enumerate(values.items())
    ]
    return go.Figure(
        parts, layout(title, axis("Time", "s"), axis("Goodput", scale.unit, rangemode="tozero"))
    )
