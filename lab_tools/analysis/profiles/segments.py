"""Least-squares line and k-segmented regression by dynamic programming."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lab_tools.analysis.profiles.vc import vapnik_bound
from lab_tools.arrays import FloatArray, number, vector, whole
from lab_tools.errors import DataError


@dataclass(frozen=True)
class Line:
    """A straight line y = intercept + slope x, in the units of the data."""

    slope: float
    intercept: float


@dataclass(frozen=True)
class Segmented:
    """A segmented regression: linear interpolation between its anchors, arrays of shape (k + 1,).

    ``sse`` is the summed squared error of all measurements.
    """

    x: FloatArray
    y: FloatArray
    sse: float


@dataclass(frozen=True)
class SegmentChoice:
    """The number of segments with the least bound, and the evidence, arrays of shape (k_max,).

    ``risk`` and ``bound`` are mean squared errors in units of loss_scale squared; a bound above
    1 says nothing.
    """

    segments: int
    fit: Segmented
    risk: FloatArray
    bound: FloatArray


def least_squares_line(x: ArrayLike, y: ArrayLike) -> Line:
    """Ordinary least squares (Gauss 1809): slope = cov(x, y) / var(x).

    Parameters
    ----------
    x : positions (distance, RTT), shape (n,), not all equal.
    y : measurements, shape (n,).

    Raises
    ------
    DataError : NaN, another length, fewer than 2 points, all x equal.

    >>> line = least_squares_line([1400, 2800, 4200], [26.8459, 54.54, 81.03])
    >>> round(line.slope, 6), round(line.intercept, 4)
    (0.019351, -0.0455)
    """
    positions = vector("x", x, min_length=2)
    values = vector("y", y, length=positions.size)
    centred = positions - positions.mean()
    spread = float(centred @ centred)
    if spread == 0:
        raise DataError("x", f"is {positions[0]:g} everywhere", "two different positions")
    slope = float(centred @ values) / spread
    return Line(slope, float(values.mean() - slope * positions.mean()))


def segmented_regression(x: ArrayLike, runs: Sequence[ArrayLike], segments: int) -> Segmented:
    """Best k-segmented regression: k + 1 anchors among the measured positions.

    The regression passes through the mean at each anchor and is linear in between; the first
    and the last position are anchors. With e(i, j) the squared error of all measurements
    between anchors i and j, E[j, k] = min over i < j of E[i, k - 1] + e(i, j) (Bellman, "On the
    approximation of curves by line segments using dynamic programming", CACM 1961). Time and
    memory grow with the square of the number of positions, m.

    Parameters
    ----------
    x : positions (distance, RTT), shape (m,), strictly increasing, m >= 2.
    runs : the measurements at each position, m sequences of any lengths.
    segments : k, from 1 (a line through the end points) to m - 1 (through every mean).

    Raises
    ------
    DataError : unsorted positions, NaN, another number of groups.
    InputError : segments out of range.

    >>> fit = segmented_regression([0, 1, 2, 3, 4], [[0], [1], [2], [1], [0]], segments=2)
    >>> fit.x, fit.sse
    (array([0., 2., 4.]), 0.0)
    """
    positions, means, weights, noise = _grouped(x, runs)
    whole("segments", segments, low=1, high=positions.size - 1)
    errors, previous = _dynamic_program(positions, means, weights, segments)
    return _backtrack(positions, means, errors, previous, segments, noise)


def choose_segments(
    x: ArrayLike,
    runs: Sequence[ArrayLike],
    *,
    max_segments: int | None = None,
    loss_scale: float | None = None,
    confidence: float = 0.95,
) -> SegmentChoice:
    """Choose k by the least Vapnik bound on the prediction error (structural risk minimisation).

    The class of k-segmented regressions has a Vapnik-Chervonenkis dimension of 2 for a line and
    2 (m - 1) for full interpolation, hence 2 k in between (Rao's segmented regression for
    connection measurements on UltraScience Net; the values between the two ends are an
    interpolation, not a proof). The empirical risk is the mean squared error divided by
    loss_scale squared and cut at 1; `vapnik_bound` holds for all k together because each k gets
    (1 - confidence) / k_max of the risk. The bound is loose: with fewer than some hundred
    measurements it exceeds 1 and favours k = 1 whatever the data.

    Parameters
    ----------
    x : positions, shape (m,), strictly increasing, m >= 2.
    runs : the measurements at each position, m sequences of any lengths.
    max_segments : the largest k tried (default m - 1; stops where 2 k reaches the number of
        measurements).
    loss_scale : the largest error that counts, in units of y (default: the range of the data).
    confidence : probability that the bounds hold together, in (0, 1).

    Raises
    ------
    DataError : unsorted positions, NaN, no variation, another number of groups.
    InputError : max_segments, loss_scale or confidence out of range.

    >>> steps = np.arange(0.0, 61.0)
    >>> choice = choose_segments(steps, [[y] * 40 for y in np.abs(steps - 30)], max_segments=5)
    >>> choice.segments, choice.fit.x
    (2, array([ 0., 30., 60.]))
    """
    positions, means, weights, noise = _grouped(x, runs)
    samples = int(weights.sum())
    values = np.concatenate([np.ravel(np.asarray(run, dtype=np.float64)) for run in runs])
    scale = float(np.ptp(values)) if loss_scale is None else loss_scale
    if scale == 0 and loss_scale is None:
        raise DataError("runs", "have no variation", "different values, or a loss_scale")
    number("loss_scale", scale, above=0)
    most = (
        positions.size - 1 if max_segments is None else whole("max_segments", max_segments, low=1)
    )
    most = min(most, positions.size - 1, (samples - 1) // 2)
    number("confidence", confidence, above=0, below=1)
    if most < 1:
        raise DataError("runs", f"have {samples} measurements", "at least 3")

    errors, previous = _dynamic_program(positions, means, weights, most)
    risk = np.minimum((errors[1:, -1] + noise) / (samples * scale**2), 1.0)
    each = 1 - (1 - confidence) / most
    bound = np.array(
        [vapnik_bound(float(risk[k]), 2 * (k + 1), samples, confidence=each) for k in range(most)]
    )
    best = int(np.argmin(bound)) + 1
    fit = _backtrack(positions, means, errors, previous, best, noise)
    return SegmentChoice(best, fit, risk, bound)


def _grouped(
    x: ArrayLike, runs: Sequence[ArrayLike]
) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """Positions, means, numbers of measurements, and the squared error around the means."""
    positions = vector("x", x, min_length=2, increasing=True)
    if len(runs) != positions.size:
        raise DataError("runs", f"has {len(runs)} groups", f"one for each of {positions.size} x")
    groups = [vector(f"runs[{index}]", group) for index, group in enumerate(runs)]
    means = np.array([group.mean() for group in groups])
    noise = sum(float(((group - group.mean()) ** 2).sum()) for group in groups)
    return positions, means, np.array([float(group.size) for group in groups]), noise


def _chord_errors(x: FloatArray, y: FloatArray, weights: FloatArray, start: int) -> FloatArray:
    """e(start, j) for every j > start, shape (m - start - 1,).

    sum w (dy - s dx)² = sum w dy² - 2 s sum w dx dy + s² sum w dx², all relative to the start.
    """
    dx, dy, w = x[start + 1 :] - x[start], y[start + 1 :] - y[start], weights[start + 1 :]
    slope = dy / dx
    sums = [np.cumsum(w * product) for product in (dy * dy, dx * dy, dx * dx)]
    errors = sums[0] - 2 * slope * sums[1] + slope**2 * sums[2]
    return np.asarray(np.maximum(errors, 0.0))


def _dynamic_program(
    x: FloatArray, y: FloatArray, weights: FloatArray, segments: int
) -> tuple[FloatArray, NDArray[np.intp]]:
    """E[k, j] and the anchor before j, both of shape (segments + 1, m)."""
    m = x.size
    chord = np.full((m, m), np.inf)
    for start in range(m - 1):
        chord[start, start + 1 :] = _chord_errors(x, y, weights, start)
    errors = np.full((segments + 1, m), np.inf)
    errors[0, 0] = 0.0
    previous = np.zeros((segments + 1, m), dtype=np.intp)
    for k in range(1, segments + 1):
        total = errors[k - 1][:, None] + chord
        previous[k] = np.argmin(total, axis=0)
        errors[k] = total[previous[k], np.arange(m)]
    return errors, previous


def _backtrack(
    x: FloatArray,
    y: FloatArray,
    errors: FloatArray,
    previous: NDArray[np.intp],
    segments: int,
    noise: float,
) -> Segmented:
    """Follow the anchors back from the last position."""
    anchors = [x.size - 1]
    for k in range(segments, 0, -1):
        anchors.append(int(previous[k, anchors[-1]]))
    chosen = anchors[::-1]
    return Segmented(x[chosen], y[chosen], float(errors[segments, -1] + noise))
