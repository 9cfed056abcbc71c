"""What a multi-site network delivers: over time, and over the number of servers that are left."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.arrays import vector
from lab_tools.errors import DataError
from lab_tools.figures.draw import curve, hover, reference
from lab_tools.figures.look import BLUE, axis, colour, layout, rate_scale


def site_losses(
    goodput_mbit: ArrayLike, *, title: str = "What the users get from a site under attack"
) -> go.Figure:
    """Draw a site's goodput over the number of its servers that are destroyed.

    A dashed line shows what it would be if each server carried an equal share of it.

    Parameters
    ----------
    goodput_mbit : with none, one, two, … servers destroyed, in Mbit/s; shape (servers + 1,).
    title : above the figure.

    Raises
    ------
    DataError : fewer than two values, or a negative one.

    >>> [part.name for part in site_losses([19, 19, 16, 8, 0]).data]
    ['equal shares', 'measured']
    """
    measured = vector("goodput_mbit", goodput_mbit, non_negative=True)
    if measured.size < 2:
        raise DataError("goodput_mbit", f"has {measured.size} values", "at least 2")
    destroyed = np.arange(measured.size)
    text = hover("Destroyed", "servers", "Goodput", "Mbit/s")
    figure = go.Figure(
        layout=layout(
            title,
            axis("Destroyed", "servers", dtick=1),
            axis("Goodput of the site", "Mbit/s", rangemode="tozero"),
        )
    )
    shares = measured[0] * (1 - destroyed / destroyed[-1])
    figure.add_trace(reference(destroyed, shares, "equal shares"))
    figure.add_trace(curve(destroyed, measured, "measured", BLUE, text, mode="lines+markers"))
    return figure


def site_traces(
    flows: pd.DataFrame, servers: Sequence[str], *, title: str = "Goodput from each site"
) -> go.Figure:
    """Draw the goodput of each site over time.

    Parameters
    ----------
    flows : the flows' trace of a record; flow number k comes from server number k.
    servers : names of the servers, the site's name followed by a number.
    title : above the figure.

    Raises
    ------
    DataError : no samples, or more flows than servers.

    >>> flows = pd.DataFrame({"time_s": [0, 0], "flow": [0, 1], "goodput_bps": [1e6, 2e6]})
    >>> [part.name for part in site_traces(flows, ["a1", "b1"]).data]
    ['site a', 'site b']
    """
    if not len(flows):
        raise DataError("flows", "has no rows", "at least one sample")
    if flows["flow"].max() >= len(servers):
        raise DataError("servers", f"has {len(servers)} names", "one for each flow")
    sites = flows["flow"].map(lambda flow: servers[flow].rstrip("0123456789"))
    table = flows.assign(site=sites).pivot_table(
        index="time_s", columns="site", values="goodput_bps", aggfunc="sum"
    )
    scale = rate_scale(table.to_numpy())
    figure = go.Figure(
        layout=layout(title, axis("Time", "s"), axis("Goodput", scale.unit, rangemode="tozero"))
    )
    text = hover("Time", "s", "Goodput", scale.unit)
    for number, site in enumerate(table.columns):
        values = scale.show(table[site])
        figure.add_trace(curve(table.index, values, f"site {site}", colour(number), text))
    return figure
