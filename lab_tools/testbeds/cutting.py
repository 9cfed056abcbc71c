"""Turn an experiment's cuts into what happens on the network, and when."""

from typing import Any

import numpy as np

from lab_tools.experiment import Cut, Experiment
from lab_tools.testbeds import shaping
from lab_tools.testbeds.layout import End, Layout


def events(experiment: Experiment, layout: Layout) -> list[dict[str, Any]]:
    """Return the run's events in order: ``at_s``, and the ``tc`` and ``ip`` commands of each node.

    Interfaces change at once when something is cut or mended; routes, where the routers react at
    all, their reaction time later.
    """
    cuts = experiment.cuts
    changes = [(cut.at_s, _shaping(cuts, layout, cut.at_s)) for cut in cuts]
    changes += [(cut.until_s, _shaping(cuts, layout, cut.until_s)) for cut in cuts if cut.until_s]
    for cut in cuts:
        if cut.reroute_s is not None:
            moments = [cut.at_s] + ([cut.until_s] if cut.until_s else [])
            times = [moment + cut.reroute_s for moment in moments]
            changes += [(time_s, _routes(cuts, layout, time_s)) for time_s in times]
    ordered = sorted(changes, key=lambda change: change[0])
    return [
        {"at_s": at_s, "nodes": nodes}
        for at_s, nodes in ordered
        if nodes and at_s < experiment.duration_s
    ]


def links_of(what: str, layout: Layout) -> frozenset[int]:
    """Return the numbers of the links that are gone when something is cut."""
    if what == "path":
        what = "r2"
    return frozenset(
        number
        for number, (left, right) in enumerate(layout.links)
        if what in (left.node, right.node)
    )


def cut_interfaces(experiment: Experiment, layout: Layout) -> set[tuple[str, str]]:
    """Return the interfaces, as node and device, that are cut at some time of the run."""
    return {
        (end.node, end.device)
        for cut in experiment.cuts
        for number in links_of(cut.what, layout)
        for end in _quiet_ends(layout.links[number])
    }


def _is_cut(cut: Cut, time_s: float, delay_s: float = 0.0) -> bool:
    end_s = float("inf") if cut.until_s is None else cut.until_s + delay_s
    return cut.at_s + delay_s <= time_s < end_s


def _gone(cuts: tuple[Cut, ...], layout: Layout, time_s: float) -> frozenset[int]:
    here = [links_of(cut.what, layout) for cut in cuts if _is_cut(cut, time_s)]
    return frozenset().union(*here)


def _shaping(cuts: tuple[Cut, ...], layout: Layout, time_s: float) -> dict[str, Any]:
    """Return the ``tc`` commands of what changes at this moment."""
    was = _gone(cuts, layout, np.nextafter(time_s, -1))
    now = _gone(cuts, layout, time_s)
    nodes: dict[str, Any] = {}
    for number in sorted(was ^ now):
        for end in _quiet_ends(layout.links[number]):
            change = shaping.cut if number in now else shaping.mend
            entry = nodes.setdefault(end.node, {"tc": [], "ip": []})
            entry["tc"] += change(end.device, end.tc)
    return nodes


def _quiet_ends(link: tuple[End, End]) -> list[End]:
    """Return the ends at which a link is cut.

    A router's token bucket stays: its queue fills and drops, and its counters go on.
    """
    return [end for end in link if not any(" tbf " in line for line in end.tc)]


def _routes(cuts: tuple[Cut, ...], layout: Layout, time_s: float) -> dict[str, Any]:
    """Return the ``ip`` commands for the routes that change at this moment."""
    was = layout.routes(_known(cuts, layout, np.nextafter(time_s, -1)))
    now = layout.routes(_known(cuts, layout, time_s))
    changed = {
        node: [route for route in now[node] if route not in was[node]] for node in layout.routers
    }
    return {
        node: {"tc": [], "ip": [f"route replace {route}" for route in routes]}
        for node, routes in changed.items()
        if routes
    }


def _known(cuts: tuple[Cut, ...], layout: Layout, time_s: float) -> frozenset[int]:
    """Return the links that the routers know to be gone."""
    found = [
        links_of(cut.what, layout)
        for cut in cuts
        if cut.reroute_s is not None and _is_cut(cut, time_s, cut.reroute_s)
    ]
    return frozenset().union(*found)
