"""Who has what: the gradebook's points, joined with what grading noticed.

The points come from nbgrader's gradebook, so they count what a person gave by hand. Whether a
submission crashed comes from grading's own results; where there are none (nbgrader's ``autograde``
was used) a submission whose autograded cells have no score at all counts as crashed.
"""

from dataclasses import dataclass, replace
from typing import Any

from nbgrader.api import Gradebook, MissingEntry

from lab_tools.course import gradebook, results
from lab_tools.course.folder import CourseFolder
from lab_tools.course.late import LatePenalties
from lab_tools.course.results import CRASHED, DOUBTFUL, FAILED, GRADED, Result

#: Nothing was handed in; something was, and nobody has graded it.
MISSING, UNGRADED = "missing", "not graded"


@dataclass(frozen=True)
class Task:
    """A graded cell of one submission.

    Parameters
    ----------
    name : the cell's grade id.
    points : most that it gives.
    score : what it gave, or None if nobody has graded it.
    by_hand : a person's to grade, not a check's.
    words : what the check or the person said.
    """

    name: str
    points: float
    score: float | None
    by_hand: bool
    words: str


@dataclass(frozen=True)
class Standing:
    """What one student has for one lab.

    Parameters
    ----------
    lab, student : whose, and for what.
    status : of `results`, or `MISSING`, or `UNGRADED`.
    points : most that the lab gives.
    score : sum of the tasks without a penalty, or None where there is none.
    penalty : points lost for being late.
    late_s : how late, in seconds.
    waiting : a person has still to grade or to confirm something.
    tasks : in the order of the lab.
    notes : sentences for the instructor.
    """

    lab: str
    student: str
    status: str
    points: float
    score: float | None = None
    penalty: float = 0.0
    late_s: float = 0.0
    waiting: bool = False
    tasks: tuple[Task, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def final(self) -> float | None:
        """The score without the penalty, never below 0."""
        return None if self.score is None else max(0.0, self.score - self.penalty)

    @property
    def doubtful(self) -> bool:
        """Whether something went wrong that no person has looked at yet."""
        return self.status in DOUBTFUL and self.waiting


def read(folder: CourseFolder, lab: str) -> dict[str, Standing]:
    """Return the standing of everybody in the gradebook, and of whoever handed in.

    Raises
    ------
    GradingError : the lab is not in the gradebook, or that cannot be read.
    """
    penalties = LatePenalties(folder)
    with gradebook.opened(folder) as book:
        try:
            points = float(book.find_assignment(lab).max_score)
        except MissingEntry:
            folder.require_release(lab)
            points = 0.0
        known = _graded(folder, book, lab, penalties)
        everybody = {student.id for student in book.students}
    for student in folder.students(lab):
        known.setdefault(student, Standing(lab, student, UNGRADED, points, waiting=True))
    for student in everybody - set(known):
        known[student] = Standing(lab, student, MISSING, points)
    return dict(sorted((name, _total(each, points)) for name, each in known.items()))


def missing(lab: str, student: str, points: float) -> Standing:
    """Return the standing of somebody whom only the class list knows."""
    return Standing(lab, student, MISSING, points)


def _total(standing: Standing, points: float) -> Standing:
    return replace(standing, points=points) if points else standing


def _graded(
    folder: CourseFolder, book: Gradebook, lab: str, penalties: LatePenalties
) -> dict[str, Standing]:
    made = {}
    for submission in book.assignment_submissions(lab):
        student = submission.student.id
        result = results.load(folder, student, lab)
        made[student] = _standing(submission, result, penalties)
    return made


def _standing(submission: Any, result: Result | None, penalties: LatePenalties) -> Standing:
    tasks = [task for notebook in submission.notebooks for task in _tasks(notebook, result)]
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    status = result.status if result else _guess(grades)
    waiting = any(grade.needs_manual_grade for grade in grades)
    score: float | None = float(submission.score)
    if status == FAILED and waiting:
        score = None
    return Standing(
        lab=submission.assignment.name,
        student=submission.student.id,
        status=status,
        points=float(submission.max_score),
        score=score,
        penalty=sum(penalties.of(submission, notebook) for notebook in submission.notebooks),
        late_s=float(submission.total_seconds_late),
        waiting=waiting,
        tasks=tuple(tasks),
        notes=result.notes if result else (),
    )


def _guess(grades: list[Any]) -> str:
    """Return a status from the gradebook alone: nbgrader leaves out the scores of what crashed."""
    auto = [grade for grade in grades if grade.cell.cell_type == "code"]
    crashed = auto and all(g.auto_score is None and g.manual_score is None for g in auto)
    return CRASHED if crashed else GRADED


def _tasks(notebook: Any, result: Result | None) -> list[Task]:
    comments = {each.name: each.manual_comment or "" for each in notebook.comments}
    checked = result.tasks if result else {}
    by_name = {grade.name: grade for grade in notebook.grades}
    order = [name for name in checked if name in by_name]
    order += sorted(set(by_name) - set(order))
    return [_task(by_name[name], checked.get(name), comments.get(name, "")) for name in order]


def _task(grade: Any, checked: dict[str, Any] | None, comment: str) -> Task:
    by_hand = grade.cell.cell_type != "code"
    given = grade.manual_score is not None or grade.auto_score is not None
    words = comment
    if checked is not None and grade.manual_score is None:
        words = f"{checked['message']} {comment}".strip()
    pending = by_hand and grade.needs_manual_grade and grade.manual_score is None
    score = float(grade.score) if given and not pending else None
    return Task(grade.name, float(grade.max_score), score, by_hand, words)
