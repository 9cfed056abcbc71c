"""Hacker's law: the goodput of parallel streams whose losses are random."""

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector, whole
from lab_tools.errors import DataError
from lab_tools.models.mathis import PERIODIC_K, mathis_goodput


def parallel_goodput(
    rtt_s: float, stream_loss: ArrayLike, mss_bytes: float, k: float = PERIODIC_K
) -> float:
    """Upper bound on the goodput of n parallel streams, ``8 MSS k / rtt * Σ 1/sqrt(p_i)``.

    Holds while the losses do not come from the streams themselves.

    Parameters
    ----------
    rtt_s : round-trip time in seconds, the same for all streams.
    stream_loss : loss p_i of each stream, between 0 and 1; shape (n,).
    mss_bytes : payload of a full segment in bytes.
    k : dimensionless constant, see `lab_tools.models.mathis.MATHIS_CONSTANTS`.

    Returns
    -------
    bit/s of all streams together.

    Raises
    ------
    InputError, DataError : a value is out of range, or ``stream_loss`` is not one-dimensional.

    Source: Hacker, Athey and Noble, "The end-to-end performance effects of parallel TCP sockets
    on a lossy wide-area network", IPDPS 2002. Recalled, not checked against the paper's text.

    >>> round(parallel_goodput(0.02, [1e-4, 4e-4], 1460) / 1e6, 1)  # 71.5 + 35.8
    107.3
    """
    stream_loss = vector("stream_loss", stream_loss, positive=True)
    if stream_loss.max() >= 1:
        raise DataError("stream_loss", f"has the value {stream_loss.max()}", "values below 1")
    rtt_s, mss_bytes = number("rtt_s", rtt_s, above=0), number("mss_bytes", mss_bytes, above=0)
    return float(np.sum(mathis_goodput(rtt_s, stream_loss, mss_bytes, number("k", k, above=0))))


def equal_parallel_goodput(
    rtt_s: ArrayLike,
    loss: ArrayLike,
    mss_bytes: ArrayLike,
    streams: int,
    k: ArrayLike = PERIODIC_K,
) -> FloatArray:
    """Upper bound on the goodput of n streams of equal loss: n times `mathis_goodput`.

    The streams together act as one stream with a segment of n MSS.

    Parameters
    ----------
    rtt_s, loss, mss_bytes, k : as in `lab_tools.models.mathis.mathis_goodput`.
        Numbers or arrays; the shapes broadcast.
    streams : number n of streams, 1 or more.

    Returns
    -------
    bit/s of all streams together, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: `parallel_goodput` with equal p_i.

    >>> round(float(equal_parallel_goodput(0.02, 1e-4, 1460, streams=8)) / 1e6)
    572
    """
    return whole("streams", streams, low=1) * mathis_goodput(rtt_s, loss, mss_bytes, k)
