"""Queueing delay at which window-based sources share one link."""

from typing import cast

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from lab_tools.arrays import number, vector


def shared_queueing_delay(
    targets_packets: ArrayLike, errors_s: ArrayLike, capacity_pps: float
) -> float:
    """Queueing delay q at which sources that keep packets in the queue fill a link.

    Each source wants b_i packets of its own in the queue, which it estimates from its round-trip
    time and a base round-trip time that is wrong by e_i, so its rate is ``x_i = b_i / (q - e_i)``.
    The delay solves ``sum x_i = c``; it is 0 where the sources leave the link idle.

    Parameters
    ----------
    targets_packets : b_i, above 0, shape (n,).
    errors_s : e_i, believed minus true base round-trip time, shape (n,).
    capacity_pps : c in packets/s, above 0.

    Raises
    ------
    InputError, DataError : wrong shapes or values.

    >>> round(shared_queueing_delay([20, 40, 30], [0, 0, 0], capacity_pps=100), 6)
    0.9
    """
    b = vector("targets_packets", targets_packets, positive=True)
    e = vector("errors_s", errors_s, length=b.size)
    c = number("capacity_pps", capacity_pps, above=0)
    if e.max() < 0 and np.sum(b / -e) <= c:
        return 0.0
    first = int(np.argmax(e))
    lower = max(0.0, e[first] + b[first] / c)  # alone, the most optimistic source fills the link
    upper = e[first] + b.sum() / c * (1.0 + 1e-9)  # with all errors as large as the largest

    def excess(q: float) -> float:
        return float(np.sum(b / (q - e)) - c)

    if excess(lower) <= 0:
        return float(lower)
    return cast(float, brentq(excess, lower, upper, xtol=1e-15, rtol=1e-14))


def window_queueing_delay(
    windows_packets: ArrayLike, propagation_s: ArrayLike, capacity_pps: float
) -> float:
    """Queueing delay q that given windows cause: ``sum w_i / (d_i + q) = c``, or 0.

    Conservation of packets: each source sends a window in a round-trip time.

    Parameters
    ----------
    windows_packets : w_i, above 0, shape (n,).
    propagation_s : d_i, above 0, shape (n,).
    capacity_pps : c in packets/s, above 0.

    Raises
    ------
    InputError, DataError : wrong shapes or values.

    >>> round(window_queueing_delay([30.0, 30.0], [0.1, 0.1], capacity_pps=100), 6)
    0.5
    """
    w = vector("windows_packets", windows_packets, positive=True)
    d = vector("propagation_s", propagation_s, positive=True, length=w.size)
    return shared_queueing_delay(w, -d, capacity_pps)
