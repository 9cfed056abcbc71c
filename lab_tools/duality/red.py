"""Reno with RED as a linear control loop: at which round-trip time it starts to oscillate."""

import cmath
import math
from dataclasses import dataclass
from typing import cast

from scipy.optimize import brentq

from lab_tools.arrays import number, whole
from lab_tools.errors import InputError


@dataclass(frozen=True)
class RedLoop:
    """Identical Reno flows on one link with RED marking.

    Parameters
    ----------
    capacity_pps : c in packets/s, above 0.
    flows : N, 1 or more.
    marking_slope : rho, marking probability per packet of averaged queue, above 0.
    averaging_gain : a, weight of one packet in RED's average queue, in (0, 1).

    Raises
    ------
    InputError : a value out of range.

    >>> RedLoop(9000, 50, marking_slope=2e-4, averaging_gain=1e-4).window_packets(0.2)
    36.0
    """

    capacity_pps: float
    flows: int
    marking_slope: float
    averaging_gain: float

    def __post_init__(self) -> None:
        number("capacity_pps", self.capacity_pps, above=0)
        whole("flows", self.flows, low=1)
        number("marking_slope", self.marking_slope, above=0)
        number("averaging_gain", self.averaging_gain, above=0, below=1)

    def window_packets(self, rtt_s: float) -> float:
        """Equilibrium window ``w = c tau / N`` of one flow.

        Parameters
        ----------
        rtt_s : tau, above 0.

        Raises
        ------
        InputError : a round-trip time of 0 or less.

        >>> RedLoop(9000, 50, marking_slope=2e-4, averaging_gain=1e-4).window_packets(0.02)
        3.6
        """
        return self.capacity_pps * number("rtt_s", rtt_s, above=0) / self.flows


@dataclass(frozen=True)
class PhaseCrossing:
    """Where the loop's phase first reaches -180 degrees.

    Attributes
    ----------
    omega_rad_s : angular frequency.
    gain : |L| there; the loop is stable if and only if it is below 1.
    """

    omega_rad_s: float
    gain: float

    @property
    def is_stable(self) -> bool:
        """Whether small disturbances die out.

        >>> PhaseCrossing(omega_rad_s=1.7, gain=8.6).is_stable
        False
        """
        return self.gain < 1.0


def loop_response(loop: RedLoop, rtt_s: float, omega_rad_s: float) -> complex:
    """Open-loop response L at ``s = i omega``.

    ``L(s) = 1/(tau q) 1/(s + w q/tau) (N/tau)/(s + 1/tau) rho a c/(s + a c) e^(-s tau)`` with
    ``w = c tau / N`` and the marking probability ``q = 2 / (2 + w^2)``: window, queue, averaging
    and delay in a row. Derived from the fluid model of Misra, Gong and Towsley (2000); its gain at
    0 agrees with Hollot, Misra, Towsley and Gong (INFOCOM 2001) for large windows.

    Parameters
    ----------
    loop : the flows and the link.
    rtt_s : tau, constant, above 0.
    omega_rad_s : angular frequency, 0 or more.

    Raises
    ------
    InputError : a value out of range.

    >>> loop = RedLoop(9000, 50, marking_slope=2e-4, averaging_gain=1e-4)
    >>> round(abs(loop_response(loop, 0.2, 1.673475)), 2)
    8.59
    """
    tau = number("rtt_s", rtt_s, above=0)
    s = 1j * number("omega_rad_s", omega_rad_s, low=0)
    w = loop.window_packets(tau)
    q = 2.0 / (2.0 + w * w)
    averaging = loop.averaging_gain * loop.capacity_pps
    window = 1.0 / (tau * q) / (s + w * q / tau)
    queue = (loop.flows / tau) / (s + 1.0 / tau)
    marking = loop.marking_slope * averaging / (s + averaging)
    return window * queue * marking * cmath.exp(-s * tau)


