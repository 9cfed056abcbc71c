"""A path as it was asked for and as it was measured: delays, order, counted shares, error bars."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.arrays import number, vector
from lab_tools.errors import DataError
from lab_tools.figures.draw import band, curve, hover, reference
from lab_tools.figures.look import BLUE, VERMILLION, axis, layout

BINS = 40
POINTS = 200
#: Half width of the bands and error bars, in standard errors.
SIGMAS = 2.0


def delay_figure(
    rtt_ms: ArrayLike,
    mean_ms: float,
    std_ms: float,
    *,
    title: str = "Round-trip times, asked for and measured",
) -> go.Figure:
    """Draw a histogram of round-trip times with the normal distribution that was asked for.

    Parameters
    ----------
    rtt_ms : measured round-trip times, in milliseconds, shape (n,).
    mean_ms, std_ms : of the distribution asked for, in milliseconds.
    title : above the figure.

    Raises
    ------
    DataError : fewer than two times, or times that are not positive.
    InputError : a mean or a standard deviation that is not positive.

    >>> [part.name for part in delay_figure([38.0, 40.0, 41.0], 40, 2).data]
    ['measured', 'asked for']
    """
    times = vector("rtt_ms", rtt_ms, min_length=2, positive=True)
    mean = number("mean_ms", mean_ms, above=0)
    std = number("std_ms", std_ms, above=0)
    density, edges = np.histogram(times, BINS, density=True)
    bars = go.Bar(
        x=(edges[1:] + edges[:-1]) / 2,
        y=density,
        width=np.diff(edges),
        name="measured",
        marker={"color": BLUE},
        opacity=0.6,
        hovertemplate="%{x:.4g} ms<br>%{y:.3g} per ms<extra></extra>",
    )
    x = np.linspace(mean - 4 * std, mean + 4 * std, POINTS)
    y = np.exp(-(((x - mean) / std) ** 2) / 2) / (std * np.sqrt(2 * np.pi))
    wanted = curve(x, y, "asked for", VERMILLION, hover("RTT", "ms", "Density", "per ms"))
    return go.Figure(
        [bars, wanted], layout(title, axis("Round-trip time", "ms"), axis("Density", "per ms"))
    )


def arrival_figure(
    sequence: ArrayLike, *, first: int = 150, title: str = "Order of arrival"
) -> go.Figure:
    """Draw the sequence numbers in the order in which they arrived, and mark the reordered ones.

    A packet is reordered if one with a larger number arrived before it.

    Parameters
    ----------
    sequence : sequence numbers in order of arrival, shape (n,).
    first : how many arrivals are drawn.
    title : above the figure.

    Raises
    ------
    DataError : no arrivals, or a number that is negative.
    InputError : nothing is drawn.

    Source: RFC 4737 §3.

    >>> arrival_figure([1, 2, 5, 3, 4, 6]).data[1].y
    array([3., 4.])
    """
    shown = vector("sequence", sequence, non_negative=True)[: int(number("first", first, low=1))]
    late = shown < np.maximum.accumulate(shown)
    place = np.arange(1, shown.size + 1)
    text = hover("Arrival", "", "Sequence number", "")
    return go.Figure(
        [
            curve(place[~late], shown[~late], "in order", BLUE, text, mode="markers"),
            curve(place[late], shown[late], "reordered", VERMILLION, text, mode="markers"),
        ],
        layout(title, axis("Order of arrival", "packets"), axis("Sequence number", "packets")),
    )


def share_figure(
    sent: ArrayLike,
    counted: ArrayLike,
    asked: float,
    *,
    title: str = "A share counted in more and more packets",
) -> go.Figure:
    """Draw a running share over the packets counted, with the band that chance allows.

    Parameters
    ----------
    sent, counted : packets, and those of them that were lost (say), of each batch, shape (n,).
    asked : share that was asked for, as a fraction.
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, batches without a packet.
    InputError : a share outside 0 to 1.

    Source: binomial standard error, sqrt(p (1 - p) / n).

    >>> share_figure([100, 100], [2, 0], 0.01).data[-1].y
    array([2., 1.])
    """
    packets = vector("sent", sent, positive=True)
    found = vector("counted", counted, length=packets.size)
    share = number("asked", asked, above=0, below=1)
    total = np.cumsum(packets)
    reach = SIGMAS * np.sqrt(share * (1 - share) / total)
    low, high = 100 * np.maximum(share - reach, 0), 100 * (share + reach)
    text = hover("Packets", "", "Share", "%")
    parts = [
        *band(total, low, high, "two standard errors", VERMILLION),
        reference([total[0], total[-1]], [100 * share] * 2, "asked for"),
        curve(
            total, 100 * found / packets, "each batch alone", VERMILLION, text,
            mode="markers", opacity=0.35,
        ),
        curve(total, 100 * np.cumsum(found) / total, "all so far", BLUE, text),
    ]  # fmt: skip
    x = axis("Packets counted so far", "packets", log=True)
    return go.Figure(parts, layout(title, x, axis("Share", "%", rangemode="tozero")))


def calibration_figure(
    rows: Mapping[str, tuple[float, float, float]],
    *,
    title: str = "Measured over asked for",
) -> go.Figure:
    """Draw what was measured over what was asked for, with error bars of two standard errors.

    Parameters
    ----------
    rows : name of each quantity to what was asked for, what was measured, its standard error, all
        in one unit.
    title : above the figure.

    Raises
    ------
    DataError : nothing to draw, values that are not positive, an error that is negative.

    >>> calibration_figure({"RTT": (40, 42, 1)}).data[0].x
    array([1.05])
    """
    if not rows:
        raise DataError("rows", "is empty", "at least one quantity")
    asked = vector("asked for", [row[0] for row in rows.values()], positive=True)
    ratio = vector("measured", [row[1] for row in rows.values()], positive=True) / asked
    error = vector("errors", [row[2] for row in rows.values()], non_negative=True) / asked
    points = go.Scatter(
        x=ratio,
        y=list(rows),
        mode="markers",
        marker={"color": BLUE, "size": 9},
        error_x={"type": "data", "array": SIGMAS * error, "color": BLUE},
        hovertemplate="%{y}<br>%{x:.4f}<extra></extra>",
        showlegend=False,
    )
    figure = go.Figure(points, layout(title, axis("Measured over asked for", "ratio")))
    return figure.add_vline(x=1, line={"dash": "dash", "width": 1.5, "color": VERMILLION})
