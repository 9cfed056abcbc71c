"""Reno and its family: additive increase, multiplicative decrease (AIMD)."""

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray
from lab_tools.models._inputs import check_broadcast, positive, probability
from lab_tools.models.mathis import PERIODIC_K

RENO_K_RFC = 1.2
"""Reno's constant as RFC 3649 §2 and RFC 9438 §5.1 round it: W = 1.2 / sqrt(p)."""


def aimd_mean_window(loss: ArrayLike, alpha: ArrayLike = 1.0, beta: ArrayLike = 0.5) -> FloatArray:
    """Mean window of AIMD(alpha, beta), ``sqrt(alpha (1 + beta) / (2 (1 - beta) p))``.

    The window grows by ``alpha`` segments a round trip and shrinks to ``beta`` times itself at a
    loss, which comes every 1/p packets.

    Parameters
    ----------
    loss : probability p that a packet starts a loss event, between 0 and 1.
    alpha : growth in segments a round trip.
    beta : what is left of the window after a loss, between 0 and 1.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    segments, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: RFC 9438 §4.3, after Floyd, Handley and Padhye, "A comparison of equation-based and
    AIMD congestion control", 2000.

    >>> round(float(aimd_mean_window(1e-4)), 1)
    122.5
    """
    loss, alpha = probability("loss", loss), positive("alpha", alpha)
    beta = probability("beta", beta)
    check_broadcast(loss=loss, alpha=alpha, beta=beta)
    return np.sqrt(alpha * (1 + beta) / (2 * (1 - beta) * loss))


def reno_mean_window(loss: ArrayLike, k: ArrayLike = PERIODIC_K) -> FloatArray:
    """Mean window of Reno, ``k / sqrt(p)``.

    Parameters
    ----------
    loss : probability p that a packet starts a loss event, between 0 and 1.
    k : dimensionless constant, see `lab_tools.models.mathis.MATHIS_CONSTANTS`; `RENO_K_RFC`
        gives the tables of the RFCs. Numbers or arrays; the shapes broadcast.

    Returns
    -------
    segments, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: Eq. 3 of Mathis et al. 1997 as a window; RFC 9438 §5.1, Table 1 with k = 1.2.

    >>> round(float(reno_mean_window(1e-4, RENO_K_RFC)))
    120
    """
    loss, k = probability("loss", loss), positive("k", k)
    check_broadcast(loss=loss, k=k)
    return k / np.sqrt(loss)


def reno_loss_for(window_packets: ArrayLike, k: ArrayLike = PERIODIC_K) -> FloatArray:
    """Largest loss at which Reno keeps a mean window, ``(k / W)²``.

    Parameters
    ----------
    window_packets : mean window W in segments.
    k : as in `reno_mean_window`. Numbers or arrays; the shapes broadcast.

    Returns
    -------
    loss (dimensionless), of the broadcast shape; 1 or more where loss does not limit the window.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: `reno_mean_window` solved for p; RFC 9438 §5.2, Table 3 with k = 1.2.

    >>> f"{float(reno_loss_for(8333.3, RENO_K_RFC)):.2g}"
    '2.1e-08'
    """
    window_packets, k = positive("window_packets", window_packets), positive("k", k)
    check_broadcast(window_packets=window_packets, k=k)
    return (k / window_packets) ** 2


def reno_recovery_time(rtt_s: ArrayLike, window_packets: ArrayLike) -> FloatArray:
    """Time in which Reno regains its window after one loss, ``rtt W / 2``.

    Parameters
    ----------
    rtt_s : round-trip time in seconds, taken as constant.
    window_packets : window W in segments before the loss.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    seconds, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: RFC 3649 §2: W/2 segments have to be regained, at one a round trip.

    >>> round(float(reno_recovery_time(0.1, 83333)) / 60, 1)  # minutes, 10 Gbit/s over 100 ms
    69.4
    """
    rtt_s, window_packets = positive("rtt_s", rtt_s), positive("window_packets", window_packets)
    check_broadcast(rtt_s=rtt_s, window_packets=window_packets)
    return rtt_s * window_packets / 2
