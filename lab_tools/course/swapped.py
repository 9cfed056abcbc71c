"""Answers that are right for another student and wrong for one's own."""

import json
import os
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from lab_tools.course.box.comparing import SEPARATOR, appendix
from lab_tools.course.chance import rate
from lab_tools.course.folder import CourseFolder
from lab_tools.course.handed_in import HandedIn, files_of
from lab_tools.course.limits import Limits
from lab_tools.course.released import Lab
from lab_tools.course.sandbox import Sandbox
from lab_tools.errors import GradingError

#: Right answers of each task that are tried in other places, to learn how often one fits by chance.
_RIGHT = 20
_FULL = 1e-9
#: More characters than an answer to any task has.
_LONGEST = 20_000
Scores = Mapping[str, Mapping[str, dict[str, Any]]]


@dataclass(frozen=True)
class Match:
    """One answer that fits, or equals, another student's.

    Parameters
    ----------
    task : which.
    how : ``"fits"``: it would be right for the other one; ``"equals"``: both gave the
        same, and it is wrong for this one.
    rate : how often that happens between two students by chance.
    """

    task: str
    how: str
    rate: float


def is_right(scores: Scores, student: str, task: str) -> bool:
    """Whether a student got full marks in a task."""
    found = scores.get(student, {}).get(task)
    return found is not None and found["score"] >= found["points"] - _FULL


def fitting(
    class_: Sequence[HandedIn],
    scores: Scores,
    variants: Mapping[str, Mapping[str, Any]],
    judge: Callable[[str, dict[str, list[Any]]], set[tuple[str, int]]],
) -> dict[tuple[str, str], list[Match]]:
    """Try wrong answers in the other students' places.

    Parameters
    ----------
    class_ : the submissions.
    scores : student to task to score, as graded.
    variants : student to parameters.
    judge : takes a student and answers to try; returns task and number of those that are right
        with that student's records and parameters.

    Returns
    -------
    (who gave the answer, whom it fits) to the tasks.
    """
    wrong = _by_task(class_, scores, lambda who, task: not is_right(scores, who, task))
    right = _by_task(class_, scores, lambda who, task: is_right(scores, who, task))
    tried, owners = _to_try(wrong, right)
    if not any(wrong.values()):
        return {}
    hits: dict[str, list[tuple[str, str, bool]]] = defaultdict(list)
    trials: dict[str, int] = defaultdict(int)
    coincidences: dict[str, int] = defaultdict(int)
    names = [each.student for each in class_]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = dict(zip(names, pool.map(lambda name: judge(name, tried), names), strict=True))
    for other, fits in found.items():
        for task, people in owners.items():
            for index, givers in enumerate(people):
                for giver, was_right in givers:
                    if giver == other or variants[giver] == variants[other]:
                        continue
                    hit = (task, index) in fits
                    if was_right:
                        trials[task] += 1
                        coincidences[task] += hit
                    elif hit:
                        hits[task].append((giver, other, was_right))
    made: dict[tuple[str, str], list[Match]] = defaultdict(list)
    for task, pairs in hits.items():
        chance = rate(coincidences[task], trials[task])
        for giver, other, _ in pairs:
            made[giver, other].append(Match(task, "fits", chance))
    return made


def equal(
    class_: Sequence[HandedIn], scores: Scores, variants: Mapping[str, Mapping[str, Any]]
) -> dict[tuple[str, str], list[Match]]:
    """Find wrong answers that another student with different parameters gave too.

    Returns
    -------
    (who was wrong, the other) to the tasks.
    """
    made: dict[tuple[str, str], list[Match]] = defaultdict(list)
    for task, answers in _by_task(class_, scores, lambda _who, _task: True).items():
        wrong = {who for who, _ in answers if not is_right(scores, who, task)}
        same: dict[str, list[str]] = defaultdict(list)
        for student, value in answers:
            same[json.dumps(value, sort_keys=True)].append(student)
        # pairs of which at least one is wrong
        pairs = _pairs(len(answers)) - _pairs(len(answers) - len(wrong))
        agree = sum(_pairs(len(names)) - _pairs(len(set(names) - wrong)) for names in same.values())
        # the pair itself is no evidence of how often others agree
        chance = rate(max(0, agree - 1), max(0, pairs - 1))
        for text, names in same.items():
            if not _has_detail(json.loads(text)):
                continue
            for one in wrong & set(names):
                for other in names:
                    if one != other and variants[one] != variants[other]:
                        made[one, other].append(Match(task, "equals", chance))
    return made


