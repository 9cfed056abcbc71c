"""Estimates of a profile between the measured RTTs, and how far off they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.isotonic import IsotonicRegression

from lab_tools.analysis.profiles.runs import repeated_runs
from lab_tools.arrays import FloatArray, vector
from lab_tools.errors import UnknownNameError

Estimator = Literal["isotonic", "linear"]


@dataclass(frozen=True)
class CrossValidation:
    """Error of an estimate at RTTs that it was not shown.

    ``rtt_s`` and ``rmse_at_rtt_bps`` have shape (m - 2,): the inner RTTs, each left out once.
    ``rmse_bps`` is over all their runs, ``noise_bps`` the part of it that no estimate can avoid:
    the spread of the runs around their own mean.
    """

    rtt_s: FloatArray
    rmse_at_rtt_bps: FloatArray
    rmse_bps: float
    noise_bps: float


def isotonic_estimate(
    rtt_s: ArrayLike, runs_bps: Sequence[ArrayLike], at_rtt_s: ArrayLike
) -> FloatArray:
    """Best fit among the profiles that never rise with RTT.

    Least squares over all non-increasing functions by pooling adjacent violators (Barlow et
    al., "Statistical inference under order restrictions", 1972), through scikit-learn; between
    the measured RTTs it is linear, outside them constant.

    Parameters
    ----------
    rtt_s : round-trip times in s, shape (m,), strictly increasing.
    runs_bps : throughputs of the runs at each RTT in bit/s, m sequences.
    at_rtt_s : RTTs to estimate at in s, shape (q,).

    Returns
    -------
    estimates in bit/s, shape (q,).

    Raises
    ------
    DataError : unsorted RTTs, NaN, negative throughput or RTT.

    >>> isotonic_estimate([0.1, 0.2, 0.3], [[8e9], [9e9], [1e9]], [0.1, 0.25]) / 1e9
    array([8.5 , 4.75])
    """
    rtts, runs = repeated_runs(rtt_s, runs_bps)
    at = vector("at_rtt_s", at_rtt_s, non_negative=True)
    return _isotonic(rtts, runs, at)


def linear_estimate(
    rtt_s: ArrayLike, runs_bps: Sequence[ArrayLike], at_rtt_s: ArrayLike
) -> FloatArray:
    """Linear interpolation between the means of the runs, constant outside the measured RTTs.

    It follows every mean, so it has no error where it was measured and follows the noise too.

    Parameters
    ----------
    rtt_s : round-trip times in s, shape (m,), strictly increasing.
    runs_bps : throughputs of the runs at each RTT in bit/s, m sequences.
    at_rtt_s : RTTs to estimate at in s, shape (q,).

    Returns
    -------
    estimates in bit/s, shape (q,).

    Raises
    ------
    DataError : unsorted RTTs, NaN, negative throughput or RTT.

    >>> linear_estimate([0.1, 0.2], [[8e9, 10e9], [1e9]], [0.15, 0.9]) / 1e9
    array([5., 1.])
    """
    rtts, runs = repeated_runs(rtt_s, runs_bps)
    at = vector("at_rtt_s", at_rtt_s, non_negative=True)
    return _linear(rtts, runs, at)


def cross_validate(
    rtt_s: ArrayLike, runs_bps: Sequence[ArrayLike], estimator: Estimator
) -> CrossValidation:
    """Leave one RTT out at a time and compare its runs with the estimate from the others.

    Root of the mean squared error over the left-out runs (Stone, "Cross-validatory choice and
    assessment of statistical predictions", JRSS B 1974). The first and the last RTT stay in:
    without them the estimate would be an extrapolation.

    Parameters
    ----------
    rtt_s : round-trip times in s, shape (m,), strictly increasing, m >= 3.
    runs_bps : throughputs of the runs at each RTT in bit/s, m sequences.
    estimator : "isotonic" or "linear".

    Raises
    ------
    DataError : unsorted RTTs, NaN, negative throughput, fewer than 3 RTTs.
    UnknownNameError : another estimator.

    >>> cross_validate([0.1, 0.2, 0.3], [[9e9], [8e9], [5e9]], "linear").rmse_bps / 1e9
    1.0
    """
    rtts, runs = repeated_runs(rtt_s, runs_bps, min_rtts=3)
    estimates = {"isotonic": _isotonic, "linear": _linear}
    if estimator not in estimates:
        raise UnknownNameError("estimator", estimator, estimates)
    inner = range(1, rtts.size - 1)
    residuals = []
    for index in inner:
        kept = np.arange(rtts.size) != index
        others = [run for run, keep in zip(runs, kept, strict=True) if keep]
        guess = estimates[estimator](rtts[kept], others, rtts[index : index + 1])
        residuals.append(runs[index] - guess)
    noise = [runs[index] - runs[index].mean() for index in inner]
    return CrossValidation(
        rtts[1:-1],
        np.array([_rms(residual) for residual in residuals]),
        _rms(np.concatenate(residuals)),
        _rms(np.concatenate(noise)),
    )


def _rms(values: FloatArray) -> float:
    return float(np.sqrt(np.mean(values**2)))


def _linear(rtts: FloatArray, runs: list[FloatArray], at: FloatArray) -> FloatArray:
    return np.asarray(np.interp(at, rtts, [run.mean() for run in runs]))


def _isotonic(rtts: FloatArray, runs: list[FloatArray], at: FloatArray) -> FloatArray:
    model = IsotonicRegression(increasing=False, out_of_bounds="clip")
    means = [run.mean() for run in runs]
    model.fit(rtts, means, sample_weight=[run.size for run in runs])
    return np.asarray(model.predict(at), dtype=np.float64)
