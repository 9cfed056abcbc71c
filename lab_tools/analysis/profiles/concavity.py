"""Where a measured profile is concave, where convex, and where the data cannot tell."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from lab_tools.analysis.profiles.runs import repeated_runs
from lab_tools.arrays import FloatArray, number

CONCAVE, CONVEX, UNDECIDED = "concave", "convex", "cannot tell"
ROUNDING = 1e-12  # gaps below this share of the throughput are arithmetic, not curvature


@dataclass(frozen=True)
class Region:
    """A stretch of RTTs on which the profile has one shape.

    A concave region and the convex one after it overlap: the change lies in the overlap.
    """

    start_rtt_s: float
    end_rtt_s: float
    shape: str


@dataclass(frozen=True)
class Curvature:
    """Curvature of a profile at its inner RTTs; every array has shape (m - 2,).

    ``gap_bps`` is the height of the mean above the chord of its two neighbours (positive:
    concave), ``low_bps`` and ``high_bps`` its simultaneous confidence interval, ``p_value`` the
    adjusted probability of such a gap on a straight line.
    """

    rtt_s: FloatArray
    gap_bps: FloatArray
    low_bps: FloatArray
    high_bps: FloatArray
    p_value: FloatArray
    shapes: tuple[str, ...]
    regions: tuple[Region, ...]
    verdict: str


def curvature(
    rtt_s: ArrayLike,
    runs_bps: Sequence[ArrayLike],
    *,
    confidence: float = 0.95,
) -> Curvature:
    """Test at each inner RTT whether the profile bends down (concave) or up (convex).

    A function is concave when it lies above its chords: f(x a + (1 - x) b) >= x f(a) +
    (1 - x) f(b). For neighbours a < r < b with mean throughputs A, R, B the gap is
    g = R - w A - (1 - w) B, w = (b - r) / (b - a), tested with Welch's t statistic: variance
    sum c_i² s_i² / n_i over the three RTTs, degrees of freedom of Satterthwaite (Welch, "The
    generalization of Student's problem", Biometrika 1947). Bonferroni's correction over the
    m - 2 inner RTTs makes one wrong call in the whole profile no likelier than 1 - confidence.
    A gap whose interval holds 0 is called "cannot tell".

    The verdict is "concave", "convex" (every inner RTT agrees), "concave then convex",
    "convex then concave" (what was decided changes once in that order), "mixed", or "cannot tell".

    Parameters
    ----------
    rtt_s : round-trip times in s, shape (m,), strictly increasing, m >= 3.
    runs_bps : throughputs of the runs at each RTT in bit/s, m sequences of 2 runs or more.
    confidence : 1 minus the chance of a wrong call anywhere in the profile, in (0, 1).

    Raises
    ------
    DataError : unsorted RTTs, NaN, negative throughput, fewer than 3 RTTs or than 2 runs at one.
    InputError : confidence out of range.

    >>> runs = [[9.9e9, 9.8e9], [9.5e9, 9.4e9], [8.0e9, 8.1e9], [2.0e9, 2.1e9], [0.9e9, 1.0e9]]
    >>> result = curvature([0.01, 0.05, 0.1, 0.2, 0.3], runs)
    >>> result.shapes, result.verdict
    (('cannot tell', 'concave', 'convex'), 'concave then convex')
    """
    rtts, runs = repeated_runs(rtt_s, runs_bps, min_rtts=3, min_runs=2)
    risk = (1 - number("confidence", confidence, above=0, below=1)) / (rtts.size - 2)
    mean = np.array([run.mean() for run in runs])
    count = np.array([run.size for run in runs], dtype=float)
    variance = np.array([run.var(ddof=1) for run in runs]) / count

    left = (rtts[2:] - rtts[1:-1]) / (rtts[2:] - rtts[:-2])
    weights = np.stack([-left, np.ones_like(left), left - 1])
    gap = (weights * _triples(mean)).sum(axis=0)
    parts = weights**2 * _triples(variance)
    tiny = ROUNDING * max(mean.max(), np.finfo(float).tiny)
    error = np.maximum(np.sqrt(parts.sum(axis=0)), tiny)
    # Satterthwaite: V² / sum(V_i² / (n_i - 1)); without any spread the floor above decides.
    spread = (parts**2 / (_triples(count) - 1)).sum(axis=0)
    freedom = np.where(spread > 0, parts.sum(axis=0) ** 2 / np.maximum(spread, 1e-300), 1e6)
    freedom = np.maximum(freedom, 1.0)

    half = stats.t.isf(risk / 2, freedom) * error
    p_value = np.minimum(2 * stats.t.sf(np.abs(gap) / error, freedom) * gap.size, 1.0)
    sign = np.where(gap - half > 0, 1, np.where(gap + half < 0, -1, 0))
    shapes = tuple({1: CONCAVE, -1: CONVEX, 0: UNDECIDED}[int(s)] for s in sign)
    return Curvature(
        rtts[1:-1], gap, gap - half, gap + half, p_value, shapes, _regions(rtts, shapes),
        _verdict(shapes),
    )  # fmt: skip


def _triples(values: FloatArray) -> FloatArray:
    """Each inner value with its left and right neighbour, shape (3, m - 2)."""
    return np.stack([values[:-2], values[1:-1], values[2:]])


def _regions(rtts: FloatArray, shapes: tuple[str, ...]) -> tuple[Region, ...]:
    """Runs of inner RTTs of one shape, each reaching to the neighbours it was tested with."""
    regions = []
    for shape, members in groupby(range(len(shapes)), key=lambda index: shapes[index]):
        inner = list(members)
        regions.append(Region(float(rtts[inner[0]]), float(rtts[inner[-1] + 2]), shape))
    return tuple(regions)


def _verdict(shapes: tuple[str, ...]) -> str:
    """One phrase for the whole profile; see `curvature`."""
    decided = [shape for shape, _ in groupby(shape for shape in shapes if shape != UNDECIDED)]
    if len(decided) == 2:
        return " then ".join(decided)
    if len(decided) > 2:
        return "mixed"
    return decided[0] if decided and UNDECIDED not in shapes else UNDECIDED
