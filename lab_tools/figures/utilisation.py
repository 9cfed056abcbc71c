"""The utilisation-concavity coefficient, as areas under and above a normalised profile."""

import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.analysis.profiles import UtilisationConcavity
from lab_tools.arrays import number, vector
from lab_tools.errors import DataError
from lab_tools.figures.checks import given
from lab_tools.figures.draw import curve, hover, reference
from lab_tools.figures.look import BLUE, MILLISECONDS, ORANGE, VERMILLION, axis, faded, layout


def utilisation_figure(
    rtt_s: ArrayLike,
    throughput_bps: ArrayLike,
    capacity_bps: float,
    value: UtilisationConcavity,
    *,
    title: str = "Utilisation and concavity",
) -> go.Figure:
    """Draw the areas that the utilisation-concavity coefficient is made of.

    The area under the profile is the utilisation, the area above it C_UU, and the area between the
    profile and the chord of its ends C_CC: positive where the profile lies above the chord.

    Parameters
    ----------
    rtt_s : RTTs in seconds, increasing, shape (m,), m >= 2.
    throughput_bps : mean throughput in bit/s, shape (m,).
    capacity_bps : what stands for 1, in bit/s: the capacity, or the peak if ``value`` used it.
    value : from `utilisation_concavity` of the same profile.
    title : above the figure, which goes on with the coefficient.

    Raises
    ------
    DataError : wrong shapes, a throughput above the capacity, not a coefficient.
    InputError : a capacity that is not positive.

    Source: Liu and Rao, HPCC 2018, in the reading of `utilisation_concavity`.

    >>> from lab_tools.analysis.profiles import utilisation_concavity
    >>> value = utilisation_concavity([0, 0.1, 0.2], [10e9, 9e9, 2e9], 10e9)
    >>> utilisation_figure([0, 0.1, 0.2], [10e9, 9e9, 2e9], 10e9, value).layout.title.text
    'Utilisation and concavity: C<sub>UC</sub> = 0.700'
    """
    rtt_ms = MILLISECONDS.show(
        vector("rtt_s", rtt_s, min_length=2, non_negative=True, increasing=True)
    )
    rates = vector("throughput_bps", throughput_bps, length=rtt_ms.size, non_negative=True)
    used = rates / number("capacity_bps", capacity_bps, above=0)
    if used.max() > 1:
        raise DataError("throughput_bps", f"has the value {rates.max():g}", "at most capacity_bps")
    given("value", value, UtilisationConcavity)
    text = hover("RTT", "ms", "Share of the capacity", "")
    ends = rtt_ms[[0, -1]]
    chord = used[[0, -1]]
    capacity = reference(
        ends,
        [1, 1],
        f"unused: C<sub>UU</sub> = {value.underutilisation:.3f}",
        fill="tonexty",
        fillcolor=faded(ORANGE, 0.15),
    )
    profile = curve(rtt_ms, used, "profile", BLUE, text, mode="lines+markers")
    area = curve(
        rtt_ms,
        used,
        f"utilisation {value.utilisation:.3f}",
        BLUE,
        text,
        line={"width": 0},
        fill="tozeroy",
        fillcolor=faded(BLUE, 0.15),
        hoverinfo="skip",
        hovertemplate=None,
    )
    between = go.Scatter(
        x=[*rtt_ms, *ends[::-1]],
        y=[*used, *chord[::-1]],
        mode="none",
        fill="toself",
        fillpattern={"shape": "/", "fgcolor": VERMILLION, "size": 8, "solidity": 0.2},
        name=f"above the chord: C<sub>CC</sub> = {value.concavity:+.3f}",
        hoverinfo="skip",
    )
    line = {"color": VERMILLION, "width": 2, "dash": "dot"}
    name = f"chord, area {value.chord:.3f}"
    straight = curve(ends, chord, name, VERMILLION, text, line=line)
    return go.Figure(
        [area, capacity, between, straight, profile],
        layout(
            f"{title}: C<sub>UC</sub> = {value.coefficient:.3f}",
            axis("RTT", "ms"),
            axis("Throughput", "share of the capacity", range=[0, 1.05]),
        ),
    )
