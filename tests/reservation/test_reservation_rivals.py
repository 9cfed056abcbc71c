"""The four problems against brute force over all paths, and the algebra of intervals."""

import math
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError, UnknownNameError
from lab_tools.reservation import (
    LinkCalendar,
    all_starts,
    check_ends,
    earliest_start,
    feasible_path,
    intersect_intervals,
    interval_sequence,
    link_calendar,
    link_starts,
    reservation_graph,
    reserve_link,
    reserve_path,
    slot_rate,
    unite_intervals,
    widest_path,
)

HORIZON = 8


@st.composite
def calendars(draw: st.DrawFn) -> LinkCalendar:
    cuts = sorted(draw(st.sets(st.integers(1, HORIZON - 1), max_size=4)))
    times = (0, *cuts, HORIZON)
    rates = draw(st.lists(st.integers(0, 6), min_size=len(times) - 1, max_size=len(times) - 1))
    return LinkCalendar(times, tuple(rates))


@st.composite
def networks(draw: st.DrawFn) -> nx.Graph:
    nodes = range(draw(st.integers(2, 5)))
    pairs = [(u, v) for u in nodes for v in nodes if u < v]
    chosen = draw(st.sets(st.sampled_from(pairs), min_size=1))
    graph = reservation_graph([(u, v, draw(calendars())) for u, v in sorted(chosen)])
    graph.add_nodes_from(nodes)
    return graph


def free(calendar: LinkCalendar, start: float, duration: float) -> float:
    """Smallest rate over a fine grid of instants inside the slot."""
    if start < 0 or start + duration > HORIZON:
        return 0.0
    instants = [start + duration * (k + 0.5) / 64 for k in range(64)]
    return min(
        next(rate for low, high, rate in calendar.pieces() if low <= t < high) for t in instants
    )


def path_rate(graph: nx.Graph, path: list, start: float, duration: float) -> float:
    return min(free(link_calendar(graph, u, v), start, duration) for u, v in pairwise(path))


@settings(max_examples=40, deadline=None)
@given(
    graph=networks(),
    start=st.integers(-1, HORIZON),
    duration=st.integers(1, 4),
    rate=st.integers(1, 6),
)
def test_slot_problems_by_trying_all_paths(
    graph: nx.Graph, start: int, duration: int, rate: int
) -> None:
    paths = list(nx.all_simple_paths(graph, 0, 1))
    best = max((path_rate(graph, path, start, duration) for path in paths), default=0.0)
    widest = widest_path(graph, 0, 1, start, duration)
    assert (0.0 if widest is None else widest.rate_bps) == best
    if widest is not None:
        assert path_rate(graph, list(widest.path), start, duration) == best
    feasible = feasible_path(graph, 0, 1, rate, start, duration)
    assert (feasible is not None) == (best >= rate)
    if feasible is not None:
        fitting = [p for p in paths if path_rate(graph, p, start, duration) >= rate]
        assert list(feasible) in fitting
        assert len(feasible) == min(len(p) for p in fitting)


@settings(max_examples=30, deadline=None)
@given(graph=networks(), duration=st.integers(1, 4), rate=st.integers(1, 6))
def test_starts_by_trying_all_paths_at_all_times(graph: nx.Graph, duration: int, rate: int) -> None:
    paths = list(nx.all_simple_paths(graph, 0, 1))
    starts = all_starts(graph, 0, 1, rate, duration)
    times = [k / 2 for k in range(2 * HORIZON + 1)]  # all ends are whole numbers
    for time in times:
        possible = any(path_rate(graph, path, time, duration) >= rate for path in paths)
        assert any(low <= time <= high for low, high in starts) == possible
    earliest = earliest_start(graph, 0, 1, rate, duration)
    assert (earliest is None) == (not starts)
    if earliest is not None:
        assert earliest.start_s == starts[0][0]
        assert path_rate(graph, list(earliest.path), earliest.start_s, duration) >= rate


@settings(max_examples=30, deadline=None)
@given(graph=networks(), duration=st.integers(1, 3), rate=st.integers(1, 3))
def test_more_bandwidth_or_time_never_gives_more_starts(
    graph: nx.Graph, duration: int, rate: int
) -> None:
    starts = all_starts(graph, 0, 1, rate, duration)
    wider = all_starts(graph, 0, 1, rate + 1, duration)
    assert intersect_intervals(starts, wider) == wider
    longer = all_starts(graph, 0, 1, rate, duration + 1)
    assert intersect_intervals(starts, longer) == longer


@settings(max_examples=30, deadline=None)
@given(graph=networks(), duration=st.integers(1, 3), rate=st.integers(1, 3))
def test_a_reservation_takes_exactly_its_bandwidth(
    graph: nx.Graph, duration: int, rate: int
) -> None:
    found = earliest_start(graph, 0, 1, rate, duration)
    if found is None:
        return
    after = reserve_path(graph, found.path, rate, found.start_s, duration)
    on_path = {frozenset(edge) for edge in pairwise(found.path)}
    for u, v in graph.edges:
        for k in range(2 * HORIZON):
            instant = k / 2
            taken = found.start_s <= instant < found.start_s + duration
            expected = free(link_calendar(graph, u, v), instant, 0.5)
            expected -= rate if taken and frozenset((u, v)) in on_path else 0
            assert free(link_calendar(after, u, v), instant, 0.5) == expected


interval_lists = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 4)).map(lambda p: (p[0], p[0] + p[1])), max_size=4
)


def times_in(intervals: tuple) -> set[float]:
    return {t / 2 for t in range(30) if any(low <= t / 2 <= high for low, high in intervals)}


