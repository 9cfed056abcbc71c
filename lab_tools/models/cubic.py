"""CUBIC: the window as a cubic function of the time since the last loss."""

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray
from lab_tools.models._inputs import check_broadcast, positive, probability, quantity
from lab_tools.models.reno import RENO_K_RFC, reno_loss_for, reno_mean_window

CUBIC_C = 0.4
"""Aggressiveness C in segments/s³; RFC 9438 §5.1."""

CUBIC_BETA = 0.7
"""What is left of the window after a loss; RFC 9438 §4.6."""


def cubic_recovery_time(
    window_packets: ArrayLike, c: ArrayLike = CUBIC_C, beta: ArrayLike = CUBIC_BETA
) -> FloatArray:
    """Time K in which CUBIC regains its window after one loss, ``cbrt(W (1 - beta) / C)``.

    The RTT does not enter. In the Reno-friendly region the window is back sooner.

    Parameters
    ----------
    window_packets : window W in segments before the loss.
    c : aggressiveness C in segments/s³.
    beta : what is left of the window after a loss, between 0 and 1.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    seconds, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: K of RFC 9438 §4.2, with the window after the loss at beta W.

    >>> round(float(cubic_recovery_time(83333)), 1)
    39.7
    """
    window_packets = positive("window_packets", window_packets)
    c, beta = positive("c", c), probability("beta", beta)
    check_broadcast(window_packets=window_packets, c=c, beta=beta)
    return np.cbrt(window_packets * (1 - beta) / c)


def cubic_window(
    elapsed_s: ArrayLike,
    window_packets: ArrayLike,
    c: ArrayLike = CUBIC_C,
    beta: ArrayLike = CUBIC_BETA,
) -> FloatArray:
    """Window at a time after a loss, ``C (t - K)³ + W``: concave until K, convex after it.

    Parameters
    ----------
    elapsed_s : time t since the loss in seconds, 0 or more.
    window_packets : window W in segments before the loss.
    c, beta : as in `cubic_recovery_time`. Numbers or arrays; the shapes broadcast.

    Returns
    -------
    segments, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: RFC 9438 §4.2 (the Reno-friendly region of §4.3 is left out).

    >>> cubic_window([0, 39.685, 60], 83333).round(-1)
    array([58330., 83330., 86690.])
    """
    elapsed_s = quantity("elapsed_s", elapsed_s, low=0)
    window_packets, c = positive("window_packets", window_packets), positive("c", c)
    k_s = cubic_recovery_time(window_packets, c, beta)
    check_broadcast(elapsed_s=elapsed_s, window_packets=k_s)
    return c * (elapsed_s - k_s) ** 3 + window_packets


def cubic_mean_window(
    rtt_s: ArrayLike, loss: ArrayLike, c: ArrayLike = CUBIC_C, beta: ArrayLike = CUBIC_BETA
) -> FloatArray:
    """Mean window of the cubic function alone, ``1.054 (rtt / p)^(3/4)`` with the usual constants.

    The factor is ``(C (3 + beta) / (4 (1 - beta)))^(1/4)``; the loss comes every 1/p packets. The
    goodput is proportional to ``rtt^(-1/4)``: convex, much flatter than Mathis.

    Parameters
    ----------
    rtt_s : round-trip time in seconds.
    loss : probability p that a packet starts a loss event, between 0 and 1.
    c, beta : as in `cubic_recovery_time`. Numbers or arrays; the shapes broadcast.

    Returns
    -------
    segments, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: RFC 9438 §5.

    >>> round(float(cubic_mean_window(0.1, 1e-6)))
    5926
    """
    rtt_s, loss = positive("rtt_s", rtt_s), probability("loss", loss)
    c, beta = positive("c", c), probability("beta", beta)
    check_broadcast(rtt_s=rtt_s, loss=loss, c=c, beta=beta)
    factor = (c * (3 + beta) / (4 * (1 - beta))) ** 0.25
    return factor * (rtt_s / loss) ** 0.75


def cubic_operating_window(
    rtt_s: ArrayLike, loss: ArrayLike, c: ArrayLike = CUBIC_C, reno_k: ArrayLike = RENO_K_RFC
) -> FloatArray:
    """Mean window CUBIC works at: the cubic one or Reno's, whichever is larger.

    Parameters
    ----------
    rtt_s, loss, c : as in `cubic_mean_window`.
    reno_k : Reno's constant; the default is the rounding of the RFC.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    segments, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: RFC 9438 §5.1, Tables 1 and 2 (the Reno-friendly region of §4.3).

    >>> cubic_operating_window(0.01, [1e-6, 1e-7]).round()
    array([1200., 5926.])
    """
    rtt_s, loss = positive("rtt_s", rtt_s), probability("loss", loss)
    c, reno_k = positive("c", c), positive("reno_k", reno_k)
    check_broadcast(rtt_s=rtt_s, loss=loss, c=c, reno_k=reno_k)
    return np.maximum(cubic_mean_window(rtt_s, loss, c), reno_mean_window(loss, reno_k))


def cubic_loss_for(
    rtt_s: ArrayLike,
    window_packets: ArrayLike,
    c: ArrayLike = CUBIC_C,
    reno_k: ArrayLike = RENO_K_RFC,
) -> FloatArray:
    """Largest loss at which CUBIC keeps a mean window: inverse of `cubic_operating_window`.

    Parameters
    ----------
    rtt_s : round-trip time in seconds.
    window_packets : mean window W in segments.
    c, reno_k : as in `cubic_operating_window`. Numbers or arrays; the shapes broadcast.

    Returns
    -------
    loss (dimensionless), of the broadcast shape; 1 or more where loss does not limit the window.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: RFC 9438 §5.2, Table 3.

    >>> f"{float(cubic_loss_for(0.1, 83333.3)):.2e}"
    '2.95e-08'
    """
    rtt_s, window_packets = positive("rtt_s", rtt_s), positive("window_packets", window_packets)
    c, reno_k = positive("c", c), positive("reno_k", reno_k)
    check_broadcast(rtt_s=rtt_s, window_packets=window_packets, c=c, reno_k=reno_k)
    factor = (c * (3 + CUBIC_BETA) / (4 * (1 - CUBIC_BETA))) ** 0.25
    cubic_loss = rtt_s * (factor / window_packets) ** (4 / 3)
    return np.maximum(cubic_loss, reno_loss_for(window_packets, reno_k))
