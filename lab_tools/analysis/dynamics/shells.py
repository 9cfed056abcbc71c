"""Time-dependent exponent curves: do neighbours part alike, however near they start?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import cKDTree

from lab_tools.analysis.dynamics.embedding import delay_embedding
from lab_tools.arrays import FloatArray, vector, whole
from lab_tools.errors import DataError

MOST_PAIRS = 3_000_000  # about 200 MB of differences in four dimensions


@dataclass(frozen=True)
class ShellCurves:
    """Time-dependent exponents of pairs that start in one shell each.

    ``radius`` (q,): outer radius of each shell, as a share of the range of x; ``pairs`` (q,): how
    many pairs start in it; ``time`` (steps + 1,): k in samples, from 0; ``exponent``
    (q, steps + 1): mean ln growth of the distance, NaN for a shell without pairs.
    """

    radius: FloatArray
    pairs: NDArray[np.intp]
    time: FloatArray
    exponent: FloatArray


def time_dependent_exponents(
    x: ArrayLike,
    *,
    dimension: int = 4,
    lag: int = 3,
    steps: int = 20,
    largest_shell: int = 4,
    smallest_shell: int = 6,
) -> ShellCurves:
    """Curves of the mean growth of distances, one for each shell of starting distances.

    With x scaled to [0, 1] and embedded, Λ(k) = mean of ln(||V_{i+k} - V_{j+k}|| /
    ||V_i - V_j||) over the pairs with |i - j| > (m - 1) L that start in the shell
    2^-(s+1) < ||V_i - V_j|| <= 2^-s (Gao and Zheng, "Direct dynamical test for deterministic
    chaos", Europhys. Lett. 1994; recalled, checked here on known systems). Chaos: the curves of
    all shells share one line of slope L, the common envelope. Noise: each curve jumps at k = 1
    and stays flat, and neighbouring shells stay about ln 2 apart, because the later distance
    does not depend on the first. Both at different scales: a mixture. The average is over pairs, so
    densely visited states weigh more: the slope is L only where the growth is even, as it is for
    the tent map, and exceeds it for the logistic map at r = 4.

    Parameters
    ----------
    x : samples, shape (n,), not all equal.
    dimension, lag : m and L of the delay embedding.
    steps : largest k in samples.
    largest_shell, smallest_shell : s of the outermost and of the innermost shell.

    Raises
    ------
    DataError : NaN, no variation, too few samples, too many pairs (take a shorter part of the
        trace or smaller shells).
    InputError : an argument out of range.

    >>> from lab_tools.analysis.dynamics.reference import tent_orbit
    >>> curves = time_dependent_exponents(tent_orbit(2.0, 2000), dimension=1, lag=1, steps=3,
    ...     largest_shell=7, smallest_shell=8)
    >>> curves.exponent.round(1)
    array([[0. , 0.7, 1.4, 2. ],
           [0. , 0.7, 1.4, 2.1]])
    """
    outer = whole("largest_shell", largest_shell)
    inner = whole("smallest_shell", smallest_shell, low=outer)
    last = whole("steps", steps, low=1)
    vectors = _scaled_embedding(x, dimension, lag, last)

    i, j = _pairs(vectors[:-last], 2.0**-outer, (dimension - 1) * lag)
    start = np.linalg.norm(vectors[i] - vectors[j], axis=1)
    apart = start > 0
    i, j, start = i[apart], j[apart], start[apart]
    shell = np.floor(-np.log2(start)).astype(np.intp)  # 2^-(s+1) < d <= 2^-s
    rows = inner - outer + 1
    kept = (shell >= outer) & (shell <= inner)
    i, j, start, row = i[kept], j[kept], start[kept], shell[kept] - outer
    exponent = np.zeros((rows, last + 1))
    for k in range(1, last + 1):
        distance = np.linalg.norm(vectors[i + k] - vectors[j + k], axis=1)
        met = distance > 0  # coinciding vectors have no ln
        growth = np.log(distance[met] / start[met])
        count = np.bincount(row[met], minlength=rows)
        total = np.bincount(row[met], weights=growth, minlength=rows)
        exponent[:, k] = total / np.where(count > 0, count, np.nan)
    pairs = np.bincount(row, minlength=rows)
    exponent[pairs == 0] = np.nan
    radius = 2.0 ** -np.arange(outer, inner + 1.0)
    return ShellCurves(radius, pairs, np.arange(last + 1.0), exponent)


def shell_gap(
    x: ArrayLike, *, dimension: int = 2, lag: int = 1, steps: int = 5, min_pairs: int = 200
) -> float:
    """How far the two innermost curves of `time_dependent_exponents` lie apart, on average.

    The innermost two neighbouring shells with enough pairs are compared over k = 1 ... steps:
    about 0 for chaos (common envelope), about ln 2 = 0.69 for noise.

    Parameters
    ----------
    x : samples, shape (n,), not all equal.
    dimension, lag : of the delay embedding.
    steps : largest k in samples.
    min_pairs : fewest pairs in a shell.

    Returns
    -------
    gap, without unit; NaN if no two shells have enough pairs (or far too many coincide).

    Raises
    ------
    DataError : NaN, no variation, too few samples; InputError : an argument out of range.

    >>> from lab_tools.analysis.dynamics.reference import noise
    >>> shell_gap(noise(2000, np.random.default_rng(1))) > 0.5
    True
    """
    enough = whole("min_pairs", min_pairs, low=1)
    vectors = _scaled_embedding(x, dimension, lag, whole("steps", steps, low=1))
    tree = cKDTree(vectors[:-steps])
    scales = np.arange(1, 25)
    within = (tree.count_neighbors(tree, 2.0**-scales) - tree.n) // 2
    full = within[:-1] - within[1:] >= enough
    inner = np.flatnonzero(full[1:] & full[:-1] & (within[:-2] <= MOST_PAIRS))
    if inner.size == 0:
        return float("nan")
    outermost = int(scales[inner[-1]])
    curves = time_dependent_exponents(
        x, dimension=dimension, lag=lag, steps=steps,
        largest_shell=outermost, smallest_shell=outermost + 1,
    )  # fmt: skip
    return float(np.mean(curves.exponent[1, 1:] - curves.exponent[0, 1:]))


def _scaled_embedding(x: ArrayLike, dimension: int, lag: int, steps: int) -> FloatArray:
    """Delay embedding of x scaled to [0, 1], with at least two vectors that last the steps."""
    series = vector("x", x, min_length=2)
    if np.ptp(series) == 0:
        raise DataError("x", f"is {series[0]:g} everywhere", "different values")
    vectors = delay_embedding((series - series.min()) / np.ptp(series), dimension, lag)
    if len(vectors) < steps + 2:
        raise DataError("x", f"gives {len(vectors)} vectors", f"at least {steps + 2}")
    return vectors


def _pairs(
    vectors: FloatArray, radius: float, theiler: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indices of all pairs within the radius that are further than theiler apart in time."""
    tree = cKDTree(vectors)
    expected = (int(tree.count_neighbors(tree, radius)) - len(vectors)) // 2
    if expected > MOST_PAIRS:
        raise DataError("x", f"has {expected} pairs within {radius:g}", f"at most {MOST_PAIRS}")
    found = tree.query_pairs(radius, output_type="ndarray")
    found = found[np.abs(found[:, 0] - found[:, 1]) > theiler]
    return found[:, 0], found[:, 1]
