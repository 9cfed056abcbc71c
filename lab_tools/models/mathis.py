"""The Mathis law: the goodput that periodic or random loss leaves to a Reno flow."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray
from lab_tools.models._inputs import check_broadcast, positive, probability, quantity
from lab_tools.models.buffer import buffer_limit


@dataclass(frozen=True)
class MathisConstant:
    """One value of the constant k: its loss pattern, its acknowledgements, its source.

    >>> MATHIS_CONSTANTS["periodic"].packets_per_ack
    1
    """

    value: float
    loss_pattern: str
    packets_per_ack: int
    source: str


MATHIS_CONSTANTS: dict[str, MathisConstant] = {
    "periodic": MathisConstant(
        math.sqrt(3 / 2),
        "one loss every 1/p packets",
        1,
        "derived from the sawtooth; Mathis et al. 1997, Eq. 3 and Table 1 (rounded to 1.22)",
    ),
    "periodic, delayed ACK": MathisConstant(
        math.sqrt(3 / 4),
        "one loss every 1/p packets",
        2,
        "derived from the sawtooth; Mathis et al. 1997, Table 1 (rounded to 0.87)",
    ),
    "random": MathisConstant(
        1.31,
        "each packet lost independently",
        1,
        "Mathis et al. 1997, Table 1 (recalled, not checked against the paper)",
    ),
    "random, delayed ACK": MathisConstant(
        0.93,
        "each packet lost independently",
        2,
        "Mathis et al. 1997, Table 1 (recalled, not checked against the paper)",
    ),
    "rule of thumb": MathisConstant(
        1.0,
        "not stated",
        1,
        "the rounding in common use for Science DMZ planning (recalled)",
    ),
}
"""The constant k for each loss pattern and acknowledgement policy; dimensionless."""

PERIODIC_K = MATHIS_CONSTANTS["periodic"].value
"""Default k, sqrt(3/2): a sender that counts the segments acknowledged, not the ACKs."""


def mathis_goodput(
    rtt_s: ArrayLike, loss: ArrayLike, mss_bytes: ArrayLike, k: ArrayLike = PERIODIC_K
) -> FloatArray:
    """Goodput of one Reno flow whose window is limited by loss alone.

    ``8 MSS k / (rtt sqrt(loss))``. Loss is periodic, so the window saws between W/2 and W, its
    mean is 3W/4 and a cycle carries 3W²/8 = 1/loss packets. No timeouts, no window or rate limit;
    see `mathis_limited_goodput` for these. Convex in the RTT everywhere.

    Parameters
    ----------
    rtt_s : round-trip time in seconds.
    loss : probability that a packet starts a loss event, between 0 and 1.
    mss_bytes : payload of a full segment in bytes.
    k : dimensionless constant, see `MATHIS_CONSTANTS`.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    bit/s, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: Eq. 3 of Mathis, Semke, Mahdavi and Ott, "The macroscopic behavior of the TCP
    congestion avoidance algorithm", ACM CCR 27(3), 1997.

    >>> round(float(mathis_goodput(0.02, 1e-4, 1460)) / 1e6, 1)
    71.5
    """
    rtt_s, loss = positive("rtt_s", rtt_s), probability("loss", loss)
    mss_bytes, k = positive("mss_bytes", mss_bytes), positive("k", k)
    check_broadcast(rtt_s=rtt_s, loss=loss, mss_bytes=mss_bytes, k=k)
    return 8 * mss_bytes * k / (rtt_s * np.sqrt(loss))


def mathis_loss_for(
    rate_bps: ArrayLike, rtt_s: ArrayLike, mss_bytes: ArrayLike, k: ArrayLike = PERIODIC_K
) -> FloatArray:
    """Largest loss at which one Reno flow still reaches a target rate.

    ``(8 MSS k / (rtt rate))²``, the inverse of `mathis_goodput`. A result of 1 or more says that
    the target is so low that the law does not limit it.

    Parameters
    ----------
    rate_bps : target goodput in bit/s.
    rtt_s, mss_bytes, k : as in `mathis_goodput`. Numbers or arrays; the shapes broadcast.

    Returns
    -------
    loss (dimensionless), of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is not positive, or the shapes do not broadcast.

    Source: Eq. 3 of Mathis et al. 1997, solved for p.

    >>> f"{float(mathis_loss_for(10e9, 0.1, 1500)):.3g}"
    '2.16e-10'
    """
    rate_bps, rtt_s = positive("rate_bps", rate_bps), positive("rtt_s", rtt_s)
    mss_bytes, k = positive("mss_bytes", mss_bytes), positive("k", k)
    check_broadcast(rate_bps=rate_bps, rtt_s=rtt_s, mss_bytes=mss_bytes, k=k)
    return (8 * mss_bytes * k / (rtt_s * rate_bps)) ** 2


def mathis_limited_goodput(
    rtt_s: ArrayLike,
    loss: ArrayLike,
    mss_bytes: ArrayLike,
    rate_bps: ArrayLike,
    buffer_bytes: ArrayLike | None = None,
    k: ArrayLike = PERIODIC_K,
) -> FloatArray:
    """Mathis goodput capped by the path's rate and by the window buffer: min(C, 8B/rtt, Mathis).

    A loss of 0 is allowed and leaves the two caps.

    Parameters
    ----------
    rtt_s, mss_bytes, k : as in `mathis_goodput`.
    loss : as in `mathis_goodput`, or 0.
    rate_bps : capacity C of the path in bit/s.
    buffer_bytes : socket buffer (window) B in bytes; None for no such limit.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    bit/s, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is not positive (loss: negative, or 1 or more), or the shapes
        do not broadcast.

    Source: Eq. 3 of Mathis et al. 1997 within the validity limits its derivation states.

    >>> round(float(mathis_limited_goodput(0.1, 0, 1460, 10e9, buffer_bytes=2.5e6)) / 1e6)
    200
    """
    rtt_s, loss = positive("rtt_s", rtt_s), quantity("loss", loss, low=0, below=1)
    mss_bytes, k = positive("mss_bytes", mss_bytes), positive("k", k)
    rate_bps = positive("rate_bps", rate_bps)
    no_limit = np.full_like(rtt_s, np.inf)
    buffer_bps = no_limit if buffer_bytes is None else buffer_limit(rtt_s, buffer_bytes)
    check_broadcast(
        rtt_s=rtt_s,
        loss=loss,
        mss_bytes=mss_bytes,
        rate_bps=rate_bps,
        buffer_bytes=buffer_bps,
        k=k,
    )
    with np.errstate(divide="ignore"):  # without loss the law sets no limit
        loss_bps = 8 * mss_bytes * k / (rtt_s * np.sqrt(loss))
    return np.minimum(np.minimum(rate_bps, buffer_bps), loss_bps)
