"""A network of sites as a picture: each site with its hosts, each link with its rate and RTT."""

import networkx as nx
import plotly.graph_objects as go

from lab_tools.experiment import Experiment
from lab_tools.figures.look import BLUE, REFERENCE, layout
from lab_tools.units import show_rate, show_time

_HIDDEN = {"visible": False, "fixedrange": True, "range": [-1.35, 1.35]}


def sites_picture(experiment: Experiment) -> go.Figure:
    """Draw the sites on a circle and the links between them.

    Parameters
    ----------
    experiment : one with a ``network``.

    >>> from lab_tools.experiment import Flow, Network, Path
    >>> flows = (Flow(source="a1", target="c1"),)
    >>> experiment = Experiment(Path(1e9, 0.02), network=Network.parking_lot(2), flows=flows)
    >>> picture = sites_picture(experiment)
    >>> [text.text for text in picture.layout.annotations]
    ['1 Gbit/s, 20 ms', '1 Gbit/s, 20 ms']
    """
    network = experiment.network
    if network is None:
        return go.Figure()
    graph = nx.Graph((link.left, link.right) for link in network.links)
    place = nx.circular_layout(graph)
    figure = go.Figure(layout=layout("The network", _HIDDEN, _HIDDEN, height_px=420))
    for link in network.links:
        (x0, y0), (x1, y1) = place[link.left], place[link.right]
        like = link.path(experiment.path)
        loss = f", loss {100 * like.loss:.3g} %" if like.loss else ""
        line = {"color": REFERENCE, "width": 5}
        figure.add_trace(
            go.Scatter(x=[x0, x1], y=[y0, y1], mode="lines", line=line, hoverinfo="skip")
        )
        text = f"{show_rate(like.rate_bps)}, {show_time(like.rtt_s)}{loss}"
        figure.add_annotation(
            x=(x0 + x1) / 2, y=(y0 + y1) / 2, yshift=14, text=text, showarrow=False
        )
    sites = [site.name for site in network.sites]
    hosts = [", ".join(site.host_names) or "no hosts" for site in network.sites]
    figure.add_trace(
        go.Scatter(
            x=[place[name][0] for name in sites],
            y=[place[name][1] for name in sites],
            mode="markers+text",
            text=sites,
            textfont={"color": "#FFFFFF", "size": 14},
            marker={"size": 42, "color": BLUE},
            customdata=hosts,
            hovertemplate="site %{text}: %{customdata}<extra></extra>",
        )
    )
    return figure.update_layout(showlegend=False, margin={"l": 10, "r": 10, "b": 10})
