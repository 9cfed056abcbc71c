"""Lyapunov exponent against throughput: what a claim about the two looks like in the data."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.analysis.dynamics import Exponent
from lab_tools.arrays import vector
from lab_tools.errors import DataError
from lab_tools.figures.checks import given
from lab_tools.figures.look import BLUE, ORANGE, axis, layout, rate_scale


def exponent_goodput_figure(
    exponents: Mapping[str, Exponent],
    goodput_bps: ArrayLike,
    *,
    shuffled: Mapping[str, Exponent] | None = None,
    title: str = "Exponent and throughput",
) -> go.Figure:
    """Draw the throughput of each run over its exponent, with the exponent's interval.

    A shuffled trace has the same throughput and no dynamics: a relation that it shows as well is
    none between dynamics and throughput.

    Parameters
    ----------
    exponents : name of the run -> exponent per second.
    goodput_bps : mean goodput of each run, in the same order, in bit/s.
    shuffled : the same of the shuffled traces, with the same names (optional).
    title : above the figure.

    Raises
    ------
    DataError : nothing to draw, another number of goodputs, or other names.

    >>> one = {"near": Exponent(3.0, 2.0, 4.0, 100)}
    >>> figure = exponent_goodput_figure(one, [9e7], shuffled=one)
    >>> [part.name for part in figure.data]
    ['in order of time', 'shuffled in time']
    """
    if not exponents:
        raise DataError("exponents", "has 0 exponents", "at least 1")
    goodput = vector("goodput_bps", goodput_bps, length=len(exponents))
    if shuffled is not None and list(shuffled) != list(exponents):
        raise DataError("shuffled", f"has the runs {list(shuffled)}", f"{list(exponents)}")
    scale = rate_scale(goodput)
    shown = scale.show(goodput)
    parts = [_points(exponents, shown, "in order of time", BLUE, "circle", scale.unit)]
    if shuffled is not None:
        parts.append(
            _points(shuffled, shown, "shuffled in time", ORANGE, "circle-open", scale.unit)
        )
    return go.Figure(
        parts, layout(title, axis("Lyapunov exponent", "1/s"), axis("Mean goodput", scale.unit))
    )


def _points(
    exponents: Mapping[str, Exponent],
    shown: ArrayLike,
    name: str,
    colour: str,
    symbol: str,
    unit: str,
) -> go.Scatter:
    """One marker a run, with a horizontal bar for the interval."""
    values = [given("exponents", one, Exponent) for one in exponents.values()]
    return go.Scatter(
        x=np.array([one.value for one in values]),
        y=shown,
        mode="markers",
        name=name,
        showlegend=True,
        marker={"color": colour, "size": 11, "symbol": symbol},
        error_x={
            "array": [one.high - one.value for one in values],
            "arrayminus": [one.value - one.low for one in values],
            "color": colour,
            "thickness": 1.5,
        },
        text=list(exponents),
        hovertemplate=f"%{{text}}: %{{x:.4g}} per s<br>%{{y:.4g}} {unit}<extra></extra>",
    )
