"""What buffers do to a rate: the window buffer of a host and the queue of a router."""

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray
from lab_tools.models._inputs import check_broadcast, positive, probability, quantity


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


def router_buffer(
    rate_bps: ArrayLike, rtt_s: ArrayLike, flows: ArrayLike = 1, beta: ArrayLike = 0.5
) -> FloatArray:
    """Router buffer that keeps a link busy, ``C rtt / sqrt(n) * (1 - beta) / beta``.

    One AIMD flow fills link and buffer up to ``C rtt + B`` and falls to beta times that, which
    must still fill the link. With n unsynchronised flows the swings average out, and ``1/sqrt(n)``
    of it is enough; synchronised flows need the buffer of one.

    Parameters
    ----------
    rate_bps : rate C of the link in bit/s.
    rtt_s : round-trip time without queueing in seconds.
    flows : number n of long, unsynchronised flows, 1 or more.
    beta : what is left of a window after a loss, between 0 and 1; 0.7 for CUBIC.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    bytes, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: Appenzeller, Keslassy and McKeown, "Sizing router buffers", SIGCOMM 2004, for
    beta = 1/2 (recalled); the factor for another beta is derived here for one flow.

    >>> router_buffer(1e9, 0.1, flows=[1, 100]) / 1e6
    array([12.5 ,  1.25])
    """
    rate_bps, rtt_s = positive("rate_bps", rate_bps), positive("rtt_s", rtt_s)
    flows, beta = quantity("flows", flows, low=1), probability("beta", beta)
    check_broadcast(rate_bps=rate_bps, rtt_s=rtt_s, flows=flows, beta=beta)
    return rate_bps * rtt_s / 8 / np.sqrt(flows) * (1 - beta) / beta
