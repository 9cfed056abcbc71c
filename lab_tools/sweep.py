"""A sweep: every combination of the values of some fields of an experiment, with several seeds."""

import dataclasses
import itertools
import math
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, Self

from lab_tools.arrays import whole
from lab_tools.errors import InputError, UnknownNameError
from lab_tools.experiment import Experiment, Flow, Host, Path
from lab_tools.plain import from_plain, to_plain

#: More points than anybody waits for: at two seconds a point it is three weeks on one processor.
MAX_POINTS = 1_000_000
_TABLES = ("base", "vary", "repeat")


@dataclass(frozen=True, init=False)
class Sweep:
    """A product of experiments.

    Parameters
    ----------
    base : the experiment that every point starts from.
    repeat : runs of every combination, with the seeds ``base.seed``, ``base.seed + 1``, …
    axes : the values of each varied field; any field that `Experiment.replace` takes. Text with
        units is allowed where the field has a unit.

    Points come with the first seed first, so that a part of a sweep covers the whole range; the
    last axis changes fastest.

    Raises
    ------
    InputError : unknown field, no values, a value twice, a combination that is no experiment, or
        more than `MAX_POINTS` points.

    >>> base = Experiment(Path(rate_bps=100e6, rtt_s=0.01))
    >>> sweep = Sweep(base, rtt_s=["10 ms", "100 ms"], cc=["cubic", "reno"], repeat=3)
    >>> len(sweep), [e.path.rtt_s for e in sweep][:4], {e.seed for e in sweep}
    (12, [0.01, 0.01, 0.1, 0.1], {1, 2, 3})
    """

    base: Experiment
    vary: tuple[tuple[str, tuple[Any, ...]], ...]
    repeat: int

    def __init__(self, base: Experiment, *, repeat: int = 1, **axes: Iterable[Any]) -> None:
        if not isinstance(base, Experiment):
            raise InputError("base", base, "an Experiment")
        whole("repeat", repeat, low=1, high=MAX_POINTS)
        if "seed" in axes and repeat > 1:
            raise InputError("repeat", repeat, "1 where the seed is varied")
        fields = _fields()
        for name in axes:
            if name not in fields:
                raise UnknownNameError("sweep: field", name, sorted(fields))
        vary = tuple((name, _values(fields[name], values)) for name, values in axes.items())
        object.__setattr__(self, "base", base)
        object.__setattr__(self, "vary", vary)
        object.__setattr__(self, "repeat", repeat)
        if len(self) > MAX_POINTS:
            raise InputError("sweep", f"{len(self)} points", f"at most {MAX_POINTS} points")
        self._check_points()

    def _check_points(self) -> None:
        """See that every combination is an experiment, and another one than all others."""
        seen = set()
        for changes in self._combinations():
            try:
                seen.add(self.base.replace(**changes))
            except InputError as error:
                said = ", ".join(f"{name} = {value!r}" for name, value in changes.items())
                error.add_note(f"That is so in the sweep's point with {said}.")
                raise
        combinations = len(self) // self.repeat
        if len(seen) < combinations:
            allowed = f"{combinations} different ones: two of its axes change the same field"
            raise InputError("sweep", f"{len(seen)} experiments", allowed)
        self.base.replace(seed=self.base.seed + self.repeat - 1)

    def _combinations(self) -> Iterator[dict[str, Any]]:
        names = [name for name, _ in self.vary]
        for values in itertools.product(*(values for _, values in self.vary)):
            yield dict(zip(names, values, strict=True))

    def __len__(self) -> int:
        return self.repeat * math.prod(len(values) for _, values in self.vary)

    def __iter__(self) -> Iterator[Experiment]:
        return (experiment for _, experiment in self.points())

    def points(self) -> Iterator[tuple[dict[str, Any], Experiment]]:
        """Yield the varied fields of each point, and its experiment."""
        for number in range(self.repeat):
            for changes in self._combinations():
                seed = {} if "seed" in changes else {"seed": self.base.seed + number}
                yield changes, self.base.replace(**changes, **seed)

    def to_dict(self) -> dict[str, Any]:
        """Return the sweep as plain data, with the tables ``base`` and ``vary``."""
        vary = {name: [to_plain(each) for each in values] for name, values in self.vary}
        return {"base": self.base.to_dict(), "vary": vary, "repeat": self.repeat}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Build a sweep from plain data; quantities may be text with units.

        The base may leave out what is varied.

        Raises
        ------
        InputError : a key that is not known, a key that is missing, a value that is not allowed.
        """
        for key in data:
            if key not in _TABLES:
                raise UnknownNameError("sweep: key", key, _TABLES)
        base: Any = data.get("base")
        vary: Any = data.get("vary", {})
        for name, table in (("base", base), ("vary", vary)):
            if not isinstance(table, dict):
                raise InputError(f"sweep: {name}", table, "a table of fields")
        path = base.get("path", {})
        if isinstance(path, dict):
            base = {**base, "path": {**_needed(vary), **path}}
        unknown = set(vary) - set(_fields())
        if unknown:
            raise UnknownNameError("vary: field", min(unknown), sorted(_fields()))
        return cls(Experiment.from_dict(base), repeat=data.get("repeat", 1), **vary)

    @classmethod
    def from_toml(cls, file: str | FilePath) -> Self:
        """Read a sweep from a TOML file with the tables ``base`` and ``vary``, and ``repeat``.

        Raises
        ------
        InputError : no such file, not TOML, or not a sweep.
        """
        try:
            data = tomllib.loads(FilePath(file).read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError("sweep", str(file), f"a readable file ({error})") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError("sweep", str(file), f"a TOML file ({error})") from error
        return cls.from_dict(data)


def _fields() -> "dict[str, dataclasses.Field[Any]]":
    """Return every field that `Experiment.replace` takes, by name; an experiment's own win."""
    kinds = (Flow, Host, Path, Experiment)
    return {item.name: item for kind in kinds for item in dataclasses.fields(kind)}


def _needed(vary: dict[str, Any]) -> dict[str, Any]:
    """Return the first values of those varied fields of a path that have no default."""
    needed = (item.name for item in dataclasses.fields(Path) if item.default is dataclasses.MISSING)
    return {
        name: vary[name][0] for name in needed if isinstance(vary.get(name), list) and vary[name]
    }


def _values(item: "dataclasses.Field[Any]", values: Any) -> tuple[Any, ...]:
    """Return an axis's values in the field's type."""
    allowed = "a list of values, such as [1, 2]"
    if isinstance(values, (str, bytes, dict)) or not isinstance(values, Iterable):
        raise InputError(item.name, values, allowed)
    found = list(itertools.islice(values, MAX_POINTS + 1))
    if not found:
        raise InputError(item.name, found, "a list with at least one value")
    if len(found) > MAX_POINTS:
        raise InputError(item.name, f"{len(found)} values or more", f"at most {MAX_POINTS} values")
    result = tuple(_value(item, each) for each in found)
    # What cannot be hashed is of no field's type.
    try:
        twice = len(set(result)) < len(result)
    except TypeError as error:
        raise InputError(item.name, found, allowed) from error
    if twice:
        again = next(each for each in result if result.count(each) > 1)
        raise InputError(item.name, again, "given once in the list")
    return result


def _value(item: "dataclasses.Field[Any]", value: Any) -> Any:
    """Convert one plain value with its unit; numpy's numbers become Python's."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if not isinstance(value, (str, int, float, list, dict)) or isinstance(value, bool):
        return value
    single = dataclasses.make_dataclass("OneField", [(item.name, item.type)])
    return getattr(from_plain(single, {item.name: value}, "sweep"), item.name)
