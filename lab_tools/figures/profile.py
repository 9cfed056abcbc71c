"""Throughput profiles: the band, the runs behind it, the sigmoid pair and its transition."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.analysis.profiles import Profile, SigmoidPair, sigmoid
from lab_tools.arrays import FloatArray, number
from lab_tools.errors import DataError
from lab_tools.figures.checks import given, groups
from lab_tools.figures.draw import band, curve, hover, reference
from lab_tools.figures.look import (
    BLUE,
    GREEN,
    MILLISECONDS,
    ORANGE,
    REFERENCE,
    VERMILLION,
    Scale,
    axis,
    faded,
    layout,
    rate_scale,
)
from lab_tools.units import show_rate

POINTS = 200


def profile_figure(
    profile: Profile,
    *,
    capacity_bps: float | None = None,
    runs_bps: Sequence[ArrayLike] | None = None,
    log_rtt: bool = False,
    title: str = "Throughput profile",
) -> go.Figure:
    """Draw a profile: mean throughput over RTT with its confidence band.

    The RTT axis is linear, because concave and convex are seen on a linear axis only; a
    logarithmic one spreads the short RTTs.

    Parameters
    ----------
    profile : from `throughput_profile` or `hoeffding_profile`, m RTTs.
    capacity_bps : capacity of the path in bit/s, a dashed line (optional).
    runs_bps : the runs at each RTT in bit/s, m sequences, drawn as dots (optional).
    log_rtt : a logarithmic RTT axis, on which RTTs must be above 0.
    title : above the figure.

    Raises
    ------
    DataError : not a profile, another number of groups of runs, an RTT of 0 on a log axis.
    InputError : a capacity that is not positive.

    Source: the profiles of Rao et al., HPDC 2017, drawn with a band here.

    >>> from lab_tools.analysis.profiles import throughput_profile
    >>> profile = throughput_profile([0.01, 0.1], [[9e9, 9.2e9], [4e9, 5e9]])
    >>> profile_figure(profile).layout.xaxis.title.text
    'RTT (ms)'
    """
    scale, parts = profile_parts(profile, capacity_bps, runs_bps)
    if log_rtt and profile.rtt_s[0] == 0:
        raise DataError("profile", "has an RTT of 0", "RTTs above 0 on a logarithmic axis")
    return go.Figure(
        parts,
        layout(
            title,
            axis("RTT", "ms", log=log_rtt),
            axis("Throughput", scale.unit, rangemode="tozero"),
        ),
    )


def profile_parts(
    profile: Profile,
    capacity_bps: float | None = None,
    runs_bps: Sequence[ArrayLike] | None = None,
) -> tuple[Scale, list[go.Scatter]]:
    """Return the traces of a profile and the unit of its throughput, for figures built on it.

    Parameters
    ----------
    profile, capacity_bps, runs_bps : as in `profile_figure`.

    Raises
    ------
    DataError, InputError : as in `profile_figure`.

    >>> from lab_tools.analysis.profiles import throughput_profile
    >>> scale, parts = profile_parts(throughput_profile([0.01, 0.1], [[9e9, 9e9], [4e9, 5e9]]))
    >>> scale.unit, [part.name for part in parts]
    ('Gbit/s', [None, '95 % confidence', 'mean of the runs'])
    """
    rtt_ms = MILLISECONDS.show(given("profile", profile, Profile).rtt_s)
    scale = rate_scale(profile.mean_bps)
    text = hover("RTT", "ms", "Throughput", scale.unit)
    low, high = scale.show(profile.low_bps), scale.show(profile.high_bps)
    parts = band(rtt_ms, low, high, f"{100 * profile.confidence:g} % confidence", BLUE)
    if runs_bps is not None:
        runs = groups("runs_bps", runs_bps, rtt_ms.size)
        at = np.repeat(rtt_ms, [run.size for run in runs])
        marker = {"color": faded(BLUE, 0.5), "size": 5}
        values = scale.show(np.concatenate(runs))
        parts.append(curve(at, values, "one run", BLUE, text, mode="markers", marker=marker))
    text += f"<br>band %{{customdata[0]:.4g}} to %{{customdata[1]:.4g}} {scale.unit}"
    parts.append(
        curve(
            rtt_ms,
            scale.show(profile.mean_bps),
            "mean of the runs",
            BLUE,
            text,
            mode="lines+markers",
            customdata=np.column_stack([low, high]),
        )
    )
    if capacity_bps is not None:
        capacity = number("capacity_bps", capacity_bps, above=0)
        line = [float(scale.show(capacity))] * 2
        ends = rtt_ms[[0, -1]]
        parts.append(reference(ends, line, f"capacity {show_rate(capacity)}"))
    return scale, parts


def sigmoid_figure(
    profile: Profile,
    pair: SigmoidPair,
    capacity_bps: float,
    *,
    title: str = "Sigmoid pair and transition RTT",
) -> go.Figure:
    """Draw a profile with its fitted sigmoids and the RTT at which one takes over.

    The shaded strip is the interval in which the transition can lie; it is open to the next RTT
    that was measured, since the fit knows the transition to the grid of RTTs only.

    Parameters
    ----------
    profile : the profile that was fitted.
    pair : from `fit_sigmoid_pair` of its mean.
    capacity_bps : what the fit divided by, in bit/s.
    title : above the figure.

    Raises
    ------
    DataError : not a profile or not a pair, or a pair of other RTTs than the profile's.
    InputError : a capacity that is not positive.

    Source: the two regions of Rao et al., HPDC 2017, reconstructed as in `fit_sigmoid_pair`.

    >>> from lab_tools.analysis.profiles import fit_sigmoid_pair, throughput_profile
    >>> rtt_s, mean_bps = [0.01, 0.1, 0.2, 0.3], [9.5e9, 8e9, 3e9, 1e9]
    >>> profile = throughput_profile(rtt_s, [[mean, mean] for mean in mean_bps])
    >>> pair = fit_sigmoid_pair(rtt_s, mean_bps, 10e9, noise_bps=0.1e9)
    >>> [part.name for part in sigmoid_figure(profile, pair, 10e9).data][-2:]
    ['convex sigmoid', 'transition 100 ms, 100 to 200 ms']
    """
    capacity = number("capacity_bps", capacity_bps, above=0)
    scale, parts = profile_parts(profile, capacity)
    rtts = profile.rtt_s
    given("pair", pair, SigmoidPair)
    if pair.split_sse.size != rtts.size or pair.transition_s not in rtts:
        raise DataError("pair", "is of other RTTs than the profile", "a fit of this profile")
    text = hover("RTT", "ms", "Throughput", scale.unit)

    def draw(start_s: float, end_s: float, slope: float, midpoint: float, colour: str) -> None:
        at = np.linspace(start_s, end_s, POINTS)
        values = scale.show(capacity * sigmoid(at, slope, midpoint))
        name = "concave sigmoid" if colour == VERMILLION else "convex sigmoid"
        line = {"color": colour, "width": 3, "dash": "solid" if colour == VERMILLION else "dashdot"}
        parts.append(curve(MILLISECONDS.show(at), values, name, colour, text, line=line))

    concave, convex = pair.concave, pair.convex
    if pair.transition_s > rtts[0]:
        draw(rtts[0], pair.transition_s, concave.slope_per_s, concave.midpoint_s, VERMILLION)
    if convex is not None:
        draw(pair.transition_s, rtts[-1], convex.slope_per_s, convex.midpoint_s, GREEN)

    at_ms, low_ms, high_ms = MILLISECONDS.show([pair.transition_s, pair.low_s, pair.high_s])
    top = _top(scale, profile.high_bps, capacity)
    name = f"transition {at_ms:g} ms, {low_ms:g} to {high_ms:g} ms"
    line = {"color": REFERENCE, "width": 2, "dash": "dot"}
    parts.append(reference([at_ms, at_ms], [0, top], name, line=line))
    figure = go.Figure(
        parts, layout(title, axis("RTT", "ms"), axis("Throughput", scale.unit, range=[0, top]))
    )
    return figure.add_vrect(
        x0=low_ms, x1=high_ms, fillcolor=faded(ORANGE, 0.2), line_width=0, layer="below"
    )


def _top(scale: Scale, high_bps: FloatArray, capacity: float) -> float:
    return 1.05 * max(float(scale.show(high_bps).max()), float(scale.show(capacity)))
