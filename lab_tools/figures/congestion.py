"""Congestion controls side by side: windows, one tooth with its cubic, recovery, what is kept."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike
from plotly.subplots import make_subplots

from lab_tools.arrays import number, vector
from lab_tools.errors import DataError
from lab_tools.figures.draw import curve, hover, mark, reference
from lab_tools.figures.look import BLUE, SECONDS, VERMILLION, axis, colour, dash, layout

PANEL_PX = 110
#: Of a polynomial of the third degree.
COEFFICIENTS = 4


def window_panels(
    runs: Mapping[str, tuple[ArrayLike, ArrayLike]],
    full_segments: float,
    *,
    title: str = "Congestion windows on the same path",
) -> go.Figure:
    """Draw the congestion window of several runs over time, a panel each on common axes.

    Parameters
    ----------
    runs : name of each run to its times in seconds and its windows in segments.
    full_segments : window that fills the path, drawn as a line in every panel.
    title : above the figure.

    Raises
    ------
    DataError : no runs, wrong shapes, times that go back.
    InputError : a full window that is not positive.

    >>> figure = window_panels({"reno": ([0, 1], [5, 6]), "bbr": ([0, 1], [9, 9])}, 8)
    >>> [part.name for part in figure.data if part.showlegend is not False]
    ['reno', 'fills the path', 'bbr']
    """
    if not runs:
        raise DataError("runs", "has no run", "at least one")
    full = number("full_segments", full_segments, above=0)
    rows = len(runs)
    figure = make_subplots(
        rows=rows,
        cols=1,
        shared_xaxes=True,
        shared_yaxes="all",
        vertical_spacing=0.1 / rows,
        figure=go.Figure(layout=layout(title, height_px=PANEL_PX * rows + 120)),
    )
    text = hover("Time", "s", "Window", "segments")
    for row, (name, (time_s, cwnd)) in enumerate(runs.items(), start=1):
        times = vector(f"time_s of {name}", time_s, min_length=2, increasing=True)
        windows = vector(f"cwnd of {name}", cwnd, length=times.size, non_negative=True)
        line = curve(times, windows, name, colour(row - 1), text)
        figure.add_trace(line, row=row, col=1)
        ends = [float(times[0]), float(times[-1])]
        limit = reference(ends, [full, full], "fills the path", showlegend=row == 1)
        figure.add_trace(limit, row=row, col=1)
        figure.update_yaxes(title={"text": name}, rangemode="tozero", row=row, col=1)
    figure.update_xaxes(axis("Time", "s"), row=rows, col=1)
    figure.add_annotation(
        x=0, xref="paper", y=1, yref="paper", yanchor="bottom", xanchor="left", showarrow=False,
        text="Window (segments)",
    )  # fmt: skip
    return figure


def tooth_figure(
    elapsed_s: ArrayLike,
    cwnd: ArrayLike,
    coefficients: ArrayLike,
    *,
    title: str = "One tooth and its cubic",
) -> go.Figure:
    """Draw a tooth of the window over the time since the loss, with a cubic through it.

    Parameters
    ----------
    elapsed_s : time since the loss in seconds, shape (n,), increasing.
    cwnd : congestion window in segments, shape (n,).
    coefficients : of the polynomial, from the cubic term down to the constant; shape (4,), as
        ``np.polyfit(elapsed_s, cwnd, 3)`` returns them.
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, or no cubic term.

    Source: the inflection of ``a x³ + b x² + …`` is at ``-b / (3 a)``; CUBIC calls it K.

    >>> figure = tooth_figure([0, 1, 2], [1, 2, 3], [1, -3, 3, 1])
    >>> figure.data[1].name, figure.layout.annotations[0].text
    ('1 x³ + …', 'inflection at 1 s')
    """
    times = vector("elapsed_s", elapsed_s, min_length=2, increasing=True)
    windows = vector("cwnd", cwnd, length=times.size, positive=True)
    fit = vector("coefficients", coefficients, length=COEFFICIENTS)
    if fit[0] == 0:
        raise DataError("coefficients", "has no cubic term", "a polynomial of the third degree")
    text = hover("Time since the loss", "s", "Window", "segments")
    dashed = {"color": VERMILLION, "width": 2, "dash": "dash"}
    figure = go.Figure(
        [
            curve(times, windows, "measured", BLUE, text, mode="markers", marker={"size": 5}),
            curve(times, np.polyval(fit, times), f"{fit[0]:.3g} x³ + …", VERMILLION, text,
                  line=dashed),
        ],
        layout(title, axis("Time since the loss", "s"), axis("Congestion window", "segments")),
    )  # fmt: skip
    inflection_s = float(-fit[1] / (3 * fit[0]))
    return mark(figure, inflection_s, f"inflection at {inflection_s:.3g} s")


def recovery_figure(
    measured: Mapping[str, tuple[ArrayLike, ArrayLike]],
    models: Mapping[str, tuple[ArrayLike, ArrayLike]] | None = None,
    *,
    title: str = "How long one loss hurts",
) -> go.Figure:
    """Draw recovery time over window on logarithmic axes: points measured, lines of models.

    A power law is a straight line; its slope is the exponent. A model has the colour of the
    measurement of the same name.

    Parameters
    ----------
    measured : name to windows in segments and recovery times in seconds.
    models : the same for lines (optional).
    title : above the figure.

    Raises
    ------
    DataError : nothing measured, wrong shapes, a value that is not positive.

    >>> figure = recovery_figure({"reno": ([100, 200], [4, 8])}, {"reno": ([50, 400], [2, 16])})
    >>> [part.name for part in figure.data]
    ['reno', 'reno, model']
    """
    if not measured:
        raise DataError("measured", "is empty", "at least one congestion control")
    text = hover("Window", "segments", "Recovery", SECONDS.unit)
    parts = []
    for index, (name, (windows, times_s)) in enumerate(measured.items()):
        x = vector(f"windows of {name}", windows, positive=True)
        y = vector(f"times of {name}", times_s, length=x.size, positive=True)
        parts.append(curve(x, y, name, colour(index), text, mode="markers"))
    for name, (windows, times_s) in (models or {}).items():
        x = vector(f"windows of {name}", windows, positive=True)
        y = vector(f"times of {name}", times_s, length=x.size, positive=True)
        index = list(measured).index(name) if name in measured else len(measured)
        line = {"color": colour(index), "width": 2, "dash": dash(1)}
        parts.append(curve(x, y, f"{name}, model", colour(index), text, line=line))
    return go.Figure(
        parts,
        layout(
            title,
            axis("Window before the loss", "segments", log=True),
            axis("Time until the next full window", SECONDS.unit, log=True),
        ),
    )


def kept_figure(
    kept: Mapping[str, float], *, title: str = "What each congestion control keeps of the path"
) -> go.Figure:
    """Draw the share of the path's rate that each congestion control keeps, as bars.

    Parameters
    ----------
    kept : name to share of the rate, as a fraction of 0 or more.
    title : above the figure.

    Raises
    ------
    DataError : nothing to draw, or a share that is negative.

    >>> kept_figure({"reno": 0.07, "bbr": 0.96}).data[0].text
    ('7.0 %', '96.0 %')
    """
    shares = vector("kept", list(kept.values()), non_negative=True)
    bars = go.Bar(
        x=list(kept),
        y=100 * shares,
        marker={"color": [colour(index) for index in range(shares.size)]},
        text=[f"{100 * share:.1f} %" for share in shares],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{x}<br>%{y:.3g} %<extra></extra>",
        showlegend=False,
    )
    return go.Figure(
        bars, layout(title, {"title": {"text": ""}}, axis("Share of the path's rate", "%"))
    )
