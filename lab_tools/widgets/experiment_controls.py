"""A control for each of some fields of an experiment; what they show together is what is run."""

from collections.abc import Callable, Sequence
from typing import Any

from lab_tools.errors import InputError
from lab_tools.experiment import Experiment
from lab_tools.widgets.controls import Control, column, control
from lab_tools.widgets.fields import kind_of, value_of


class ExperimentControls:
    """Controls of an experiment's fields, and the experiment that they show.

    Parameters
    ----------
    experiment : where every field that has no control comes from.
    names : fields with a control, in their order on the page.
    on_change : called after a change, with the experiment, or None while some text is refused.

    Attributes
    ----------
    experiment : the last one that could be read.
    valid : whether the controls show `experiment`.

    Raises
    ------
    InputError : a field that there is not, or that has no control.
    """

    def __init__(
        self,
        experiment: Experiment,
        names: Sequence[str],
        on_change: Callable[[Experiment | None], None],
    ) -> None:
        self.experiment, self.valid = experiment, True
        self._on_change = on_change
        experiment.replace(**{name: value_of(experiment, name) for name in names})
        self.kinds = {name: kind_of(experiment, name) for name in names}
        self.controls: dict[str, Control] = {
            name: control(kind, value_of(experiment, name), lambda name=name: self._changed(name))  # type: ignore[misc]
            for name, kind in self.kinds.items()
        }
        self.box = column([each.box for each in self.controls.values()])

    def rows(self) -> list[tuple[str, str]]:
        """Return each field's name and its value, in words."""
        return [
            (kind.label, kind.show(value_of(self.experiment, name)))
            for name, kind in self.kinds.items()
        ]

    def _changed(self, changed: str) -> None:
        values: dict[str, Any] = {}
        refused: dict[str, str] = {}
        for name, each in self.controls.items():
            try:
                values[name] = each.read()
            except InputError as error:
                refused[name] = str(error)
        if not refused:
            try:
                self.experiment = self.experiment.replace(**values)
            except InputError as error:
                where = error.field if error.field in self.controls else changed
                refused[where] = str(error)
        for name, each in self.controls.items():
            each.say(refused.get(name, ""))
        self.valid = not refused
        self._on_change(self.experiment if self.valid else None)


def usual_fields(experiment: Experiment, names: Sequence[str]) -> list[str]:
    """Leave out what cannot be changed by its name: a flow's fields, of several flows."""
    if len(experiment.flows) == 1:
        return list(names)
    flow_fields = set(vars(experiment.flows[0]))
    return [name for name in names if name not in flow_fields]
