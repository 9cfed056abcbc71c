"""Estimates of a profile between its RTTs, segmented regression, and models beside it."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.analysis.profiles import CrossValidation, Profile, SegmentChoice, Segmented
from lab_tools.arrays import vector
from lab_tools.errors import DataError
from lab_tools.figures.checks import given, groups
from lab_tools.figures.draw import curve, hover, reference
from lab_tools.figures.look import (
    BLUE,
    MILLISECONDS,
    REFERENCE,
    VERMILLION,
    axis,
    colour,
    dash,
    layout,
    rate_scale,
)
from lab_tools.figures.profile import profile_parts


def estimates_figure(
    profile: Profile,
    at_rtt_s: ArrayLike,
    estimates_bps: Mapping[str, ArrayLike],
    *,
    title: str = "Estimates between the measured RTTs",
) -> go.Figure:
    """Draw estimates of a profile, such as the isotonic and the linear one, over its band.

    Parameters
    ----------
    profile : what was measured.
    at_rtt_s : RTTs of the estimates in seconds, increasing, shape (q,).
    estimates_bps : name -> estimates in bit/s, shape (q,) each.
    title : above the figure.

    Raises
    ------
    DataError : not a profile, no estimate, wrong shapes, unsorted RTTs.

    >>> from lab_tools.analysis.profiles import isotonic_estimate, throughput_profile
    >>> rtt_s, runs_bps = [0.01, 0.1], [[9e9, 9.2e9], [4e9, 5e9]]
    >>> estimate = isotonic_estimate(rtt_s, runs_bps, [0.01, 0.05, 0.1])
    >>> profile = throughput_profile(rtt_s, runs_bps)
    >>> estimates_figure(profile, [0.01, 0.05, 0.1], {"isotonic": estimate}).data[-1].name
    'isotonic'
    """
    scale, parts = profile_parts(profile)
    at = vector("at_rtt_s", at_rtt_s, non_negative=True, increasing=True)
    if not estimates_bps:
        raise DataError("estimates_bps", "has 0 estimates", "at least 1")
    parts[-1].mode = "markers"
    text = hover("RTT", "ms", "Throughput", scale.unit)
    for index, (name, values) in enumerate(estimates_bps.items(), start=1):
        values = vector(f"estimates_bps[{name!r}]", values, length=at.size)
        line = {"color": colour(index), "width": 2, "dash": dash(index)}
        shown = scale.show(values)
        parts.append(curve(MILLISECONDS.show(at), shown, name, colour(index), text, line=line))
    return go.Figure(
        parts,
        layout(title, axis("RTT", "ms"), axis("Throughput", scale.unit, rangemode="tozero")),
    )


def validation_figure(
    validations: Mapping[str, CrossValidation], *, title: str = "Error at RTTs left out"
) -> go.Figure:
    """Draw the cross-validated error of estimates at each RTT that was left out.

    Parameters
    ----------
    validations : name -> result of `cross_validate`, of the same runs.
    title : above the figure.

    Raises
    ------
    DataError : nothing to draw, or not results of `cross_validate`.

    >>> from lab_tools.analysis.profiles import cross_validate
    >>> result = cross_validate([0.1, 0.2, 0.3], [[9e9], [8e9], [5e9]], "linear")
    >>> validation_figure({"linear": result}).data[0].name
    'linear: 1 Gbit/s in all'
    """
    if not validations:
        raise DataError("validations", "has 0 results", "at least 1")
    results = [given("validations", result, CrossValidation) for result in validations.values()]
    scale = rate_scale(*(result.rmse_at_rtt_bps for result in results))
    text = hover("RTT", "ms", "Error", scale.unit)
    parts = []
    for index, (name, result) in enumerate(zip(validations, results, strict=True)):
        total = f"{name}: {float(scale.show(result.rmse_bps)):.3g} {scale.unit} in all"
        line = {"color": colour(index), "width": 2, "dash": dash(index)}
        rtt_ms, error = MILLISECONDS.show(result.rtt_s), scale.show(result.rmse_at_rtt_bps)
        parts.append(
            curve(rtt_ms, error, total, colour(index), text, mode="lines+markers", line=line)
        )
    noise = [float(scale.show(results[0].noise_bps))] * 2
    span = MILLISECONDS.show(results[0].rtt_s[[0, -1]])
    parts.append(reference(span, noise, "spread of the runs, which no estimate avoids"))
    error_axis = axis("Root mean square error", scale.unit, rangemode="tozero")
    return go.Figure(parts, layout(title, axis("RTT", "ms"), error_axis))


def segments_figure(
    x: ArrayLike,
    runs: Sequence[ArrayLike],
    fit: Segmented,
    x_axis: tuple[str, str],
    y_axis: tuple[str, str],
    *,
    title: str = "Segmented regression",
) -> go.Figure:
    """Draw measurements and the segmented regression through them.

    Parameters
    ----------
    x : positions, shape (m,), in the unit of ``x_axis``.
    runs : the measurements at each position, m sequences, in the unit of ``y_axis``.
    fit : from `segmented_regression` or `choose_segments`, of the same data.
    x_axis, y_axis : name and unit, such as ``("Distance", "miles")``.
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, or not a regression; InputError : an axis without a unit.

    Source: Rao's segmented regressions of connection measurements on UltraScience Net.

    >>> from lab_tools.analysis.profiles import segmented_regression
    >>> x, runs = [1400, 2800, 4200], [[26.8], [54.5], [81.0]]
    >>> fit = segmented_regression(x, runs, segments=1)
    >>> segments_figure(x, runs, fit, ("Distance", "miles"), ("RTT", "ms")).data[1].name
    '1 segment'
    """
    positions = vector("x", x, min_length=2, increasing=True)
    values = groups("runs", runs, positions.size)
    given("fit", fit, Segmented)
    text = hover(*x_axis, *y_axis)
    at = np.repeat(positions, [group.size for group in values])
    count = fit.x.size - 1
    name = f"{count} segment" + ("s" if count > 1 else "")
    marker = {"color": BLUE, "size": 6, "opacity": 0.6}
    measured = curve(
        at, np.concatenate(values), "measured", BLUE, text, mode="markers", marker=marker
    )
    line = curve(fit.x, fit.y, name, VERMILLION, text, mode="lines+markers")
    return go.Figure([measured, line], layout(title, axis(*x_axis), axis(*y_axis)))


def segment_choice_figure(
    choice: SegmentChoice, *, title: str = "Choice of the number of segments"
) -> go.Figure:
    """Draw the error on the data and Vapnik's bound on the error elsewhere, over k.

    Parameters
    ----------
    choice : from `choose_segments`.
    title : above the figure.

    Raises
    ------
    DataError : not a result of `choose_segments`.

    >>> from lab_tools.analysis.profiles import choose_segments
    >>> choice = choose_segments([0, 1, 2, 3], [[0.0], [1.0], [2.0], [3.0]])
    >>> [part.name for part in segment_choice_figure(choice).data]
    ['error on the data', 'bound on the error elsewhere', 'chosen: 1']
    """
    given("choice", choice, SegmentChoice)
    k = np.arange(1, choice.risk.size + 1)
    text = "%{x} segments<br>mean squared error %{y:.4g} scale²"
    risk = curve(k, choice.risk, "error on the data", BLUE, text, mode="lines+markers")
    bound = curve(
        k,
        choice.bound,
        "bound on the error elsewhere",
        VERMILLION,
        text,
        mode="lines+markers",
        line={"color": VERMILLION, "width": 2, "dash": "dash"},
    )
    best = curve(
        [choice.segments],
        [choice.bound[choice.segments - 1]],
        f"chosen: {choice.segments}",
        REFERENCE,
        text,
        mode="markers",
        marker={"symbol": "circle-open", "size": 16, "color": REFERENCE, "line": {"width": 3}},
    )
    return go.Figure(
        [risk, bound, best],
        layout(
            title,
            axis("Segments k", "number", dtick=max(1, k.size // 10)),
            axis("Mean squared error", "scale²", rangemode="tozero"),
        ),
    )
