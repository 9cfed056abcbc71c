"""Sigmoid-pair fit of a throughput profile and its transition RTT."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special, stats

from lab_tools.arrays import FloatArray, number, vector
from lab_tools.errors import DataError

FLAT, STEEP = 1e-3, 1e4  # slopes tried, in 1 / largest RTT
DEEP = 30.0  # a sigmoid is 1 - 1e-13 at 30 widths from its midpoint
GRID = 40  # starting points tried for each parameter
PARAMETERS = 5  # two for each branch, and the transition
TIE = 1e-9  # mean squared errors (of values in 0..1) closer than this are equal


@dataclass(frozen=True)
class Branch:
    """One sigmoid: its slope in 1/s and its midpoint in s (negative: left of RTT 0)."""

    slope_per_s: float
    midpoint_s: float


@dataclass(frozen=True)
class SigmoidPair:
    """A fitted pair of sigmoids.

    ``transition_s`` is the last RTT of the concave branch; the true transition can lie anywhere
    in [``low_s``, ``high_s``]. ``split_sse`` has shape (m,): the summed squared error of the
    normalised throughput when the concave branch ends at each RTT. ``convex`` is None when the
    concave branch reaches the last RTT.
    """

    transition_s: float
    low_s: float
    high_s: float
    concave: Branch
    convex: Branch | None
    split_sse: FloatArray


def sigmoid(rtt_s: ArrayLike, slope_per_s: float, midpoint_s: float) -> FloatArray:
    """Falling sigmoid g(r) = 1 / (1 + exp(a (r - r0))), concave left of r0 and convex right of it.

    Parameters
    ----------
    rtt_s : round-trip times in s, shape (m,).
    slope_per_s : a in 1/s, positive.
    midpoint_s : r0 in s.

    Returns
    -------
    values in [0, 1], shape (m,).

    Raises
    ------
    DataError : NaN among the RTTs; InputError : slope not positive, midpoint not finite.

    >>> sigmoid([0.1, 0.2], slope_per_s=10.0, midpoint_s=0.1).round(4)
    array([0.5   , 0.2689])
    """
    rtts = vector("rtt_s", rtt_s)
    slope = number("slope_per_s", slope_per_s, above=0)
    return np.asarray(special.expit(-slope * (rtts - number("midpoint_s", midpoint_s))))


def fit_sigmoid_pair(
    rtt_s: ArrayLike,
    throughput_bps: ArrayLike,
    capacity_bps: float,
    *,
    noise_bps: float | None = None,
    confidence: float = 0.95,
) -> SigmoidPair:
    """Fit a concave and a convex sigmoid to a profile; find the RTT where one takes over.

    With U = throughput / capacity: U = g(a1, r1) for r <= T and g(a2, r2) for r > T, subject to
    a1, a2 > 0 and r2 <= T <= r1, so that each branch lies on the side where it has the right
    curvature; the branches need not meet at T (Rao et al., "TCP throughput profiles using
    measurements over dedicated connections", HPDC 2017; reconstructed, the paper's own
    constraints were not seen). Every measured RTT is tried as T and the least summed squared
    error wins. All convex gives the smallest RTT, all concave the largest.

    T is known to the grid of RTTs only, and several T can fit about equally well. The interval
    holds every T whose error S satisfies S - S_min <= s² chi²[confidence; 1] (``noise_bps``
    given) or S <= S_min (1 + F[confidence; 1, m - 5] / (m - 5)), up to the next RTT: the usual
    likelihood-ratio region, approximate here since T is a change point.

    Caution: a sigmoid is above ½ where it is concave and below ½ where it is convex, hence the
    transition stays near the RTT at which the profile crosses half the capacity. A profile that
    is convex above that level is not seen as convex: compare with `curvature`. A branch of one
    or two points is fitted exactly and its parameters mean little.

    Parameters
    ----------
    rtt_s : round-trip times in s, shape (m,), strictly increasing; m >= 6, or m >= 3 with
        noise_bps.
    throughput_bps : mean throughput at each RTT in bit/s, shape (m,), at most the capacity.
    capacity_bps : what stands for 1 in bit/s.
    noise_bps : standard error of the means in bit/s, if known from repeated runs.
    confidence : of the interval for the transition, in (0, 1).

    Raises
    ------
    DataError : unsorted RTTs, NaN, too few points, negative throughput or above the capacity.
    InputError : capacity or noise not positive, confidence out of range.

    >>> rtt_s = [0.0004, 0.0118, 0.0226, 0.0456, 0.0916, 0.183, 0.366]
    >>> measured_bps = [9.4e9, 9.3e9, 9.2e9, 9.0e9, 8.2e9, 5.6e9, 2.1e9]
    >>> pair = fit_sigmoid_pair(rtt_s, measured_bps, capacity_bps=10e9, noise_bps=0.1e9)
    >>> pair.transition_s, pair.low_s, pair.high_s
    (0.183, 0.183, 0.366)
    """
    fewest = PARAMETERS + 1 if noise_bps is None else 3
    rtts = vector("rtt_s", rtt_s, min_length=fewest, non_negative=True, increasing=True)
    rates = vector("throughput_bps", throughput_bps, length=rtts.size, non_negative=True)
    capacity = number("capacity_bps", capacity_bps, above=0)
    number("confidence", confidence, above=0, below=1)
    if rates.max() > capacity:
        raise DataError(
            "throughput_bps", f"has the value {rates.max():g}", f"at most capacity {capacity:g}"
        )
    used = rates / capacity

    fits = []
    for last in range(rtts.size):
        concave = _fit_branch(rtts, used, slice(0, last + 1), rtts[last], 1.0)
        convex = _fit_branch(rtts, used, slice(last + 1, None), rtts[last], -1.0)
        fits.append((concave, convex))
    sse = np.array([concave[1] + convex[1] for concave, convex in fits])

    # Among equal fits the longest convex branch is reported: the smallest RTT.
    best = int(np.flatnonzero(sse <= sse.min() + TIE * rtts.size)[0])
    if noise_bps is None:
        freedom = rtts.size - PARAMETERS
        margin = sse.min() * stats.f.ppf(confidence, 1, freedom) / freedom
    else:
        noise = number("noise_bps", noise_bps, above=0) / capacity
        margin = noise**2 * stats.chi2.ppf(confidence, 1)
    likely = np.flatnonzero(sse <= sse.min() + max(margin, TIE * rtts.size))
    return SigmoidPair(
        transition_s=float(rtts[best]),
        low_s=float(rtts[likely[0]]),
        high_s=float(rtts[min(likely[-1] + 1, rtts.size - 1)]),
        concave=fits[best][0][0],
        convex=fits[best][1][0] if best < rtts.size - 1 else None,
        split_sse=sse,
    )


def _fit_branch(
    rtts: FloatArray, used: FloatArray, part: slice, transition: float, side: float
) -> tuple[Branch, float]:
    """Least squares of one branch: side 1 has its midpoint at or right of T, side -1 left of it.

    With c = a |r0 - T| >= 0 the branch is expit(side c - a (r - T)): two box-bounded parameters
    (ln a and c). The best point of a grid starts the bounded search.
    """
    span = rtts[-1]
    offset = (rtts[part] - transition) / span
    target = used[part]
    if target.size == 0:
        return Branch(1 / float(span), transition), 0.0

    def residual(parameters: FloatArray) -> FloatArray:
        log_slope, depth = parameters
        return np.asarray(special.expit(side * depth - np.exp(log_slope) * offset) - target)

    slopes = np.linspace(np.log(FLAT), np.log(STEEP), GRID)
    depths = DEEP * np.linspace(0, 1, GRID) ** 2
    values = special.expit(
        side * depths[None, :, None] - np.exp(slopes)[:, None, None] * offset[None, None, :]
    )
    errors = ((values - target) ** 2).sum(axis=2)
    row, column = np.unravel_index(np.argmin(errors), errors.shape)
    found = optimize.least_squares(
        residual,
        [slopes[row], depths[column]],
        bounds=([slopes[0], 0.0], [slopes[-1], DEEP]),
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-12,
    )
    slope = float(np.exp(found.x[0]) / span)
    return Branch(slope, float(transition + side * found.x[1] / slope)), float(2 * found.cost)
