"""Lyapunov exponents: the curves behind them, and their intervals side by side."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from lab_tools.analysis.dynamics import Divergence, Exponent, ShellCurves
from lab_tools.arrays import number
from lab_tools.errors import DataError
from lab_tools.figures.checks import given
from lab_tools.figures.draw import band, curve, hover, reference
from lab_tools.figures.look import BLUE, VERMILLION, axis, colour, layout


def divergence_figure(
    divergence: Divergence,
    exponent: Exponent | None = None,
    *,
    interval_s: float = 1.0,
    first_step: int = 0,
    title: str = "Divergence of neighbours",
) -> go.Figure:
    """Draw the mean ln distance of neighbours over time, with its band and the fitted slope.

    Chaos gives a straight line over several steps; noise one jump and then a level.

    Parameters
    ----------
    divergence : from `neighbour_divergence`.
    exponent : from `rosenstein_exponent` of the same trace; a line of its slope (optional).
    interval_s : sampling interval in seconds.
    first_step : where the fit of the exponent began.
    title : above the figure.

    Raises
    ------
    DataError : values of other kinds; InputError : an interval or a first step out of range.

    Source: Rosenstein, Collins and De Luca, Physica D 65 (1993), Fig. 1.

    >>> from lab_tools.analysis.dynamics import neighbour_divergence
    >>> from lab_tools.analysis.dynamics.reference import logistic_orbit
    >>> found = neighbour_divergence(logistic_orbit(4.0, 400), np.random.default_rng(1))
    >>> divergence_figure(found).layout.yaxis.title.text
    'Mean ln distance (nats)'
    """
    given("divergence", divergence, Divergence)
    interval = number("interval_s", interval_s, above=0)
    start = int(number("first_step", first_step, low=0, high=divergence.time.size - 2))
    time_s = interval * divergence.time
    text = hover("After", "s", "mean ln distance", "")
    parts = band(time_s, divergence.low, divergence.high, "bootstrap band", BLUE)
    name = f"{divergence.pairs} pairs of neighbours"
    parts.append(curve(time_s, divergence.log_distance, name, BLUE, text, mode="markers"))
    if exponent is not None:
        given("exponent", exponent, Exponent)
        fitted = time_s[start:]
        middle = float(divergence.log_distance[start:].mean())
        line = middle + exponent.value * (fitted - fitted.mean())
        label = f"slope {exponent.value:.3g} per s, {exponent.low:.3g} to {exponent.high:.3g}"
        dash = {"color": VERMILLION, "width": 2, "dash": "dash"}
        parts.append(curve(fitted, line, label, VERMILLION, text, line=dash))
    return go.Figure(
        parts, layout(title, axis("Time after the start", "s"), axis("Mean ln distance", "nats"))
    )


def shells_figure(
    curves: ShellCurves,
    *,
    interval_s: float = 1.0,
    title: str = "Time-dependent exponent curves",
) -> go.Figure:
    """Draw the mean growth of distances, one curve for each shell of starting distances.

    Chaos: the curves share one line, the common envelope. Noise: each jumps once and stays, and
    neighbouring shells lie ln 2 = 0.69 apart.

    Parameters
    ----------
    curves : from `time_dependent_exponents`; shells without pairs are left out.
    interval_s : sampling interval in seconds.
    title : above the figure.

    Raises
    ------
    DataError : not such curves, or no shell with pairs.
    InputError : an interval that is not positive.

    Source: Gao and Zheng, Europhys. Lett. 25 (1994).

    >>> from lab_tools.analysis.dynamics import time_dependent_exponents
    >>> from lab_tools.analysis.dynamics.reference import tent_orbit
    >>> found = time_dependent_exponents(tent_orbit(2.0, 2000), dimension=1, lag=1, steps=3)
    >>> shells_figure(found).data[0].name
    '1/32 to 1/16 of the range'
    """
    given("curves", curves, ShellCurves)
    time_s = number("interval_s", interval_s, above=0) * curves.time
    full = np.flatnonzero(curves.pairs > 0)
    if full.size == 0:
        raise DataError("curves", "has no shell with pairs", "at least one pair of neighbours")
    text = hover("After", "s", "mean ln growth", "")
    parts = []
    for index in full:
        outer = round(1 / float(curves.radius[index]))
        name = f"1/{2 * outer} to 1/{outer} of the range"
        shade = colour(int(index))
        pairs = f"{text}<br>{curves.pairs[index]} pairs"
        values = curves.exponent[index]
        parts.append(curve(time_s, values, name, shade, pairs, mode="lines+markers"))
    return go.Figure(
        parts, layout(title, axis("Time after the start", "s"), axis("Mean ln growth", "nats"))
    )


def exponents_figure(
    exponents: Mapping[str, Exponent], *, title: str = "Lyapunov exponents"
) -> go.Figure:
    """Draw exponents with their confidence intervals, one row each, and the line at 0.

    An interval that holds 0 says nothing about the sign; a positive exponent alone is no sign of
    chaos, since noise gives one too.

    Parameters
    ----------
    exponents : name of the method or the trace -> exponent per second.
    title : above the figure.

    Raises
    ------
    DataError : nothing to draw, or values of another kind.

    >>> from lab_tools.analysis.dynamics import Exponent
    >>> figure = exponents_figure({"derivative": Exponent(0.69, 0.6, 0.8, 100)})
    >>> figure.layout.xaxis.title.text
    'Lyapunov exponent (1/s)'
    """
    if not exponents:
        raise DataError("exponents", "has 0 exponents", "at least 1")
    values = [given("exponents", one, Exponent) for one in exponents.values()]
    value = np.array([one.value for one in values])
    names = list(exponents)
    dots = go.Scatter(
        x=value,
        y=names,
        mode="markers",
        marker={"color": BLUE, "size": 11},
        error_x={
            "array": [one.high - one.value for one in values],
            "arrayminus": [one.value - one.low for one in values],
            "color": BLUE,
            "thickness": 2,
        },
        customdata=[(one.low, one.high, one.terms) for one in values],
        hovertemplate="%{y}: %{x:.4g} per s<br>%{customdata[0]:.4g} to %{customdata[1]:.4g} per s"
        "<br>from %{customdata[2]} terms<extra></extra>",
        showlegend=False,
    )
    zero = reference([0, 0], [-0.5, len(names) - 0.5], "neither growth nor decay", yaxis="y2")
    # The line lives on numbers, the rows on names: two y axes over each other.
    rows = {"title": {"text": ""}, "autorange": "reversed", "range": [len(names) - 0.5, -0.5]}
    figure = go.Figure([dots, zero], layout(title, axis("Lyapunov exponent", "1/s"), rows))
    return figure.update_layout(
        height=180 + 60 * len(names),
        yaxis={"autorange": False, "type": "category"},
        yaxis2={"overlaying": "y", "visible": False, "range": [len(names) - 0.5, -0.5]},
    )
