"""From a congestion window to a rate and back."""

from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray
from lab_tools.models._inputs import check_broadcast, positive


def window_goodput(window_packets: ArrayLike, rtt_s: ArrayLike, mss_bytes: ArrayLike) -> FloatArray:
    """Goodput of a window that is sent once a round trip, ``8 MSS W / rtt``.

    Parameters
    ----------
    window_packets : mean window W in full segments.
    rtt_s : round-trip time in seconds.
    mss_bytes : payload of a full segment in bytes.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    bit/s, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: the definition of the congestion window, RFC 5681 §2.

    >>> float(window_goodput(1200, 0.01, 1500)) / 1e9
    1.44
    """
    window_packets = positive("window_packets", window_packets)
    rtt_s, mss_bytes = positive("rtt_s", rtt_s), positive("mss_bytes", mss_bytes)
    check_broadcast(window_packets=window_packets, rtt_s=rtt_s, mss_bytes=mss_bytes)
    return 8 * mss_bytes * window_packets / rtt_s


def window_for(rate_bps: ArrayLike, rtt_s: ArrayLike, mss_bytes: ArrayLike) -> FloatArray:
    """Window that fills a path: its bandwidth-delay product in segments, ``C rtt / (8 MSS)``.

    Parameters
    ----------
    rate_bps : rate C in bit/s.
    rtt_s : round-trip time in seconds.
    mss_bytes : payload of a full segment in bytes.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    segments (not rounded), of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: `window_goodput` solved for the window.

    >>> round(float(window_for(10e9, 0.1, 1500)))
    83333
    """
    rate_bps = positive("rate_bps", rate_bps)
    rtt_s, mss_bytes = positive("rtt_s", rtt_s), positive("mss_bytes", mss_bytes)
    check_broadcast(rate_bps=rate_bps, rtt_s=rtt_s, mss_bytes=mss_bytes)
    return rate_bps * rtt_s / (8 * mss_bytes)
