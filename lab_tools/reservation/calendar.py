"""The free bandwidth of one link over time."""

from dataclasses import dataclass
from itertools import pairwise

from lab_tools.arrays import number, vector
from lab_tools.errors import InputError
from lab_tools.reservation.intervals import TIME_TOLERANCE_S, Intervals, interval_sequence

SHORTEST_SLOT_S = 2 * TIME_TOLERANCE_S
"""Slots must be longer than this, so that the tolerance does not swallow them."""


@dataclass(frozen=True)
class LinkCalendar:
    """Free bandwidth of a link, constant on each piece; 0 outside.

    Parameters
    ----------
    times_s : the k + 1 ends of the pieces, increasing.
    rates_bps : free bandwidth on each piece ``[times_s[i], times_s[i+1])``, 0 or more, length k.

    Raises
    ------
    DataError : wrong lengths, unsorted times, a negative bandwidth.

    >>> LinkCalendar((0, 4, 10), (10e9, 2e9)).rates_bps
    (10000000000.0, 2000000000.0)
    """

    times_s: tuple[float, ...]
    rates_bps: tuple[float, ...]

    def __post_init__(self) -> None:
        times = vector("times_s", self.times_s, min_length=2, increasing=True)
        rates = vector("rates_bps", self.rates_bps, non_negative=True, length=times.size - 1)
        object.__setattr__(self, "times_s", tuple(times.tolist()))
        object.__setattr__(self, "rates_bps", tuple(rates.tolist()))

    def pieces(self) -> list[tuple[float, float, float]]:
        """The pieces as (start, end, rate).

        >>> LinkCalendar((0, 4, 10), (10, 2)).pieces()
        [(0.0, 4.0, 10.0), (4.0, 10.0, 2.0)]
        """
        return list(zip(self.times_s[:-1], self.times_s[1:], self.rates_bps, strict=True))


def slot_rate(calendar: LinkCalendar, start_s: float, duration_s: float) -> float:
    """Bandwidth that is free throughout the slot ``[start, start + duration)``.

    Parameters
    ----------
    calendar : the link.
    start_s : start of the slot.
    duration_s : its length, above 0.

    Returns
    -------
    The smallest free bandwidth in bit/s; 0 if the slot leaves the calendar.

    Raises
    ------
    InputError : a value out of range.

    >>> slot_rate(LinkCalendar((0, 4, 10), (10, 2)), start_s=2, duration_s=2)
    10.0
    """
    start = number("start_s", start_s) + TIME_TOLERANCE_S
    end = start + number("duration_s", duration_s, above=SHORTEST_SLOT_S) - SHORTEST_SLOT_S
    if start < calendar.times_s[0] or end > calendar.times_s[-1]:
        return 0.0
    return min(rate for low, high, rate in calendar.pieces() if low < end and high > start)


def link_starts(calendar: LinkCalendar, rate_bps: float, duration_s: float) -> Intervals:
    """All times at which a slot with this bandwidth and duration can start.

    A maximal run ``[s, e]`` of pieces with enough bandwidth gives the starts ``[s, e - d]``.

    Parameters
    ----------
    calendar : the link.
    rate_bps : bandwidth wanted, above 0.
    duration_s : length of the slot, above 0.

    Raises
    ------
    InputError : a value out of range.

    >>> link_starts(LinkCalendar((0, 4, 6, 10), (10, 2, 10)), rate_bps=5, duration_s=2)
    ((0.0, 2.0), (6.0, 8.0))
    """
    wanted = number("rate_bps", rate_bps, above=0)
    duration = number("duration_s", duration_s, above=SHORTEST_SLOT_S)
    free = [(low, high) for low, high, rate in calendar.pieces() if rate >= wanted]
    starts = [
        (low, max(low, high - duration))
        for low, high in interval_sequence(free)
        if high - duration >= low - TIME_TOLERANCE_S
    ]
    return interval_sequence(starts)


def reserve_link(
    calendar: LinkCalendar, rate_bps: float, start_s: float, duration_s: float
) -> LinkCalendar:
    """The calendar after a reservation.

    Parameters
    ----------
    calendar : the link before.
    rate_bps : bandwidth reserved, above 0.
    start_s, duration_s : the slot, its length above 0.

    Raises
    ------
    InputError : a value out of range, or less free bandwidth than wanted.

    >>> reserve_link(LinkCalendar((0, 10), (10,)), rate_bps=4, start_s=2, duration_s=3)
    LinkCalendar(times_s=(0.0, 2.0, 5.0, 10.0), rates_bps=(10.0, 6.0, 10.0))
    """
    wanted = number("rate_bps", rate_bps, above=0)
    free = slot_rate(calendar, start_s, duration_s)
    if free < wanted:
        raise InputError("rate_bps", rate_bps, f"at most {free:g}, which is free in this slot")
    start, end = float(start_s), float(start_s + duration_s)
    times = [calendar.times_s[0]]
    for time in sorted({*calendar.times_s, start, end}):
        if times[-1] + TIME_TOLERANCE_S < time <= calendar.times_s[-1]:
            times.append(time)
    rates = []
    for low, high in pairwise(times):
        middle = (low + high) / 2.0
        before = next(rate for first, last, rate in calendar.pieces() if first <= middle < last)
        rates.append(before - wanted if start < middle < end else before)
    return LinkCalendar(tuple(times), tuple(rates))
