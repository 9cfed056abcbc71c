"""What a class's grades say about a lab: gathered, and as a table."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from lab_tools.course import cells, handed_in, standings, variants
from lab_tools.course.cells import Cell
from lab_tools.course.folder import CourseFolder
from lab_tools.course.handed_in import HandedIn
from lab_tools.course.items import Analysis, analyse
from lab_tools.course.results import GRADED, SUSPECT
from lab_tools.course.standings import MISSING, UNGRADED, Standing
from lab_tools.errors import GradingError


@dataclass(frozen=True)
class Predicted:
    """What a class expected and then found, for something that was predicted and then answered.

    Parameters
    ----------
    name : of the prediction and the task.
    unit : of both, or nothing.
    predicted, found : a number for each student who gave both.
    """

    name: str
    unit: str
    predicted: tuple[float, ...]
    found: tuple[float, ...]


@dataclass(frozen=True)
class Statistics:
    """A lab in numbers; it names no student.

    Parameters
    ----------
    lab : its name.
    analysis : of the questions.
    counts : kind of submission to how many there are; those of kind ``"counted"`` are analysed.
    unanswered : task to how many of the counted gave no answer.
    predicted : predictions that were answered too.
    """

    lab: str
    analysis: Analysis
    counts: Mapping[str, int]
    unanswered: Mapping[str, int]
    predicted: tuple[Predicted, ...]


def gather(folder: CourseFolder, lab: str) -> Statistics:
    """Return a lab's statistics.

    Submissions that crashed, could not be read, or are not graded say nothing about the questions;
    blank ones, without an answer or a point, would make every question look the same. Both kinds
    are counted and left out.

    Raises
    ------
    GradingError : too few submissions are graded.
    """
    found = standings.read(folder, lab)
    data = {name: handed_in.read(folder, name, lab) for name in folder.students(lab)}
    kinds = {name: _kind(each, data.get(name)) for name, each in found.items()}
    counted = [name for name, kind in kinds.items() if kind == "counted"]
    if len(counted) < 2:
        raise GradingError(
            f"{lab} has {len(counted)} graded submissions that are not blank; statistics need two "
            f"or more. Grade first: `lab course grade {lab}`."
        )
    tasks = {task.name: task for name in counted for task in found[name].tasks}
    scores = pd.DataFrame(
        [{task.name: task.score for task in found[name].tasks} for name in counted],
        index=counted,
        columns=list(tasks),
        dtype=float,
    )
    points = {name: task.points for name, task in tasks.items() if task.points > 0}
    about = variants.lab_file(folder, lab)
    answered = [data[name] for name in counted if name in data]
    return Statistics(
        lab=lab,
        analysis=analyse(scores[list(points)], points),
        counts=Counter(kinds.values()),
        unanswered={
            name: sum(name not in each.answers for each in answered)
            for name, task in tasks.items()
            if not task.by_hand and name in about.tasks
        },
        predicted=tuple(
            made
            for name in about.predictions
            if name in about.tasks
            and (made := _predicted(name, about.tasks[name], answered)).predicted
        ),
    )


def _kind(standing: Standing, data: HandedIn | None) -> str:
    if standing.status in (MISSING, UNGRADED):
        return standing.status
    if standing.status not in (GRADED, SUSPECT) and standing.doubtful:
        return standing.status
    if data is not None and not data.answers and not standing.score:
        return "blank"
    return "counted"


def _predicted(name: str, task: Mapping[str, Any], data: list[HandedIn]) -> Predicted:
    pairs = [
        (expected, found)
        for each in data
        if (expected := handed_in.number(each.predictions.get(name))) is not None
        and (found := handed_in.number(each.answers.get(name))) is not None
    ]
    predicted, measured = zip(*pairs, strict=True) if pairs else ((), ())
    return Predicted(name, str(task.get("unit", "")), tuple(predicted), tuple(measured))


def ratios(predicted: Predicted) -> np.ndarray:
    """Return found/predicted, one a student, where both have the same sign.

    >>> ratios(Predicted("x", "", (2.0, 0.0), (4.0, 1.0))).tolist()
    [2.0]
    """
    expected, found = np.array(predicted.predicted), np.array(predicted.found)
    usable = expected * found > 0
    return found[usable] / expected[usable]


def as_table(statistics: Statistics) -> str:
    """Return the questions' statistics as CSV."""
    header = (
        "task",
        "points",
        "students",
        "mean",
        "sd",
        "difficulty_p",
        "full_marks",
        "no_points",
        "no_answer",
        "discrimination_item_rest",
        "discrimination_ends",
        "alpha_without",
        "remark",
    )
    rows: list[list[Cell]] = [list(header)]
    for item in statistics.analysis.items:
        parts = [item.difficulty, item.full, item.none]
        links = [item.discrimination, item.ends, item.alpha_without]
        no_answer = statistics.unanswered.get(item.name)
        rows.append(
            [
                item.name,
                item.points,
                item.students,
                *map(_exact, (item.mean, item.sd, *parts)),
                no_answer,
                *map(_exact, links),
                item.words,
            ]
        )
    return cells.as_csv(rows, bom=True)


def _exact(value: float | None) -> Cell:
    return None if value is None else cells.Exact(f"{value:.4g}")
