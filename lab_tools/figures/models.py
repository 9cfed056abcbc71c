"""Profiles of the closed-form models: ramp-up, buffer limit, response functions."""

from collections.abc import Mapping

import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.analysis.profiles import Profile
from lab_tools.arrays import number, vector
from lab_tools.errors import DataError
from lab_tools.figures.draw import curve, hover, mark
from lab_tools.figures.look import (
    MILLISECONDS,
    axis,
    colour,
    dash,
    layout,
    rate_scale,
)
from lab_tools.figures.profile import profile_parts


def model_profiles_figure(
    rtt_s: ArrayLike,
    curves_bps: Mapping[str, ArrayLike],
    *,
    measured: Profile | None = None,
    knees_s: Mapping[str, float] | None = None,
    log: bool = False,
    title: str = "Throughput profiles of the models",
) -> go.Figure:
    """Draw what models expect over RTT, beside a measured profile if there is one.

    For ramp-up and sustainment (`slow_start_profile` with several numbers of streams), for the
    buffer limit (`buffer_limit` with several buffers; its knees from `buffer_knee` become vertical
    lines), and for any response function over RTT.

    Parameters
    ----------
    rtt_s : RTTs in seconds, increasing, shape (q,).
    curves_bps : name -> goodput in bit/s, shape (q,).
    measured : a profile to compare with (optional).
    knees_s : name -> RTT in seconds, drawn as a dotted line with its name (optional).
    log : both axes logarithmic, on which a power of the RTT is a straight line; RTTs and goodputs
        must then be above 0.
    title : above the figure.

    Raises
    ------
    DataError : no curve, wrong shapes, unsorted RTTs, a value of 0 on a log axis.
    InputError : a knee that is not above 0.

    Source: the models name theirs; the comparison follows Rao et al., HPDC 2017.

    >>> from lab_tools.models import buffer_limit
    >>> rtt_s = [0.001, 0.01, 0.1]
    >>> limit_bps = buffer_limit(rtt_s, buffer_bytes=250e3)
    >>> figure = model_profiles_figure(rtt_s, {"250 kB": limit_bps}, log=True)
    >>> figure.layout.yaxis.title.text, figure.layout.yaxis.type
    ('Goodput (Gbit/s)', 'log')
    """
    rtts = vector("rtt_s", rtt_s, non_negative=True, positive=log, increasing=True)
    if not curves_bps:
        raise DataError("curves_bps", "has 0 curves", "at least 1")
    curves = {
        name: vector(f"curves_bps[{name!r}]", values, length=rtts.size, positive=log)
        for name, values in curves_bps.items()
    }
    scale = rate_scale(*curves.values())
    parts: list[go.Scatter] = []
    if measured is not None:
        scale, parts = profile_parts(measured)
        parts[-1].mode = "markers"
    text = hover("RTT", "ms", "Goodput", scale.unit)
    first = 0 if measured is None else 1  # the first colour is the measured profile's
    for index, (name, values) in enumerate(curves.items(), start=first):
        line = {"color": colour(index), "width": 2, "dash": dash(index)}
        shown = scale.show(values)
        parts.append(curve(MILLISECONDS.show(rtts), shown, name, colour(index), text, line=line))
    goodput = axis("Goodput", scale.unit, log=log, **({} if log else {"rangemode": "tozero"}))
    figure = go.Figure(parts, layout(title, axis("RTT", "ms", log=log), goodput, showlegend=True))
    for name, knee_s in (knees_s or {}).items():
        at = float(MILLISECONDS.show(number(f"knees_s[{name!r}]", knee_s, above=0)))
        mark(figure, at, name, log=log)
    return figure
