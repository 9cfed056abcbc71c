"""Sequences of disjoint closed intervals, with union and intersection.

They form the closed semiring on which the reservation algorithms work: intersection along a path,
union over paths (Rao, Wu, Ding, Carter et al., "Control plane for advance bandwidth scheduling in
ultra high-speed networks", INFOCOM workshops 2006; the abstract names the structure).
"""

from collections.abc import Iterable
from typing import TypeAlias

from lab_tools.arrays import number
from lab_tools.errors import DataError

Intervals: TypeAlias = tuple[tuple[float, float], ...]

TIME_TOLERANCE_S = 1e-9
"""Times closer than this are the same time; it absorbs rounding in sums of times."""


def interval_sequence(intervals: Iterable[tuple[float, float]]) -> Intervals:
    """Sort intervals and merge those that overlap or touch.

    Parameters
    ----------
    intervals : pairs (low, high) with low <= high; a single time is (t, t).

    Returns
    -------
    Disjoint intervals in increasing order.

    Raises
    ------
    InputError, DataError : a bound that is not finite; low above high.

    >>> interval_sequence([(5, 6), (0, 1), (1, 2)])
    ((0.0, 2.0), (5.0, 6.0))
    """
    pairs = []
    for low, high in intervals:
        start, end = number("intervals", low), number("intervals", high)
        if start > end:
            raise DataError("intervals", f"has the pair ({start}, {end})", "low <= high")
        pairs.append((start, end))
    merged: list[tuple[float, float]] = []
    for start, end in sorted(pairs):
        if merged and start <= merged[-1][1] + TIME_TOLERANCE_S:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return tuple(merged)


def unite_intervals(first: Intervals, second: Intervals) -> Intervals:
    """Times in either of two sequences: the sum of the semiring.

    Parameters
    ----------
    first, second : intervals, as in `interval_sequence`.

    Raises
    ------
    InputError, DataError : as in `interval_sequence`.

    >>> unite_intervals(((0, 1),), ((2, 2), (5, 8)))
    ((0.0, 1.0), (2.0, 2.0), (5.0, 8.0))
    """
    return interval_sequence([*first, *second])


def intersect_intervals(first: Intervals, second: Intervals) -> Intervals:
    """Times in both of two sequences: the product of the semiring.

    Parameters
    ----------
    first, second : intervals, as in `interval_sequence`.

    Raises
    ------
    InputError, DataError : as in `interval_sequence`.

    >>> intersect_intervals(((0, 2), (6, 8)), ((2, 7),))
    ((2.0, 2.0), (6.0, 7.0))
    """
    common = []
    for start, end in interval_sequence(first):
        for other_start, other_end in interval_sequence(second):
            low, high = max(start, other_start), min(end, other_end)
            if low <= high + TIME_TOLERANCE_S:
                common.append((low, max(low, high)))
    return interval_sequence(common)
