"""Scalable TCP: a window that grows in proportion to itself."""

import math

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number
from lab_tools.models._inputs import positive, probability
from lab_tools.models.reno import aimd_mean_window

SCALABLE_A = 0.01
"""Segments gained for each segment acknowledged; Kelly 2003, Linux tcp_scalable.c."""

SCALABLE_B = 0.125
"""Share of the window given up at a loss; Kelly 2003, Linux tcp_scalable.c."""


def scalable_mean_window(
    loss: ArrayLike, a: float = SCALABLE_A, b: float = SCALABLE_B
) -> FloatArray:
    """Mean window of the multiplicative increase alone, ``a / (b p)``, that is ``0.08 / p``.

    The equilibrium where the gain ``a`` of a delivered segment balances the expected cut ``b p W``.

    Parameters
    ----------
    loss : probability p that a packet starts a loss event, between 0 and 1; number or array.
    a : segments gained for each segment acknowledged. Old Linux kernels used 0.02 for ACKs that
        acknowledge two segments.
    b : share of the window given up at a loss, between 0 and 1.

    Returns
    -------
    segments, of the shape of ``loss``.

    Raises
    ------
    InputError, DataError : a value is out of range.

    Source: Kelly, "Scalable TCP: improving performance in highspeed wide area networks", ACM CCR
    33(2), 2003.

    >>> round(float(scalable_mean_window(1e-5)))
    8000
    """
    loss, a = probability("loss", loss), number("a", a, above=0)
    return a / (number("b", b, above=0, below=1) * loss)


def scalable_operating_window(
    loss: ArrayLike, a: float = SCALABLE_A, b: float = SCALABLE_B
) -> FloatArray:
    """Mean window Scalable works at on Linux: `scalable_mean_window` or AIMD(1, 1-b), the larger.

    Below ``1 / a`` segments Linux grows by one segment a round trip, so that ``b`` alone makes it
    differ from Reno.

    Parameters
    ----------
    loss, a, b : as in `scalable_mean_window`.

    Returns
    -------
    segments, of the shape of ``loss``.

    Raises
    ------
    InputError, DataError : a value is out of range.

    Source: Kelly 2003 for large windows; derived here from Linux tcp_scalable.c for small ones.

    >>> scalable_operating_window([1e-2, 1e-5]).round()
    array([  27., 8000.])
    """
    return np.maximum(scalable_mean_window(loss, a, b), aimd_mean_window(loss, 1.0, 1 - b))


def scalable_recovery_time(
    rtt_s: ArrayLike, a: float = SCALABLE_A, b: float = SCALABLE_B
) -> FloatArray:
    """Time in which Scalable regains its window after one loss, whatever the window.

    ``rtt ln(1 / (1 - b)) / ln(1 + a)``, 13.4 round trips with the usual constants.

    Parameters
    ----------
    rtt_s : round-trip time in seconds, taken as constant; number or array.
    a, b : as in `scalable_mean_window`.

    Returns
    -------
    seconds, of the shape of ``rtt_s``.

    Raises
    ------
    InputError, DataError : a value is out of range.

    Source: Kelly 2003.

    >>> round(float(scalable_recovery_time(0.2)), 1)
    2.7
    """
    rtt_s, a = positive("rtt_s", rtt_s), number("a", a, above=0)
    b = number("b", b, above=0, below=1)
    return rtt_s * (-math.log1p(-b) / math.log1p(a))
