"""Credit-limited transport: what a fixed amount of data in transit allows over a distance."""

import math

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector, whole


def credit_limited_rate(
    rtt_s: ArrayLike, link_rate_bps: float, credits: int, credit_bytes: float
) -> FloatArray:
    """Throughput when at most so many credits may be in transit.

    ``min(C, B / tau)`` with ``B = 8 credits credit_bytes`` bits: a credit comes back one
    round-trip time after its data left. The limit B/tau is convex in tau (Rao, "Some science
    aspects of wide-area data transport", 2018, for LNet's peer credits and for socket buffers).

    Parameters
    ----------
    rtt_s : round-trip times tau, above 0, shape (n,).
    link_rate_bps : C, above 0.
    credits : messages that may be unacknowledged, 1 or more.
    credit_bytes : bytes a credit stands for, above 0.

    Returns
    -------
    Throughput in bit/s, shape (n,).

    Raises
    ------
    InputError, DataError : a value out of range.

    Eight credits of 1 MB on 10 Gbit/s:

    >>> credit_limited_rate([0.001, 0.1], 10e9, credits=8, credit_bytes=1e6)
    array([1.0e+10, 6.4e+08])
    """
    tau = vector("rtt_s", rtt_s, positive=True)
    capacity = number("link_rate_bps", link_rate_bps, above=0)
    in_transit = 8.0 * whole("credits", credits, low=1)
    in_transit *= number("credit_bytes", credit_bytes, above=0)
    return np.asarray(np.minimum(capacity, in_transit / tau))


def credit_knee(link_rate_bps: float, credits: int, credit_bytes: float) -> float:
    """Round-trip time beyond which credits limit the throughput: ``tau = B / C``.

    Parameters
    ----------
    link_rate_bps : C, above 0.
    credits, credit_bytes : as in `credit_limited_rate`.

    Returns
    -------
    The round-trip time in seconds.

    Raises
    ------
    InputError : a value out of range.

    250 MB at 10 Gbit/s serve 200 ms:

    >>> credit_knee(10e9, credits=1, credit_bytes=250e6)
    0.2
    """
    in_transit = 8.0 * whole("credits", credits, low=1)
    in_transit *= number("credit_bytes", credit_bytes, above=0)
    return in_transit / number("link_rate_bps", link_rate_bps, above=0)


def credits_needed(rate_bps: float, rtt_s: float, credit_bytes: float) -> int:
    """Fewest credits that sustain a rate: ``ceil(C tau / (8 credit_bytes))``.

    The bandwidth-delay product in messages; with packets for messages it is the congestion window.

    Parameters
    ----------
    rate_bps : C, above 0.
    rtt_s : tau, above 0.
    credit_bytes : bytes a credit stands for, above 0.

    Raises
    ------
    InputError : a value out of range.

    940 Mbit/s over 180 ms need 14100 packets of 1500 bytes:

    >>> credits_needed(940e6, rtt_s=0.18, credit_bytes=1500)
    14100
    """
    bits = number("rate_bps", rate_bps, above=0) * number("rtt_s", rtt_s, above=0)
    exact = bits / (8.0 * number("credit_bytes", credit_bytes, above=0))
    return math.ceil(exact * (1.0 - 1e-12))  # rounding must not cost a credit
