"""Networks: the dumbbell of the labs, and servers at sites behind fibres."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go

from lab_tools.arrays import number, whole
from lab_tools.errors import DataError
from lab_tools.figures.checks import given
from lab_tools.figures.look import BLUE, GREEN, ORANGE, REFERENCE, VERMILLION, faded, layout
from lab_tools.games import AttackPlan
from lab_tools.units import show_rate, show_size, show_time

INVISIBLE: dict[str, Any] = {"visible": False, "fixedrange": True}
NODES = {"h1": 0.0, "r1": 1.6, "r2": 4.4, "h2": 6.0}
QUEUE = (1.95, 2.85)
SERVER_COLUMNS = 4


def dumbbell_figure(
    rate_bps: float,
    rtt_s: float,
    buffer_bytes: float,
    *,
    loss: float = 0.0,
    queue_bytes: float | None = None,
    drops: int | None = None,
    losses: int | None = None,
    title: str = "The path of the lab",
) -> go.Figure:
    """Draw the dumbbell h1 – r1 – r2 – h2: its bottleneck, the queue before it, the losses on it.

    Parameters
    ----------
    rate_bps : rate of the bottleneck r1 – r2 in bit/s, above 0.
    rtt_s : round-trip time of the empty path in seconds, above 0.
    buffer_bytes : size of the queue at r1 in bytes, above 0.
    loss : share of the packets that the path loses at random, in [0, 1].
    queue_bytes : bytes in the queue, at most its size: the part filled (optional).
    drops : packets that the full queue dropped (optional).
    losses : packets that the path lost at random (optional).
    title : above the figure.

    Raises
    ------
    InputError : a value out of range.

    >>> figure = dumbbell_figure(1e9, 0.04, 500e3, queue_bytes=250e3, drops=12)
    >>> [text.text for text in figure.layout.annotations][:3]
    ['bottleneck 1 Gbit/s', 'RTT 40 ms, no random loss', 'queue 250 kB of 500 kB, 12 dropped']
    """
    rate = number("rate_bps", rate_bps, above=0)
    rtt = number("rtt_s", rtt_s, above=0)
    size = number("buffer_bytes", buffer_bytes, above=0)
    share = number("loss", loss, low=0, high=1)
    filled = number("queue_bytes", queue_bytes or 0, low=0, high=size) / size
    counts = {
        field: whole(field, count, low=0)
        for field, count in (("drops", drops), ("losses", losses))
        if count is not None
    }

    figure = go.Figure(layout=layout(title, INVISIBLE, INVISIBLE, height_px=300))
    for first, second in pairwise(NODES):
        neck = first == "r1"
        line = {"color": ORANGE if neck else REFERENCE, "width": 3 if neck else 8}
        ends = [NODES[first], NODES[second]]
        figure.add_trace(go.Scatter(x=ends, y=[0, 0], mode="lines", line=line, hoverinfo="skip"))
    left, right = QUEUE
    box: dict[str, Any] = {"type": "rect", "y0": -0.35, "y1": 0.35, "layer": "above"}
    figure.add_shape(**box, x0=left, x1=right, line={"color": BLUE, "width": 2})
    start = right - filled * (right - left)  # packets wait at the exit
    figure.add_shape(**box, x0=start, x1=right, fillcolor=faded(BLUE, 0.6), line_width=0)
    figure.add_trace(
        go.Scatter(
            x=list(NODES.values()),
            y=[0] * 4,
            mode="markers+text",
            text=list(NODES),
            textfont={"color": "#FFFFFF", "size": 14},
            marker={
                "symbol": ["square", "circle", "circle", "square"],
                "size": 42,
                "color": [GREEN, BLUE, BLUE, GREEN],
            },
            hovertext=["sending host", "router with the queue", "router", "receiving host"],
            hovertemplate="%{text}: %{hovertext}<extra></extra>",
        )
    )
    lost = f"random loss {100 * share:.3g} %" if share else "no random loss"
    if "losses" in counts:
        lost += f", {counts['losses']} lost"
    queue = f"queue of {show_size(size)}"
    if queue_bytes is not None:
        queue = f"queue {show_size(queue_bytes)} of {show_size(size)}"
    if "drops" in counts:
        queue += f", {counts['drops']} dropped"
    middle = (right + NODES["r2"]) / 2
    texts = [
        (middle, 0.28, f"bottleneck {show_rate(rate)}"),
        (middle, 0.62, f"RTT {show_time(rtt)}, {lost}"),
        ((left + right) / 2, -0.7, queue),
        (0, 0.75, "sender"),
        (NODES["h2"], 0.75, "receiver"),
    ]
    for x, y, text in texts:
        figure.add_annotation(x=x, y=y, text=text, showarrow=False)
    if counts.get("drops"):
        figure.add_annotation(
            x=left, y=0.35, ax=-14, ay=-34, text="✕", font={"color": VERMILLION, "size": 20},
            arrowcolor=VERMILLION, arrowside="start", startarrowhead=0, arrowhead=0,
        )  # fmt: skip
    if share or counts.get("losses"):
        cross = {"symbol": "x", "size": 13, "color": VERMILLION}
        figure.add_trace(
            go.Scatter(x=[middle], y=[0], mode="markers", marker=cross,
                       hovertemplate=f"{lost}<extra></extra>")
        )  # fmt: skip
    return figure.update_layout(
        showlegend=False,
        xaxis={"range": [-0.6, 6.6]},
        yaxis={"range": [-1.1, 1.1]},
        margin={"l": 10, "r": 10, "b": 10},
    )


def sites_figure(
    servers: Sequence[int],
    plan: AttackPlan | None = None,
    *,
    names: Sequence[str] = (),
    title: str = "Multi-site infrastructure",
) -> go.Figure:
    """Draw sites with their servers, each site behind one fibre to the wide-area network.

    An attack shows as crosses: on a fibre, which takes the whole site away, or on single servers.

    Parameters
    ----------
    servers : number of servers at each site, 1 or more each.
    plan : from `cheapest_attack` of the same sites (optional).
    names : of the sites; by default "site 1", "site 2", ….
    title : above the figure, which goes on with the cost of the attack.

    Raises
    ------
    DataError : no site, a plan or names of other sites; InputError : a site without servers.

    Source: Rao, Ma and He, ICDCN 2018, for the infrastructure.

    >>> from lab_tools.games import cheapest_attack
    >>> plan = cheapest_attack([4, 16], fibre_cost=6, server_cost=1, disable=18)
    >>> sites_figure([4, 16], plan).layout.title.text
    'Multi-site infrastructure: 18 of 20 servers disabled at a cost of 8'
    """
    if len(servers) == 0:
        raise DataError("servers", "has 0 values", "at least 1")
    counts = [whole("servers", count, low=1) for count in servers]
    named = list(names) or [f"site {n}" for n in range(1, len(counts) + 1)]
    if len(named) != len(counts):
        raise DataError("names", f"has {len(named)} values", f"exactly {len(counts)}")
    cut, attacked = set(), [0] * len(counts)
    if plan is not None:
        given("plan", plan, AttackPlan)
        cut, attacked = set(plan.cut_fibres), list(plan.attacked_servers)
        fits = len(attacked) == len(counts) and all(site < len(counts) for site in cut)
        if not fits or any(a > n for a, n in zip(attacked, counts, strict=True)):
            raise DataError("plan", "attacks other sites or more servers", "a plan for these sites")
        title += f": {plan.disabled} of {sum(counts)} servers disabled at a cost of {plan.cost:g}"

    rows = max(-(-count // SERVER_COLUMNS) for count in counts)
    width = 1.5
    figure = go.Figure(
        layout=layout(
            title,
            INVISIBLE | {"range": [-0.9, width * (len(counts) - 1) + 0.9]},
            INVISIBLE | {"range": [-0.7 - 0.28 * rows, 1.45]},
            height_px=330 + 28 * rows,
        )
    )
    ends = [-0.6, width * (len(counts) - 1) + 0.6]
    network = {"color": BLUE, "width": 14}
    figure.add_trace(
        go.Scatter(x=ends, y=[1, 1], mode="lines", line=network, name="wide-area network",
                   hovertemplate="wide-area network<extra></extra>")
    )  # fmt: skip
    for site, x in enumerate(width * np.arange(len(counts))):
        lost = site in cut
        line = {
            "color": VERMILLION if lost else GREEN,
            "width": 4,
            "dash": "dot" if lost else "solid",
        }
        figure.add_trace(
            go.Scatter(
                x=[x, x],
                y=[1, 0],
                mode="lines",
                line=line,
                showlegend=False,
                hovertemplate=f"fibre of {named[site]}<extra></extra>",
            )
        )
        figure.add_annotation(
            x=x, y=0.08, xshift=8, xanchor="left", showarrow=False,
            text=f"{named[site]}: {counts[site]} server" + ("s" if counts[site] > 1 else ""),
        )  # fmt: skip
    _add_servers(figure, counts, attacked, cut, width)
    if cut:
        x = [width * site for site in sorted(cut)]
        cross = {"symbol": "x", "size": 16, "color": VERMILLION}
        figure.add_trace(
            go.Scatter(x=x, y=[0.55] * len(x), mode="markers", marker=cross, name="fibre cut",
                       hovertemplate="fibre cut<extra></extra>")
        )  # fmt: skip
    return figure


def _add_servers(
    figure: go.Figure, counts: list[int], attacked: list[int], cut: set[int], width: float
) -> None:
    """Servers in rows below their fibre, those of each fate in a trace of its own."""
    looks = {
        "in operation": {"symbol": "square", "size": 13, "color": GREEN},
        "unreachable": {"symbol": "square-open", "size": 13, "color": REFERENCE},
        "attacked": {"symbol": "x", "size": 13, "color": VERMILLION},
    }
    places: dict[str, list[tuple[float, float]]] = {fate: [] for fate in looks}
    for site, count in enumerate(counts):
        for index in range(count):
            column = index % SERVER_COLUMNS - (min(count, SERVER_COLUMNS) - 1) / 2
            place = (width * site + 0.24 * column, -0.2 - 0.28 * (index // SERVER_COLUMNS))
            fate = "unreachable" if site in cut else "in operation"
            places["attacked" if index < attacked[site] else fate].append(place)
    for fate, marker in looks.items():
        if places[fate]:
            x, y = zip(*places[fate], strict=True)
            figure.add_trace(
                go.Scatter(x=x, y=y, mode="markers", marker=marker,
                           name=f"{len(x)} servers {fate}",
                           hovertemplate=f"server {fate}<extra></extra>")
            )  # fmt: skip
