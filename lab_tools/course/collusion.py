"""Submissions that share what they should not: reasons to look, never verdicts.

Students have parameters of their own, so an answer or a record that belongs to another student's
parameters came from somewhere. What is looked for:

``answers``
    wrong for oneself and right for the other student's records and parameters, or the same wrong
    number as theirs.
``same run``
    the very same run in two submissions: not only the same experiment, which gives the same traces
    for everybody, but the same file, which also holds how long the run took on the wall's clock.
    The runs that ship with the course do not count.
``parameters``
    records that were run with another student's parameters.
``name``
    data that another student's notebook wrote, as it says itself.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab_tools.course import chance, foreign
from lab_tools.course.handed_in import HandedIn
from lab_tools.course.swapped import Match

ANSWERS, SAME_RUN, PARAMETERS, NAME = "answers", "same run", "parameters", "name"


@dataclass(frozen=True)
class Flag:
    """A reason to look at two submissions together.

    Parameters
    ----------
    student, other : what the student handed in belongs to the other one, or to both.
    kind : of evidence; the module says which there are.
    what : a sentence.
    chance : how likely at least one other student fits so well by chance; None if it is no matter
        of chance.
    """

    student: str
    other: str
    kind: str
    what: str
    chance: float | None


def answer_flags(
    found: Sequence[Mapping[tuple[str, str], list[Match]]], students: int, limit: float
) -> list[Flag]:
    """Return flags for pairs whose matching answers together are less likely than the limit.

    Students who share some parameters share some right answers. So of two others, one who is
    matched in all that the other is matched in, and more, is the better explanation and alone told.
    """
    joined: dict[tuple[str, str], dict[str, Match]] = defaultdict(dict)
    for each in found:
        for pair, matches in each.items():
            for match in matches:
                joined[pair].setdefault(match.task, match)
    made = []
    for (student, other), tasks in joined.items():
        if any(who == student and set(tasks) < set(more) for (who, _), more in joined.items()):
            continue
        likely = chance.once_in((match.rate for match in tasks.values()), students - 1)
        if likely <= limit:
            made.append(Flag(student, other, ANSWERS, _say(tasks.values(), other), likely))
    return made


def _say(matches: Any, other: str) -> str:
    fits = sorted(match.task for match in matches if match.how == "fits")
    same = sorted(match.task for match in matches if match.how == "equals")
    words = []
    if fits:
        words.append(f"wrong for its own parameters, right for those of {other}: {', '.join(fits)}")
    if same:
        words.append(f"wrong, and the same as {other}: {', '.join(same)}")
    return "; ".join(words)


def shared_runs(class_: Sequence[HandedIn], recordings: Path) -> list[Flag]:
    """Return flags for pairs of submissions that hold the very same runs."""
    holders: dict[tuple[str, str], set[str]] = defaultdict(set)
    for each in class_:
        for seen in each.records:
            holders[seen.id, seen.digest].add(each.student)
    shared: dict[tuple[str, str], int] = defaultdict(int)
    for (name, digest), students in holders.items():
        if len(students) > 1 and digest not in _recorded(recordings, name):
            for one in students:
                for other in students - {one}:
                    shared[one, other] += 1
    return [
        Flag(one, other, SAME_RUN, f"{_runs(count)} of {other}, the same to the last byte", None)
        for (one, other), count in shared.items()
    ]


def _recorded(recordings: Path, name: str) -> set[str]:
    if not (name.isalnum() and name.isascii()):
        return set()
    files = (recordings / name[:2] / name).glob("*/record.json")
    return {hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def foreign_runs(
    class_: Sequence[HandedIn],
    variants: Mapping[str, Mapping[str, Any]],
    choices: Mapping[str, Sequence[Any]],
    limit: float,
) -> list[Flag]:
    """Return flags for records that were run with another student's parameters.

    Parameters
    ----------
    class_ : the submissions.
    variants : student to parameters.
    choices : parameter to the values that it may have.
    limit : largest probability to report.
    """
    rules = foreign.learn(class_, variants)
    ids = {each.student: {seen.id for seen in each.records} for each in class_}
    made = []
    for each in class_:
        odd = {}
        for seen in each.records:
            if strange := rules.strange(seen, variants[each.student]):
                odd[seen.id] = strange
        for other, own in variants.items():
            if other == each.student or not odd:
                continue
            fits, names = _fits(odd, own, rules, ids.get(other, set()))
            rates = [1 / len(choices[name]) for name in names if choices.get(name)]
            likely = chance.once_in(rates, len(variants) - 1)
            if fits and rates and likely <= limit:
                what = f"{_runs(fits)} made with the {_list(names)} of {other}"
                made.append(Flag(each.student, other, PARAMETERS, what, likely))
    return made


def _fits(
    odd: Mapping[str, Mapping[str, float]],
    variant: Mapping[str, Any],
    rules: foreign.Rules,
    ids: set[str],
) -> tuple[int, set[str]]:
    """Return how many of the odd records another student's parameters explain, and which do."""
    count, names = 0, set()
    for name, strange in odd.items():
        explained = [rules.names(leaf, value, variant) for leaf, value in strange.items()]
        if all(explained) or (name in ids and any(explained)):
            count += 1
            names |= {each for found in explained for each in found}
    return count, names


def borrowed_names(class_: Sequence[HandedIn]) -> list[Flag]:
    """Return flags for data that names somebody else as its author."""
    return [
        Flag(each.student, each.made_by[:100], NAME, "the data says that this one made it", None)
        for each in class_
        if each.made_by not in (None, each.student)
    ]


def in_order(flags: Sequence[Flag]) -> list[Flag]:
    """Return flags with the least likely first."""
    return sorted(flags, key=lambda each: (each.chance or 0.0, each.student, each.other, each.kind))


def _runs(count: int) -> str:
    return "a run" if count == 1 else f"{count} runs"


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names))
