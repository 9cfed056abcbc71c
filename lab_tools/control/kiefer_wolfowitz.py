"""Kiefer–Wolfowitz stochastic approximation: climb to the maximum goodput from measurements."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lab_tools.arrays import FloatArray, number, whole
from lab_tools.control.robbins_monro import step_size
from lab_tools.errors import InputError


@dataclass(frozen=True)
class KieferWolfowitzConditions:
    """Which of the four conditions hold for ``a_n = a / n^alpha`` and ``c_n = c / n^gamma``.

    Attributes
    ----------
    probe_vanishes : ``c_n -> 0``, that is ``gamma > 0``.
    reaches_everywhere : ``sum a_n = inf``, that is ``alpha <= 1``.
    bias_vanishes : ``sum a_n c_n < inf``, that is ``alpha + gamma > 1``.
    noise_averages_out : ``sum (a_n / c_n)^2 < inf``, that is ``2 (alpha - gamma) > 1``.
    """

    probe_vanishes: bool
    reaches_everywhere: bool
    bias_vanishes: bool
    noise_averages_out: bool

    @property
    def all_hold(self) -> bool:
        """Whether the rates converge to the maximum.

        >>> kiefer_wolfowitz_conditions(alpha=1.0, gamma=0.25).all_hold
        True
        """
        return (
            self.probe_vanishes
            and self.reaches_everywhere
            and self.bias_vanishes
            and self.noise_averages_out
        )


@dataclass(frozen=True)
class Climb:
    """Rates of a climb, and the two measurements of each step.

    Attributes
    ----------
    rates_bps : the rate before each step and after the last, shape (steps + 1,).
    lower_goodputs_bps, upper_goodputs_bps : goodputs measured below and above, shape (steps,).
    """

    rates_bps: FloatArray
    lower_goodputs_bps: FloatArray
    upper_goodputs_bps: FloatArray


def kiefer_wolfowitz_conditions(alpha: float, gamma: float) -> KieferWolfowitzConditions:
    """Check the conditions of Kiefer and Wolfowitz for powers of n.

    Kiefer and Wolfowitz, "Stochastic estimation of the maximum of a regression function", Annals
    of Mathematical Statistics 23 (1952), stated from memory.

    Parameters
    ----------
    alpha : step exponent.
    gamma : probe exponent.

    Raises
    ------
    InputError : not finite numbers.

    >>> kiefer_wolfowitz_conditions(alpha=0.8, gamma=0.4).noise_averages_out
    False
    """
    step, probe = number("alpha", alpha), number("gamma", gamma)
    return KieferWolfowitzConditions(
        probe_vanishes=probe > 0,
        reaches_everywhere=step <= 1,
        bias_vanishes=step + probe > 1,
        noise_averages_out=2 * (step - probe) > 1,
    )


def maximise_goodput(
    measure: Callable[[float], float],
    start_bps: float,
    steps: int,
    highest_bps: float,
    a_bps: float,
    c_bps: float,
    alpha: float = 1.0,
    gamma: float = 0.25,
) -> Climb:
    """Climb a noisy, unimodal goodput curve to its maximum.

    ``r_(n+1) = r_n + a_n (g(r_n + c_n) - g(r_n - c_n)) / (2 c_n)`` with ``a_n = a / n^alpha``,
    ``c_n = c / n^gamma`` (Kiefer and Wolfowitz 1952), the core of the ONTCOU and PLUT transports
    of Wu and Rao (INFOCOM 2005). Rates and probes are kept between 0 and the limit; the quotient
    uses the probes' actual distance.

    Parameters
    ----------
    measure : sends at a rate in bit/s and returns the measured goodput in bit/s; it owns its
        source of randomness.
    start_bps : first rate, 0 or more.
    steps : number of steps, 1 or more.
    highest_bps : largest rate that the source can send, above 0.
    a_bps : gain of the first step, above 0, in bit/s per unit of slope.
    c_bps : half distance of the first two probes, above 0.
    alpha, gamma : exponents that meet `kiefer_wolfowitz_conditions`.

    Raises
    ------
    InputError : a value out of range, exponents that do not converge, or a measured goodput that
        is no number of 0 or more.

    >>> climb = maximise_goodput(
    ...     lambda r: max(0.0, 5e6 - (r - 6e6) ** 2 / 4e6), 2e6, 200, 20e6, a_bps=3e6, c_bps=1e6
    ... )
    >>> round(float(climb.rates_bps[-1]) / 1e6, 1)
    6.0
    """
    if not kiefer_wolfowitz_conditions(alpha, gamma).all_hold:
        allowed = "such that 0 < gamma, alpha <= 1, alpha + gamma > 1 and 2 (alpha - gamma) > 1"
        raise InputError("alpha", alpha, allowed)
    top = number("highest_bps", highest_bps, above=0)
    gain, width = number("a_bps", a_bps, above=0), number("c_bps", c_bps, above=0)
    count = whole("steps", steps, low=1)
    rates, lower, upper = np.empty(count + 1), np.empty(count), np.empty(count)
    rates[0] = number("start_bps", start_bps, low=0, high=top)
    for n in range(1, count + 1):
        probe = step_size(n, width, gamma)
        here = float(rates[n - 1])
        below, above = max(0.0, here - probe), min(top, here + probe)
        lower[n - 1] = number("goodput_bps", measure(below), low=0)
        upper[n - 1] = number("goodput_bps", measure(above), low=0)
        slope = (upper[n - 1] - lower[n - 1]) / (above - below)
        following = here + step_size(n, gain, alpha) * slope
        rates[n] = min(max(following, 0.0), top)
    return Climb(rates, lower, upper)
