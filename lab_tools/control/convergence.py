"""How fast stochastic approximation converges: from theory, and from data."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector, whole
from lab_tools.control.robbins_monro import step_size
from lab_tools.errors import DataError, InputError

BINS_PER_DECADE = 5
"""Points per factor of ten in n that the exponent is fitted to."""


@dataclass(frozen=True)
class ConvergenceFit:
    """A power law ``constant n^-exponent`` fitted to mean square errors.

    Attributes
    ----------
    exponent, constant : the fitted power law.
    exponent_std_error : standard error of the exponent, from the scatter about the line.
    """

    exponent: float
    constant: float
    exponent_std_error: float


def mean_square_error(rates: Sequence[ArrayLike], target: float) -> FloatArray:
    """Mean over the runs of ``(r_n - target)^2``.

    Parameters
    ----------
    rates : one sequence of rates for each run, shape (runs, steps).
    target : the rate sought, in the same units.

    Raises
    ------
    InputError, DataError : no runs, runs of different lengths, values that are not finite.

    >>> mean_square_error([[3.0, 2.0], [1.0, 2.5]], target=2.0)
    array([1.   , 0.125])
    """
    if len(rates) == 0:
        raise DataError("rates", "has 0 runs", "at least 1")
    steps = vector("rates", rates[0]).size
    runs = np.stack([vector("rates", run, length=steps) for run in rates])
    return np.asarray(np.mean((runs - number("target", target)) ** 2, axis=0))


def convergence_exponent(n: ArrayLike, errors: ArrayLike) -> ConvergenceFit:
    """Fit ``E (r_n - r*)^2 ~ constant n^-exponent``.

    The errors are averaged within bins of equal width in log n (so that the many late steps do
    not outweigh the early ones), then a straight line is fitted to the logarithms by least
    squares. Errors of one run are correlated from step to step and the standard error is then too
    small: average over runs with `mean_square_error` first.

    Parameters
    ----------
    n : step numbers, increasing, above 0, shape (k,); leave out the transient.
    errors : mean square errors at these steps, above 0, shape (k,).

    Raises
    ------
    DataError : wrong shapes, or steps that fill fewer than three bins.

    >>> steps = np.arange(1, 1001)
    >>> fit = convergence_exponent(steps, 0.25 / steps)
    >>> round(fit.exponent, 2)
    1.0
    """
    order = vector("n", n, positive=True, increasing=True)
    squares = vector("errors", errors, positive=True, length=order.size)
    bins = np.floor(np.log10(order) * BINS_PER_DECADE).astype(int)
    _, index = np.unique(bins, return_inverse=True)
    if index.max() < 2:
        raise DataError("n", f"spans {index.max() + 1} bins", "at least 3 of a fifth of a decade")
    counts = np.bincount(index)
    log_n = np.bincount(index, np.log(order)) / counts
    log_error = np.log(np.bincount(index, squares) / counts)
    (slope, intercept), covariance = np.polyfit(log_n, log_error, 1, cov="unscaled")
    residuals = log_error - (intercept + slope * log_n)
    variance = float(residuals @ residuals) / (log_n.size - 2)
    return ConvergenceFit(
        exponent=float(-slope),
        constant=float(np.exp(intercept)),
        exponent_std_error=float(np.sqrt(covariance[0, 0] * variance)),
    )


def linear_mse(
    steps: int, a: float, alpha: float, noise: float, slope: float = 1.0, start_error: float = 0.0
) -> FloatArray:
    """Exact mean square error of Robbins–Monro on the line ``g(r) = k r`` with white noise.

    ``e_n = (1 - k rho_n)^2 e_(n-1) + rho_n^2 sigma^2`` with ``rho_n = a / n^alpha``: one step of
    the recursion, squared and averaged. With a = k = 1 and alpha = 1 it is ``sigma^2 / n``.

    Parameters
    ----------
    steps : number of steps, 1 or more.
    a, alpha : as in `step_size`.
    noise : sigma, standard deviation of one measurement, 0 or more.
    slope : k, above 0.
    start_error : first rate minus the rate sought, in the units of the noise over k.

    Returns
    -------
    The error after n = 1…steps steps, shape (steps,).

    Raises
    ------
    InputError : a value out of range.

    >>> linear_mse(4, a=1.0, alpha=1.0, noise=0.5)
    array([0.25      , 0.125     , 0.08333333, 0.0625    ])
    """
    sigma = number("noise", noise, low=0)
    k = number("slope", slope, above=0)
    error = number("start_error", start_error) ** 2
    result = np.empty(whole("steps", steps, low=1))
    for n in range(1, result.size + 1):
        gain = step_size(n, a, alpha)
        error = (1.0 - k * gain) ** 2 * error + (gain * sigma) ** 2
        result[n - 1] = error
    return result


def asymptotic_mse(n: int, a: float, alpha: float, noise: float, slope: float = 1.0) -> float:
    """Leading term of the mean square error for large n.

    ``a sigma^2 / (2 k) n^-alpha`` for 1/2 < alpha < 1 (the fixed point of `linear_mse`, first
    order in the gain), and ``a^2 sigma^2 / (2 a k - 1) / n`` for alpha = 1 and 2 a k > 1 (Chung,
    "On a stochastic approximation method", Annals of Mathematical Statistics 25, 1954).

    Parameters
    ----------
    n : step, 1 or more.
    a : gain, above 0.
    alpha : step exponent in (1/2, 1].
    noise : sigma, 0 or more.
    slope : k, above 0.

    Raises
    ------
    InputError : a value out of range, or alpha = 1 with 2 a k of 1 or less.

    >>> f"{asymptotic_mse(2000, a=1.0, alpha=0.8, noise=0.5):.3e}"
    '2.858e-04'
    """
    order = whole("n", n, low=1)
    gain = number("a", a, above=0)
    power = number("alpha", alpha, above=0.5, high=1)
    sigma = number("noise", noise, low=0)
    k = number("slope", slope, above=0)
    if power < 1:
        return float(gain * sigma**2 / (2 * k) * order**-power)
    if 2 * gain * k <= 1:
        raise InputError("a", a, "such that 2 a slope is above 1, where alpha is 1")
    return gain**2 * sigma**2 / (2 * gain * k - 1) / order


def tracking_exponent(alpha: float, delta: float) -> float:
    """Exponent of the mean square error when the rate sought drifts by ``O(n^-delta)`` a step.

    ``E (r_n - theta_n)^2 = O(n^-alpha)`` if ``delta >= 3 alpha / 2``, else
    ``O(n^(-2 (delta - alpha)))``, for ``1/2 < alpha < min(1, delta)``. After Dupač, "A dynamic
    stochastic approximation method", Annals of Mathematical Statistics 36 (1965), as used by Rao
    and Wu; the formula was reconstructed from a damaged source and is unverified.

    Parameters
    ----------
    alpha : step exponent.
    delta : drift exponent.

    Raises
    ------
    InputError : alpha outside (1/2, min(1, delta)).

    >>> tracking_exponent(0.8, delta=2.0), round(tracking_exponent(0.8, delta=1.0), 3)
    (0.8, 0.4)
    """
    drift = number("delta", delta, above=0.5)
    step = number("alpha", alpha, above=0.5, below=min(1.0, drift))
    return step if drift >= 1.5 * step else 2.0 * (drift - step)
