"""The worked network: all four problems, answered by hand."""

import pytest

from lab_tools.reservation import (
    EarliestStart,
    LinkCalendar,
    WidestPath,
    all_starts,
    earliest_start,
    feasible_path,
    link_calendar,
    reservation_graph,
    reserve_path,
    widest_path,
)

# A to D over B or over C; horizon 0 to 10.
NETWORK = reservation_graph(
    [
        ("A", "B", LinkCalendar((0, 4, 6, 10), (10, 2, 10))),
        ("B", "D", LinkCalendar((0, 2, 10), (1, 8))),
        ("A", "C", LinkCalendar((0, 10), (5,))),
        ("C", "D", LinkCalendar((0, 3, 5, 10), (5, 3, 5))),
    ]
)


@pytest.mark.parametrize(
    ("start", "end", "rate", "via"),
    [(0, 2, 5, "C"), (2, 4, 8, "B"), (3, 6, 3, "C"), (6, 10, 8, "B")],
)
def test_widest_path_in_each_slot(start: float, end: float, rate: float, via: str) -> None:
    found = widest_path(NETWORK, "A", "D", start, end - start)
    assert found == WidestPath(("A", via, "D"), rate)


@pytest.mark.parametrize(
    ("rate", "duration", "starts"),
    [
        (5, 2, ((0, 1), (2, 2), (5, 8))),
        (6, 2, ((2, 2), (6, 8))),
        (4, 4, ((5, 6),)),
        (9, 1, ()),
    ],
)
def test_all_starts_and_the_earliest(rate: float, duration: float, starts: tuple) -> None:
    assert all_starts(NETWORK, "A", "D", rate, duration) == starts
    first = earliest_start(NETWORK, "A", "D", rate, duration)
    assert (None if first is None else first.start_s) == (starts[0][0] if starts else None)


def test_the_earliest_start_comes_with_a_path() -> None:
    assert earliest_start(NETWORK, "A", "D", 6, 2) == EarliestStart(2.0, ("A", "B", "D"))


def test_bandwidth_in_a_slot() -> None:
    assert feasible_path(NETWORK, "A", "D", 5, 0, 2) == ("A", "C", "D")
    assert feasible_path(NETWORK, "A", "D", 8, 2, 2) == ("A", "B", "D")
    assert feasible_path(NETWORK, "A", "D", 6, 0, 2) is None
    assert feasible_path(NETWORK, "A", "D", 1, 9, 2) is None  # beyond the horizon


def test_a_reservation_moves_the_next_one() -> None:
    after = reserve_path(NETWORK, ("A", "B", "D"), 6, 2, 2)
    assert all_starts(after, "A", "D", 6, 2) == ((6, 8),)
    assert all_starts(NETWORK, "A", "D", 6, 2) == ((2, 2), (6, 8))  # the old graph is as it was
    assert link_calendar(after, "D", "B") == LinkCalendar((0, 2, 4, 10), (1, 2, 8))
