"""Problem (ii): the path with the highest bandwidth in a given slot, by Dijkstra's algorithm."""

import heapq
import math
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import count

from lab_tools.reservation.calendar import slot_rate
from lab_tools.reservation.graph import ReservationGraph, check_ends, link_calendar


@dataclass(frozen=True)
class WidestPath:
    """A path and the bandwidth that is free on all of it.

    Attributes
    ----------
    path : the nodes from source to target.
    rate_bps : the smallest `slot_rate` of its links.
    """

    path: tuple[Hashable, ...]
    rate_bps: float


def widest_path(
    graph: ReservationGraph,
    source: Hashable,
    target: Hashable,
    start_s: float,
    duration_s: float,
) -> WidestPath | None:
    """The path on which the most bandwidth is free throughout a slot.

    Dijkstra's algorithm with (max, min) instead of (min, +): the node with the widest path from
    the source is settled next (problem (ii) of UltraScience Net; Sahni, Rao et al. 2007).

    Parameters
    ----------
    graph : as from `reservation_graph`.
    source, target : two different nodes.
    start_s, duration_s : the slot, its length above 0.

    Returns
    -------
    The path and its bandwidth, or None if no path has any bandwidth.

    Raises
    ------
    InputError, DataError : a value out of range, an unknown node.

    >>> from lab_tools.reservation import LinkCalendar, reservation_graph
    >>> graph = reservation_graph([("a", "b", LinkCalendar((0, 10), (8,)))])
    >>> widest_path(graph, "a", "b", start_s=0, duration_s=2)
    WidestPath(path=('a', 'b'), rate_bps=8.0)
    """
    check_ends(graph, source, target)
    order = count()  # breaks ties, so that nodes need no order
    queue: list[tuple[float, int, tuple[Hashable, ...]]] = [(-math.inf, next(order), (source,))]
    settled: set[Hashable] = set()
    while queue:
        negative_rate, _, path = heapq.heappop(queue)
        node = path[-1]
        if node == target:
            return WidestPath(path, -negative_rate)
        if node in settled:
            continue
        settled.add(node)
        for neighbour in graph[node]:
            free = slot_rate(link_calendar(graph, node, neighbour), start_s, duration_s)
            if neighbour not in settled and free > 0:
                rate = min(-negative_rate, free)
                heapq.heappush(queue, (-rate, next(order), (*path, neighbour)))
    return None
