"""Problem (i): a path with a given bandwidth in a given slot, by breadth-first search."""

from collections.abc import Hashable

import networkx as nx

from lab_tools.arrays import number
from lab_tools.reservation.calendar import slot_rate
from lab_tools.reservation.graph import ReservationGraph, check_ends, link_calendar


def feasible_path(
    graph: ReservationGraph,
    source: Hashable,
    target: Hashable,
    rate_bps: float,
    start_s: float,
    duration_s: float,
) -> tuple[Hashable, ...] | None:
    """A path whose links are all free for a bandwidth throughout a slot.

    Breadth-first search over the links whose `slot_rate` is at least the bandwidth, so the path
    has as few links as possible (Sahni, Rao et al., "Bandwidth scheduling and path computation
    algorithms for connection-oriented networks", 2007; problem (i) of UltraScience Net).

    Parameters
    ----------
    graph : as from `reservation_graph`.
    source, target : two different nodes.
    rate_bps : bandwidth wanted, above 0.
    start_s, duration_s : the slot, its length above 0.

    Returns
    -------
    The nodes from source to target, or None if there is no such path.

    Raises
    ------
    InputError, DataError : a value out of range, an unknown node.

    >>> from lab_tools.reservation import LinkCalendar, reservation_graph
    >>> graph = reservation_graph([("a", "b", LinkCalendar((0, 10), (8,)))])
    >>> feasible_path(graph, "a", "b", rate_bps=5, start_s=0, duration_s=2)
    ('a', 'b')
    """
    check_ends(graph, source, target)
    wanted = number("rate_bps", rate_bps, above=0)
    usable: ReservationGraph = nx.Graph()
    usable.add_nodes_from(graph)
    for first, second in graph.edges:
        if slot_rate(link_calendar(graph, first, second), start_s, duration_s) >= wanted:
            usable.add_edge(first, second)
    if not nx.has_path(usable, source, target):
        return None
    return tuple(nx.shortest_path(usable, source, target))
