"""BBR: what a flow that follows the bottleneck's rate, not its losses, is expected to reach."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray
from lab_tools.models._inputs import check_broadcast, plain, positive, quantity
from lab_tools.models.buffer import buffer_limit


@dataclass(frozen=True)
class BbrConstants:
    """The constants of one version of BBR: gains (dimensionless), times in seconds, loss limit.

    >>> BBR_V1.loss_limit
    0.2
    """

    startup_gain: float
    probe_up_gain: float
    probe_down_gain: float
    cwnd_gain: float
    probe_rtt_interval_s: float
    probe_rtt_s: float
    min_rtt_filter_s: float
    loss_limit: float
    source: str


BBR_V1 = BbrConstants(
    startup_gain=2 / math.log(2),
    probe_up_gain=1.25,
    probe_down_gain=0.75,
    cwnd_gain=2.0,
    probe_rtt_interval_s=10.0,
    probe_rtt_s=0.2,
    min_rtt_filter_s=10.0,
    loss_limit=0.2,
    source="Linux tcp_bbr.c; the loss limit is 1 - 1/1.25, which the authors derive on bbr-dev",
)
BBR_V3 = BbrConstants(
    startup_gain=4 * math.log(2),
    probe_up_gain=1.25,
    probe_down_gain=0.90,
    cwnd_gain=2.0,
    probe_rtt_interval_s=5.0,
    probe_rtt_s=0.2,
    min_rtt_filter_s=10.0,
    loss_limit=0.02,
    source="draft-ietf-ccwg-bbr; the loss limit is LossThresh, per round trip",
)


def bbr_goodput(
    rtt_s: ArrayLike,
    loss: ArrayLike,
    rate_bps: ArrayLike,
    buffer_bytes: ArrayLike | None = None,
    version: BbrConstants = BBR_V1,
) -> FloatArray:
    """Goodput a lone BBR flow is expected to reach: ``min(C (1 - p), 8 B / rtt)``.

    Flat in the RTT until the socket buffer limits it. Beyond the version's loss limit the closed
    form says nothing and the result is NaN: there v1 no longer renews its estimate of the rate
    (a probe at 1.25 times the rate delivers less than the rate) and v3 cuts its window; both
    fall far below C. Near the limit the measured goodput is already somewhat lower. The one or
    two per cent spent on probing the RTT and on pacing below the estimate are left out.

    Parameters
    ----------
    rtt_s : round-trip time in seconds.
    loss : probability p that a packet is lost at random, 0 or more, below 1.
    rate_bps : rate C of the bottleneck in bit/s.
    buffer_bytes : socket buffer (window) B in bytes; None for no such limit.
        Numbers or arrays; the shapes broadcast.
    version : constants of the version; Linux ships `BBR_V1`.

    Returns
    -------
    bit/s, of the broadcast shape; NaN where the loss is beyond the limit.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: Cardwell et al., "BBR: congestion-based congestion control", ACM Queue 14(5), 2016:
    the largest possible throughput is the link rate times the fraction delivered.

    >>> (bbr_goodput(0.1, [0, 0.01, 0.3], 10e9) / 1e9).round(2)
    array([10. ,  9.9,  nan])
    """
    rtt_s, loss = positive("rtt_s", rtt_s), quantity("loss", loss, low=0, below=1)
    rate_bps = positive("rate_bps", rate_bps)
    no_limit = np.full_like(rtt_s, np.inf)
    buffer_bps = no_limit if buffer_bytes is None else buffer_limit(rtt_s, buffer_bytes)
    check_broadcast(rtt_s=rtt_s, loss=loss, rate_bps=rate_bps, buffer_bytes=buffer_bps)
    goodput_bps = np.minimum(rate_bps * (1 - loss), buffer_bps)
    return plain(np.where(loss <= version.loss_limit, goodput_bps, np.nan))
