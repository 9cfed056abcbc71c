"""The Reno/RED control loop: its Nyquist curve, and its gain where the phase is -180 degrees."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.arrays import number, vector
from lab_tools.duality import PhaseCrossing, RedLoop, loop_response, phase_crossing
from lab_tools.errors import DataError
from lab_tools.figures.checks import given
from lab_tools.figures.draw import curve, mark, reference
from lab_tools.figures.look import (
    BLUE,
    GREEN,
    MILLISECONDS,
    REFERENCE,
    VERMILLION,
    axis,
    colour,
    layout,
)
from lab_tools.units import show_time

POINTS = 600
SPAN = 1.6  # of the axes around the critical point


def nyquist_figure(
    loop: RedLoop, rtts_s: ArrayLike, *, title: str = "Nyquist curves of Reno with RED"
) -> go.Figure:
    """Draw the open-loop response of each RTT around the critical point -1.

    A curve that crosses the real axis left of -1 encircles that point: the loop oscillates. The
    axes show the surroundings of -1; the curves come in from a large gain at frequency 0.

    Parameters
    ----------
    loop : the flows and the link.
    rtts_s : round-trip times in seconds, above 0, shape (n,).
    title : above the figure.

    Raises
    ------
    DataError : not a loop, not positive.

    Source: Nyquist's criterion on the loop of Hollot, Misra, Towsley and Gong, INFOCOM 2001.

    >>> loop = RedLoop(9000, 50, marking_slope=2e-4, averaging_gain=1e-4)
    >>> [part.name for part in nyquist_figure(loop, [0.05, 0.2]).data[1:]]
    ['50 ms: stable', '200 ms: unstable', 'critical point −1']
    """
    given("loop", loop, RedLoop)
    rtts = vector("rtts_s", rtts_s, positive=True)
    turn = np.linspace(0, 2 * np.pi, 181)
    parts = [reference(np.cos(turn), np.sin(turn), "gain 1")]
    parts[0].line.dash = "dot"
    reach = SPAN
    for index, rtt_s in enumerate(rtts):
        crossing = phase_crossing(loop, float(rtt_s))
        reach = max(reach, 1.25 * crossing.gain)
        omega = np.geomspace(crossing.omega_rad_s / 200, crossing.omega_rad_s * 5, POINTS)
        response = np.array([loop_response(loop, float(rtt_s), float(w)) for w in omega])
        state = "stable" if crossing.is_stable else "unstable"
        parts.append(
            curve(
                response.real,
                response.imag,
                f"{show_time(float(rtt_s), 3)}: {state}",
                colour(index),
                "%{customdata:.3g} rad/s<br>L = %{x:.3g} + i %{y:.3g}",
                customdata=omega,
            )
        )
    cross = {"symbol": "x", "size": 13, "color": REFERENCE}
    parts.append(
        curve([-1], [0], "critical point −1", REFERENCE, "−1", mode="markers", marker=cross)
    )
    return go.Figure(
        parts,
        layout(
            title,
            axis("Real part of L", "ratio", range=[-reach, 0.6 * reach], constrain="domain"),
            axis(
                "Imaginary part of L",
                "ratio",
                range=[-0.8 * reach, 0.8 * reach],
                scaleanchor="x",
                constrain="domain",
            ),
            height_px=620,
        ),
    )


def crossing_figure(
    rtt_s: ArrayLike,
    crossings: Sequence[PhaseCrossing],
    *,
    critical_s: float | None = None,
    title: str = "Gain at the phase crossing",
) -> go.Figure:
    """Draw the loop's gain where its phase is -180 degrees, over the RTT: above 1 it oscillates.

    Parameters
    ----------
    rtt_s : round-trip times in seconds, increasing, above 0, shape (n,).
    crossings : from `phase_crossing` at each of them, n values.
    critical_s : from `critical_rtt` in seconds, a vertical line (optional).
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, unsorted RTTs, another kind of value.
    InputError : a critical RTT that is not positive.

    Source: as in `phase_crossing`.

    >>> loop = RedLoop(9000, 50, marking_slope=2e-4, averaging_gain=1e-4)
    >>> rtt_s = [0.05, 0.2]
    >>> figure = crossing_figure(rtt_s, [phase_crossing(loop, rtt) for rtt in rtt_s])
    >>> figure.data[0].x, figure.layout.yaxis.type
    (array([ 50., 200.]), 'log')
    """
    rtts = vector("rtt_s", rtt_s, positive=True, increasing=True)
    if len(crossings) != rtts.size:
        raise DataError("crossings", f"has {len(crossings)} values", f"exactly {rtts.size}")
    values = [given("crossings", crossing, PhaseCrossing) for crossing in crossings]
    rtt_ms = MILLISECONDS.show(rtts)
    shades = [GREEN if value.is_stable else VERMILLION for value in values]
    line = curve(
        rtt_ms,
        [value.gain for value in values],
        "gain |L|",
        BLUE,
        "RTT %{x:.4g} ms<br>gain %{y:.3g}<br>at %{customdata:.3g} rad/s",
        mode="lines+markers",
        marker={"color": shades, "size": 9},
        customdata=[value.omega_rad_s for value in values],
        showlegend=True,
    )
    parts = [line, reference(rtt_ms[[0, -1]], [1, 1], "limit of stability: 1")]
    figure = go.Figure(
        parts, layout(title, axis("RTT", "ms", log=True), axis("Gain |L|", "ratio", log=True))
    )
    if critical_s is not None:
        at_ms = float(MILLISECONDS.show(number("critical_s", critical_s, above=0)))
        mark(figure, at_ms, f"critical RTT {at_ms:.3g} ms", log=True)
    return figure
