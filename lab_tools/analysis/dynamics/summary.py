"""Everything about a trace that fits in one row, at ten million samples a few seconds."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.analysis.dynamics.bootstrap import mean_interval
from lab_tools.analysis.dynamics.phases import Phases, split_phases
from lab_tools.analysis.dynamics.poincare import MapCurve, map_curve
from lab_tools.arrays import vector

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class TraceSummary:
    """Phases, distribution and one-step map of a throughput trace.

    All but ``phases`` is about the sustainment: ``low_bps``, ``high_bps`` the interval of its mean;
    ``variation`` standard deviation over mean; ``quantiles_bps`` at 5, 25, 50, 75 and 95 %;
    ``memory`` the correlation of neighbouring samples; ``map`` the binned Poincaré map.
    """

    samples: int
    duration_s: float
    phases: Phases
    low_bps: float
    high_bps: float
    variation: float
    quantiles_bps: tuple[float, ...]
    memory: float
    map: MapCurve


def summarise_trace(
    throughput_bps: ArrayLike,
    interval_s: float,
    rng: np.random.Generator,
    *,
    bins: int = 64,
) -> TraceSummary:
    """Segment, map and summarise a throughput trace.

    Parameters
    ----------
    throughput_bps : samples at even intervals in bit/s, shape (n,).
    interval_s : sampling interval in s.
    rng : random generator of the block bootstrap (95 % interval of the mean).
    bins : bins of the Poincaré map; the sustainment needs 4 samples for each.

    Raises
    ------
    DataError : NaN, negative throughput, too few samples, a sustainment without variation.
    InputError : interval or bins out of range.

    >>> trace = np.append([1.0, 4.0], 9 + np.sin(np.arange(500.0)))
    >>> summary = summarise_trace(trace, 1.0, np.random.default_rng(1))
    >>> summary.phases.start, round(summary.variation, 2)
    (2, 0.08)
    """
    trace = vector("throughput_bps", throughput_bps, min_length=8)
    phases = split_phases(trace, interval_s)
    sustained = trace[phases.start :]
    curve = map_curve(sustained, bins=bins)
    mean, deviation = float(sustained.mean()), float(sustained.std())
    low, high = mean_interval(sustained, rng)
    covariance = float(np.dot(sustained[:-1], sustained[1:])) / (sustained.size - 1) - mean**2
    return TraceSummary(
        samples=trace.size,
        duration_s=trace.size * interval_s,
        phases=phases,
        low_bps=low,
        high_bps=high,
        variation=deviation / mean,
        quantiles_bps=tuple(float(q) for q in np.quantile(sustained, QUANTILES)),
        memory=covariance / deviation**2,
        map=curve,
    )
