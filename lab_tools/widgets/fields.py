"""What a control knows of a field of an experiment: its name, its text, its steps.

The table names the usual fields; any other field is known by its unit, which ends its name.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab_tools import units
from lab_tools.errors import InputError, UnknownNameError
from lab_tools.experiment import CONGESTION_CONTROLS, QUEUE_DISCIPLINES, Experiment

#: Digits of a value that a slider chooses: two people who choose "20 ms" run the same experiment.
_DIGITS = 3
_SPAN = 100.0


@dataclass(frozen=True)
class FieldKind:
    """How people see and enter one field.

    Parameters
    ----------
    label : its name in words.
    parse : text to value.
    show : value to text, which ``parse`` understands.
    low, high : ends of a slider with equal ratios between its steps.
    first, last : values at the slider's very ends, such as no loss at all; `...` for none.
    whole : only whole numbers.
    choices : the names to choose from, for a field that is a name.
    """

    label: str
    parse: Callable[[str], Any] = str
    show: Callable[[Any], str] = str
    low: float = 0.0
    high: float = 0.0
    first: Any = ...
    last: Any = ...
    whole: bool = False
    choices: tuple[str, ...] = ()

    @property
    def numeric(self) -> bool:
        """Whether the field has a slider, and can be a horizontal axis."""
        return self.high > 0

    def steps(self, present: Any, count: int) -> list[Any]:
        """Values of the slider's steps in order, in SI units; the present one within its ends."""
        given = [present] if isinstance(present, int | float) and present > 0 else []
        low, high = min([self.low, *given]), max([self.high, *given])
        values = [_rounded(v) for v in np.geomspace(low, high, count).tolist()]
        if self.whole:
            values = sorted({round(v) for v in values})
        head = [] if self.first is ... else [self.first]
        return head + values + ([] if self.last is ... else [self.last])


def kind_of(experiment: Experiment, name: str) -> FieldKind:
    """Return how people see a field of `Path`, `Host`, `Flow` or `Experiment`.

    Raises
    ------
    UnknownNameError : there is no such field; InputError : no control fits it.
    """
    value = value_of(experiment, name)
    if name in _KINDS:
        return _KINDS[name]
    label = name.rsplit("_", 1)[0].replace("_", " ").capitalize()
    unit = name.rsplit("_", 1)[-1]
    if isinstance(value, bool):
        return FieldKind(name.replace("_", " ").capitalize())
    if unit in _UNITS and (value is None or isinstance(value, int | float)):
        parse, show, low, high = _UNITS[unit]
        if value:
            low, high = value / _SPAN, value * _SPAN
        if value is None:
            return FieldKind(label, _optional(parse), _or_none(show), low, high, last=None)
        return FieldKind(label, parse, show, low, high, first=0.0 if value == 0 else ...)
    raise InputError("vary", name, f"among the fields that have a control: {', '.join(_KINDS)}")


def value_of(experiment: Experiment, name: str) -> Any:
    """Return a field's present value, looked up where ``Experiment.replace`` puts it.

    Raises
    ------
    UnknownNameError : there is no such field.
    """
    known: list[str] = []
    for part in (experiment, experiment.path, experiment.host, experiment.flows[0]):
        names = [each.name for each in dataclasses.fields(part)]
        if name in names:
            return getattr(part, name)
        known += names
    raise UnknownNameError("vary", name, sorted(set(known)))