def phase_crossing(loop: RedLoop, rtt_s: float) -> PhaseCrossing:
    """The first crossing of -180 degrees, which decides on stability.

    Gain and phase of `loop_response` both fall with the frequency, so by Nyquist's criterion the
    closed loop is stable if and only if |L| < 1 at that crossing.

    Parameters
    ----------
    loop : the flows and the link.
    rtt_s : tau, above 0.

    Raises
    ------
    InputError : a value out of range.

    >>> loop = RedLoop(9000, 50, marking_slope=2e-4, averaging_gain=1e-4)
    >>> phase_crossing(loop, 0.02).is_stable, phase_crossing(loop, 0.2).is_stable
    (True, False)
    """
    tau = number("rtt_s", rtt_s, above=0)
    w = loop.window_packets(tau)
    window_pole = w * 2.0 / (2.0 + w * w) / tau
    averaging_pole = loop.averaging_gain * loop.capacity_pps

    def phase_margin(omega: float) -> float:
        lag = math.atan(omega / window_pole) + math.atan(omega * tau)
        return math.pi - lag - math.atan(omega / averaging_pole) - omega * tau

    omega = cast(float, brentq(phase_margin, 0.0, math.pi / tau, xtol=1e-14, rtol=1e-14))
    return PhaseCrossing(omega, abs(loop_response(loop, tau, omega)))


def critical_rtt(loop: RedLoop, shortest_s: float = 1e-3, longest_s: float = 10.0) -> float:
    """Round-trip time at which the loop turns from stable to unstable.

    Parameters
    ----------
    loop : the flows and the link.
    shortest_s, longest_s : where to search, above 0; stable at the first, unstable at the second.

    Raises
    ------
    InputError : a value out of range, or the loop is not stable at the first and unstable at the
        second.

    Fifty flows on 9 packets/ms (with assumed RED parameters):

    >>> loop = RedLoop(9000, 50, marking_slope=2e-4, averaging_gain=1e-4)
    >>> round(critical_rtt(loop), 3)
    0.092
    """
    low = number("shortest_s", shortest_s, above=0)
    high = number("longest_s", longest_s, above=low)
    if not phase_crossing(loop, low).is_stable:
        raise InputError("shortest_s", shortest_s, "a round-trip time at which the loop is stable")
    if phase_crossing(loop, high).is_stable:
        raise InputError("longest_s", longest_s, "a round-trip time at which the loop is unstable")

    def log_gain(tau: float) -> float:
        return math.log(phase_crossing(loop, tau).gain)

    return cast(float, brentq(log_gain, low, high, xtol=1e-12))


def hollot_slope_limit(
    flows: int, rtt_s: float, capacity_pps: float, averaging_rate_per_s: float
) -> float:
    """Largest marking slope for which RED is surely stable, by the rule of Hollot et al.

    ``L (R C)^3 / (2 N)^2 <= sqrt(w_g^2 / K^2 + 1)`` with ``w_g = 0.1 min(2N/(R^2 C), 1/R)``
    (Hollot, Misra, Towsley and Gong, "A control theoretic analysis of RED", INFOCOM 2001, stated
    from memory). It is sufficient, not necessary; it holds for at least this number of flows and
    at most this round-trip time.

    Parameters
    ----------
    flows : N, 1 or more.
    rtt_s : R, above 0.
    capacity_pps : C in packets/s, above 0.
    averaging_rate_per_s : K, the pole of RED's averaging filter in 1/s, above 0.

    Returns
    -------
    The slope in probability per packet.

    Raises
    ------
    InputError : a value out of range.

    >>> f"{hollot_slope_limit(60, 0.246, 3750, 0.005):.3e}"
    '1.949e-04'
    """
    n = whole("flows", flows, low=1)
    r = number("rtt_s", rtt_s, above=0)
    c = number("capacity_pps", capacity_pps, above=0)
    k = number("averaging_rate_per_s", averaging_rate_per_s, above=0)
    crossover = 0.1 * min(2.0 * n / (r * r * c), 1.0 / r)
    return math.sqrt((crossover / k) ** 2 + 1.0) * (2.0 * n) ** 2 / (r * c) ** 3
