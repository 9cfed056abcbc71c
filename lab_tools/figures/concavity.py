"""Where a profile is concave, where convex, and where the data cannot tell."""

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from lab_tools.analysis.profiles import Curvature, Profile
from lab_tools.errors import DataError
from lab_tools.figures.checks import given
from lab_tools.figures.draw import curve, hover, reference
from lab_tools.figures.look import (
    BLUE,
    MILLISECONDS,
    ORANGE,
    REFERENCE,
    axis,
    faded,
    layout,
    rate_scale,
)
from lab_tools.figures.profile import profile_parts

COLOURS = {"concave": BLUE, "convex": ORANGE, "cannot tell": REFERENCE}
SYMBOLS = {"concave": "triangle-up", "convex": "triangle-down", "cannot tell": "circle-open"}
PATTERNS = {"concave": "/", "convex": "\\", "cannot tell": ""}


def concavity_figure(
    profile: Profile, curvature: Curvature, *, title: str = "Concave and convex regions"
) -> go.Figure:
    """Draw a profile over the test of its curvature at each inner RTT.

    Above: the profile and its regions, hatched one way where it is concave and the other way where
    it is convex; where the two overlap the shape changes. Below: how far the mean lies above the
    chord of its neighbours, with the simultaneous interval; an interval that holds 0 cannot tell.

    Parameters
    ----------
    profile : from `throughput_profile`, m RTTs.
    curvature : from `curvature` of the same runs, m - 2 inner RTTs.
    title : above the figure, which goes on with the verdict.

    Raises
    ------
    DataError : values of other kinds, or a curvature of other RTTs than the profile's.

    Source: the regions of Rao et al., HPDC 2017; the test is that of `curvature`.

    >>> from lab_tools.analysis.profiles import curvature, throughput_profile
    >>> rtt_s = [0.01, 0.05, 0.1]
    >>> runs_bps = [[9.9e9, 9.8e9], [9.5e9, 9.4e9], [2.0e9, 2.1e9]]
    >>> profile, found = throughput_profile(rtt_s, runs_bps), curvature(rtt_s, runs_bps)
    >>> concavity_figure(profile, found).layout.title.text
    'Concave and convex regions: concave'
    """
    scale, parts = profile_parts(profile)
    given("curvature", curvature, Curvature)
    if not np.array_equal(curvature.rtt_s, profile.rtt_s[1:-1]):
        raise DataError(
            "curvature", "is of other RTTs than the profile", "the profile's inner RTTs"
        )
    figure = make_subplots(
        rows=2,
        cols=1,
        shared_xaxes=True,
        row_heights=[0.55, 0.45],
        vertical_spacing=0.06,
        figure=go.Figure(layout=layout(f"{title}: {curvature.verdict}", height_px=620)),
    )
    figure.add_traces(parts, rows=1, cols=1)
    for shape in COLOURS:
        _add_regions(figure, curvature, shape, 1.08 * float(scale.show(profile.high_bps).max()))

    gap = rate_scale(curvature.low_bps, curvature.high_bps)
    text = hover("RTT", "ms", "Above the chord", gap.unit)
    for shape, colour in COLOURS.items():
        here = np.array([found == shape for found in curvature.shapes])
        if not here.any():
            continue
        value, low, high = (
            gap.show(part[here])
            for part in (curvature.gap_bps, curvature.low_bps, curvature.high_bps)
        )
        points = curve(
            MILLISECONDS.show(curvature.rtt_s[here]),
            value,
            shape,
            colour,
            text + "<br>p = %{customdata:.2g}",
            mode="markers",
            marker={"color": colour, "size": 10, "symbol": SYMBOLS[shape]},
            error_y={"array": high - value, "arrayminus": value - low, "color": colour},
            customdata=curvature.p_value[here],
            showlegend=False,
        )
        figure.add_trace(points, row=2, col=1)
    ends = MILLISECONDS.show(profile.rtt_s[[0, -1]])
    figure.add_trace(reference(ends, [0, 0], "straight line", showlegend=False), row=2, col=1)

    figure.update_yaxes(axis("Throughput", scale.unit, rangemode="tozero"), row=1, col=1)
    figure.update_yaxes(axis("Above chord", gap.unit), row=2, col=1)
    return figure.update_xaxes(axis("RTT", "ms"), row=2, col=1)


def _add_regions(figure: go.Figure, curvature: Curvature, shape: str, top: float) -> None:
    """Hatch the regions of one shape; one entry in the legend stands for all of them."""
    colour = COLOURS[shape]
    first = True
    for region in curvature.regions:
        if region.shape != shape:
            continue
        start, end = MILLISECONDS.show([region.start_rtt_s, region.end_rtt_s])
        outline = go.Scatter(
            x=[start, start, end, end],
            y=[0, top, top, 0],
            mode="none",
            fill="toself",
            fillcolor=faded(colour, 0.12),
            fillpattern={
                "shape": PATTERNS[shape],
                "fgcolor": faded(colour, 0.5),
                "bgcolor": faded(colour, 0.12),
                "size": 9,
                "solidity": 0.15,
            },
            name=shape,
            legendgroup=shape,
            showlegend=first,
            hoverinfo="skip",
        )
        figure.add_trace(outline, row=1, col=1)
        first = False
