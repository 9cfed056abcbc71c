"""How evenly flows share a path, and what a longer RTT costs a flow."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from lab_tools.arrays import FloatArray, number, vector, whole
from lab_tools.errors import DataError


def jain_index(goodput_bps: ArrayLike) -> float:
    """Jain's fairness index, ``(Σx)² / (n Σx²)``: 1 for equal shares, 1/n if one flow has all.

    Parameters
    ----------
    goodput_bps : goodput of each flow, 0 or more, not all 0; shape (flows,). Any unit.

    Returns
    -------
    dimensionless, between 1/n and 1.

    Raises
    ------
    DataError : wrong shape, not finite, negative, or all 0.

    Source: Jain, Chiu and Hawe, "A quantitative measure of fairness and discrimination for
    resource allocation in shared computer systems", DEC-TR-301, 1984.

    >>> jain_index([3.0, 1.0])
    0.8
    """
    shares = throughput_shares(goodput_bps)
    return float(1 / (shares.size * np.sum(shares**2)))


def throughput_shares(goodput_bps: ArrayLike) -> FloatArray:
    """Share of each flow in the sum, ``x_i / Σx``.

    Parameters
    ----------
    goodput_bps : goodput of each flow, 0 or more, not all 0; shape (flows,). Any unit.

    Returns
    -------
    shares that sum to 1; shape (flows,).

    Raises
    ------
    DataError : wrong shape, not finite, negative, or all 0.

    Source: RFC 5166 §2.3 (shares are what its fairness measures compare).

    >>> throughput_shares([3.0, 1.0])
    array([0.75, 0.25])
    """
    goodput_bps = vector("goodput_bps", goodput_bps, non_negative=True)
    largest_bps = float(goodput_bps.max())
    if largest_bps == 0:
        raise DataError("goodput_bps", "is 0 for every flow", "at least one flow above 0")
    relative = goodput_bps / largest_bps  # keeps sums and squares away from overflow
    return relative / float(relative.sum())


def throughput_ratios(goodput_bps: ArrayLike, reference: int = 0) -> FloatArray:
    """Goodput of each flow as a multiple of a reference flow's, ``x_i / x_ref``.

    Parameters
    ----------
    goodput_bps : goodput of each flow, above 0; shape (flows,). Any unit.
    reference : index of the reference flow, from 0.

    Returns
    -------
    ratios, 1 for the reference; shape (flows,).

    Raises
    ------
    DataError : wrong shape, not finite, or not positive.
    InputError : no flow has the index ``reference``.

    Source: the ratios of RFC 9438 §5.6 for flows of different RTTs.

    >>> throughput_ratios([2e6, 8e6])
    array([1., 4.])
    """
    goodput_bps = vector("goodput_bps", goodput_bps, positive=True)
    reference = whole("reference", reference, high=goodput_bps.size - 1)
    return goodput_bps / float(goodput_bps[reference])


@dataclass(frozen=True)
class RttBias:
    """How goodput falls with the RTT, ``goodput ∝ rtt^(-exponent)``, with its interval.

    >>> RttBias(exponent=1.0, low=0.8, high=1.2, confidence=0.95).exponent
    1.0
    """

    exponent: float
    low: float
    high: float
    confidence: float


def rtt_bias_exponent(
    rtt_s: ArrayLike, goodput_bps: Iterable[ArrayLike], confidence: float = 0.95
) -> RttBias:
    """Exponent a of ``goodput ∝ rtt^(-a)`` among flows that compete, from repeated runs.

    Least squares of log goodput on log RTT, with a level of its own for each run, because the
    flows of a run share one bottleneck; the interval is Student's. For two flows this is the mean
    of ``log(x1/x2) / log(rtt2/rtt1)`` over the runs.

    0 is no bias. Reno reaches 1 with independent losses and up to 2 behind a drop-tail queue that
    synchronises them; CUBIC is designed for 1.

    Parameters
    ----------
    rtt_s : RTT of each flow in seconds, at least two different ones; shape (flows,).
    goodput_bps : goodput of each flow in each run; shape (runs, flows). Two flows need two runs,
        three or more flows need one.
    confidence : of the interval, between 0 and 1.

    Returns
    -------
    `RttBias`.

    Raises
    ------
    DataError : wrong shapes, not finite, not positive, RTTs all equal, or too few runs.
    InputError : the confidence is not between 0 and 1.

    Source: Lakshman and Madhow, "The performance of TCP/IP for networks with high bandwidth-delay
    products and random loss", IEEE/ACM ToN 5(3), 1997 (goodput ∝ rtt^(-a), 1 ≤ a < 2, recalled);
    RFC 9438 §5.6 for CUBIC. The estimator is ordinary least squares with fixed effects.

    >>> bias = rtt_bias_exponent([0.02, 0.04], [[8e6, 4e6], [9e6, 3e6], [8e6, 4e6]])
    >>> round(bias.exponent, 2), round(bias.low, 2), round(bias.high, 2)
    (1.19, 0.36, 2.03)
    """
    log_rtt = np.log(vector("rtt_s", rtt_s, min_length=2, positive=True))
    confidence = number("confidence", confidence, above=0, below=1)
    if np.ptp(log_rtt) == 0:
        raise DataError("rtt_s", "has one value only", "at least two different RTTs")
    runs = [vector("goodput_bps", run, length=log_rtt.size, positive=True) for run in goodput_bps]
    freedom = len(runs) * (log_rtt.size - 1) - 1
    if freedom < 1:
        found = f"has {len(runs)} runs of {log_rtt.size} flows"
        raise DataError("goodput_bps", found, "two runs of two flows, or one of three flows")

    log_goodput = np.log(np.vstack(runs))
    x = log_rtt - log_rtt.mean()
    y = log_goodput - log_goodput.mean(axis=1, keepdims=True)
    spread = len(runs) * np.sum(x**2)
    slope = float(np.sum(x * y) / spread)
    residual_variance = np.sum((y - slope * x) ** 2) / freedom
    half_width = float(
        stats.t.ppf((1 + confidence) / 2, freedom) * np.sqrt(residual_variance / spread)
    )
    return RttBias(-slope, -slope - half_width, -slope + half_width, confidence)
