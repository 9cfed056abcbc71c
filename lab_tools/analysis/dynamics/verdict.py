"""Is a trace chaotic, stable, or can the data not tell?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from lab_tools.analysis.dynamics.bootstrap import mean_interval
from lab_tools.analysis.dynamics.embedding import delay_embedding, nearest_neighbours
from lab_tools.analysis.dynamics.lyapunov import Exponent
from lab_tools.analysis.dynamics.rosenstein import LARGEST_FOR_NOLDS, rosenstein_exponent
from lab_tools.analysis.dynamics.shells import shell_gap
from lab_tools.analysis.dynamics.surrogates import surrogate_test
from lab_tools.arrays import FloatArray, vector, whole
from lab_tools.errors import DataError

CHAOTIC, STABLE, UNDECIDED = "chaotic", "stable", "cannot tell"
# Chosen on reference maps and noises of 300 to 3000 samples: at least 0.92 of the neighbours part
# on the logistic, tent and Lorenz systems; random sawtooths and correlated noise stay near or
# below 0.9 and fail another criterion as well. Half of ln 2 lies midway between chaos and noise.
MOST_PART, FEW_PART = 0.9, 0.1
LARGEST_GAP = np.log(2) / 2
LARGEST_DRIFT = 0.25  # a straight ramp has 0.5, a stationary trace about 0
SIGNIFICANCE = 0.05


@dataclass(frozen=True)
class ChaosAssessment:
    """A verdict on a trace with the evidence for it.

    ``parting``, ``parting_low``, ``parting_high``: share of neighbours that end further apart;
    ``drift``: difference of mean ranks between the halves of the trace, in [0, 0.5]; ``shell_gap``
    and ``p_value`` of the surrogate test; ``exponent`` by Rosenstein's method. Evidence that was
    not needed for the verdict is None (shell_gap is NaN where too few pairs are near).
    """

    verdict: str
    reason: str
    parting: float | None = None
    parting_low: float | None = None
    parting_high: float | None = None
    drift: float | None = None
    shell_gap: float | None = None
    p_value: float | None = None
    exponent: Exponent | None = None


def assess_chaos(
    x: ArrayLike,
    rng: np.random.Generator,
    *,
    dimension: int = 2,
    lag: int = 1,
    theiler: int = 10,
    steps: int = 6,
    first_step: int = 1,
    surrogates: int = 19,
) -> ChaosAssessment:
    """Weigh the evidence for chaos in a stationary trace (give the sustainment phase only).

    "chaotic" needs all of: no drift; nine in ten nearest neighbours part and stay apart for more
    than a mean period (with 95 % confidence); the innermost two shells of
    `time_dependent_exponents` share an envelope (`shell_gap` below ln 2 / 2, where noise has
    ln 2); the surrogate test rejects linear noise at 5 %; and the confidence interval of
    Rosenstein's exponent lies above 0. "stable" needs an exactly periodic trace, or no drift and
    fewer than one in ten neighbours that part. All else is "cannot tell", with the first reason
    met: noise, random losses and quasi-periodic traces end there, and so does chaos under
    measurement noise that covers the small distances. The criteria are published tests; their
    combination and its limits are this project's, set on reference systems.

    Parameters
    ----------
    x : samples at even intervals, shape (n,), 100 <= n <= 5000.
    rng : random generator of bootstrap and surrogates.
    dimension, lag : of the delay embedding.
    theiler : samples this close in time are no neighbours; for a sampled flow a mean period.
    steps, first_step : k from first_step to steps - 1 is the region of exponential growth.
    surrogates : 19 or more.

    Raises
    ------
    DataError : NaN, too few or too many samples; InputError : an argument out of range.

    >>> from lab_tools.analysis.dynamics.reference import logistic_orbit, noise
    >>> assess_chaos(logistic_orbit(3.9, 1000), np.random.default_rng(1)).verdict
    'chaotic'
    >>> assess_chaos(noise(1000, np.random.default_rng(1)), np.random.default_rng(1)).verdict
    'cannot tell'
    """
    series = vector("x", x, min_length=100)
    if series.size > LARGEST_FOR_NOLDS:
        raise DataError("x", f"has {series.size} values", f"at most {LARGEST_FOR_NOLDS}")
    whole("first_step", first_step, high=whole("steps", steps, low=2) - 2)
    whole("surrogates", surrogates, low=19)

    period = _exact_period(series)
    if period:
        return ChaosAssessment(STABLE, f"the trace repeats itself every {period} samples")
    drift = _drift(series)
    if drift > LARGEST_DRIFT:
        return ChaosAssessment(
            UNDECIDED,
            f"the trace drifts ({drift:.2f} of the ranks between its halves)",
            drift=drift,
        )
    vectors = delay_embedding(series, dimension, lag)
    parted, distinct = _parting(vectors, theiler, first_step, steps, _mean_period(series))
    part = float(parted.mean())
    low, high = mean_interval(parted, rng)
    if high < FEW_PART:
        return ChaosAssessment(STABLE, "neighbours stay together", part, low, high, drift)
    if distinct < 0.5:
        return ChaosAssessment(
            UNDECIDED, "most neighbours coincide: too few distinct values", part, low, high, drift
        )
    gap = shell_gap(series, dimension=dimension, lag=lag, steps=steps - 1)
    p_value = surrogate_test(
        series, rng, surrogates=surrogates, dimension=dimension, lag=lag, theiler=theiler
    ).p_value
    exponent = rosenstein_exponent(
        series, rng, dimension=dimension, lag=lag, theiler=theiler, steps=steps,
        first_step=first_step,
    )  # fmt: skip
    missing = _missing(low, gap, p_value, exponent)
    return ChaosAssessment(
        UNDECIDED if missing else CHAOTIC,
        missing or "neighbours part exponentially, alike at all small scales",
        part, low, high, drift, gap, p_value, exponent,
    )  # fmt: skip


def _missing(part_low: float, gap: float, p_value: float, exponent: Exponent) -> str:
    """The first piece of evidence for chaos that is not there; empty if all is."""
    if not gap < LARGEST_GAP:
        return f"growth depends on the starting distance as in noise (gap {gap:.2f}, ln 2 = 0.69)"
    if part_low <= MOST_PART:
        return f"too few neighbours part for good (at least {part_low:.2f})"
    if p_value > SIGNIFICANCE:
        return f"linear noise predicts as well (p = {p_value:.2f})"
    if exponent.low <= 0:
        return f"the exponent may be 0 (interval from {exponent.low:.3g})"
    return ""


def _exact_period(x: FloatArray) -> int:
    """Period of the last two thirds of a trace, up to rounding; 0 if they do not repeat."""
    tail = x[x.size // 3 :]
    rounding = 1e-9 * np.ptp(x)
    for period in range(1, tail.size // 2 + 1):
        if np.abs(tail[period:] - tail[:-period]).max() <= rounding:
            return period
    return 0


def _drift(x: FloatArray) -> float:
    """Difference of the mean ranks of the two halves, as a share of n: robust against spikes."""
    ranks = stats.rankdata(x) / x.size
    half = x.size // 2
    return float(abs(ranks[:half].mean() - ranks[-half:].mean()))


def _mean_period(x: FloatArray) -> float:
    """Samples between upward crossings of the mean, on average."""
    above = x > x.mean()
    return 2 * (x.size - 1) / max(int(np.count_nonzero(above[1:] != above[:-1])), 1)


def _parting(
    vectors: FloatArray, theiler: int, first_step: int, steps: int, period: float
) -> tuple[FloatArray, float]:
    """For each vector the share of later steps at which its neighbour is further away.

    Later steps reach over a mean period, since within one tooth of a regular sawtooth neighbours
    may part and meet again. Also the share of neighbours that do not coincide to begin with.
    """
    horizon = min(steps + int(np.ceil(period)), len(vectors) // 4)
    horizon = max(horizon, steps)
    i = np.arange(len(vectors) - horizon)
    near = nearest_neighbours(vectors[: i.size], theiler)

    def distance(k: int) -> FloatArray:
        return np.asarray(np.linalg.norm(vectors[i + k] - vectors[near + k], axis=1))

    start = distance(first_step) * (1 + 1e-9)
    parted = np.zeros(i.size)
    for k in range(steps - 1, horizon):
        parted += distance(k) > start
    return parted / (horizon - steps + 1), float(np.mean(distance(0) > 0))
