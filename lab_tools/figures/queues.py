"""Delay in queues: over time, and with and without load."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.analysis.queues import Bufferbloat
from lab_tools.arrays import number, vector
from lab_tools.figures.checks import given
from lab_tools.figures.draw import curve, hover, mark, reference
from lab_tools.figures.look import BLUE, MILLISECONDS, VERMILLION, axis, faded, layout


def queue_delay_figure(
    time_s: ArrayLike,
    delay_s: ArrayLike,
    *,
    full_s: float | None = None,
    title: str = "Queueing delay",
) -> go.Figure:
    """Draw the time that packets wait in queues.

    Parameters
    ----------
    time_s : times of the samples in seconds, increasing, shape (n,).
    delay_s : from `queueing_delay` or `backlog_delay` in seconds, 0 or more, shape (n,).
    full_s : delay of a full buffer in seconds, a dashed line (optional).
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, unsorted times, a negative delay.
    InputError : a full buffer's delay that is not positive.

    >>> queue_delay_figure([0, 1], [0.0, 0.03], full_s=0.05).data[0].y
    array([ 0., 30.])
    """
    times = vector("time_s", time_s, increasing=True)
    delay_ms = MILLISECONDS.show(vector("delay_s", delay_s, length=times.size, non_negative=True))
    text = hover("Time", "s", "Delay", "ms")
    area = {"fill": "tozeroy", "fillcolor": faded(BLUE, 0.2)}
    parts = [curve(times, delay_ms, "queueing delay", BLUE, text, **area)]
    if full_s is not None:
        full_ms = float(MILLISECONDS.show(number("full_s", full_s, above=0)))
        name = f"full buffer, {full_ms:.4g} ms"
        parts.append(reference(times[[0, -1]], [full_ms, full_ms], name))
    return go.Figure(
        parts, layout(title, axis("Time", "s"), axis("Queueing delay", "ms", rangemode="tozero"))
    )


def bufferbloat_figure(
    idle_rtt_s: ArrayLike,
    loaded_rtt_s: ArrayLike,
    value: Bufferbloat,
    *,
    title: str = "Bufferbloat",
) -> go.Figure:
    """Draw how the RTT is distributed with and without load, as cumulative shares.

    Parameters
    ----------
    idle_rtt_s, loaded_rtt_s : RTT samples in seconds, above 0; shapes (n,) and (m,).
    value : from `bufferbloat` of the same samples; its two RTTs are marked.
    title : above the figure, which goes on with the factor.

    Raises
    ------
    DataError : wrong shapes, not positive, not such a value.

    Source: latency under load as in Gettys and Nichols, ACM Queue 9(11), 2011.

    >>> from lab_tools.analysis.queues import bufferbloat
    >>> idle_s, loaded_s = [0.02, 0.02], [0.1, 0.1]
    >>> bufferbloat_figure(idle_s, loaded_s, bufferbloat(idle_s, loaded_s)).layout.title.text
    'Bufferbloat: 5.0 times the idle RTT'
    """
    given("value", value, Bufferbloat)
    text = "%{y:.1f} % within %{x:.4g} ms"
    parts = []
    for field, samples, name, shade, dash in (
        ("idle_rtt_s", idle_rtt_s, "without load", BLUE, "solid"),
        ("loaded_rtt_s", loaded_rtt_s, "under load", VERMILLION, "dash"),
    ):
        rtt_ms = MILLISECONDS.show(np.sort(vector(field, samples, positive=True)))
        share = 100 * np.arange(1, rtt_ms.size + 1) / rtt_ms.size
        line = {"color": shade, "width": 2, "shape": "hv", "dash": dash}
        # The curve starts at 0 %, where the smallest sample lies.
        at, steps = np.append(rtt_ms[0], rtt_ms), np.append(0.0, share)
        parts.append(curve(at, steps, name, shade, text, line=line))
    figure = go.Figure(
        parts,
        layout(
            f"{title}: {value.factor:.1f} times the idle RTT",
            axis("RTT", "ms", rangemode="tozero"),
            axis("Samples within this RTT", "%", range=[0, 103]),
        ),
    )
    for at_s in (value.idle_s, value.loaded_s):
        at_ms = float(MILLISECONDS.show(at_s))
        mark(figure, at_ms, f"{at_ms:.3g} ms")
    return figure
