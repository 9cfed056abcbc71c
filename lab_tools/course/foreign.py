"""Which records were run with somebody else's parameters?

How a lab turns a student's parameters into experiments is learned from the class: a field of the
experiments (the path's RTT, the seed) belongs to a parameter if, for most of the class, it is the
same multiple of it (0.001, or the same distance from it, for seeds). A record is foreign if such a
field has a value that neither the student's own parameters nor the lab for everybody explains.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lab_tools.course.handed_in import HandedIn, Seen, number

#: Fewer people than this say nothing about what most of the class does.
FEWEST = 4
#: Part of the class that has to agree.
_MOST = 0.8
_SEED = "seed"
#: What more than anybody's lab has; a longer list is there to keep us busy.
_MOST_RECORDS, _DEEPEST = 400, 8
Variant = Mapping[str, Any]


@dataclass
class Rules:
    """How experiments follow from parameters.

    Parameters
    ----------
    rules : field to pairs of a parameter and a multiple (for seeds: a distance).
    common : field to values that most of the class has.
    """

    rules: dict[str, set[tuple[str, float]]] = field(default_factory=dict)
    common: dict[str, set[float]] = field(default_factory=dict)

    def names(self, leaf: str, value: float, variant: Variant) -> set[str]:
        """Return the parameters of a variant that explain the value of a field."""
        return {
            name
            for name, step in self.rules.get(leaf, ())
            if _rounded(_value(leaf, variant[name], step)) == _rounded(value)
        }

    def strange(self, record: Seen, variant: Variant) -> dict[str, float]:
        """Return the fields of a record that a student's own parameters do not explain."""
        return {
            leaf: value
            for leaf, value in leaves(record.experiment)
            if leaf in self.rules
            and _rounded(value) not in self.common.get(leaf, ())
            and not self.names(leaf, value, variant)
        }


def learn(submissions: Iterable[HandedIn], variants: Mapping[str, Variant]) -> Rules:
    """Learn from a class how its experiments follow from its parameters.

    Returns
    -------
    No rules at all for a class of fewer than `FEWEST`.
    """
    class_ = [each for each in submissions if each.records]
    made = Rules()
    if len(class_) < FEWEST:
        return made
    steps: Counter[tuple[str, str, float]] = Counter()
    values: Counter[tuple[str, float]] = Counter()
    found = {
        each.student: {
            (leaf, _rounded(value))
            for seen in each.records[:_MOST_RECORDS]
            for leaf, value in leaves(seen.experiment)
        }
        for each in class_
    }
    enough = _MOST * len(class_)
    for pairs in found.values():
        values.update(pairs)
    for (leaf, value), count in values.items():
        if count >= enough:
            made.common.setdefault(leaf, set()).add(value)
    common = {pair for pair, count in values.items() if count >= enough}
    for student, pairs in found.items():
        steps.update(set(_steps(pairs - common, variants[student])))
    varied = {
        name
        for each in class_
        for name in variants[each.student]
        if len({repr(variants[one.student][name]) for one in class_}) > 1
    }
    for (leaf, name, step), count in steps.items():
        if count >= enough and name in varied:
            made.rules.setdefault(leaf, set()).add((name, step))
    return made


def leaves(experiment: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield every number of an experiment with the path to it.

    >>> list(leaves({"path": {"rtt_s": 0.02}, "flows": [{"streams": 4}]}))
    [('path.rtt_s', 0.02), ('flows.0.streams', 4.0)]
    """
    return _leaves(experiment, "", 0)


def _leaves(value: Any, path: str, depth: int) -> Iterator[tuple[str, float]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}" if path else str(name), depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}.{index}", depth + 1)
    elif (found := number(value)) is not None:
        yield path, found


def _steps(
    found: Iterable[tuple[str, float]], variant: Variant
) -> Iterator[tuple[str, str, float]]:
    for leaf, value in found:
        for name, raw in variant.items():
            base = number(raw)
            # a seed is drawn as itself; another parameter is only converted or multiplied
            if base is None or base == 0 or value == 0 or (leaf == _SEED) != (name == _SEED):
                continue
            yield leaf, name, _rounded(value - base if leaf == _SEED else value / base)


def _value(leaf: str, raw: Any, step: float) -> float:
    base = number(raw)
    if base is None:
        return float("nan")
    return base + step if leaf == _SEED else base * step


def _rounded(value: float) -> float:
    """Return a value to nine digits: 0.001 times 24 and 0.024 are the same."""
    return float(f"{value:.9g}")