def _pairs(count: int) -> int:
    return count * (count - 1) // 2


def in_sandbox(
    folder: CourseFolder, lab: Lab, sandbox: Sandbox, on_done: Callable[[str, bool], None]
) -> Callable[[str, dict[str, list[Any]]], set[tuple[str, int]]]:
    """Return a judge for `fitting` that works on submitted files, in the sandbox.

    Parameters
    ----------
    folder, lab, sandbox : what to try, and where.
    on_done : told each student, and whether answers could be tried in their place.

    Raises
    ------
    GradingError : when it is called, if the sandbox is out of order.
    """

    def judge(student: str, answers: dict[str, list[Any]]) -> set[tuple[str, int]]:
        about = {
            "lab": lab.name,
            "student": student,
            "checks": lab.checks + appendix(answers),
            "lab_file": lab.lab_file.decode(),
            "environment": {"LAB_STUDENT": student},
        }
        limits = Limits()
        done = sandbox.run(
            "judge", about, files_of(folder, student, lab.name).data_archive(), limits
        )
        on_done(student, isinstance(done.answer, dict) and not done.answer.get("fault"))
        if done.ended == "trouble":
            raise GradingError(f"the sandbox is out of order: {done.trouble}.")
        scores = done.answer.get("scores", {}) if isinstance(done.answer, dict) else {}
        fits = set()
        for name, found in scores.items():
            task, _, index = name.partition(SEPARATOR)
            if found["score"] >= found["points"] - _FULL and index.isdecimal():
                fits.add((task, int(index)))
        return fits

    return judge


def _by_task(
    class_: Sequence[HandedIn], scores: Scores, wanted: Callable[[str, str], bool]
) -> dict[str, list[tuple[str, Any]]]:
    """Return the answers to each graded task with who gave them."""
    made: dict[str, list[tuple[str, Any]]] = defaultdict(list)
    for each in class_:
        for task in scores.get(each.student, ()):
            value = each.answers.get(task)
            short = value is not None and len(json.dumps(value)) <= _LONGEST
            if short and wanted(each.student, task):
                made[task].append((each.student, value))
    return made


def _to_try(
    wrong: Mapping[str, list[tuple[str, Any]]], right: Mapping[str, list[tuple[str, Any]]]
) -> tuple[dict[str, list[Any]], dict[str, list[list[tuple[str, bool]]]]]:
    """Return each answer once, and who gave it and whether it was right for them."""
    tried: dict[str, list[Any]] = {}
    owners: dict[str, list[list[tuple[str, bool]]]] = {}
    for task, answers in wrong.items():
        known = right.get(task, [])
        sample = random.Random(task).sample(known, min(_RIGHT, len(known)))
        given: dict[str, list[tuple[str, bool]]] = defaultdict(list)
        for people, was_right in ((answers, False), (sample, True)):
            for student, value in people:
                given[json.dumps(value, sort_keys=True)].append((student, was_right))
        tried[task] = [json.loads(text) for text in given]
        owners[task] = list(given.values())
    return tried, owners


def _has_detail(value: Any) -> bool:
    """Whether an answer has so much in it that two people seldom give the same by themselves."""
    if isinstance(value, dict):
        return any(_has_detail(each) for each in value.values())
    if isinstance(value, list):
        return any(_has_detail(each) for each in value)
    if isinstance(value, float):
        return len(f"{value:.15g}".strip("-0.").replace(".", "").rstrip("0")) >= 4
    return isinstance(value, str) and len(value) >= 12
