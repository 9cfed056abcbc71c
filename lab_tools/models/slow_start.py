"""Slow start: n streams double their windows each round trip until they fill the path."""

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, whole
from lab_tools.models._inputs import positive
from lab_tools.models.window import window_for


def slow_start_time(
    rtt_s: ArrayLike,
    rate_bps: ArrayLike,
    mss_bytes: ArrayLike,
    streams: int = 1,
    initial_window: float = 1,
) -> FloatArray:
    """Time until n doubling streams fill the path, ``rtt log2(W / (n w0))``.

    W is the bandwidth-delay product in segments; 0 where the initial windows fill the path.

    Parameters
    ----------
    rtt_s : round-trip time in seconds.
    rate_bps : rate of the path in bit/s.
    mss_bytes : payload of a full segment in bytes.
        Numbers or arrays; the shapes broadcast.
    streams : number n of streams that start together.
    initial_window : w0 in segments; 10 in RFC 6928 and Linux.

    Returns
    -------
    seconds (rounds are not rounded up), of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: the doubling of RFC 5681 §3.1 with an ACK for each segment.

    >>> round(float(slow_start_time(0.1, 10e9, 1500)), 2)
    1.63
    """
    first_round = whole("streams", streams, low=1) * number("initial_window", initial_window, low=1)
    window = window_for(rate_bps, rtt_s, mss_bytes)
    return np.asarray(rtt_s) * np.log2(np.maximum(window / first_round, 1))


def slow_start_packets(
    window_packets: ArrayLike, streams: int = 1, initial_window: float = 1
) -> FloatArray:
    """Segments that n doubling streams send up to and with the round of ``window_packets``.

    ``n w0 + 2 n w0 + … + W = 2 W - n w0``, of which the last round, W, is the first full one.

    Parameters
    ----------
    window_packets : window W of all streams together in segments, n w0 or more; number or array.
    streams : number n of streams that start together.
    initial_window : w0 in segments.

    Returns
    -------
    segments, of the shape of ``window_packets``.

    Raises
    ------
    InputError, DataError : a value is out of range.

    Source: a geometric sum; exact when W / (n w0) is a power of two.

    >>> float(slow_start_packets(1024))
    2047.0
    """
    first_round = whole("streams", streams, low=1) * number("initial_window", initial_window, low=1)
    return 2 * positive("window_packets", window_packets) - first_round
