"""Ramp-up and sustainment: the two phases of a throughput trace."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lab_tools.arrays import number, vector, whole
from lab_tools.errors import DataError

LARGEST_CHANGE = 0.1  # of the sustained mean, between the halves of the sustainment


@dataclass(frozen=True)
class Phases:
    """The two phases of a trace; ``start`` is the index of the first sustained sample.

    ``ramp_up_share`` is f_R = T_R / T_O. ``ramp_up_mean_bps`` is 0 if there is no ramp-up.
    ``settled`` says whether the halves of the sustainment have the same mean, within a tenth: if
    not, the trace was too short or there is no sustained phase.
    """

    start: int
    ramp_up_s: float
    ramp_up_share: float
    mean_bps: float
    ramp_up_mean_bps: float
    sustained_mean_bps: float
    settled: bool


def split_phases(
    throughput_bps: ArrayLike,
    interval_s: float,
    *,
    fraction: float = 0.9,
    hold: int = 1,
) -> Phases:
    """Split a throughput trace where it first reaches its sustained level.

    The level is the median of the second half of the trace; the ramp-up ends with the first of
    ``hold`` samples in a row of at least ``fraction`` times the level (the rise time of control
    engineering; papers on throughput profiles name the phases without a rule to find them).
    The means then satisfy the identity mean = S - f_R (S - R), with R and S the means during
    ramp-up and sustainment and f_R the ramp-up's share of the time.

    Parameters
    ----------
    throughput_bps : samples at even intervals in bit/s, shape (n,), n >= 4.
    interval_s : sampling interval in s.
    fraction : share of the level that counts as reached, in (0, 1].
    hold : samples in a row that must reach it; more than 1 ignores spikes during ramp-up.

    Raises
    ------
    DataError : NaN, negative throughput, too few samples, no throughput in the second half, or
        a level never held that long.
    InputError : interval, fraction or hold out of range.

    >>> phases = split_phases([1e9, 4e9, 10e9, 9e9, 10e9, 10e9], interval_s=1.0)
    >>> phases.start, phases.ramp_up_s, phases.sustained_mean_bps / 1e9
    (2, 2.0, 9.75)
    """
    trace = vector("throughput_bps", throughput_bps, min_length=4, non_negative=True)
    interval = number("interval_s", interval_s, above=0)
    share = number("fraction", fraction, above=0, high=1)
    level = float(np.median(trace[trace.size // 2 :]))
    if level == 0:
        raise DataError("throughput_bps", "is mostly 0 in its second half", "a sustained phase")
    start = _first_run(trace >= share * level, whole("hold", hold, low=1))
    if start < 0:
        raise DataError(
            "throughput_bps",
            f"never holds {share:g} of its level",
            f"{hold} samples in a row there",
        )
    sustained = trace[start:]
    half = sustained.size // 2
    mean = float(sustained.mean())
    settled = half > 0 and bool(
        abs(sustained[:half].mean() - sustained[-half:].mean()) <= LARGEST_CHANGE * mean
    )
    return Phases(
        start=start,
        ramp_up_s=start * interval,
        ramp_up_share=start / trace.size,
        mean_bps=float(trace.mean()),
        ramp_up_mean_bps=float(trace[:start].mean()) if start else 0.0,
        sustained_mean_bps=mean,
        settled=settled,
    )


def _first_run(reached: NDArray[np.bool_], hold: int) -> int:
    """Index of the first of ``hold`` true values in a row; -1 if there are none."""
    if hold == 1:
        return int(np.argmax(reached)) if reached.any() else -1
    edges = np.flatnonzero(np.diff(np.concatenate([[False], reached, [False]])))
    starts, ends = edges[::2], edges[1::2]
    long_enough = np.flatnonzero(ends - starts >= hold)
    return int(starts[long_enough[0]]) if long_enough.size else -1
