"""Controls for single values: a slider with a text entry in units, a list, a check box.

Every control has the same face: ``box`` to show, ``read()`` for its value, ``say(message)`` to put
words beside it, and ``on_change``.
"""

import html
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import ipywidgets as w
import numpy as np

from lab_tools.errors import LabError
from lab_tools.widgets.fields import FieldKind
from lab_tools.widgets.slider import Slider

#: Steps of a slider: 20 for each factor of ten over five decades.
STEPS = 101
_LABEL = {"description_width": "11em"}
_WIDE = {"width": "26em"}

OnChange = Callable[[], None]


class Control(Protocol):
    """What every control of a panel can do."""

    box: Any

    def read(self) -> Any:
        """Return the value, or raise the InputError that says why there is none."""

    def say(self, message: str) -> None:
        """Show a message beside the control; "" removes it."""


class Message:
    """Words in the page's own colours; an alert is announced by a screen reader."""

    def __init__(self, *, alert: bool = False) -> None:
        self._alert = alert
        self.box = w.HTML(layout={"min_width": "0"})

    def say(self, text: str) -> None:
        """Show plain text; "" shows nothing."""
        colour = "--jp-error-color1, #c62828" if self._alert else "--jp-ui-font-color1, inherit"
        role = "alert" if self._alert else "status"
        style = f"color: var({colour}); line-height: 1.4; white-space: pre-wrap"
        words = html.escape(text)
        self.box.value = f'<div role="{role}" style="{style}">{words}</div>' if text else ""


class QuantityControl:
    """A slider with equal ratios between its steps and, beside it, the value with its unit.

    Parameters
    ----------
    kind : name, units and steps.
    value : the present value, in SI units; it need not be one of the slider's steps.
    on_change : called after every change, whether the text can be read or not.
    """

    def __init__(self, kind: FieldKind, value: Any, on_change: OnChange) -> None:
        self._kind, self._on_change = kind, on_change
        self.steps = kind.steps(value, STEPS)
        self._moving = False
        self.slider = Slider(
            label=kind.label,
            value=self._nearest(value),
            last=len(self.steps) - 1,
            words=kind.show(value),
        )
        self.text = w.Text(
            value=kind.show(value), tooltip=f"{kind.label}, with its unit", layout={"width": "9em"}
        )
        self._message = Message(alert=True)
        self.slider.observe(self._slid, "value")
        self.text.observe(self._typed, "value")
        self.box = w.HBox([self.slider, self.text, self._message.box], layout={"flex_flow": "wrap"})

    def read(self) -> Any:
        """Return the value of the text."""
        return self._kind.parse(self.text.value)

    def say(self, message: str) -> None:
        """Show a message beside the control."""
        self._message.say(message)

    def _slid(self, _change: Any) -> None:
        if not self._moving:
            self._together(self.text, self._kind.show(self.steps[self.slider.value]))

    def _typed(self, _change: Any) -> None:
        if self._moving:
            return
        try:
            place = self._nearest(self.read())
        except LabError:
            place = self.slider.value  # the text says why it cannot be read; the slider waits
        self._together(self.slider, place)

    def _together(self, other: Any, value: Any) -> None:
        """Let the other half follow without an echo, then tell the owner once."""
        self._moving = True
        try:
            other.value = value
        finally:
            self._moving = False
        self.slider.words = self.text.value
        self._on_change()

    def _nearest(self, value: Any) -> int:
        """Return the step of a value: the same one, or that at the least ratio."""
        if value in self.steps:
            return self.steps.index(value)
        inner = [(i, v) for i, v in enumerate(self.steps) if v]
        sizes = np.log([v for _, v in inner])
        size = np.log(max(value, inner[0][1])) if value else -np.inf
        return inner[int(np.abs(sizes - size).argmin())][0]


class ChoiceControl:
    """A list to choose one name from."""

    def __init__(self, kind: FieldKind, value: str, on_change: OnChange) -> None:
        self.list = w.Dropdown(
            options=kind.choices, value=value, description=kind.label, style=_LABEL, layout=_WIDE
        )
        self._message = Message(alert=True)
        self.list.observe(lambda _change: on_change(), "value")
        self.box = w.HBox([self.list, self._message.box], layout={"flex_flow": "wrap"})

    def read(self) -> str:
        """Return the name chosen."""
        chosen: str = self.list.value
        return chosen

    def say(self, message: str) -> None:
        """Show a message beside the control."""
        self._message.say(message)


class SwitchControl:
    """A check box."""

    def __init__(self, kind: FieldKind, value: bool, on_change: OnChange) -> None:
        self.check = w.Checkbox(value=value, description=kind.label, style=_LABEL, layout=_WIDE)
        self._message = Message(alert=True)
        self.check.observe(lambda _change: on_change(), "value")
        self.box = w.HBox([self.check, self._message.box], layout={"flex_flow": "wrap"})

    def read(self) -> bool:
        """Return whether it is ticked."""
        return bool(self.check.value)

    def say(self, message: str) -> None:
        """Show a message beside the control."""
        self._message.say(message)


def control(kind: FieldKind, value: Any, on_change: OnChange) -> Control:
    """Return the control that fits a field."""
    if kind.choices:
        return ChoiceControl(kind, value, on_change)
    if kind.numeric:
        return QuantityControl(kind, value, on_change)
    return SwitchControl(kind, bool(value), on_change)


def column(parts: Sequence[Any]) -> Any:
    """Stack widgets."""
    return w.VBox(list(parts))
