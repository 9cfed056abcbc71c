"""Frozen dataclasses to plain data and back, with units parsed and every key checked."""

import dataclasses
import types
import typing
from typing import Any

from lab_tools import units
from lab_tools.errors import InputError, UnknownNameError


def to_plain(value: Any) -> Any:
    """Turn a dataclass into plain data, leaving out fields at their default."""
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    if not dataclasses.is_dataclass(value):
        return value
    data = {}
    for item in dataclasses.fields(value):
        mine = getattr(value, item.name)
        default = item.default
        if item.default_factory is not dataclasses.MISSING:
            default = item.default_factory()
        if mine != default:
            is_whole = isinstance(mine, int) and not isinstance(mine, bool)
            as_float = (is_whole and item.type is float) or item.type == (float | None)
            data[item.name] = float(mine) if as_float else to_plain(mine)
    return data


#: What parses a field's text, by the unit at the end of its name.
_PARSERS = {
    "bps": units.rate_bps,
    "s": units.time_s,
    "bytes": units.size_bytes,
}
_FRACTIONS = ("loss", "reorder", "duplicate")


def from_plain(kind: Any, data: Any, where: str) -> Any:
    """Build the dataclass ``kind`` from plain data, refusing unknown and missing keys."""
    if not isinstance(data, dict):
        raise InputError(where, data, "a table of fields")
    fields = {f.name: f for f in dataclasses.fields(kind)}
    for key in data:
        if key not in fields:
            raise UnknownNameError(f"{where}: key", key, fields)
    values = {name: _value(fields[name], item, where) for name, item in data.items()}
    for name, item in fields.items():
        has_default = item.default is not dataclasses.MISSING
        has_default |= item.default_factory is not dataclasses.MISSING
        if name not in values and not has_default:
            raise InputError(f"{where}: {name}", None, "given (it has no default)")
    return kind(**values)


def _value(item: "dataclasses.Field[Any]", value: Any, where: str) -> Any:
    """Convert one field's plain value to the field's type."""
    name = f"{where}.{item.name}"
    for kind in (item.type, *typing.get_args(item.type)):
        if dataclasses.is_dataclass(kind) and typing.get_origin(item.type) is not tuple:
            return None if value is None else from_plain(kind, value, name)
    if typing.get_origin(item.type) is tuple:
        if not isinstance(value, list):
            raise InputError(name, value, "a list of tables")
        (inner, _) = typing.get_args(item.type)
        return tuple(from_plain(inner, each, f"{name}[{i}]") for i, each in enumerate(value))
    if value is None and isinstance(item.type, types.UnionType):
        return None
    parser = _PARSERS.get(item.name.rsplit("_", 1)[-1])
    if item.name in _FRACTIONS:
        return units.fraction(value, item.name)
    return parser(value, item.name) if parser else value
