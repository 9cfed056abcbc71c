"""Stochastic approximation: the way to a target, the climb to a maximum, the error left."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.arrays import number, vector
from lab_tools.control import Climb, ConvergenceFit, Trajectory
from lab_tools.figures.checks import given
from lab_tools.figures.draw import curve, reference
from lab_tools.figures.look import BLUE, GREEN, VERMILLION, axis, layout, rate_scale
from lab_tools.units import show_rate


def trajectory_figure(
    trajectory: Trajectory, target_bps: float, *, title: str = "Stabilised goodput"
) -> go.Figure:
    """Draw source rate and goodput over the steps, with the target.

    Parameters
    ----------
    trajectory : from `stabilise_goodput`.
    target_bps : the target in bit/s, above 0.
    title : above the figure.

    Raises
    ------
    DataError : not a trajectory; InputError : a target that is not positive.

    Source: the traces of Rao and Wu (2003).

    >>> from lab_tools.control import stabilise_goodput
    >>> run = stabilise_goodput(lambda rate: 0.8 * rate, 1e6, 2e6, steps=10, highest_bps=10e6)
    >>> trajectory_figure(run, 2e6).data[2].name
    'target 2 Mbit/s'
    """
    given("trajectory", trajectory, Trajectory)
    target = number("target_bps", target_bps, above=0)
    scale = rate_scale(trajectory.rates_bps, trajectory.goodputs_bps)
    steps = np.arange(trajectory.rates_bps.size)
    text = f"step %{{x}}<br>%{{y:.4g}} {scale.unit}"
    dash = {"color": VERMILLION, "width": 2, "dash": "dash"}
    rates, goodputs = scale.show(trajectory.rates_bps), scale.show(trajectory.goodputs_bps)
    line = [float(scale.show(target))] * 2
    return go.Figure(
        [
            curve(steps, rates, "source rate", VERMILLION, text, line=dash),
            curve(steps[:-1], goodputs, "measured goodput", BLUE, text),
            reference(steps[[0, -1]], line, f"target {show_rate(target)}"),
        ],
        layout(title, axis("Step", "number"), axis("Rate", scale.unit, rangemode="tozero")),
    )


def climb_figure(
    climb: Climb, *, best_bps: float | None = None, title: str = "Climb to the maximum goodput"
) -> go.Figure:
    """Draw the source rate over the steps, and the goodput measured below and above it.

    Parameters
    ----------
    climb : from `maximise_goodput`.
    best_bps : the rate with the highest goodput in bit/s, if it is known (optional).
    title : above the figure.

    Raises
    ------
    DataError : not a climb; InputError : a best rate that is not positive.

    Source: Kiefer and Wolfowitz (1952), as in Wu and Rao, INFOCOM 2005.

    >>> from lab_tools.control import maximise_goodput
    >>> climb = maximise_goodput(lambda r: max(0.0, 5e6 - (r - 6e6) ** 2 / 4e6), 2e6, 20, 20e6,
    ...     a_bps=3e6, c_bps=1e6)
    >>> [part.name for part in climb_figure(climb).data]
    ['source rate', 'goodput below it', 'goodput above it']
    """
    given("climb", climb, Climb)
    scale = rate_scale(climb.rates_bps)
    steps = np.arange(climb.rates_bps.size)
    text = f"step %{{x}}<br>%{{y:.4g}} {scale.unit}"
    lower, upper = scale.show(climb.lower_goodputs_bps), scale.show(climb.upper_goodputs_bps)
    down = {"symbol": "triangle-down-open", "size": 7, "color": VERMILLION}
    up = {"symbol": "triangle-up-open", "size": 7, "color": GREEN}
    parts = [
        curve(steps, scale.show(climb.rates_bps), "source rate", BLUE, text),
        curve(steps[:-1], lower, "goodput below it", VERMILLION, text, mode="markers", marker=down),
        curve(steps[:-1], upper, "goodput above it", GREEN, text, mode="markers", marker=up),
    ]
    if best_bps is not None:
        best = number("best_bps", best_bps, above=0)
        line = [float(scale.show(best))] * 2
        parts.append(reference(steps[[0, -1]], line, f"best rate {show_rate(best)}"))
    return go.Figure(
        parts, layout(title, axis("Step", "number"), axis("Rate", scale.unit, rangemode="tozero"))
    )


def convergence_figure(
    n: ArrayLike,
    errors: ArrayLike,
    fit: ConvergenceFit,
    *,
    unit: str = "(bit/s)²",
    title: str = "Error over the steps",
) -> go.Figure:
    """Draw the mean square error over the steps, log-log, with the fitted power.

    Parameters
    ----------
    n : numbers of the steps, increasing, above 0, shape (k,).
    errors : mean square errors at these steps, above 0, shape (k,).
    fit : from `convergence_exponent`.
    unit : of the errors.
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, values of 0 or less, not such a fit.

    >>> from lab_tools.control import convergence_exponent
    >>> n = [1, 10, 100]
    >>> fit = convergence_exponent(n, [1.0, 0.1, 0.01])
    >>> convergence_figure(n, [1.0, 0.1, 0.01], fit).layout.xaxis.type
    'log'
    """
    steps = vector("n", n, min_length=2, positive=True, increasing=True)
    values = vector("errors", errors, length=steps.size, positive=True)
    given("fit", fit, ConvergenceFit)
    text = f"step %{{x}}<br>%{{y:.4g}} {unit}"
    line = fit.constant * steps ** (-fit.exponent)
    name = f"step to the power −{fit.exponent:.2f} ± {fit.exponent_std_error:.2g}"
    dash = {"color": VERMILLION, "width": 2, "dash": "dash"}
    return go.Figure(
        [
            curve(steps, values, "mean square error", BLUE, text, mode="markers"),
            curve(steps, line, name, VERMILLION, text, line=dash),
        ],
        layout(
            title,
            axis("Step", "number", log=True),
            axis("Mean square error", unit, log=True, exponentformat="power"),
        ),
    )
