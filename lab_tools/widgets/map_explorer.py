"""Reference maps: a cobweb step by step, the Poincaré map of a long orbit, its exponent."""

from collections.abc import Callable

import ipywidgets as w
import numpy as np
import plotly.graph_objects as go

from lab_tools.analysis import dynamics
from lab_tools.arrays import FloatArray
from lab_tools.errors import LabError
from lab_tools.figures.draw import curve, hover
from lab_tools.figures.look import BLUE, VERMILLION, Scale, axis, layout
from lab_tools.figures.maps import cobweb_figure, poincare_figure
from lab_tools.widgets.controls import Message
from lab_tools.widgets.holder import Held
from lab_tools.widgets.maps import MAPS, ReferenceMap
from lab_tools.widgets.notebook import table
from lab_tools.widgets.page import Page
from lab_tools.widgets.steps import Steps, beside, chooser
from lab_tools.widgets.ticking import Ticker, tick

VIEWS = ("Cobweb", "Over time", "Poincaré map")
STEPS = 60
#: Steps of the orbit that the exponent is taken from, after as many that are left out; the Poincaré
#: map shows the first of them, which a page can draw.
LONG, SKIPPED, DRAWN = 20_000, 1000, 2000
_STARTS = np.linspace(0.02, 0.98, 49)


class MapExplorer:
    """The panel of reference maps.

    Parameters
    ----------
    ticker : calls a function again and again while the orbit plays; without one, the kernel's
        loop.

    Attributes
    ----------
    widget : what to show; ``which``, ``view``, ``parameter``, ``start``, ``steps`` and ``play``
        are its controls.
    held : the figure and its place.
    """

    def __init__(self, *, ticker: Ticker = tick) -> None:
        self._ticker = ticker
        self._playing = False
        first = next(iter(MAPS))
        about = MAPS[first]
        self.which = chooser("Map", list(MAPS), first, self._chosen)
        self.view = chooser("Show", VIEWS, VIEWS[0], self._draw)
        self.parameter = Steps("", [0.0], 0.0, str, self._draw)
        self.start = Steps("", [0.0], 0.0, str, self._draw)
        shown: Callable[[float], str] = lambda n: f"{n:.0f}"  # noqa: E731
        self.steps = Steps("Steps", range(1, STEPS + 1), 12, shown, self._draw)
        self.play = w.Button(description="Play", tooltip="Draw the orbit step by step")
        self.play.on_click(lambda _button: self._play())
        self._words = Message()
        self.held = Held(go.Figure())
        page = Page()
        page.follow(self.held)
        steps = w.HBox([self.steps.box, self.play], layout={"flex_flow": "wrap"})
        rows = [self.which, self.view, self.parameter.box, self.start.box, steps, self._words.box]
        self.widget = w.VBox([page, beside(rows, self.held)], layout={"overflow": "hidden"})
        self._begin(about)

    @property
    def about(self) -> ReferenceMap:
        """The map that is shown."""
        return MAPS[self.which.value]

    @property
    def orbit(self) -> FloatArray:
        """The orbit that is drawn: the start and as many steps as are asked for."""
        return self.about.orbit(self.parameter.value, int(self.steps.value) + 1, self.start.value)

    @property
    def said(self) -> str:
        """What the panel says of the map, as HTML."""
        words: str = self._words.box.value
        return words

    def words(self) -> str:
        """Return the map, its parameter and its exponent as a short table."""
        about = self.about
        rows = [
            ("Map", str(self.which.value)),
            (about.parameter, f"{self.parameter.value:g}"),
            ("Exponent", self._exponent(self._long())),
        ]
        return table(rows)

    def _long(self) -> FloatArray:
        orbit = self.about.orbit(self.parameter.value, SKIPPED + LONG, self.start.value)
        return orbit[SKIPPED:]

    def _exponent(self, orbit: FloatArray) -> str:
        slopes = self.about.slope(orbit, self.parameter.value)
        try:
            found = dynamics.derivative_exponent(slopes, np.random.default_rng(1))
        except LabError:
            return "minus infinity: the orbit meets a point where the map is level"
        # a mean of equal logarithms can round to -0
        return f"{round(found.value, 3) + 0.0:.3f} per step (mean of ln |slope| along the orbit)"

    def _chosen(self) -> None:
        self._begin(self.about)

    def _begin(self, about: ReferenceMap) -> None:
        """Give the sliders the map's own values, and draw."""
        low, high = about.span
        unit = "" if about.axis[1] == "no unit" else f" {about.axis[1]}"
        self.parameter.slider.label = about.parameter
        values = np.linspace(about.low, about.high, 151).round(4)
        self.parameter.reset(values.tolist(), about.first, lambda value: f"{value:g}")
        self.start.slider.label = "Start"
        starts = (low + (high - low) * _STARTS).round(3)
        self.start.reset(starts.tolist(), starts[14], lambda value: f"{value:g}{unit}")
        self._draw()

    def _draw(self) -> None:
        long = self._long()
        self._words.say(f"Exponent {self._exponent(long)}.\n{_regularity(long)}")
        self.held.show(self._figure(long))

    def _figure(self, long: FloatArray) -> go.Figure:
        about, orbit = self.about, self.orbit
        title = f"{self.which.value}, {about.parameter} = {self.parameter.value:g}"
        title = title[:1].upper() + title[1:]
        if self.view.value == VIEWS[1]:
            return _over_time(orbit, about.axis, title)
        if self.view.value == VIEWS[2]:
            name, unit = about.axis
            points = dynamics.poincare_map(long[:DRAWN])
            return poincare_figure(points, Scale(1.0, unit), name=name, title=title)
        return cobweb_figure(orbit, *about.curve(self.parameter.value), about.axis, title=title)

    def _play(self) -> None:
        """Begin at the first step, or stop."""
        self._playing = not self._playing
        self.play.description = "Stop" if self._playing else "Play"
        if self._playing:
            self.steps.slider.value = 0
            self._ticker(self._next)

    def _next(self) -> bool:
        """Draw one more step; return whether there are others."""
        if self._playing and self.steps.slider.value < self.steps.slider.last:
            self.steps.slider.value += 1
            return True
        self._playing = False
        self.play.description = "Play"
        return False


def _regularity(orbit: FloatArray) -> str:
    """Say how many values a long orbit keeps visiting."""
    different = np.unique(orbit.round(6)).size
    if different == 1:
        return f"After {SKIPPED} steps it stands still at {orbit[-1]:.4g}."
    if different <= LONG // 100:
        return f"After {SKIPPED} steps it goes round {different} values."
    return (
        f"After {SKIPPED} steps it has not settled: {different} different values in {LONG} steps."
    )


def _over_time(orbit: FloatArray, about: tuple[str, str], title: str) -> go.Figure:
    name, unit = about
    step = np.arange(orbit.size)
    line = {"color": BLUE, "width": 1.5}
    marker = {"color": VERMILLION, "size": 7}
    part = curve(
        step, orbit, "orbit", BLUE, hover("Step", "", name, unit),
        mode="lines+markers", line=line, marker=marker,
    )  # fmt: skip
    axes = axis("Step", "number", range=[-0.5, STEPS + 0.5]), axis(name, unit, rangemode="tozero")
    return go.Figure(part, layout(title, *axes))
