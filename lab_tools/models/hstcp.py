"""HighSpeed TCP (HSTCP): AIMD whose two parameters depend on the window."""

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray
from lab_tools.models._inputs import check_broadcast, plain, positive, probability
from lab_tools.models.reno import RENO_K_RFC, reno_loss_for, reno_mean_window

LOW_WINDOW = 38.0
"""Window in segments up to which HSTCP is Reno; RFC 3649 §5."""

HIGH_WINDOW = 83_000.0
"""Window in segments at which the decrease reaches `HIGH_DECREASE`; RFC 3649 §5."""

LOW_LOSS = 1e-3
"""Loss from which on HSTCP is Reno; RFC 3649 §5."""

HIGH_DECREASE = 0.1
"""Share of the window given up at `HIGH_WINDOW`; RFC 3649 §7."""


def hstcp_mean_window(loss: ArrayLike) -> FloatArray:
    """Mean window of HSTCP: ``0.12 / p^0.835`` below a loss of 1e-3, above it Reno's ``1.2/√p``.

    Parameters
    ----------
    loss : probability p that a packet starts a loss event, between 0 and 1; number or array.

    Returns
    -------
    segments, of the shape of ``loss``.

    Raises
    ------
    InputError, DataError : a value is out of range.

    Source: RFC 3649 §5.

    >>> hstcp_mean_window([1e-3, 1e-4, 1e-5]).round()
    array([  38.,  263., 1795.])
    """
    loss = probability("loss", loss)
    high_speed = 0.12 / loss**0.835
    return plain(np.where(loss < LOW_LOSS, high_speed, reno_mean_window(loss, RENO_K_RFC)))


def hstcp_loss_for(window_packets: ArrayLike) -> FloatArray:
    """Largest loss at which HSTCP keeps a mean window: inverse of `hstcp_mean_window`.

    Parameters
    ----------
    window_packets : mean window w in segments; number or array.

    Returns
    -------
    loss (dimensionless), of the shape of ``window_packets``: ``(0.12 / w)^(1/0.835)``, which is
    ``0.0789 / w^1.1976``, above `LOW_WINDOW`, and Reno's below it.

    Raises
    ------
    InputError, DataError : a value is not positive.

    Source: RFC 3649 §5 solved for p; RFC 9438 §5.2, Table 3.

    >>> f"{float(hstcp_loss_for(83333.3)):.2g}"
    '1e-07'
    """
    window_packets = positive("window_packets", window_packets)
    high_speed = (0.12 / window_packets) ** (1 / 0.835)
    reno = reno_loss_for(window_packets, RENO_K_RFC)
    return plain(np.where(window_packets > LOW_WINDOW, high_speed, reno))


def hstcp_decrease(window_packets: ArrayLike) -> FloatArray:
    """Share b(w) of the window that HSTCP gives up at a loss: 0.5 up to 38 segments, then less.

    Linear in log w from 0.5 at `LOW_WINDOW` to `HIGH_DECREASE` at `HIGH_WINDOW`, constant after.

    Parameters
    ----------
    window_packets : window w in segments; number or array.

    Returns
    -------
    share between 0.1 and 0.5, of the shape of ``window_packets``.

    Raises
    ------
    InputError, DataError : a value is not positive.

    Source: RFC 3649 §7.

    >>> hstcp_decrease([38, 1058, 83000]).round(2)
    array([0.5 , 0.33, 0.1 ])
    """
    window_packets = positive("window_packets", window_packets)
    logarithm = np.log(np.clip(window_packets, LOW_WINDOW, HIGH_WINDOW) / LOW_WINDOW)
    progress: FloatArray = logarithm / np.log(HIGH_WINDOW / LOW_WINDOW)
    return 0.5 + (HIGH_DECREASE - 0.5) * progress


def hstcp_increase(window_packets: ArrayLike) -> FloatArray:
    """Growth a(w) of HSTCP's window in segments a round trip, ``2 w² p(w) b(w) / (2 - b(w))``.

    ``p(w) = 0.078 / w^1.2``, the RFC's rounding of the response function; a(w) is 1 up to
    `LOW_WINDOW`. Linux rounds a(w) to whole segments.

    Parameters
    ----------
    window_packets : window w in segments; number or array.

    Returns
    -------
    segments a round trip, of the shape of ``window_packets``.

    Raises
    ------
    InputError, DataError : a value is not positive.

    Source: RFC 3649 §7 and the table of its Appendix B.

    >>> hstcp_increase([38, 1058, 84035]).round()
    array([ 1.,  8., 71.])
    """
    window_packets = positive("window_packets", window_packets)
    loss = 0.078 / window_packets**1.2
    decrease = hstcp_decrease(window_packets)
    increase = 2 * window_packets**2 * loss * decrease / (2 - decrease)
    return plain(np.where(window_packets > LOW_WINDOW, np.maximum(increase, 1), 1.0))


def hstcp_recovery_time(rtt_s: ArrayLike, window_packets: ArrayLike) -> FloatArray:
    """Time in which HSTCP regains its window after one loss, ``rtt ∫ dw / a(w)``.

    The integral runs from ``(1 - b(W)) W`` to W (Gauss–Legendre with 40 nodes).

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

    Source: derived here from a(w) and b(w) of RFC 3649 §7.

    >>> round(float(hstcp_recovery_time(0.1, 38)), 1)  # Reno: 19 round trips
    1.9
    """
    rtt_s, window_packets = positive("rtt_s", rtt_s), positive("window_packets", window_packets)
    check_broadcast(rtt_s=rtt_s, window_packets=window_packets)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    lost = hstcp_decrease(window_packets) * window_packets
    windows = window_packets[..., np.newaxis] - lost[..., np.newaxis] * (1 - nodes) / 2
    rounds: FloatArray = lost / 2 * np.sum(weights / hstcp_increase(windows), axis=-1)
    return rtt_s * rounds
