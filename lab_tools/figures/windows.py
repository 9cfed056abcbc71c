"""Phases of a throughput trace, and the sawtooth of a congestion window."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.analysis.dynamics import Phases, Sawtooth
from lab_tools.arrays import number, vector
from lab_tools.errors import DataError
from lab_tools.figures.checks import given
from lab_tools.figures.draw import curve, hover, reference
from lab_tools.figures.look import BLUE, GREEN, ORANGE, VERMILLION, axis, faded, layout, rate_scale


def phases_figure(
    throughput_bps: ArrayLike,
    interval_s: float,
    phases: Phases,
    *,
    title: str = "Ramp-up and sustainment",
) -> go.Figure:
    """Draw a throughput trace with its ramp-up shaded and the mean of each phase.

    Parameters
    ----------
    throughput_bps : samples at even intervals in bit/s, shape (n,).
    interval_s : sampling interval in seconds.
    phases : from `split_phases` of the same trace.
    title : above the figure.

    Raises
    ------
    DataError : wrong shape, phases of a longer trace; InputError : interval not positive.

    Source: the two phases of Rao et al., HPDC 2017.

    >>> from lab_tools.analysis.dynamics import split_phases
    >>> trace_bps = [1e9, 4e9, 10e9, 9e9, 10e9, 10e9]
    >>> phases_figure(trace_bps, 1.0, split_phases(trace_bps, 1.0)).data[-1].name
    'sustained mean 9.75 Gbit/s'
    """
    trace = vector("throughput_bps", throughput_bps, min_length=2, non_negative=True)
    interval = number("interval_s", interval_s, above=0)
    given("phases", phases, Phases)
    if phases.start >= trace.size:
        raise DataError("phases", f"starts at sample {phases.start}", "phases of this trace")
    scale = rate_scale(trace)
    # A sample is the mean of the interval that it ends: the first one began at 0.
    edges_s = interval * np.arange(trace.size + 1)
    values = scale.show(np.append(trace[0], trace))
    text = hover("Time", "s", "Throughput", scale.unit)
    line = {"color": BLUE, "width": 2, "shape": "vh"}
    parts = [curve(edges_s, values, "trace", BLUE, text, line=line)]
    split_s, end_s = phases.start * interval, float(edges_s[-1])
    for name, start, stop, mean_bps, shade in (
        ("ramp-up mean", 0.0, split_s, phases.ramp_up_mean_bps, VERMILLION),
        ("sustained mean", split_s, end_s, phases.sustained_mean_bps, GREEN),
    ):
        if stop > start:
            mean = float(scale.show(mean_bps))
            label = f"{name} {mean:.3g} {scale.unit}"
            dash = {"color": shade, "width": 3, "dash": "dash"}
            parts.append(curve([start, stop], [mean, mean], label, shade, text, line=dash))
    figure = go.Figure(
        parts, layout(title, axis("Time", "s"), axis("Throughput", scale.unit, rangemode="tozero"))
    )
    if split_s > 0:
        figure.add_vrect(
            x0=0, x1=split_s, fillcolor=faded(ORANGE, 0.15), line_width=0, layer="below"
        )
    return figure


def sawtooth_figure(
    time_s: ArrayLike,
    cwnd: ArrayLike,
    teeth: Sawtooth,
    *,
    unit: str = "segments",
    title: str = "Sawtooth and loss epochs",
) -> go.Figure:
    """Draw a congestion window with each loss epoch: the peak before it, the trough after it.

    Parameters
    ----------
    time_s : times of the samples in seconds, increasing, shape (n,).
    cwnd : congestion window, shape (n,), above 0.
    teeth : from `find_sawtooth` of the same trace.
    unit : of the window.
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, unsorted times, epochs beyond the trace.

    >>> from lab_tools.analysis.dynamics import find_sawtooth
    >>> time_s, cwnd = [0, 1, 2, 3, 4, 5], [8, 9, 10, 5, 6, 7]
    >>> figure = sawtooth_figure(time_s, cwnd, find_sawtooth(time_s, cwnd))
    >>> figure.data[1].name, figure.data[1].x
    ('1 loss epoch: median decrease to 0.50', array([2.]))
    """
    times = vector("time_s", time_s, min_length=2, increasing=True)
    window = vector("cwnd", cwnd, length=times.size, positive=True)
    given("teeth", teeth, Sawtooth)
    if teeth.trough_index.size and teeth.trough_index[-1] >= times.size:
        raise DataError("teeth", f"ends at sample {teeth.trough_index[-1]}", "teeth of this trace")
    text = hover("Time", "s", "cwnd", unit)
    parts = [curve(times, window, "congestion window", BLUE, text)]
    count = teeth.peak.size
    if count:
        name = f"{count} loss epoch" + ("s" if count > 1 else "")
        name += f": median decrease to {float(np.median(teeth.decrease)):.2f}"
        down = {"symbol": "triangle-down", "size": 11, "color": VERMILLION}
        low = {"symbol": "circle-open", "size": 9, "color": GREEN, "line": {"width": 2}}
        lost = text + "<br>falls to %{customdata:.2f} of it"
        peaks = (teeth.loss_time_s, teeth.peak)
        troughs = (times[teeth.trough_index], teeth.trough)
        parts.append(
            curve(*peaks, name, VERMILLION, lost, mode="markers", marker=down,
                  customdata=teeth.decrease)
        )  # fmt: skip
        parts.append(curve(*troughs, "after the decrease", GREEN, text, mode="markers", marker=low))
    else:
        parts.append(reference([times[0]], [window[0]], "no loss epoch"))
    return go.Figure(
        parts,
        layout(title, axis("Time", "s"), axis("Congestion window", unit, rangemode="tozero")),
    )
