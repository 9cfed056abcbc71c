"""Robbins–Monro stochastic approximation: hold the goodput at a target from noisy measurements."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lab_tools.arrays import FloatArray, number, whole
from lab_tools.errors import InputError


@dataclass(frozen=True)
class Trajectory:
    """Source rates and what was measured at them.

    Attributes
    ----------
    rates_bps : the rate before each step and after the last, shape (steps + 1,).
    goodputs_bps : the goodput measured at each rate but the last, shape (steps,).
    """

    rates_bps: FloatArray
    goodputs_bps: FloatArray


def step_size(n: int, a: float, alpha: float) -> float:
    """Gain of step n: ``rho_n = a / n^alpha``.

    Robbins and Monro, "A stochastic approximation method", Annals of Mathematical Statistics 22
    (1951), with the power of Rao and Wu (2003).

    Parameters
    ----------
    n : number of the step, from 1.
    a : gain of the first step, above 0.
    alpha : step exponent, above 0.

    Raises
    ------
    InputError : a value out of range.

    >>> step_size(4, a=0.8, alpha=0.5)
    0.4
    """
    order = whole("n", n, low=1)
    return float(number("a", a, above=0) / order ** number("alpha", alpha, above=0))


def robbins_monro_converges(alpha: float) -> bool:
    """Whether the step exponent meets the conditions of Robbins and Monro.

    ``sum rho_n = inf`` (the rate can go anywhere) and ``sum rho_n^2 < inf`` (the noise averages
    out) hold for ``rho_n = a / n^alpha`` if and only if ``1/2 < alpha <= 1``.

    Parameters
    ----------
    alpha : step exponent.

    Raises
    ------
    InputError : not a finite number.

    >>> robbins_monro_converges(0.8), robbins_monro_converges(0.5)
    (True, False)
    """
    return 0.5 < number("alpha", alpha) <= 1.0


def robbins_monro_step(
    rate_bps: float, goodput_bps: float, target_bps: float, n: int, a: float, alpha: float
) -> float:
    """The next source rate: ``r_(n+1) = r_n - (a / n^alpha) (g_n - g*)``.

    The update of Rao and Wu for goodput stabilisation (2003), a Robbins–Monro step on the noisy
    goodput.

    Parameters
    ----------
    rate_bps : the rate r_n, 0 or more.
    goodput_bps : the measured goodput g_n, 0 or more.
    target_bps : the target g*, above 0.
    n, a, alpha : as in `step_size`.

    Returns
    -------
    The next rate in bit/s; it may be negative, which the caller has to bound.

    Raises
    ------
    InputError : a value out of range.

    >>> robbins_monro_step(2e6, goodput_bps=1.5e6, target_bps=1e6, n=1, a=0.8, alpha=0.8)
    1600000.0
    """
    rate = number("rate_bps", rate_bps, low=0)
    error = number("goodput_bps", goodput_bps, low=0) - number("target_bps", target_bps, above=0)
    return rate - step_size(n, a, alpha) * error


def stabilise_goodput(
    measure: Callable[[float], float],
    start_bps: float,
    target_bps: float,
    steps: int,
    highest_bps: float,
    a: float = 0.8,
    alpha: float = 0.8,
) -> Trajectory:
    """Run `robbins_monro_step` against a channel, with the rate kept between 0 and a limit.

    The defaults of a and alpha are those of the ORNL–LSU experiments (Rao and Wu, 2003).

    Parameters
    ----------
    measure : sends at a rate in bit/s and returns the measured goodput in bit/s; it owns its
        source of randomness.
    start_bps : first rate, 0 or more.
    target_bps : the target goodput, above 0.
    steps : number of steps, 1 or more.
    highest_bps : largest rate that the source can send, above 0.
    a, alpha : as in `step_size`; alpha must lie in (1/2, 1].

    Raises
    ------
    InputError : a value out of range, or a measured goodput that is no number of 0 or more.

    A channel that delivers 80 % of what is sent:

    >>> run = stabilise_goodput(lambda rate: 0.8 * rate, 1e6, 2e6, steps=100, highest_bps=10e6)
    >>> round(float(run.goodputs_bps[-1]) / 1e6, 2)
    2.0
    """
    if not robbins_monro_converges(alpha):
        raise InputError("alpha", alpha, "above 0.5 and at most 1, or the rates do not converge")
    top = number("highest_bps", highest_bps, above=0)
    count = whole("steps", steps, low=1)
    rates = np.empty(count + 1)
    goodputs = np.empty(count)
    rates[0] = number("start_bps", start_bps, low=0, high=top)
    for n in range(1, count + 1):
        goodputs[n - 1] = number("goodput_bps", measure(float(rates[n - 1])), low=0)
        following = robbins_monro_step(rates[n - 1], goodputs[n - 1], target_bps, n, a, alpha)
        rates[n] = min(max(following, 0.0), top)
    return Trajectory(rates, goodputs)
