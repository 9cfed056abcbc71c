"""A trace against itself: the Poincaré map and the cobweb."""

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.analysis.dynamics import MapCurve, PoincareMap
from lab_tools.arrays import number, vector
from lab_tools.figures.checks import given
from lab_tools.figures.draw import curve, reference
from lab_tools.figures.look import BLUE, SEQUENCE, VERMILLION, Scale, axis, layout

SQUARE_PX = 620
MOST_POINTS = 20_000  # more make a browser slow and show no more


def poincare_figure(
    points: PoincareMap,
    scale: Scale,
    *,
    interval_s: float = 1.0,
    curve_of_map: MapCurve | None = None,
    name: str = "Throughput",
    title: str = "Poincaré map",
) -> go.Figure:
    """Draw each sample against a later one, with the identity line and time as colour.

    Points on the identity line stay as they are; above it the trace rises, below it falls. Of
    more than 20,000 points evenly spread ones are drawn.

    Parameters
    ----------
    points : from `poincare_map`, in SI units.
    scale : the unit to read them in, such as ``rate_scale(trace)``, or ``Scale(1, "segments")``.
    interval_s : sampling interval in seconds, for the colours.
    curve_of_map : from `map_curve` of the same trace: its mean in each bin (optional).
    name : what was sampled.
    title : above the figure.

    Raises
    ------
    DataError : not a map; InputError : an interval that is not positive.

    Source: the maps of Rao and Chua, "On dynamics of network transport protocols", 2002, and of
    Rao et al., HPDC 2017.

    >>> from lab_tools.analysis.dynamics import poincare_map
    >>> figure = poincare_figure(poincare_map([9e9, 8e9, 9e9]), Scale(1e9, "Gbit/s"))
    >>> figure.layout.xaxis.title.text, figure.layout.yaxis.title.text
    ('Throughput now (Gbit/s)', 'Throughput later (Gbit/s)')
    """
    given("points", points, PoincareMap)
    given("scale", scale, Scale)
    time_s = number("interval_s", interval_s, above=0) * np.arange(points.now.size)
    every = -(-points.now.size // MOST_POINTS)
    now, later = scale.show(points.now[::every]), scale.show(points.later[::every])
    low = float(min(now.min(), later.min()))
    high = float(max(now.max(), later.max()))
    margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    span = [low - margin, high + margin]
    dots = go.Scatter(
        x=now,
        y=later,
        mode="markers",
        name="samples",
        showlegend=True,
        marker={
            "color": time_s[::every],
            "colorscale": SEQUENCE,
            "size": 6,
            "opacity": 0.8,
            "showscale": True,
            "colorbar": {"title": {"text": "Time (s)"}, "len": 0.9},
        },
        hovertemplate=f"now %{{x:.4g}} {scale.unit}<br>later %{{y:.4g}} {scale.unit}"
        "<br>at %{marker.color:.4g} s<extra></extra>",
    )
    figure = go.Figure(
        [reference(span, span, "identity: no change"), dots],
        layout(
            title,
            axis(
                f"{name} now",
                scale.unit,
                range=span,
                constrain="domain",
                constraintoward="right",  # beside the colours of time
            ),
            axis(f"{name} later", scale.unit, range=span, scaleanchor="x", constrain="domain"),
            height_px=SQUARE_PX,
        ),
    )
    if curve_of_map is None:
        return figure
    given("curve_of_map", curve_of_map, MapCurve)
    text = f"now %{{x:.4g}} {scale.unit}<br>mean later %{{y:.4g}} {scale.unit}"
    label = f"mean of the bin, determinism {curve_of_map.determinism:.2f}"
    means = scale.show(curve_of_map.now), scale.show(curve_of_map.later)
    return figure.add_trace(curve(*means, label, VERMILLION, text))


def cobweb_figure(
    orbit: ArrayLike,
    map_now: ArrayLike,
    map_later: ArrayLike,
    x_axis: tuple[str, str],
    *,
    title: str = "Cobweb",
) -> go.Figure:
    """Draw an orbit as a cobweb: up or down to the map, across to the identity line, and again.

    Parameters
    ----------
    orbit : successive values X_0, X_1, …, shape (n,), n >= 2.
    map_now, map_later : the map as a curve, increasing and as many values; shape (q,).
    x_axis : name and unit of the values, such as ``("Window", "segments")``.
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, an unsorted curve; InputError : an axis without a unit.

    Source: the construction of Koenigs and Lemeray; May, Nature 261 (1976).

    >>> figure = cobweb_figure([0.2, 0.4, 0.8], [0, 0.5, 1], [0, 1, 0], ("State x", "no unit"))
    >>> figure.data[2].x, figure.data[2].y
    (array([0.2, 0.2, 0.4, 0.4]), array([0.2, 0.4, 0.4, 0.8]))
    """
    states = vector("orbit", orbit, min_length=2)
    now = vector("map_now", map_now, min_length=2, increasing=True)
    later = vector("map_later", map_later, length=now.size)
    # Each state is visited twice: on the identity line, and above or below it on the map.
    steps_x = np.repeat(states[:-1], 2)
    steps_y = np.concatenate([states[:1], np.repeat(states[1:-1], 2), states[-1:]])
    low = float(min(now[0], states.min(), later.min()))
    high = float(max(now[-1], states.max(), later.max()))
    span = [low - 0.03 * (high - low), high + 0.03 * (high - low)]
    name, unit = x_axis
    text = f"now %{{x:.4g}} {unit}<br>next %{{y:.4g}} {unit}"
    return go.Figure(
        [
            reference(span, span, "identity"),
            curve(now, later, "map", BLUE, text, line={"color": BLUE, "width": 3}),
            curve(
                steps_x, steps_y, "orbit", VERMILLION, text, line={"color": VERMILLION, "width": 1}
            ),
        ],
        layout(
            title,
            axis(f"{name} now", unit, range=span, constrain="domain"),
            axis(f"{name} next", unit, range=span, scaleanchor="x", constrain="domain"),
            height_px=SQUARE_PX,
        ),
    )