def show_loss(value: float) -> str:
    """Say a share of packets in percent, such as ``"0.1 %"``."""
    return f"{100 * value:.4g} %"


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _optional(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: None if text.strip().lower() in ("", "none", "auto") else parse(text)


def _or_none(show: Callable[[Any], str], none: str = "none") -> Callable[[Any], str]:
    return lambda value: none if value is None else show(value)


def _bdp(text: str) -> float:
    try:
        return float(text.upper().removesuffix("BDP"))
    except ValueError as error:
        raise InputError("buffer_bdp", text, 'a number such as "0.5 BDP"') from error


def _count(name: str) -> Callable[[str], int]:
    def parse(text: str) -> int:
        try:
            return int(text)
        except ValueError as error:
            raise InputError(name, text, "a whole number") from error

    return parse


def _time(name: str) -> Callable[[str], float]:
    return lambda text: units.time_s(text, name)


def _rate(name: str) -> Callable[[str], float]:
    return lambda text: units.rate_bps(text, name)


def _size(name: str) -> Callable[[str], int]:
    return lambda text: units.size_bytes(text, name)


def _share(name: str) -> Callable[[str], float]:
    return lambda text: units.fraction(text, name)


def _bytes(value: float) -> str:
    # a size has to survive the way through text: every digit of it
    return units.show_size(value, 10)


def _seconds(value: float) -> str:
    return units.show_time(value, 10)


def _bits(value: float) -> str:
    return units.show_rate(value, 10)


def _loss_kind(name: str, label: str) -> FieldKind:
    return FieldKind(label, _share(name), lambda v: f"{100 * v:.10g} %", 1e-7, 0.1, first=0.0)


def _socket_kind(name: str, label: str) -> FieldKind:
    show = _or_none(_bytes, "auto")
    return FieldKind(label, _optional(_size(name)), show, 65536, 1e9, last=None, whole=True)


_UNITS: dict[str, tuple[Callable[[str], Any], Callable[[Any], str], float, float]] = {
    "s": (units.time_s, _seconds, 1e-3, 100.0),
    "bps": (units.rate_bps, _bits, 1e6, 10e9),
    "bytes": (units.size_bytes, _bytes, 1e3, 1e9),
}
_KINDS = {
    "rtt_s": FieldKind("Round-trip time", _time("rtt_s"), _seconds, 1e-4, 1.0),
    "loss": _loss_kind("loss", "Random loss"),
    "rate_bps": FieldKind("Bottleneck rate", _rate("rate_bps"), _bits, 1e6, 10e9),
    "buffer_bdp": FieldKind(
        "Router buffer", _bdp, lambda v: f"{v:.10g} BDP", 0.01, 10.0
    ),
    "buffer_bytes": FieldKind(
        "Router buffer", _optional(_size("buffer_bytes")), _or_none(_bytes, "auto"), 2e4, 1e9,
        last=None, whole=True,
    ),
    "jitter_s": FieldKind("Jitter", _time("jitter_s"), _seconds, 1e-6, 0.1, first=0.0),
    "reorder": _loss_kind("reorder", "Reordering"),
    "duplicate": _loss_kind("duplicate", "Duplicates"),
    "mtu_bytes": FieldKind("MTU", _size("mtu_bytes"), _bytes, 576, 9000, whole=True),
    "qdisc": FieldKind("Queue discipline", choices=QUEUE_DISCIPLINES),
    "cc": FieldKind("Congestion control", choices=CONGESTION_CONTROLS),
    "streams": FieldKind("Streams", _count("streams"), str, 1, 64, whole=True),
    "mss_bytes": FieldKind(
        "MSS", _optional(_size("mss_bytes")), _or_none(_bytes, "auto"), 88, 8960,
        last=None, whole=True,
    ),
    "pacing_bps": FieldKind(
        "Pacing of a stream", _optional(_rate("pacing_bps")), _or_none(_bits), 1e6, 10e9, last=None
    ),
    "app_limit_bps": FieldKind(
        "Application's rate", _optional(_rate("app_limit_bps")), _or_none(_bits), 1e6, 10e9,
        last=None,
    ),
    "sndbuf_bytes": _socket_kind("sndbuf_bytes", "Send buffer"),
    "rcvbuf_bytes": _socket_kind("rcvbuf_bytes", "Receive buffer"),
    "duration_s": FieldKind("Duration", _time("duration_s"), _seconds, 1.0, 300.0),
    "omit_s": FieldKind("Omitted head", _time("omit_s"), _seconds, 0.1, 100.0, first=0.0),
    "sample_interval_s": FieldKind(
        "Sampling interval", _time("sample_interval_s"), _seconds, 1e-3, 1.0
    ),
    "seed": FieldKind("Seed", _count("seed"), str, 1, 100, whole=True),
}  # fmt: skip
