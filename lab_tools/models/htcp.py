"""H-TCP: a window that grows with the square of the time since the last loss."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import elementwise

from lab_tools.arrays import FloatArray
from lab_tools.models._inputs import check_broadcast, plain, positive, probability, quantity

LOW_SPEED_S = 1.0
"""Time after a loss during which H-TCP grows like Reno, in seconds; Linux tcp_htcp.c."""

REFERENCE_RTT_S = 0.1
"""RTT at which Linux's RTT scaling changes nothing, in seconds; Linux tcp_htcp.c."""


def htcp_increase(
    elapsed_s: ArrayLike, rtt_s: ArrayLike, beta: ArrayLike = 0.5, rtt_scaling: bool = True
) -> FloatArray:
    """Growth of the window in segments a round trip, ``alpha = 2 (1 - beta) alpha0``.

    ``alpha0`` is 1 in the first second after a loss, then ``1 + 10 x + (x/2)²`` where x is the
    time beyond that second. Linux multiplies alpha0 by ``rtt / 0.1 s``, kept within 0.1 and 2, and
    lets the product not fall below 1.

    Parameters
    ----------
    elapsed_s : time since the last loss in seconds, 0 or more.
    rtt_s : smallest round-trip time in seconds.
    beta : what is left of the window after a loss, see `htcp_backoff`.
        Numbers or arrays; the shapes broadcast.
    rtt_scaling : the scaling of Linux, on by default there; False for the published algorithm.

    Returns
    -------
    segments a round trip, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: Shorten and Leith, "H-TCP: TCP for high-speed and long-distance networks", PFLDnet
    2004; the scaling is from Linux tcp_htcp.c, which computes in whole numbers.

    >>> htcp_increase([0.5, 2, 3], rtt_s=0.1)
    array([ 1.  , 11.25, 22.  ])
    """
    elapsed_s, rtt_s = quantity("elapsed_s", elapsed_s, low=0), positive("rtt_s", rtt_s)
    beta = probability("beta", beta)
    check_broadcast(elapsed_s=elapsed_s, rtt_s=rtt_s, beta=beta)
    x = np.maximum(elapsed_s - LOW_SPEED_S, 0)
    alpha0 = np.maximum(_scale(rtt_s, rtt_scaling) * (1 + 10 * x + (x / 2) ** 2), 1)
    return 2 * (1 - beta) * alpha0


def htcp_backoff(rtt_min_s: ArrayLike, rtt_max_s: ArrayLike) -> FloatArray:
    """What is left of the window after a loss: ``rtt_min / rtt_max``, within 0.5 and 0.8.

    Linux falls back to 0.5 when the highest throughput changed by more than 20 % since the loss
    before, and where the smallest RTT is 10 ms or less.

    Parameters
    ----------
    rtt_min_s, rtt_max_s : smallest and largest RTT since the last loss, in seconds.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    share between 0.5 and 0.8, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: Shorten and Leith 2004; Linux tcp_htcp.c.

    >>> htcp_backoff(0.1, [0.1, 0.16, 0.4])
    array([0.8  , 0.625, 0.5  ])
    """
    rtt_min_s, rtt_max_s = positive("rtt_min_s", rtt_min_s), positive("rtt_max_s", rtt_max_s)
    check_broadcast(rtt_min_s=rtt_min_s, rtt_max_s=rtt_max_s)
    return np.clip(rtt_min_s / rtt_max_s, 0.5, 0.8)


def htcp_recovery_time(
    rtt_s: ArrayLike, window_packets: ArrayLike, rtt_scaling: bool = True
) -> FloatArray:
    """Time T in which H-TCP regains its window W after one loss: ``∫₀ᵀ alpha0 dt = rtt W / 2``.

    It does not depend on beta: what a larger backoff takes, a larger alpha gives back.

    Parameters
    ----------
    rtt_s : round-trip time in seconds, taken as constant.
    window_packets : window W in segments before the loss.
        Numbers or arrays; the shapes broadcast.
    rtt_scaling : as in `htcp_increase`.

    Returns
    -------
    seconds, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: derived here from alpha of Shorten and Leith 2004.

    >>> round(float(htcp_recovery_time(0.1, 83333)), 2)
    25.28
    """
    rtt_s, window_packets = positive("rtt_s", rtt_s), positive("window_packets", window_packets)
    check_broadcast(rtt_s=rtt_s, window_packets=window_packets)
    target = rtt_s * window_packets / 2
    scale = _scale(rtt_s, rtt_scaling)

    def missing(elapsed_s: FloatArray, target: FloatArray, scale: FloatArray) -> FloatArray:
        return _growth(elapsed_s, scale) - target

    # alpha0 is at least 1, so T is at most the target; twice that leaves room for rounding
    bracket = (np.zeros_like(target), 2 * target)
    return plain(elementwise.find_root(missing, bracket, args=(target, scale)).x)


