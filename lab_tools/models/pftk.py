"""The PFTK model: Reno's throughput with timeouts and a receive-window limit."""

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, whole
from lab_tools.models._inputs import check_broadcast, positive, probability

RTO_IN_RTTS = 4.0
"""Default retransmission timeout in round-trip times; the choice of RFC 5348 §4.3."""


def pftk_full(
    rtt_s: ArrayLike,
    loss: ArrayLike,
    mss_bytes: ArrayLike,
    rto_s: ArrayLike | None = None,
    packets_per_ack: int = 1,
    max_window_packets: ArrayLike | None = None,
) -> FloatArray:
    """Send rate of one Reno flow by the full PFTK model.

    With b packets per ACK, p the loss, T0 the timeout and w the mean window at a loss,
    ``w = c + sqrt(8 (1-p) / (3 b p) + c²)`` where ``c = (2+b) / (3b)``,

    ``B = ((1-p)/p + w + Q/(1-p)) / (rtt (b w / 2 + 1) + Q T0 f(p) / (1-p))``.

    Where w would exceed the window limit W, w becomes W and the round-trip term becomes
    ``rtt (b W / 8 + (1-p) / (p W) + 2)``. ``Q`` is the share of losses that end in a timeout,
    ``f(p) = 1 + p + 2p² + 4p³ + 8p⁴ + 16p⁵ + 32p⁶``.

    Parameters
    ----------
    rtt_s : round-trip time in seconds.
    loss : probability that a packet starts a loss event, between 0 and 1.
    mss_bytes : payload of a full segment in bytes.
    rto_s : first retransmission timeout T0 in seconds; None for four round-trip times.
    packets_per_ack : b, 1 or more; 2 with delayed ACKs and a sender that counts ACKs.
    max_window_packets : window limit W in packets, None for none.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    bit/s sent (retransmissions included), of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: the full model of Padhye, Firoiu, Towsley and Kurose, "Modeling TCP throughput: a
    simple model and its empirical validation", SIGCOMM 1998. Recalled, not checked against the
    paper's text; it agrees with `pftk_short` at small loss.

    >>> rate_bps = pftk_full(0.1, 0.01, 1250, packets_per_ack=2)
    >>> round(float(rate_bps) / 10_000, 2)  # packets of 10 000 bit a second
    77.85
    """
    rtt_s, loss = positive("rtt_s", rtt_s), probability("loss", loss)
    mss_bytes = positive("mss_bytes", mss_bytes)
    b = whole("packets_per_ack", packets_per_ack, low=1)
    rto_s = RTO_IN_RTTS * rtt_s if rto_s is None else positive("rto_s", rto_s)
    limit = _window_limit(max_window_packets)
    check_broadcast(
        rtt_s=rtt_s, loss=loss, mss_bytes=mss_bytes, rto_s=rto_s, max_window_packets=limit
    )

    packets_before_loss = (1 - loss) / loss
    c = (2 + b) / (3 * b)
    window = c + np.sqrt(8 * packets_before_loss / (3 * b) + c**2)
    limited_rounds = b / 8 * limit + packets_before_loss / limit + 2
    rounds = np.where(window < limit, b / 2 * window + 1, limited_rounds)
    window = np.minimum(window, limit)

    timeouts = _timeout_share(loss, window)
    packets = packets_before_loss + window + timeouts / (1 - loss)
    duration_s = rtt_s * rounds + timeouts * rto_s * _backoff(loss) / (1 - loss)
    return 8 * mss_bytes * packets / duration_s


def pftk_short(
    rtt_s: ArrayLike,
    loss: ArrayLike,
    mss_bytes: ArrayLike,
    rto_s: ArrayLike | None = None,
    packets_per_ack: int = 1,
    max_window_packets: ArrayLike | None = None,
) -> FloatArray:
    """Send rate of one Reno flow by PFTK's approximate formula, the one TFRC is built on.

    ``X = MSS / (rtt sqrt(2bp/3) + T0 min(1, 3 sqrt(3bp/8)) p (1 + 32p²))``, at most ``W / rtt``.
    TFRC leaves the ``min`` out, which changes nothing while ``p < 8 / (27 b)``.

    Parameters
    ----------
    rtt_s, loss, mss_bytes, rto_s, packets_per_ack, max_window_packets : as in `pftk_full`.

    Returns
    -------
    bit/s sent (retransmissions included), of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: RFC 5348 §3.1 (the formula without ``min``); the ``min`` and the window limit are from
    Padhye et al. 1998 and recalled.

    >>> rate_bps = pftk_short(0.1, 0.01, 1250, packets_per_ack=2)
    >>> round(float(rate_bps) / 10_000, 2)  # packets of 10 000 bit a second
    79.43
    """
    rtt_s, loss = positive("rtt_s", rtt_s), probability("loss", loss)
    mss_bytes = positive("mss_bytes", mss_bytes)
    b = whole("packets_per_ack", packets_per_ack, low=1)
    rto_s = RTO_IN_RTTS * rtt_s if rto_s is None else positive("rto_s", rto_s)
    limit = _window_limit(max_window_packets)
    check_broadcast(
        rtt_s=rtt_s, loss=loss, mss_bytes=mss_bytes, rto_s=rto_s, max_window_packets=limit
    )

    timeouts: FloatArray = np.minimum(1, 3 * np.sqrt(3 * b * loss / 8))
    seconds = rtt_s * np.sqrt(2 * b * loss / 3) + rto_s * timeouts * loss * (1 + 32 * loss**2)
    return np.minimum(8 * mss_bytes / seconds, 8 * mss_bytes * limit / rtt_s)


def _window_limit(max_window_packets: ArrayLike | None) -> FloatArray:
    """Window limit in packets, infinite for None."""
    if max_window_packets is None:
        return np.asarray(np.inf)
    return positive("max_window_packets", max_window_packets)


def _timeout_share(loss: FloatArray, window: FloatArray) -> FloatArray:
    """Probability Q(w) that a loss in a window of w packets ends in a timeout."""
    first_three = _any_lost(loss, np.asarray(3.0))
    any_later = _any_lost(loss, window - 3)
    any_at_all = _any_lost(loss, window)
    return np.minimum(1, first_three * (1 + (1 - first_three) * any_later) / any_at_all)


def _any_lost(loss: FloatArray, packets: FloatArray) -> FloatArray:
    """``1 - (1 - loss) ** packets``, without cancellation at small loss."""
    return -np.expm1(packets * np.log1p(-loss))


def _backoff(loss: FloatArray) -> FloatArray:
    """Mean length of a run of timeouts in units of the first one, f(p); six doublings at most."""
    return 1 + loss + 2 * loss**2 + 4 * loss**3 + 8 * loss**4 + 16 * loss**5 + 32 * loss**6
