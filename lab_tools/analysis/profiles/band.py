"""A throughput profile: the mean of repeated runs at each RTT, with its confidence band."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from lab_tools.analysis.profiles.runs import repeated_runs
from lab_tools.arrays import FloatArray, number
from lab_tools.errors import DataError


@dataclass(frozen=True)
class Profile:
    """Mean throughput over RTT, with its confidence band; every array has shape (m,)."""

    rtt_s: FloatArray
    mean_bps: FloatArray
    low_bps: FloatArray
    high_bps: FloatArray
    standard_error_bps: FloatArray
    confidence: float


def throughput_profile(
    rtt_s: ArrayLike,
    runs_bps: Sequence[ArrayLike],
    *,
    confidence: float = 0.95,
    simultaneous: bool = False,
) -> Profile:
    """Profile with Student's confidence band.

    At each RTT, with n runs of mean x and standard deviation s:
    x ± t[1 - a/2; n - 1] s / sqrt(n), a = 1 - confidence (Student, "The probable error of a
    mean", Biometrika 1908). It supposes independent runs that are close to normal.

    Parameters
    ----------
    rtt_s : round-trip times in s, shape (m,), strictly increasing.
    runs_bps : throughputs of the runs at each RTT in bit/s, m sequences of 2 runs or more.
    confidence : probability that the band holds the true mean, in (0, 1).
    simultaneous : False: at each RTT alone; True: at all RTTs together (Bonferroni, a / m).

    Raises
    ------
    DataError : unsorted RTTs, NaN, negative throughput, fewer than 2 runs at an RTT.
    InputError : confidence out of range.

    >>> profile = throughput_profile([0.01, 0.1], [[9e9, 9.2e9, 8.8e9], [4e9, 5e9, 6e9]])
    >>> profile.mean_bps / 1e9
    array([9., 5.])
    >>> (profile.high_bps / 1e9).round(3)
    array([9.497, 7.484])
    """
    rtts, runs = repeated_runs(rtt_s, runs_bps, min_runs=2)
    risk = (1 - number("confidence", confidence, above=0, below=1)) / 2
    count = np.array([run.size for run in runs])
    error = np.array([run.std(ddof=1) for run in runs]) / np.sqrt(count)
    half = stats.t.isf(risk / (rtts.size if simultaneous else 1), count - 1) * error
    mean = np.array([run.mean() for run in runs])
    return Profile(rtts, mean, mean - half, mean + half, error, confidence)


def hoeffding_profile(
    rtt_s: ArrayLike,
    runs_bps: Sequence[ArrayLike],
    capacity_bps: float,
    *,
    confidence: float = 0.95,
    simultaneous: bool = False,
) -> Profile:
    """Profile with a band that supposes nothing about the distribution of the runs.

    For n independent runs within [0, C]: P(|x - mean| >= h) <= 2 exp(-2 n h² / C²), so
    h = C sqrt(ln(2 / a) / (2 n)), a = 1 - confidence (Hoeffding, "Probability inequalities for
    sums of bounded random variables", JASA 1963, Theorem 2). It is wider than Student's band
    and shrinks like 1 / sqrt(n) too. The band is cut at 0 and C.

    Parameters
    ----------
    rtt_s : round-trip times in s, shape (m,), strictly increasing.
    runs_bps : throughputs of the runs at each RTT in bit/s, m sequences of 2 runs or more.
    capacity_bps : the upper bound C of every run in bit/s.
    confidence : probability that the band holds the true mean, in (0, 1).
    simultaneous : False: at each RTT alone; True: at all RTTs together (a / m).

    Raises
    ------
    DataError : as in `throughput_profile`, or a run above the capacity.
    InputError : confidence out of range, capacity not positive.

    >>> band = hoeffding_profile([0.01], [[5e9] * 200], capacity_bps=10e9)
    >>> (band.high_bps / 1e9).round(4)
    array([5.9603])
    """
    capacity = number("capacity_bps", capacity_bps, above=0)
    profile = throughput_profile(rtt_s, runs_bps, confidence=confidence)
    _, runs = repeated_runs(rtt_s, runs_bps)
    peak = max(run.max() for run in runs)
    if peak > capacity:
        raise DataError("runs_bps", f"has a run of {peak:g}", f"at most capacity_bps {capacity:g}")
    risk = (1 - confidence) / (len(runs) if simultaneous else 1)
    half = capacity * np.sqrt(np.log(2 / risk) / (2 * np.array([run.size for run in runs])))
    return Profile(
        profile.rtt_s,
        profile.mean_bps,
        np.maximum(profile.mean_bps - half, 0),
        np.minimum(profile.mean_bps + half, capacity),
        profile.standard_error_bps,
        confidence,
    )
