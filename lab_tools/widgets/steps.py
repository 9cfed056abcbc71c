"""A slider over a list of values, with the present one in words beside it."""

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as w
import numpy as np

from lab_tools.widgets.controls import Message
from lab_tools.widgets.holder import Held
from lab_tools.widgets.slider import Slider


class Steps:
    """A named slider over given values.

    Parameters
    ----------
    label : its name.
    values : what the steps stand for, in increasing order.
    value : the first one; the nearest of the values is taken.
    show : a value in words, with its unit.
    on_change : called after a change.

    Attributes
    ----------
    box : what to show.
    slider : the slider in it, whose ``value`` is the step's number.
    """

    def __init__(
        self,
        label: str,
        values: Sequence[float],
        value: float,
        show: Callable[[Any], str],
        on_change: Callable[[], None],
    ) -> None:
        self._on_change, self._quiet = on_change, False
        self.slider = Slider(label=label)
        self._words = Message()
        self.box = w.HBox(
            [self.slider, self._words.box], layout={"flex_flow": "wrap", "align_items": "center"}
        )
        self.reset(values, value, show)
        self.slider.observe(self._moved, "value")

    @property
    def value(self) -> float:
        """The value of the present step."""
        return self._values[min(self.slider.value, len(self._values) - 1)]

    def reset(self, values: Sequence[float], value: float, show: Callable[[Any], str]) -> None:
        """Give the slider other values, without a call of ``on_change``."""
        self._values, self._show = list(values), show
        self._quiet = True
        try:
            self.slider.last = len(self._values) - 1
            self.slider.value = int(np.abs(np.asarray(self._values) - value).argmin())
        finally:
            self._quiet = False
        self._say()

    def _moved(self, _change: Any) -> None:
        if not self._quiet:
            self._say()
            self._on_change()

    def _say(self) -> None:
        self.slider.words = self._show(self.value)
        self._words.say(self.slider.words)


def chooser(label: str, options: Sequence[Any], value: Any, on_change: Callable[[], None]) -> Any:
    """Return a list to choose from, as wide as the panels' other lists.

    Parameters
    ----------
    label : its name.
    options : what to choose from, or pairs of words and value.
    value : the first choice.
    on_change : called after a change.
    """
    box = w.Dropdown(
        options=list(options),
        value=value,
        description=label,
        style={"description_width": "11em"},
        layout={"width": "26em"},
    )
    box.observe(lambda _change: on_change(), "value")
    return box


def beside(controls: Sequence[Any], held: Held) -> Any:
    """Return controls with a square figure on their right, or below where the page is narrow."""
    left = w.VBox(list(controls), layout={"flex": "0 1 34em", "min_width": "0"})
    right = w.VBox([held.widget], layout={"flex": "1 1 480px", "min_width": "0"})
    return w.HBox([left, right], layout={"flex_flow": "wrap"})
