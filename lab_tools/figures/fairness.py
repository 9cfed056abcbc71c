"""How flows share a path, and what a longer RTT costs."""

from collections.abc import Iterable, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.analysis.fairness import RttBias, jain_index
from lab_tools.arrays import vector
from lab_tools.errors import DataError
from lab_tools.figures.checks import given, labels
from lab_tools.figures.draw import curve, hover, reference
from lab_tools.figures.look import (
    BLUE,
    MILLISECONDS,
    VERMILLION,
    axis,
    colour,
    layout,
    rate_scale,
)


def shares_figure(
    goodput_bps: ArrayLike, names: Sequence[str] = (), *, title: str = "Shares of the flows"
) -> go.Figure:
    """Draw the goodput of each flow beside the equal share; the title goes on with Jain's index.

    Parameters
    ----------
    goodput_bps : goodput of each flow in bit/s, 0 or more, not all 0; shape (flows,).
    names : of the flows; by default "flow 1", "flow 2", ….
    title : above the figure.

    Raises
    ------
    DataError : wrong shape, negative, all 0, another number of names.

    Source: Jain, Chiu and Hawe, DEC-TR-301 (1984), for the index.

    >>> shares_figure([8e6, 2e6], ["cubic", "bbr"]).layout.title.text
    "Shares of the flows: Jain's index 0.735"
    """
    goodput = vector("goodput_bps", goodput_bps, non_negative=True)
    fairness = jain_index(goodput)
    named = labels(
        "names", names or [f"flow {n}" for n in range(1, goodput.size + 1)], goodput.size
    )
    scale = rate_scale(goodput)
    share = 100 * goodput / goodput.sum()
    bars = go.Bar(
        x=np.arange(goodput.size),
        y=scale.show(goodput),
        marker={"color": [colour(index) for index in range(goodput.size)]},
        text=[f"{part:.0f} %" for part in share],
        textposition="outside",
        cliponaxis=False,
        customdata=named,
        hovertemplate=f"%{{customdata}}<br>%{{y:.4g}} {scale.unit}<br>%{{text}}<extra></extra>",
        showlegend=False,
    )
    equal = float(scale.show(goodput.mean()))
    ends = [-0.5, goodput.size - 0.5]
    name = f"equal shares, {equal:.3g} {scale.unit}"
    return go.Figure(
        [bars, reference(ends, [equal, equal], name, showlegend=True)],
        layout(
            f"{title}: Jain's index {fairness:.3f}",
            {"title": {"text": ""}, "tickvals": np.arange(goodput.size), "ticktext": named,
             "range": ends, "showgrid": False},
            axis("Goodput", scale.unit, rangemode="tozero"),
        ),
    )  # fmt: skip


def rtt_bias_figure(
    rtt_s: ArrayLike,
    goodput_bps: Iterable[ArrayLike],
    bias: RttBias,
    *,
    title: str = "RTT bias",
) -> go.Figure:
    """Draw the goodput of competing flows over their RTT, log-log, with the fitted power.

    Parameters
    ----------
    rtt_s : RTT of each flow in seconds, above 0; shape (flows,).
    goodput_bps : goodput of each flow in each run in bit/s, above 0; shape (runs, flows).
    bias : from `rtt_bias_exponent` of the same runs.
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, not positive, no run, not such a fit.

    Source: goodput ∝ rtt^(-a), Lakshman and Madhow, IEEE/ACM ToN 5(3), 1997.

    >>> from lab_tools.analysis.fairness import rtt_bias_exponent
    >>> runs_bps = [[8e6, 4e6], [9e6, 3e6]]
    >>> bias = rtt_bias_exponent([0.02, 0.04], runs_bps)
    >>> rtt_bias_figure([0.02, 0.04], runs_bps, bias).layout.xaxis.title.text
    'RTT (ms)'
    """
    rtts = vector("rtt_s", rtt_s, min_length=2, positive=True)
    runs = [vector("goodput_bps", run, length=rtts.size, positive=True) for run in goodput_bps]
    if not runs:
        raise DataError("goodput_bps", "has 0 runs", "at least 1")
    given("bias", bias, RttBias)
    values = np.stack(runs)
    scale = rate_scale(values)
    text = hover("RTT", "ms", "Goodput", scale.unit)
    dots = curve(
        MILLISECONDS.show(np.tile(rtts, len(runs))),
        scale.show(values.ravel()),
        "one flow of one run",
        BLUE,
        text,
        mode="markers",
    )
    # The fitted line passes through the middle of the logarithms.
    logs = np.log(np.sort(rtts))
    level = float(np.log(scale.show(values)).mean())
    fitted = np.exp(level - bias.exponent * (logs - logs.mean()))
    confidence = f"{100 * bias.confidence:g} %: {bias.low:.2f} to {bias.high:.2f}"
    name = f"RTT to the power −{bias.exponent:.2f} ({confidence})"
    line = curve(MILLISECONDS.show(np.exp(logs)), fitted, name, VERMILLION, text)
    return go.Figure(
        [dots, line],
        layout(title, axis("RTT", "ms", log=True), axis("Goodput", scale.unit, log=True)),
    )
