"""The model's goodput over one field, the present value, and what was measured."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from lab_tools.errors import InputError
from lab_tools.experiment import Experiment
from lab_tools.figures.draw import curve, hover
from lab_tools.figures.look import (
    BLUE,
    REFERENCE,
    VERMILLION,
    Scale,
    axis,
    layout,
    rate_scale,
    size_scale,
    time_scale,
)
from lab_tools.record import RunRecord
from lab_tools.widgets.expected import Expected, Model
from lab_tools.widgets.fields import FieldKind, value_of
from lab_tools.widgets.holder import Held

#: Values at which the curve is drawn.
POINTS = 61
_MODEL, _NOW, _OTHER, _MEASURED = range(4)


class ModelFigure:
    """Goodput over one field of an experiment.

    Parameters
    ----------
    model : what it says of an experiment, in bit/s.

    Attributes
    ----------
    held : the figure and its place.
    now : the model's answer for the present experiment.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.now = Expected(float("nan"), "")
        self._records: list[RunRecord] = []
        traces = [
            curve([], [], "model", BLUE, ""),
            _points("model, now", BLUE, "diamond"),
            _points("measured, other settings", REFERENCE, "circle-open"),
            _points("measured", VERMILLION, "circle"),
        ]
        self.held = Held(go.Figure(traces, layout("", height_px=380)))

    def remember(self, record: RunRecord) -> None:
        """Keep a record, whose point is drawn from the next `draw` on."""
        self._records.append(record)

    def draw(self, experiment: Experiment, name: str, kind: FieldKind, *, log: bool) -> None:
        """Draw everything for an experiment, over one of its fields.

        Parameters
        ----------
        experiment : the present one.
        name, kind : the field on the horizontal axis.
        log : a logarithmic goodput axis.
        """
        present = value_of(experiment, name)
        variants = _variants(experiment, name, kind.steps(present, POINTS))
        answers = [answer(self._model, each) for each in variants]
        self.now = answer(self._model, experiment)
        values = [value_of(each, name) for each in variants]
        x_scale = _scale(name, values)
        y_scale = rate_scale([experiment.path.rate_bps])
        unit = x_scale.unit
        text = hover(kind.label, unit, "Goodput", y_scale.unit)
        same, other = self._split(experiment, name)
        data: Any = self.held.figure.data
        for trace in data:
            trace.hovertemplate = f"{text}<extra>{trace.name}</extra>"
        self._place(_MODEL, x_scale, values, y_scale, [a.goodput_bps for a in answers])
        now = [present] if present else []
        self._place(_NOW, x_scale, now, y_scale, [self.now.goodput_bps] * len(now))
        for at, records in ((_OTHER, other), (_MEASURED, same)):
            places = [value_of(record.experiment, name) for record in records]
            goodputs = [record.goodput_bps() for record in records]
            self._place(at, x_scale, places, y_scale, goodputs)
            data[at].visible = bool(records)
        self.held.figure.update_layout(
            title_text=f"Goodput over {_lower(kind.label)}",
            # plain digits, not "100µ" of a percent
            xaxis=axis(kind.label, unit, log=True, exponentformat="none"),
            yaxis=axis("Goodput", y_scale.unit, log=True, **self._decade()) if log else
            axis("Goodput", y_scale.unit, rangemode="tozero", type="linear", autorange=True),
        )  # fmt: skip
        self.held.push()

    def _decade(self) -> dict[str, Any]:
        """Return a range of a decade at least: a few per cent should not fill the figure."""
        drawn: Any = [part for part in self.held.figure.data if part.visible is not False]
        values = np.concatenate([np.asarray(part.y, dtype=float) for part in drawn])
        values = values[np.isfinite(values) & (values > 0)]
        if not values.size or values.max() >= 10 * values.min():
            return {"autorange": True, "dtick": None}
        top = float(np.log10(values.max())) + 0.1
        # digits 1, 2 and 5 only: all nine would crowd the axis
        return {"range": [top - 1.1, top], "autorange": False, "dtick": "D2"}

    def _place(
        self, at: int, x_scale: Scale, x: Sequence[float], y_scale: Scale, y: Sequence[float]
    ) -> None:
        trace: Any = self.held.figure.data[at]
        trace.x, trace.y = x_scale.show(x), y_scale.show(y)

    def _split(self, experiment: Experiment, name: str) -> tuple[list[RunRecord], list[RunRecord]]:
        """Return the records that lie on the curve's own experiments, and the others."""
        same: list[RunRecord] = []
        other: list[RunRecord] = []
        for record in self._records:
            value = value_of(record.experiment, name)
            if not value:
                continue  # there is no 0 on a logarithmic axis
            fits = _same_but(experiment, record.experiment, name)
            (same if fits else other).append(record)
        return same, other


def answer(model: Model, experiment: Experiment) -> Expected:
    """Return what a model says, with the words for what limits it, if it has any."""
    said = model(experiment)
    return said if isinstance(said, Expected) else Expected(float(said), "")


def _variants(experiment: Experiment, name: str, values: Sequence[Any]) -> list[Experiment]:
    """Return the experiment at each value that it can have."""
    variants = []
    for value in values:
        if not value:
            continue
        try:
            variants.append(experiment.replace(**{name: value}))
        except InputError:
            continue  # such as a segment above the MTU
    return variants


def _same_but(one: Experiment, other: Experiment, name: str) -> bool:
    """Whether two experiments differ in nothing but one field, the times and the seed."""
    try:
        free = {"duration_s": 1.0, "omit_s": 0.0, "sample_interval_s": 0.1, "seed": 1}
        free[name] = value_of(one, name)
        return one.replace(**free) == other.replace(**free)
    except InputError:
        return False


def _scale(name: str, values: Sequence[Any]) -> Scale:
    by_unit = {"s": time_scale, "bps": rate_scale, "bytes": size_scale}
    middle = float(np.median(values)) if values else 1.0
    if fitting := by_unit.get(name.rsplit("_", 1)[-1]):
        return fitting(middle)
    if name in ("loss", "reorder", "duplicate"):
        return Scale(0.01, "%")
    return Scale(1.0, {"buffer_bdp": "BDP"}.get(name, "number"))


def _lower(label: str) -> str:
    """Write a name inside a sentence: "MTU" stays as it is."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def _points(name: str, colour: str, symbol: str) -> go.Scatter:
    marker = {"color": colour, "size": 12, "symbol": symbol}
    return curve([], [], name, colour, "", mode="markers", marker=marker)
