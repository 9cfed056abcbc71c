"""Poincaré map of a trace: each sample against the next."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lab_tools.arrays import FloatArray, vector, whole
from lab_tools.errors import DataError

QUANTILE_SAMPLE = 100_000
GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True)
class PoincareMap:
    """The points (now, later) of a map, in order of time; both of shape (n - step,)."""

    now: FloatArray
    later: FloatArray


@dataclass(frozen=True)
class MapCurve:
    """A map in bins of about equally many points; arrays of shape (bins,).

    ``now``, ``later``: means in the bin; ``spread``: standard deviation of later in the bin;
    ``slope``: least-squares slope in the bin, NaN where now does not vary; ``count``: points.
    ``determinism`` is the share of the variance of later that the bin explains: near 1 for a
    one-dimensional map, near 0 for white noise (bins / n at least, by chance).
    """

    now: FloatArray
    later: FloatArray
    spread: FloatArray
    slope: FloatArray
    count: NDArray[np.intp]
    determinism: float


def block_average(x: ArrayLike, samples: int) -> FloatArray:
    """Means over blocks of samples, to turn a fine trace into, say, 1-s samples.

    Parameters
    ----------
    x : samples, shape (n,).
    samples : samples in a block; a last incomplete block is dropped.

    Returns
    -------
    means, shape (n // samples,).

    Raises
    ------
    DataError : NaN or not one whole block; InputError : samples not positive.

    >>> block_average([1, 3, 5, 7, 9], 2)
    array([2., 6.])
    """
    size = whole("samples", samples, low=1)
    series = vector("x", x, min_length=size)
    count = series.size // size
    return np.asarray(series[: count * size].reshape(count, size).mean(axis=1))


def poincare_map(x: ArrayLike, step: int = 1) -> PoincareMap:
    """Points (X_i, X_{i+step}) of a trace (views, nothing is copied).

    X_{i+1} = M(X_i): a trace at rest gives a point, a ramp a line beside the identity, a map a
    curve, noise a cloud.

    Parameters
    ----------
    x : samples at even intervals, shape (n,).
    step : samples between now and later.

    Raises
    ------
    DataError : NaN or too few samples; InputError : step not positive.

    >>> poincare_map([1, 2, 4]).later
    array([2., 4.])
    """
    ahead = whole("step", step, low=1)
    series = vector("x", x, min_length=ahead + 1)
    return PoincareMap(series[:-ahead], series[ahead:])


def map_curve(x: ArrayLike, *, step: int = 1, bins: int = 64) -> MapCurve:
    """Summarise a Poincaré map by bins of about equally many points.

    Determinism is the correlation ratio: variance between the bins over total variance of later
    (Pearson 1905).

    Parameters
    ----------
    x : samples at even intervals, shape (n,), not all equal.
    step : samples between now and later.
    bins : number of bins, at most a quarter of the points. Equal values share a bin, so that
        a trace of few distinct values gives fewer.

    Raises
    ------
    DataError : NaN, no variation, too few samples; InputError : step or bins out of range.

    >>> from lab_tools.analysis.dynamics.reference import logistic_orbit
    >>> curve = map_curve(logistic_orbit(4.0, 6401))
    >>> curve.determinism > 0.99
    True
    """
    points = poincare_map(x, step)
    total = float(points.later.var())
    if total == 0:
        raise DataError("x", f"is {points.later[0]:g} everywhere", "different values")
    groups = _Bins(points.now, whole("bins", bins, low=1))
    later = groups.mean(points.later)
    square = groups.mean((points.later - later[groups.index]) ** 2)
    return MapCurve(
        now=groups.mean(points.now),
        later=later,
        spread=np.sqrt(square),
        slope=_slopes(points, groups),
        count=groups.count,
        determinism=1 - float(np.average(square, weights=groups.count)) / total,
    )


def local_slopes(x: ArrayLike, *, step: int = 1, bins: int | None = None) -> FloatArray:
    """Derivative of the map at each sample, by least squares among samples of like value.

    For `derivative_exponent` on a measured trace. It presumes a one-dimensional map: with noise
    the slopes in narrow bins are noise as well, so look at the determinism of `map_curve` first.

    Parameters
    ----------
    x : samples at even intervals, shape (n,).
    step : samples between now and later.
    bins : number of bins (default: the square root of n), at most a quarter of the points.

    Returns
    -------
    slopes in order of time, shape (q,), q < n: samples in bins without variation are left out.

    Raises
    ------
    DataError : NaN, too few samples, no bin with variation; InputError : step or bins.

    >>> local_slopes(np.cumprod(np.full(30, 0.9))).round(6)[:3]
    array([0.9, 0.9, 0.9])
    """
    points = poincare_map(x, step)
    count = int(np.sqrt(points.now.size)) if bins is None else whole("bins", bins, low=1)
    groups = _Bins(points.now, max(count, 1))
    slopes = _slopes(points, groups)[groups.index]
    found = slopes[np.isfinite(slopes)]
    if found.size == 0:
        raise DataError("x", "does not vary within any bin", "more distinct values or fewer bins")
    return np.asarray(found)


class _Bins:
    """Assignment of values to bins between quantiles; empty bins are dropped."""

    def __init__(self, values: FloatArray, bins: int) -> None:
        if values.size < 4 * bins:
            raise DataError("x", f"has {values.size} map points", f"at least {4 * bins}, 4 a bin")
        some = values
        if values.size > QUANTILE_SAMPLE:
            # Quantiles of a part do, and spare the sorting of ten million. The golden ratio
            # spreads it evenly; an even stride could fall in step with a sawtooth.
            share = np.arange(QUANTILE_SAMPLE) * GOLDEN % 1.0
            some = values[(share * values.size).astype(np.intp)]
        edges = np.unique(np.quantile(some, np.linspace(0, 1, bins + 1)[1:-1]))
        index = np.searchsorted(edges, values, side="right")
        count = np.bincount(index, minlength=edges.size + 1)
        rank = np.cumsum(count > 0) - 1
        self.index: NDArray[np.intp] = rank[index]
        self.count: NDArray[np.intp] = count[count > 0]

    def mean(self, values: FloatArray) -> FloatArray:
        """Mean of the values in each bin."""
        return np.asarray(np.bincount(self.index, weights=values) / self.count)


def _slopes(points: PoincareMap, groups: _Bins) -> FloatArray:
    """Least-squares slope in each bin; NaN where now does not vary beyond rounding."""
    mean = groups.mean(points.now)
    offset = points.now - mean[groups.index]
    square = groups.mean(offset**2)
    product = groups.mean(offset * points.later)
    rounding = (1e-12 * np.abs(mean)) ** 2
    nothing = np.full(mean.size, np.nan)
    return np.asarray(np.divide(product, square, out=nothing, where=square > rounding))
