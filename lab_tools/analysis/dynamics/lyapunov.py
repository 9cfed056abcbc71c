"""Lyapunov exponent of a one-step map, by its derivative and by neighbouring samples.

A positive value alone is no sign of chaos: white noise gives one too, since near neighbours
part within a step. `assess_chaos` weighs the evidence.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lab_tools.analysis.dynamics.bootstrap import mean_interval
from lab_tools.arrays import FloatArray, number, vector, whole
from lab_tools.errors import DataError


@dataclass(frozen=True)
class Exponent:
    """A Lyapunov exponent per unit of time, its confidence interval, the terms behind it."""

    value: float
    low: float
    high: float
    terms: int


def derivative_exponent(
    slopes: ArrayLike,
    rng: np.random.Generator,
    *,
    interval_s: float = 1.0,
    confidence: float = 0.95,
) -> Exponent:
    """Exponent of a one-dimensional map from its derivative along an orbit.

    L = mean of ln|M'(X_i)| (Oseledec 1968; for a map on the line the exponent of its invariant
    measure). The slopes are the known derivative, or `local_slopes` of a measured trace; the
    interval covers how the orbit samples the map, not an error of the slopes.

    Parameters
    ----------
    slopes : M'(X_i), shape (n,), none 0.
    rng : random generator of the bootstrap.
    interval_s : time between X_i and X_{i+1}; the exponent is per this unit (default: per step).
    confidence : of the interval, in (0, 1).

    Raises
    ------
    DataError : NaN, too few slopes, a slope of 0 (the exponent is minus infinity).
    InputError : an argument out of range.

    >>> derivative_exponent([2.0, -2.0] * 10, np.random.default_rng(1)).value.__round__(4)
    0.6931
    """
    values = np.abs(vector("slopes", slopes, min_length=8))
    if not values.all():
        raise DataError("slopes", "has the value 0", "values other than 0, or the exponent is -inf")
    return _exponent_of_terms(np.log(values), rng, interval_s, confidence)


def neighbour_ratio_exponent(
    x: ArrayLike,
    rng: np.random.Generator,
    *,
    theiler: int = 10,
    resolution: float = 0.0,
    interval_s: float = 1.0,
    confidence: float = 0.95,
) -> Exponent:
    """One-step exponent from each sample and its nearest neighbour.

    L = mean over i of ln(|X_{i+1} - X_{j+1}| / |X_i - X_j|), j the nearest sample to i with
    |i - j| > theiler (the one-step case of Wolf et al., Physica D 1985; the practice of papers
    on throughput traces is recalled, not confirmed). White noise gives a large positive value:
    the smaller the nearest distance, the larger.

    Parameters
    ----------
    x : samples, shape (n,).
    rng : random generator of the bootstrap.
    theiler : samples this close in time are no neighbours.
    resolution : smallest distance that means something, in units of x: neighbours must be
        further apart, and later distances are not counted as smaller. Give the step of a
        rounded trace; 0 leaves out equal values only.
    interval_s : sampling interval; the exponent is per this unit (default: per sample).
    confidence : of the interval, in (0, 1).

    Raises
    ------
    DataError : NaN, too few samples, too few neighbours further apart than the resolution.
    InputError : an argument out of range.

    >>> from lab_tools.analysis.dynamics.reference import logistic_orbit
    >>> orbit = logistic_orbit(4.0, 4000)
    >>> round(neighbour_ratio_exponent(orbit, np.random.default_rng(1)).value, 2)
    0.69
    """
    window = whole("theiler", theiler)
    series = vector("x", x, min_length=2 * window + 10)
    floor = number("resolution", resolution, low=0)
    now = series[:-1]
    neighbour = _nearest_value(now, window, floor)
    i = np.flatnonzero(neighbour >= 0)
    j = neighbour[i]
    before = np.abs(series[i] - series[j])
    after = np.maximum(np.abs(series[i + 1] - series[j + 1]), floor)
    moved = after > 0
    if moved.sum() < 8:
        raise DataError("x", f"has {moved.sum()} usable pairs of neighbours", "at least 8")
    return _exponent_of_terms(np.log(after[moved] / before[moved]), rng, interval_s, confidence)


def _exponent_of_terms(
    terms: FloatArray, rng: np.random.Generator, interval_s: float, confidence: float
) -> Exponent:
    """Mean of ln ratios and its interval, per unit of time."""
    unit = number("interval_s", interval_s, above=0)
    low, high = mean_interval(terms, rng, confidence=confidence)
    return Exponent(float(terms.mean()) / unit, low / unit, high / unit, terms.size)


def _nearest_value(x: FloatArray, theiler: int, floor: float) -> NDArray[np.intp]:
    """Index of the nearest value further than floor and than theiler in time; -1 if none."""
    order = np.argsort(x)
    ordered = x[order]
    below = np.searchsorted(ordered, ordered - floor, side="left") - 1
    above = np.searchsorted(ordered, ordered + floor, side="right")
    left = _walk(order, below, -1, theiler)
    right = _walk(order, above, 1, theiler)
    far = np.inf
    left_gap = np.where(left >= 0, ordered - ordered[left], far)
    right_gap = np.where(right >= 0, ordered[right] - ordered, far)
    place = np.where(left_gap <= right_gap, left, right)
    nearest = np.empty(x.size, dtype=np.intp)
    nearest[order] = np.where(place >= 0, order[place], -1)
    return nearest


def _walk(
    order: NDArray[np.intp], place: NDArray[np.intp], step: int, theiler: int
) -> NDArray[np.intp]:
    """From each place go on in the given direction until far enough in time; -1 at the end.

    At most 2 theiler + 1 samples are too close in time, so there are at most as many steps.
    """
    place = np.where(place < order.size, place, -1)
    todo = np.flatnonzero(place >= 0)
    while True:
        todo = todo[np.abs(order[place[todo]] - order[todo]) <= theiler]
        if todo.size == 0:
            return place
        place[todo] += step
        place[todo[place[todo] == order.size]] = -1
        todo = todo[place[todo] >= 0]
