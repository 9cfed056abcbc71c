"""The Poincaré map of a series with a slider for the lag, its determinism and its exponent."""

from collections.abc import Mapping
from typing import Any

import ipywidgets as w
import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.analysis import dynamics
from lab_tools.arrays import FloatArray, vector
from lab_tools.errors import DataError, LabError
from lab_tools.figures.look import Scale
from lab_tools.figures.maps import poincare_figure
from lab_tools.widgets.controls import Message
from lab_tools.widgets.holder import Held
from lab_tools.widgets.notebook import table
from lab_tools.widgets.page import Page
from lab_tools.widgets.steps import Steps, beside, chooser

Series = ArrayLike | Mapping[str, ArrayLike]
#: Fewest samples of a series: what the exponent needs.
FEWEST = 40
_MOST_LAG, _BINS = 60, 32


class SeriesExplorer:
    """The panel of given series.

    Parameters
    ----------
    series : samples at even intervals, shape (n,), n >= 40; or names and such samples.
    scale : the unit to read them in.
    interval_s : the sampling interval in s.

    Attributes
    ----------
    widget : what to show; ``which`` and ``lag`` are its controls.
    held : the figure and its place.

    Raises
    ------
    DataError : no series, NaN, too few samples.
    """

    def __init__(self, series: Series, scale: Scale, interval_s: float) -> None:
        named: Mapping[str, Any] = series if isinstance(series, Mapping) else {"series": series}
        if not named:
            raise DataError("series", "is empty", "at least one series")
        self._series: dict[str, FloatArray] = {
            str(name): vector(f"series {name!r}", values, min_length=FEWEST)
            for name, values in named.items()
        }
        self._scale, self._interval_s = scale, interval_s
        self.which = chooser("Series", list(self._series), next(iter(self._series)), self._chosen)
        self.lag = Steps("Lag", [1.0], 1.0, self._show_lag, self._draw)
        self._words = Message()
        self.held = Held(go.Figure())
        page = Page()
        page.follow(self.held)
        rows = [self.which] if len(self._series) > 1 else []
        rows += [self.lag.box, self._words.box]
        self.widget = w.VBox([page, beside(rows, self.held)], layout={"overflow": "hidden"})
        self._chosen()

    @property
    def said(self) -> str:
        """What the panel says of the series, as HTML."""
        words: str = self._words.box.value
        return words

    def words(self) -> str:
        """Return what there is of each series as a short table."""
        return table([(name, self._about(values, 1)) for name, values in self._series.items()])

    def _chosen(self) -> None:
        most = min(_MOST_LAG, self._series[self.which.value].size // 4)
        self.lag.reset(range(1, most + 1), 1, self._show_lag)
        self._draw()

    def _show_lag(self, lag: float) -> str:
        samples = "1 sample" if lag == 1 else f"{lag:.0f} samples"
        return f"{samples}, {lag * self._interval_s:g} s"

    def _about(self, series: FloatArray, lag: int) -> str:
        curve = self._curve(series, lag)
        said = [] if curve is None else [f"determinism {curve.determinism:.2f}"]
        try:
            found = dynamics.neighbour_ratio_exponent(
                series[::lag], np.random.default_rng(1), interval_s=lag * self._interval_s
            )
            said.append(
                f"exponent of nearest neighbours {found.value:.3g} "
                f"({found.low:.3g} to {found.high:.3g}) per second"
            )
        except LabError:
            said.append("no exponent: too few samples that differ")
        return ", ".join(said)

    def _curve(self, series: FloatArray, lag: int) -> dynamics.MapCurve | None:
        bins = min(_BINS, (series.size - lag) // 4)
        try:
            return dynamics.map_curve(series, step=lag, bins=bins)
        except LabError:
            return None  # it does not vary

    def _draw(self) -> None:
        series, lag = self._series[self.which.value], int(self.lag.value)
        self._words.say(
            f"{_upper(self._about(series, lag))}.\n"
            "A positive exponent of nearest neighbours does not show chaos: noise has one too."
        )
        figure = poincare_figure(
            dynamics.poincare_map(series, lag),
            self._scale,
            interval_s=self._interval_s,
            curve_of_map=self._curve(series, lag),
            name="Value",
            title=f"Poincaré map: {self.which.value}",
        )
        self.held.show(figure)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
