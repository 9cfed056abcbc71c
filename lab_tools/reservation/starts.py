"""Problems (iii) and (iv): when a bandwidth is free for a duration, by Bellman–Ford."""

from collections.abc import Hashable
from dataclasses import dataclass

from lab_tools.reservation.calendar import link_starts
from lab_tools.reservation.feasible import feasible_path
from lab_tools.reservation.graph import ReservationGraph, check_ends, link_calendar
from lab_tools.reservation.intervals import Intervals, intersect_intervals, unite_intervals


@dataclass(frozen=True)
class EarliestStart:
    """The first slot in which a path is free.

    Attributes
    ----------
    start_s : its start.
    path : the nodes of a path that is free then.
    """

    start_s: float
    path: tuple[Hashable, ...]


def all_starts(
    graph: ReservationGraph,
    source: Hashable,
    target: Hashable,
    rate_bps: float,
    duration_s: float,
) -> Intervals:
    """All times at which some path has a bandwidth free for a duration.

    Bellman–Ford on sequences of disjoint intervals: the starts at a node are the union, over its
    links, of the intersection of the neighbour's starts with those of the link
    (`link_starts`). The nodes' sets grow until nothing changes, after at most as many rounds as
    there are nodes (Rao, Wu, Ding, Carter et al. 2006; problem (iv) of UltraScience Net).

    Parameters
    ----------
    graph : as from `reservation_graph`.
    source, target : two different nodes.
    rate_bps : bandwidth wanted, above 0.
    duration_s : length of the slot, above 0.

    Returns
    -------
    Disjoint intervals of start times in increasing order; empty if there is none.

    Raises
    ------
    InputError, DataError : a value out of range, an unknown node.

    >>> from lab_tools.reservation import LinkCalendar, reservation_graph
    >>> graph = reservation_graph([("a", "b", LinkCalendar((0, 4, 10), (8, 2)))])
    >>> all_starts(graph, "a", "b", rate_bps=5, duration_s=3)
    ((0.0, 1.0),)
    """
    check_ends(graph, source, target)
    link_sets = {
        frozenset(edge): link_starts(link_calendar(graph, *edge), rate_bps, duration_s)
        for edge in graph.edges
    }
    starts: dict[Hashable, Intervals] = dict.fromkeys(graph, ())
    for edge_set in link_sets.values():
        starts[source] = unite_intervals(starts[source], edge_set)
    changed = True
    while changed:
        changed = False
        for node in graph:
            if node == source:
                continue
            found = starts[node]
            for neighbour in graph[node]:
                link_set = link_sets[frozenset((node, neighbour))]
                found = unite_intervals(found, intersect_intervals(starts[neighbour], link_set))
            changed = changed or found != starts[node]
            starts[node] = found
    return starts[target]


def earliest_start(
    graph: ReservationGraph,
    source: Hashable,
    target: Hashable,
    rate_bps: float,
    duration_s: float,
) -> EarliestStart | None:
    """The first time at which some path has a bandwidth free for a duration.

    The minimum of `all_starts`, with a path by `feasible_path` (problem (iii) of UltraScience
    Net).

    Parameters
    ----------
    graph : as from `reservation_graph`.
    source, target : two different nodes.
    rate_bps : bandwidth wanted, above 0.
    duration_s : length of the slot, above 0.

    Returns
    -------
    The start and a path, or None if there is none.

    Raises
    ------
    InputError, DataError : a value out of range, an unknown node.

    >>> from lab_tools.reservation import LinkCalendar, reservation_graph
    >>> graph = reservation_graph([("a", "b", LinkCalendar((0, 4, 10), (2, 8)))])
    >>> earliest_start(graph, "a", "b", rate_bps=5, duration_s=3)
    EarliestStart(start_s=4.0, path=('a', 'b'))
    """
    starts = all_starts(graph, source, target, rate_bps, duration_s)
    if not starts:
        return None
    first = starts[0][0]
    path = feasible_path(graph, source, target, rate_bps, first, duration_s)
    return None if path is None else EarliestStart(first, path)
