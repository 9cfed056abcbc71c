"""What queues do to packets: delay, bufferbloat, and the bursts that fill them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lab_tools.arrays import FloatArray, number, vector
from lab_tools.errors import DataError, InputError


def queueing_delay(rtt_s: ArrayLike, base_rtt_s: float | None = None) -> FloatArray:
    """Time each packet spent in queues: its RTT less the RTT of the empty path.

    Parameters
    ----------
    rtt_s : RTT samples in seconds; shape (n,).
    base_rtt_s : RTT of the empty path in seconds; None for the smallest sample.

    Returns
    -------
    seconds, 0 or more; shape (n,).

    Raises
    ------
    DataError : wrong shape, not finite, or not positive.
    InputError : ``base_rtt_s`` is not positive or above the smallest sample.

    Source: the definition used by delay-based congestion control, such as Brakmo and Peterson,
    "TCP Vegas", IEEE JSAC 13(8), 1995.

    >>> queueing_delay([0.02, 0.05, 0.02], base_rtt_s=0.02)
    array([0.  , 0.03, 0.  ])
    """
    rtt_s = vector("rtt_s", rtt_s, positive=True)
    smallest_s = float(rtt_s.min())
    if base_rtt_s is None:
        return rtt_s - smallest_s
    base_rtt_s = number("base_rtt_s", base_rtt_s, above=0)
    if base_rtt_s > smallest_s:
        allowed = f"at most the smallest sample, {smallest_s:g} s"
        raise InputError("base_rtt_s", base_rtt_s, allowed, "Measure it on the empty path.")
    return rtt_s - base_rtt_s


def backlog_delay(backlog_bytes: ArrayLike, rate_bps: float) -> FloatArray:
    """Time a packet waits behind a queue of bytes, ``8 q / C``.

    Parameters
    ----------
    backlog_bytes : bytes in the queue, 0 or more; shape (n,).
    rate_bps : rate C at which the queue drains in bit/s.

    Returns
    -------
    seconds; shape (n,).

    Raises
    ------
    DataError : wrong shape, not finite, or negative.
    InputError : the rate is not positive.

    Source: a queue of q bytes drains in 8 q / C seconds, first in, first out.

    >>> backlog_delay([0, 125_000], 10e6)
    array([0. , 0.1])
    """
    backlog_bytes = vector("backlog_bytes", backlog_bytes, non_negative=True)
    return 8 * backlog_bytes / number("rate_bps", rate_bps, above=0)


@dataclass(frozen=True)
class Bufferbloat:
    """RTT with and without load.

    Attributes
    ----------
    idle_s : median RTT without load in seconds.
    loaded_s : RTT under load in seconds, at the quantile asked for.

    >>> Bufferbloat(idle_s=0.02, loaded_s=0.1).factor
    5.0
    """

    idle_s: float
    loaded_s: float

    @property
    def increase_s(self) -> float:
        """RTT that the load adds, in seconds."""
        return self.loaded_s - self.idle_s

    @property
    def factor(self) -> float:
        """RTT under load as a multiple of the idle one; 1 + n behind a full buffer of n BDPs."""
        return self.loaded_s / self.idle_s


def bufferbloat(
    idle_rtt_s: ArrayLike, loaded_rtt_s: ArrayLike, quantile: float = 0.95
) -> Bufferbloat:
    """Compare the RTT under load with the RTT of the idle path.

    Parameters
    ----------
    idle_rtt_s : RTT samples without load in seconds; shape (n,).
    loaded_rtt_s : RTT samples under load in seconds, ramp-up left out; shape (m,).
    quantile : which of the loaded samples to report, 0 to 1; 0.5 for the median.

    Returns
    -------
    `Bufferbloat`; with ideal drop-tail and a full buffer of n BDPs its factor is 1 + n.

    Raises
    ------
    DataError : wrong shape, not finite, or not positive.
    InputError : the quantile is not between 0 and 1.

    Source: latency under load as in Gettys and Nichols, "Bufferbloat: dark buffers in the
    Internet", ACM Queue 9(11), 2011; the quantiles are a choice made here.

    >>> bufferbloat([0.02, 0.02, 0.03], [0.1, 0.1, 0.1]).increase_s
    0.08
    """
    idle_rtt_s = vector("idle_rtt_s", idle_rtt_s, positive=True)
    loaded_rtt_s = vector("loaded_rtt_s", loaded_rtt_s, positive=True)
    quantile = number("quantile", quantile, low=0, high=1)
    return Bufferbloat(float(np.median(idle_rtt_s)), float(np.quantile(loaded_rtt_s, quantile)))


def burst_lengths(time_s: ArrayLike, max_gap_s: float) -> NDArray[np.int64]:
    """Packets in each burst: a burst ends where the gap to the next packet exceeds a limit.

    Parameters
    ----------
    time_s : when each packet was sent or arrived, in seconds, in order; shape (n,).
    max_gap_s : largest gap within a burst in seconds, such as 1.5 times the serialisation time
        of a packet.

    Returns
    -------
    packets in each burst, which sum to n; shape (bursts,).

    Raises
    ------
    DataError : wrong shape, not finite, or times that go back.
    InputError : the gap is not positive.

    Source: the packet trains of Jain and Routhier, "Packet trains: measurements and a new model
    for computer network traffic", IEEE JSAC 4(6), 1986.

    >>> burst_lengths([0.0, 0.001, 0.002, 0.1, 0.101], max_gap_s=0.01)
    array([3, 2])
    """
    time_s = vector("time_s", time_s)
    gaps_s = np.diff(time_s)
    if (gaps_s < 0).any():
        where = int(np.flatnonzero(gaps_s < 0)[0])
        raise DataError("time_s", f"goes back at index {where + 1}", "times in order")
    last = np.flatnonzero(gaps_s > number("max_gap_s", max_gap_s, above=0))
    return np.diff(np.concatenate(([-1], last, [time_s.size - 1])))


def loss_burst_lengths(lost: ArrayLike) -> NDArray[np.int64]:
    """Lengths of the runs of packets lost in a row.

    Parameters
    ----------
    lost : for each packet, in order, 1 (or True) if it was lost, else 0; shape (n,).

    Returns
    -------
    packets in each run; shape (runs,), empty without loss. Their mean is ``1 / (1 - p)`` when
    each packet is lost independently with probability p, larger when losses come in bursts.

    Raises
    ------
    DataError : wrong shape, or a value other than 0 and 1.

    Source: RFC 3357 (loss periods); the mean is that of a geometric distribution.

    >>> loss_burst_lengths([0, 1, 1, 0, 1])
    array([2, 1])
    """
    lost = vector("lost", lost)
    other = lost[(lost != 0) & (lost != 1)]
    if other.size:
        raise DataError("lost", f"has the value {other[0]:g}", "only 0 and 1")
    edges = np.diff(np.concatenate(([0], lost, [0])))
    return np.flatnonzero(edges == -1) - np.flatnonzero(edges == 1)