def htcp_mean_window(
    rtt_s: ArrayLike, loss: ArrayLike, beta: ArrayLike = 0.5, rtt_scaling: bool = True
) -> FloatArray:
    """Mean window of H-TCP when a loss comes every 1/p packets.

    A cycle of length T carries ``∫₀ᵀ w/rtt dt = 1/p`` packets, where w grows from beta W to W by
    `htcp_increase`; the mean is ``rtt / (p T)``. Equals Reno's while T is under a second.

    Parameters
    ----------
    rtt_s : round-trip time in seconds, taken as constant.
    loss : probability p that a packet starts a loss event, between 0 and 1.
    beta : what is left of the window after a loss, see `htcp_backoff`.
        Numbers or arrays; the shapes broadcast.
    rtt_scaling : as in `htcp_increase`.

    Returns
    -------
    segments, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: derived here from alpha of Shorten and Leith 2004.

    >>> round(float(htcp_mean_window(0.1, 1e-2)), 2)  # sqrt(1.5 / p), as Reno
    12.25
    """
    rtt_s, loss = positive("rtt_s", rtt_s), probability("loss", loss)
    beta = probability("beta", beta)
    check_broadcast(rtt_s=rtt_s, loss=loss, beta=beta)
    rtt_s, loss, beta = np.broadcast_arrays(rtt_s, loss, beta)
    scale = _scale(rtt_s, rtt_scaling)

    def missing(
        t: FloatArray, rtt_s: FloatArray, loss: FloatArray, beta: FloatArray, scale: FloatArray
    ) -> FloatArray:
        packets = 2 * beta * t * _growth(t, scale) + 2 * (1 - beta) * _growth_area(t, scale)
        return packets / rtt_s**2 - 1 / loss

    # alpha0 is at least 1, so T is at most that of alpha0 = 1; twice that leaves room for rounding
    longest_s = rtt_s / np.sqrt((1 + beta) * loss)
    bracket = (np.zeros_like(longest_s), 2 * longest_s)
    found = elementwise.find_root(missing, bracket, args=(rtt_s, loss, beta, scale))
    return rtt_s / (loss * plain(found.x))


def _scale(rtt_s: FloatArray, rtt_scaling: bool) -> FloatArray:
    """Factor on alpha0."""
    return np.clip(rtt_s / REFERENCE_RTT_S, 0.1, 2) if rtt_scaling else np.ones_like(rtt_s)


def _floor_until(scale: FloatArray) -> FloatArray:
    """Time until which the scaled alpha0 would be below 1, in seconds."""
    below = LOW_SPEED_S + 2 * (np.sqrt(99 + 1 / scale) - 10)
    return np.where(scale < 1, below, 0)


def _growth(elapsed_s: FloatArray, scale: FloatArray) -> FloatArray:
    """Integral of the scaled alpha0 from 0 to ``elapsed_s``."""
    start_s = _floor_until(scale)
    late_s = np.maximum(elapsed_s, start_s)
    scaled = _plain_growth(late_s) - _plain_growth(start_s)
    return np.minimum(elapsed_s, start_s) + scale * scaled


def _growth_area(elapsed_s: FloatArray, scale: FloatArray) -> FloatArray:
    """Integral of `_growth` from 0 to ``elapsed_s``."""
    start_s = _floor_until(scale)
    early_s = np.minimum(elapsed_s, start_s)
    late_s = np.maximum(elapsed_s, start_s)
    beyond_s = late_s - start_s
    scaled = _plain_area(late_s) - _plain_area(start_s) - _plain_growth(start_s) * beyond_s
    return early_s**2 / 2 + start_s * beyond_s + scale * scaled


def _plain_growth(elapsed_s: FloatArray) -> FloatArray:
    """Integral of the unscaled alpha0 from 0 to ``elapsed_s``."""
    x: FloatArray = np.maximum(elapsed_s - LOW_SPEED_S, 0.0)
    return elapsed_s + 5 * x**2 + x**3 / 12


def _plain_area(elapsed_s: FloatArray) -> FloatArray:
    """Integral of `_plain_growth` from 0 to ``elapsed_s``."""
    x: FloatArray = np.maximum(elapsed_s - LOW_SPEED_S, 0.0)
    return elapsed_s**2 / 2 + 5 * x**3 / 3 + x**4 / 48
