"""Parts that several figures are made of: curves, bands, reference lines, all with units."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.figures.look import REFERENCE, faded


def hover(x_name: str, x_unit: str, y_name: str, y_unit: str) -> str:
    """Text under the pointer: both values with their units.

    >>> hover("RTT", "ms", "Goodput", "Gbit/s")
    'RTT %{x:.4g} ms<br>Goodput %{y:.4g} Gbit/s'
    """
    return f"{x_name} %{{x:.4g}} {x_unit}<br>{y_name} %{{y:.4g}} {y_unit}".replace(" <br>", "<br>")


def curve(
    x: ArrayLike, y: ArrayLike, name: str, colour: str, text: str, **extra: Any
) -> go.Scatter:
    """A curve with a name, a colour and a text under the pointer (from `hover`).

    Parameters
    ----------
    x, y : what is drawn, in the units of the axes; shape (n,).
    name : for the legend.
    colour : of line and markers.
    text : plotly's hover template.
    extra : more of plotly's properties of a scatter trace.

    >>> curve([1, 2], [3, 4], "mean", "#0072B2", hover("RTT", "ms", "Goodput", "Gbit/s")).name
    'mean'
    """
    properties: dict[str, Any] = {
        "mode": "lines",
        "line": {"color": colour, "width": 2},
        "marker": {"color": colour, "size": 8},
        "hovertemplate": f"{text}<extra>{name}</extra>",
    }
    return go.Scatter(x=np.asarray(x), y=np.asarray(y), name=name, **(properties | extra))


def band(
    x: ArrayLike, low: ArrayLike, high: ArrayLike, name: str, colour: str, **extra: Any
) -> list[go.Scatter]:
    """A filled band between two curves: the lower edge, then the upper one, which has the name.

    Parameters
    ----------
    x, low, high : in the units of the axes; shape (n,).
    name : for the legend.
    colour : ``#RRGGBB``; the band is a faint tint of it.
    extra : more of plotly's properties of both traces.

    >>> [edge.fill for edge in band([1, 2], [0, 0], [1, 1], "band", "#0072B2")]
    [None, 'tonexty']
    """
    edge: dict[str, Any] = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"} | extra
    return [
        go.Scatter(x=np.asarray(x), y=np.asarray(low), showlegend=False, **edge),
        go.Scatter(
            x=np.asarray(x),
            y=np.asarray(high),
            name=name,
            fill="tonexty",
            fillcolor=faded(colour, 0.2),
            **edge,
        ),
    ]


def reference(x: ArrayLike, y: ArrayLike, name: str, **extra: Any) -> go.Scatter:
    """A grey dashed line that is no data: a limit, an identity, a target.

    Parameters
    ----------
    x, y : in the units of the axes; shape (n,).
    name : for the legend.
    extra : more of plotly's properties of a scatter trace.

    >>> reference([0, 1], [0, 1], "identity").line.dash
    'dash'
    """
    properties: dict[str, Any] = {
        "mode": "lines",
        "line": {"color": REFERENCE, "width": 1.5, "dash": "dash"},
        "hoverinfo": "skip",
    }
    return go.Scatter(x=np.asarray(x), y=np.asarray(y), name=name, **(properties | extra))


def mark(figure: go.Figure, x: float, text: str, *, log: bool = False) -> go.Figure:
    """Add a dotted vertical line over the whole height, with its name above it.

    Parameters
    ----------
    figure : to draw on; it is returned.
    x : where, in the unit of the x axis.
    text : the name.
    log : whether the x axis is logarithmic; plotly then wants the logarithm for a text.

    >>> mark(go.Figure(), 100.0, "knee", log=True).layout.annotations[0].x
    2.0
    """
    figure.add_shape(
        type="line",
        x0=x,
        x1=x,
        y0=0,
        y1=1,
        yref="paper",
        line={"color": REFERENCE, "dash": "dot", "width": 1.5},
    )
    return figure.add_annotation(
        x=float(np.log10(x)) if log else x,
        y=1,
        yref="paper",
        yanchor="bottom",
        text=text,
        showarrow=False,
    )
