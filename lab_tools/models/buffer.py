"""What a fixed window buffer allows: at most one buffer a round trip."""

from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray
from lab_tools.models._inputs import check_broadcast, positive


def buffer_limit(rtt_s: ArrayLike, buffer_bytes: ArrayLike) -> FloatArray:
    """Highest goodput that a window of ``buffer_bytes`` allows, ``8 B / rtt``. Convex in the RTT.

    Parameters
    ----------
    rtt_s : round-trip time in seconds.
    buffer_bytes : window B in bytes: the smaller of the send and receive buffers' usable part.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    bit/s, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: RFC 7323 §1.1 (a window is acknowledged no sooner than a round trip after it is sent).

    >>> float(buffer_limit(0.2, 250e6)) / 1e9
    10.0
    """
    rtt_s, buffer_bytes = positive("rtt_s", rtt_s), positive("buffer_bytes", buffer_bytes)
    check_broadcast(rtt_s=rtt_s, buffer_bytes=buffer_bytes)
    return 8 * buffer_bytes / rtt_s


def buffer_knee(rate_bps: ArrayLike, buffer_bytes: ArrayLike) -> FloatArray:
    """RTT beyond which the buffer, not the path, is the limit: ``8 B / C``.

    Parameters
    ----------
    rate_bps : capacity C of the path in bit/s.
    buffer_bytes : window B in bytes. Numbers or arrays; the shapes broadcast.

    Returns
    -------
    seconds, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: `buffer_limit` set equal to the capacity; the inverse of the bandwidth-delay product.

    >>> float(buffer_knee(10e9, 250e6))
    0.2
    """
    rate_bps, buffer_bytes = positive("rate_bps", rate_bps), positive("buffer_bytes", buffer_bytes)
    check_broadcast(rate_bps=rate_bps, buffer_bytes=buffer_bytes)
    return 8 * buffer_bytes / rate_bps
