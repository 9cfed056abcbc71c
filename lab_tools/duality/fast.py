"""FAST TCP: its window update, its equilibrium on one link, and the way there."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector, whole
from lab_tools.duality.queueing import shared_queueing_delay, window_queueing_delay


@dataclass(frozen=True)
class FastEquilibrium:
    """FAST sources of one link in equilibrium.

    Attributes
    ----------
    rates_pps : rate of each source in packets/s, shape (n,).
    queue_delay_s : queueing delay q at the link.
    queue_packets : packets in the queue, q c.
    """

    rates_pps: FloatArray
    queue_delay_s: float
    queue_packets: float


def fast_equilibrium(
    capacity_pps: float, alpha_packets: ArrayLike, base_rtt_errors_s: ArrayLike | None = None
) -> FastEquilibrium:
    """Equilibrium of FAST sources on one link.

    Each source keeps alpha_i packets in the queue: ``x_i = alpha_i / (q - e_i)``, e_i being the
    error of its base round-trip time. Without errors ``x_i = alpha_i c / sum alpha`` whatever the
    round-trip times, and the queue holds ``sum alpha`` packets. Jin, Wei and Low, "FAST TCP",
    INFOCOM 2004, stated from memory.

    Parameters
    ----------
    capacity_pps : link capacity c in packets/s, above 0.
    alpha_packets : alpha_i, above 0, shape (n,).
    base_rtt_errors_s : e_i, believed minus true base round-trip time, shape (n,); none by default.

    Raises
    ------
    InputError, DataError : wrong shapes or values.

    >>> three = fast_equilibrium(100, [20, 40, 30])
    >>> three.rates_pps.round(2), round(three.queue_delay_s, 6)
    (array([22.22, 44.44, 33.33]), 0.9)
    """
    alpha = vector("alpha_packets", alpha_packets, positive=True)
    c = number("capacity_pps", capacity_pps, above=0)
    errors = np.zeros(alpha.size)
    if base_rtt_errors_s is not None:
        errors = vector("base_rtt_errors_s", base_rtt_errors_s, length=alpha.size)
    delay = shared_queueing_delay(alpha, errors, c)
    return FastEquilibrium(alpha / (delay - errors), delay, delay * c)


def fast_window_step(
    window_packets: float,
    rtt_s: float,
    base_rtt_s: float,
    alpha_packets: float,
    gamma: float = 0.5,
) -> float:
    """One window update: ``w <- min(2 w, (1 - gamma) w + gamma (baseRTT / RTT w + alpha))``.

    Jin, Wei and Low (INFOCOM 2004), stated from memory.

    Parameters
    ----------
    window_packets : w, above 0.
    rtt_s, base_rtt_s : measured and smallest round-trip time, above 0, the first not smaller.
    alpha_packets : alpha, above 0.
    gamma : gain in (0, 1].

    Raises
    ------
    InputError : wrong values.

    >>> fast_window_step(100.0, rtt_s=0.2, base_rtt_s=0.1, alpha_packets=20.0)
    85.0
    """
    w = number("window_packets", window_packets, above=0)
    base = number("base_rtt_s", base_rtt_s, above=0)
    rtt = number("rtt_s", rtt_s, low=base)
    alpha = number("alpha_packets", alpha_packets, above=0)
    gain = number("gamma", gamma, above=0, high=1)
    return min(2.0 * w, (1.0 - gain) * w + gain * (base / rtt * w + alpha))


def fast_trajectory(
    capacity_pps: float,
    alpha_packets: ArrayLike,
    propagation_s: ArrayLike,
    start_packets: ArrayLike,
    steps: int,
    gamma: float = 0.5,
) -> FloatArray:
    """Windows of FAST sources on one link that all update at once, step by step.

    In each step the windows cause a queueing delay (`window_queueing_delay`) and every source
    answers with `fast_window_step`, knowing its propagation delay. A simplification: in a network
    each source updates once in its own round-trip time.

    Parameters
    ----------
    capacity_pps : c in packets/s, above 0.
    alpha_packets, propagation_s, start_packets : alpha_i, d_i and first windows, shape (n,).
    steps : number of steps, 1 or more.
    gamma : gain in (0, 1].

    Returns
    -------
    Windows in packets, shape (steps + 1, n).

    Raises
    ------
    InputError, DataError : wrong shapes or values.

    >>> fast_trajectory(100, [20, 40], [0.1, 0.2], [1, 1], steps=200)[-1].round(2)
    array([23.33, 53.33])
    """
    alpha = vector("alpha_packets", alpha_packets, positive=True)
    d = vector("propagation_s", propagation_s, positive=True, length=alpha.size)
    windows = np.empty((whole("steps", steps, low=1) + 1, alpha.size))
    windows[0] = vector("start_packets", start_packets, positive=True, length=alpha.size)
    for step in range(1, windows.shape[0]):
        delay = window_queueing_delay(windows[step - 1], d, capacity_pps)
        windows[step] = [
            fast_window_step(w, base + delay, base, a, gamma)
            for w, base, a in zip(windows[step - 1], d, alpha, strict=True)
        ]
    return windows
