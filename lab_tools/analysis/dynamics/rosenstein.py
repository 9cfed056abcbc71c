"""Largest Lyapunov exponent by Rosenstein's method, and the divergence curve behind it."""

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.analysis.dynamics.bootstrap import percentile_interval, resampled_means
from lab_tools.analysis.dynamics.embedding import delay_embedding, nearest_neighbours
from lab_tools.analysis.dynamics.lyapunov import Exponent
from lab_tools.arrays import FloatArray, number, vector, whole
from lab_tools.errors import DataError

LARGEST_FOR_NOLDS = 5000  # nolds keeps all n² distances: 200 MB at this length


@dataclass(frozen=True)
class Divergence:
    """Mean ln of the distance between neighbours over time, with a pointwise confidence band.

    Arrays of shape (steps,): ``time`` in units of the interval, ``log_distance``, ``low``,
    ``high``; ``curves`` of shape (resamples, steps) are the bootstrapped curves.
    """

    time: FloatArray
    log_distance: FloatArray
    low: FloatArray
    high: FloatArray
    curves: FloatArray
    pairs: int


def neighbour_divergence(
    x: ArrayLike,
    rng: np.random.Generator,
    *,
    dimension: int = 2,
    lag: int = 1,
    theiler: int = 10,
    steps: int = 6,
    confidence: float = 0.95,
    resamples: int = 500,
) -> Divergence:
    """Mean ln distance between nearest neighbours, followed for some steps.

    S(k) = mean over i of ln||V_{i+k} - V_{j(i)+k}|| in a delay embedding (Rosenstein, Collins
    and De Luca, "A practical method for calculating largest Lyapunov exponents from small data
    sets", Physica D 1993). Chaos: a straight line of slope L over several steps, until the
    distance reaches the size of the attractor; white noise: one jump, then flat.

    Parameters
    ----------
    x : samples, shape (n,).
    rng : random generator of the bootstrap.
    dimension, lag : of the delay embedding.
    theiler : samples this close in time are no neighbours.
    steps : number of values of k, from 0.
    confidence : of the band, in (0, 1).
    resamples : bootstrapped curves.

    Raises
    ------
    DataError : NaN, too few samples, neighbours that never differ.
    InputError : an argument out of range.

    >>> from lab_tools.analysis.dynamics.reference import logistic_orbit
    >>> divergence = neighbour_divergence(logistic_orbit(4.0, 4000), np.random.default_rng(1))
    >>> np.diff(divergence.log_distance).round(1)
    array([0.7, 0.7, 0.7, 0.7, 0.7])
    """
    vectors = delay_embedding(x, dimension, lag)
    count = whole("steps", steps, low=2)
    usable = len(vectors) - count + 1
    near = nearest_neighbours(vectors[: max(usable, 0)], theiler)
    i = np.arange(usable)
    distance = np.stack(
        [np.linalg.norm(vectors[i + k] - vectors[near + k], axis=1) for k in range(count)], axis=1
    )
    parted = distance > 0
    if (parted.sum(axis=0) < 8).any():
        raise DataError("x", "repeats itself: neighbours coincide", "at least 8 distinct pairs")
    logs = np.log(np.where(parted, distance, 1.0))
    mean = logs.sum(axis=0) / parted.sum(axis=0)
    # A coinciding pair has no ln: sum and number are resampled together.
    drawn = resampled_means(np.hstack([logs, parted]), rng, resamples)
    curves = drawn[:, :count] / np.maximum(drawn[:, count:], 1e-12)
    bands = np.array([percentile_interval(curve, confidence) for curve in curves.T])
    time = np.arange(count, dtype=float)
    return Divergence(time, mean, bands[:, 0], bands[:, 1], curves, usable)


def rosenstein_exponent(
    x: ArrayLike,
    rng: np.random.Generator,
    *,
    dimension: int = 2,
    lag: int = 1,
    theiler: int = 10,
    steps: int = 6,
    first_step: int = 0,
    interval_s: float = 1.0,
    confidence: float = 0.95,
) -> Exponent:
    """Exponent by Rosenstein's method: the slope of `neighbour_divergence`.

    The value is nolds' (``lyap_r`` with a least-squares line, since its default RANSAC fit is
    random); the interval is that of the slopes of the bootstrapped curves.

    Parameters
    ----------
    x : samples, shape (n,), n <= 5000 (nolds keeps every distance).
    rng : random generator of the bootstrap.
    dimension, lag, theiler, steps : as in `neighbour_divergence`.
    first_step : the line is fitted from this k on. A sampled flow needs some steps until the
        difference has turned into the growing direction; for a map 0 will do.
    interval_s : sampling interval; the exponent is per this unit (default: per sample).
    confidence : of the interval, in (0, 1).

    Raises
    ------
    DataError : NaN, too few or too many samples, neighbours that never differ.
    InputError : an argument out of range.

    >>> from lab_tools.analysis.dynamics.reference import logistic_orbit
    >>> exponent = rosenstein_exponent(logistic_orbit(4.0, 2000), np.random.default_rng(1))
    >>> round(exponent.value, 1)
    0.7
    """
    series = vector("x", x)
    if series.size > LARGEST_FOR_NOLDS:
        raise DataError("x", f"has {series.size} values", f"at most {LARGEST_FOR_NOLDS}")
    unit = number("interval_s", interval_s, above=0)
    divergence = neighbour_divergence(
        series, rng, dimension=dimension, lag=lag, theiler=theiler, steps=steps,
        confidence=confidence,
    )  # fmt: skip
    fitted = slice(whole("first_step", first_step, high=steps - 2), None)
    slopes = np.polyfit(divergence.time[fitted], divergence.curves.T[fitted], 1)[0] / unit
    low, high = percentile_interval(slopes, confidence)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="pkg_resources is deprecated")
        warnings.filterwarnings("ignore", message="invalid escape sequence")  # in its docstrings
        import nolds
    value = nolds.lyap_r(
        series, emb_dim=dimension, lag=lag, min_tsep=theiler, tau=unit, trajectory_len=steps,
        fit="poly", fit_offset=first_step,
    )  # fmt: skip
    return Exponent(float(value), low, high, divergence.pairs)