@settings(max_examples=60)
@given(first=interval_lists, second=interval_lists)
def test_union_and_intersection_are_those_of_sets(first: list, second: list) -> None:
    a, b = interval_sequence(first), interval_sequence(second)
    assert times_in(unite_intervals(a, b)) == times_in(first) | times_in(second)
    assert times_in(intersect_intervals(a, b)) == times_in(first) & times_in(second)
    assert unite_intervals(a, b) == unite_intervals(b, a)
    assert all(high < low for (_, high), (low, _) in pairwise(a))


@settings(max_examples=60)
@given(first=interval_lists, second=interval_lists, third=interval_lists)
def test_intersection_distributes_over_union(first: list, second: list, third: list) -> None:
    a, b, c = (interval_sequence(x) for x in (first, second, third))
    left = intersect_intervals(a, unite_intervals(b, c))
    assert left == unite_intervals(intersect_intervals(a, b), intersect_intervals(a, c))


def test_rounding_does_not_lose_a_slot_that_just_fits() -> None:
    # 0.3 - 0.1 is less than 0.2 in binary
    tight = LinkCalendar((0.0, 0.2, 0.3), (1.0, 5.0))
    wide = LinkCalendar((0.0, 0.3), (5.0,))
    assert link_starts(tight, 5.0, 0.1) == ((0.2, 0.2),)
    graph = reservation_graph([("a", "b", tight), ("b", "c", wide)])
    found = earliest_start(graph, "a", "c", 5.0, 0.1)
    assert found is not None
    assert found.start_s == pytest.approx(0.2)
    assert slot_rate(tight, 0.2, 0.1) == 5.0
    left = reserve_link(tight, 5.0, 0.2, 0.1)
    assert left.rates_bps == (1.0, 0.0)


def test_a_node_reached_twice_keeps_its_widest_path() -> None:
    def steady(rate: float) -> LinkCalendar:
        return LinkCalendar((0, 10), (rate,))

    graph = reservation_graph(
        [("s", "a", steady(2)), ("s", "b", steady(9)), ("b", "a", steady(8)), ("a", "t", steady(7))]
    )
    found = widest_path(graph, "s", "t", 0, 1)
    assert found is not None
    assert found.path == ("s", "b", "a", "t")
    assert found.rate_bps == 7


def test_a_node_that_is_settled_is_not_visited_again() -> None:
    def steady(rate: float) -> LinkCalendar:
        return LinkCalendar((0, 10), (rate,))

    graph = reservation_graph(
        [("s", "a", steady(5)), ("s", "b", steady(9)), ("b", "a", steady(8)), ("a", "t", steady(4))]
    )
    found = widest_path(graph, "s", "t", 0, 1)
    assert found is not None
    assert found.rate_bps == 4


GRAPH = reservation_graph([("a", "b", LinkCalendar((0, 10), (8,)))])


@pytest.mark.parametrize(
    ("call", "argument", "error"),
    [
        (lambda: LinkCalendar((0,), ()), "times_s", DataError),
        (lambda: LinkCalendar((0, 2, 1), (1, 1)), "times_s", DataError),
        (lambda: LinkCalendar((0, 1), (1, 1)), "rates_bps", DataError),
        (lambda: LinkCalendar((0, 1), (-1,)), "rates_bps", DataError),
        (lambda: interval_sequence([(2, 1)]), "intervals", DataError),
        (lambda: interval_sequence([(0, math.nan)]), "intervals", InputError),
        (lambda: slot_rate(LinkCalendar((0, 1), (1,)), 0, 0), "duration_s", InputError),
        (lambda: slot_rate(LinkCalendar((0, 1), (1,)), math.nan, 1), "start_s", InputError),
        (lambda: link_starts(LinkCalendar((0, 1), (1,)), 0, 1), "rate_bps", InputError),
        (lambda: reserve_link(LinkCalendar((0, 1), (1,)), 2, 0, 1), "rate_bps", InputError),
        (lambda: reservation_graph([]), "links", DataError),
        (lambda: reservation_graph([("a", "a", LinkCalendar((0, 1), (1,)))]), "links", DataError),
        (
            lambda: reservation_graph([("a", "b", LinkCalendar((0, 1), (1,)))] * 2),
            "links",
            DataError,
        ),
        (lambda: link_calendar(GRAPH, "a", "c"), "graph", DataError),
        (lambda: link_calendar(nx.Graph([("a", "b")]), "a", "b"), "graph", DataError),
        (lambda: check_ends(GRAPH, "a", "a"), "target", InputError),
        (lambda: check_ends(GRAPH, "x", "a"), "source", UnknownNameError),
        (lambda: all_starts(GRAPH, "a", "x", 1, 1), "target", UnknownNameError),
        (lambda: feasible_path(GRAPH, "a", "b", -1, 0, 1), "rate_bps", InputError),
        (lambda: widest_path(GRAPH, "a", "b", 0, -1), "duration_s", InputError),
        (lambda: reserve_path(GRAPH, ("a",), 1, 0, 1), "path", DataError),
        (lambda: reserve_path(GRAPH, ("a", "b", "a"), 1, 0, 1), "path", DataError),
        (lambda: reserve_path(GRAPH, ("a", "b"), 9, 0, 1), "rate_bps", InputError),
    ],
)
def test_wrong_values_are_named(call, argument, error) -> None:
    with pytest.raises(error) as caught:
        call()
    assert getattr(caught.value, "argument", getattr(caught.value, "field", "")) == argument


def test_a_node_without_links_cannot_be_reached() -> None:
    graph = GRAPH.copy()
    graph.add_node("island")
    assert all_starts(graph, "a", "island", 1, 1) == ()
    assert earliest_start(graph, "a", "island", 1, 1) is None
    assert widest_path(graph, "a", "island", 0, 1) is None
    assert feasible_path(graph, "a", "island", 1, 0, 1) is None
