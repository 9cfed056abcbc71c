"""A network of links with calendars, as a networkx graph."""

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import networkx as nx

from lab_tools.errors import DataError, InputError, UnknownNameError
from lab_tools.reservation.calendar import LinkCalendar, reserve_link

ReservationGraph: TypeAlias = "nx.Graph[Any]"


def reservation_graph(links: Iterable[tuple[Hashable, Hashable, LinkCalendar]]) -> ReservationGraph:
    """Build the graph of a network whose links can be reserved.

    Parameters
    ----------
    links : triples (node, node, calendar); a link serves both directions.

    Returns
    -------
    An undirected graph whose edges have the attribute ``calendar``.

    Raises
    ------
    DataError : no link, a link from a node to itself, or two links between the same nodes.

    >>> day = LinkCalendar((0, 10), (10e9,))
    >>> sorted(reservation_graph([("ORNL", "CHI", day), ("CHI", "SEA", day)]))
    ['CHI', 'ORNL', 'SEA']
    """
    graph: ReservationGraph = nx.Graph()
    for first, second, calendar in links:
        if first == second:
            raise DataError("links", f"joins {first!r} to itself", "links between two nodes")
        if graph.has_edge(first, second):
            raise DataError("links", f"joins {first!r} and {second!r} twice", "one link a pair")
        graph.add_edge(first, second, calendar=calendar)
    if graph.number_of_edges() == 0:
        raise DataError("links", "has 0 links", "at least 1")
    return graph


def link_calendar(graph: ReservationGraph, first: Hashable, second: Hashable) -> LinkCalendar:
    """The calendar of the link between two nodes.

    Parameters
    ----------
    graph : as from `reservation_graph`.
    first, second : the nodes.

    Raises
    ------
    DataError : no such link, or one without a calendar.

    >>> graph = reservation_graph([("a", "b", LinkCalendar((0, 10), (1,)))])
    >>> link_calendar(graph, "b", "a").rates_bps
    (1.0,)
    """
    data = graph.get_edge_data(first, second) or {}
    calendar = data.get("calendar")
    if not isinstance(calendar, LinkCalendar):
        problem = f"has no calendar between {first!r} and {second!r}"
        raise DataError("graph", problem, "links made by reservation_graph")
    return calendar


def check_ends(graph: ReservationGraph, source: Hashable, target: Hashable) -> None:
    """Check that a path can be asked for between two nodes.

    Parameters
    ----------
    graph : as from `reservation_graph`.
    source, target : the nodes.

    Raises
    ------
    UnknownNameError : a node that is not in the graph.
    InputError : twice the same node.

    >>> check_ends(reservation_graph([("a", "b", LinkCalendar((0, 1), (1,)))]), "a", "b")
    """
    for field, node in (("source", source), ("target", target)):
        if node not in graph:
            raise UnknownNameError(field, node, sorted(str(known) for known in graph))
    if source == target:
        raise InputError("target", target, "another node than the source")


def reserve_path(
    graph: ReservationGraph,
    path: Sequence[Hashable],
    rate_bps: float,
    start_s: float,
    duration_s: float,
) -> ReservationGraph:
    """The graph after a reservation on every link of a path.

    Parameters
    ----------
    graph : the graph before; it is not changed.
    path : nodes from source to target, at least 2, none twice.
    rate_bps : bandwidth reserved, above 0.
    start_s, duration_s : the slot, its length above 0.

    Raises
    ------
    InputError, DataError : a value out of range, too little free bandwidth, a path that is none.

    >>> graph = reservation_graph([("a", "b", LinkCalendar((0, 10), (8,)))])
    >>> link_calendar(reserve_path(graph, ["a", "b"], 3, 0, 10), "a", "b").rates_bps
    (5.0,)
    """
    if len(path) < 2 or len(set(path)) < len(path):
        raise DataError("path", f"has {len(path)} nodes", "at least 2, none of them twice")
    after = graph.copy()
    for first, second in pairwise(path):
        calendar = link_calendar(graph, first, second)
        after[first][second]["calendar"] = reserve_link(calendar, rate_bps, start_s, duration_s)
    return after
