"""The look that every figure shares: template, colours, axes with units, layout.

A figure is made of plain traces on ``layout("Title", axis("RTT", "ms", log=True), …)``. Colours
are those of Okabe and Ito, which people with any common colour vision can tell apart; black is
left out so that a figure reads the same on the dark template.

>>> import plotly.graph_objects as go
>>> profile = go.Scatter(x=[1, 10], y=[9, 5], line_color=BLUE)
>>> figure = go.Figure(profile, layout("Profile", axis("RTT", "ms"), axis("Goodput", "Gbit/s")))
>>> figure.layout.xaxis.title.text, figure.layout.yaxis.title.text
('RTT (ms)', 'Goodput (Gbit/s)')
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, whole
from lab_tools.errors import DataError, InputError

#: Okabe and Ito, "Color universal design", 2008.
BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"
VERMILLION, PURPLE, SKY, YELLOW = "#D55E00", "#CC79A7", "#56B4E9", "#F0E442"
PALETTE = (BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY, YELLOW)
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
#: Lines that are no data: limits, identities, references; visible on white and on black.
REFERENCE = "#808080"
#: Colours of time or size, from early or small (dark) to late or large (light).
SEQUENCE = "Viridis"

#: Names of the templates; the light one is on every figure.
LIGHT = "data_over_distance"
DARK = "data_over_distance_dark"

FONT = "Open Sans, Helvetica Neue, Arial, DejaVu Sans, sans-serif"


def _template(paper: str, ink: str, grid: str) -> go.layout.Template:
    axes = {
        "automargin": True,
        "gridcolor": grid,
        "linecolor": ink,
        "showline": True,
        "ticks": "outside",
        "tickcolor": ink,
        "title": {"standoff": 10},
        "zeroline": False,
    }
    scene = {"backgroundcolor": paper, "gridcolor": grid, "linecolor": ink, "showbackground": True}
    return go.layout.Template(
        layout={
            "annotationdefaults": {"font": {"color": ink, "size": 12}, "arrowcolor": ink},
            "autotypenumbers": "strict",
            "colorscale": {"sequential": SEQUENCE},
            "colorway": PALETTE,
            "coloraxis": {"colorbar": {"outlinewidth": 0, "ticks": "outside"}},
            "font": {"family": FONT, "size": 13, "color": ink},
            "hoverlabel": {"align": "left", "namelength": -1},
            "legend": {
                "orientation": "h",
                "x": 0.5,
                "xanchor": "center",
                "y": 0,
                "yanchor": "bottom",
                "yref": "container",
                "bgcolor": "rgba(0,0,0,0)",
                "traceorder": "normal",
            },
            "margin": {"l": 70, "r": 30, "t": 60, "b": 60},
            "paper_bgcolor": paper,
            "plot_bgcolor": paper,
            "scene": {"xaxis": scene, "yaxis": scene, "zaxis": scene},
            "title": {
                "font": {"size": 16},
                "x": 0.02,
                "xanchor": "left",
                "y": 0.97,
                "yanchor": "top",
                "yref": "container",
            },
            "xaxis": axes,
            "yaxis": axes,
        }
    )


pio.templates[LIGHT] = _template(paper="#FFFFFF", ink="#222222", grid="#E3E3E3")
pio.templates[DARK] = _template(paper="#16181C", ink="#E6E6E6", grid="#3A3D42")


def axis(name: str, unit: str, *, log: bool = False, **extra: Any) -> dict[str, Any]:
    """Say what an axis shows and in which unit, as plotly's axis properties.

    Parameters
    ----------
    name : what is shown, such as ``"RTT"``.
    unit : its unit, such as ``"ms"``; for a pure number what it counts, such as ``"fraction"``.
    log : a logarithmic axis.
    extra : more of plotly's axis properties.

    Raises
    ------
    InputError : no name or no unit.

    >>> axis("Loss", "fraction", log=True)["type"]
    'log'
    """
    for field, text in (("name", name), ("unit", unit)):
        if not text:
            raise InputError(field, text, "a word or more")
    properties: dict[str, Any] = {"title": {"text": f"{name} ({unit})"}}
    if log:
        minor = {"ticks": "outside", "ticklen": 3}
        properties |= {"type": "log", "nticks": 5, "minor": minor, "minorloglabels": "complete"}
    return properties | extra


def layout(
    title: str,
    x: dict[str, Any] | None = None,
    y: dict[str, Any] | None = None,
    *,
    height_px: int = 440,
    **extra: Any,
) -> go.Layout:
    """Return the layout of a figure: the shared template, a title, a height and its axes.

    Give it to ``go.Figure``, and that to ``make_subplots(figure=…)`` where there are panels:
    ``update_layout`` on a figure made without it would mix plotly's own template into this one.

    Parameters
    ----------
    title : what the figure shows.
    x, y : the axes, from `axis`; None for a figure without, or with several.
    height_px : height in pixels; the width follows the page.
    extra : more of plotly's layout properties.

    Raises
    ------
    InputError : a height that is not a whole number from 100.

    >>> layout("Profile").template.layout.font.size
    13
    """
    height = whole("height_px", height_px, low=100)
    axes = {name: value for name, value in (("xaxis", x), ("yaxis", y)) if value is not None}
    return go.Layout(template=LIGHT, title={"text": title}, height=height, **axes, **extra)


def colour(index: int) -> str:
    """Colour of the n-th curve, from 0; it starts again after seven.

    >>> colour(0) == colour(7) == BLUE
    True
    """
    return PALETTE[whole("index", index) % len(PALETTE)]


def dash(index: int) -> str:
    """Dash of the n-th curve, from 0: curves that lie on each other are told apart by it.

    >>> dash(0), dash(1)
    ('solid', 'dash')
    """
    return DASHES[whole("index", index) % len(DASHES)]


def faded(colour: str, opacity: float) -> str:
    """Return a ``#RRGGBB`` colour with an opacity, for bands and regions.

    Raises
    ------
    InputError : an opacity outside 0 to 1, or not such a colour.

    >>> faded(BLUE, 0.2)
    'rgba(0,114,178,0.2)'
    """
    opacity = number("opacity", opacity, low=0, high=1)
    try:
        red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    except ValueError as error:
        raise InputError("colour", colour, "a colour such as '#0072B2'") from error
    return f"rgba({red},{green},{blue},{opacity:g})"


@dataclass(frozen=True)
class Scale:
    """A unit fit for reading some values.

    Attributes
    ----------
    size : the unit in SI units, such as 1e9 bit/s.
    unit : its name, such as ``"Gbit/s"``.

    >>> Scale(1e-3, "ms").show([0.1])
    array([100.])
    """

    size: float
    unit: str

    def show(self, values: ArrayLike) -> FloatArray:
        """Values in SI units as numbers of this unit; the same shape."""
        return np.asarray(values, dtype=np.float64) / self.size


MILLISECONDS = Scale(1e-3, "ms")
SECONDS = Scale(1.0, "s")
_RATES = (
    Scale(1e9, "Gbit/s"),
    Scale(1e6, "Mbit/s"),
    Scale(1e3, "kbit/s"),
    Scale(1.0, "bit/s"),
)
_TIMES = (SECONDS, MILLISECONDS, Scale(1e-6, "µs"))
_SIZES = (Scale(1e9, "GB"), Scale(1e6, "MB"), Scale(1e3, "kB"), Scale(1.0, "B"))


def _fit(name: str, scales: tuple[Scale, ...], values: Iterable[ArrayLike]) -> Scale:
    sizes = [np.abs(np.asarray(part, dtype=np.float64)).ravel() for part in values]
    joined = np.concatenate(sizes) if sizes else np.empty(0)
    finite = joined[np.isfinite(joined)]
    if not finite.size:
        raise DataError(name, "holds no finite number", "something to draw")
    largest = float(finite.max())
    return next((scale for scale in scales if largest >= scale.size), scales[-1])


def rate_scale(*rate_bps: ArrayLike) -> Scale:
    """Unit fit for reading rates in bit/s: Gbit/s, Mbit/s, kbit/s or bit/s.

    >>> rate_scale([2e6, 9.4e9]).unit
    'Gbit/s'
    """
    return _fit("rate_bps", _RATES, rate_bps)


def time_scale(*time_s: ArrayLike) -> Scale:
    """Unit fit for reading times in seconds: s, ms or µs.

    >>> time_scale([0.02, 0.1]).unit
    'ms'
    """
    return _fit("time_s", _TIMES, time_s)


def size_scale(*size_bytes: ArrayLike) -> Scale:
    """Unit fit for reading sizes in bytes: GB, MB, kB or B.

    >>> size_scale([64e3]).unit
    'kB'
    """
    return _fit("size_bytes", _SIZES, size_bytes)
