"""Several throughput profiles in one figure: measured ones, models, other settings."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.arrays import number, vector
from lab_tools.errors import DataError
from lab_tools.figures.draw import curve, hover, reference
from lab_tools.figures.look import MILLISECONDS, axis, colour, dash, layout, rate_scale
from lab_tools.units import show_rate


def profiles_figure(
    rtt_s: ArrayLike,
    profiles_bps: Mapping[str, ArrayLike],
    *,
    capacity_bps: float | None = None,
    log_rtt: bool = False,
    log_rate: bool = False,
    title: str = "Throughput profiles",
) -> go.Figure:
    """Draw several profiles over the same RTTs.

    Parameters
    ----------
    rtt_s : round-trip times in s, shape (m,), strictly increasing, above 0.
    profiles_bps : name to throughputs in bit/s, shape (m,) each.
    capacity_bps : capacity of the path in bit/s, a dashed line (optional).
    log_rtt, log_rate : logarithmic axes.
    title : above the figure.

    Raises
    ------
    DataError : no profile, other lengths, unsorted RTTs, a rate of 0 on a logarithmic axis.
    InputError : a capacity that is not positive.

    >>> figure = profiles_figure([0.01, 0.1], {"one": [9e9, 2e9], "ten": [9e9, 5e9]})
    >>> [part.name for part in figure.data]
    ['one', 'ten']
    """
    rtt_ms = MILLISECONDS.show(vector("rtt_s", rtt_s, positive=True, increasing=True))
    if not profiles_bps:
        raise DataError("profiles_bps", "has no profile", "at least one")
    rates = {
        name: vector(name, values, length=rtt_ms.size, positive=log_rate, non_negative=True)
        for name, values in profiles_bps.items()
    }
    scale = rate_scale(np.concatenate(list(rates.values())))
    text = hover("RTT", "ms", "Throughput", scale.unit)
    figure = go.Figure(
        layout=layout(
            title,
            axis("RTT", "ms", log=log_rtt),
            axis("Throughput", scale.unit, log=log_rate)
            | ({} if log_rate else {"rangemode": "tozero"}),
        )
    )
    for index, (name, values) in enumerate(rates.items()):
        line = {"color": colour(index), "width": 2, "dash": dash(index)}
        figure.add_trace(
            curve(
                rtt_ms, scale.show(values), name, colour(index), text, mode="lines+markers",
                line=line,
            )
        )  # fmt: skip
    if capacity_bps is not None:
        level = [float(scale.show(number("capacity_bps", capacity_bps, above=0)))] * 2
        figure.add_trace(reference(rtt_ms[[0, -1]], level, f"capacity {show_rate(capacity_bps)}"))
    return figure
