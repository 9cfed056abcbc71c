"""Write results into nbgrader's gradebook: one submission, one transaction."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.exc import SQLAlchemyError

from lab_tools.course.folder import CourseFolder
from lab_tools.course.results import DOUBTFUL, FAILED, GRADED, Result
from lab_tools.errors import GradingError

COURSE_ID = "data_over_distance"
_NO_RESPONSE = "No response."


@contextlib.contextmanager
def opened(folder: CourseFolder) -> Iterator[Gradebook]:
    """Open the gradebook.

    Raises
    ------
    GradingError : it cannot be read or written.
    """
    # nbgrader starts alembic by name, which is beside this Python and maybe nowhere else
    beside = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", os.defpath)
    if beside not in path.split(os.pathsep):
        os.environ["PATH"] = f"{beside}{os.pathsep}{path}"
    try:
        with Gradebook(folder.gradebook_url, course_id=COURSE_ID) as book:
            yield book
    except SQLAlchemyError as error:
        raise GradingError(
            f"the gradebook {folder.gradebook} cannot be used: {error.__class__.__name__}: "
            f"{error.__cause__ or error}. Restore it from a copy, or let `nbgrader db upgrade` "
            "renew it; the results in the folder `results` are kept."
        ) from error


def write(book: Gradebook, result: Result, notebook: NotebookNode, *, changed: bool = True) -> None:
    """Write a submission's scores and comments; what a person has entered stays.

    Parameters
    ----------
    book : the open gradebook.
    result : what grading found.
    notebook : the graded copy, whose written answers a person grades.
    changed : whether the student handed in something new; then what a person graded is shown to
        them again, with their grade.

    Raises
    ------
    GradingError : the gradebook does not know the lab.
    """
    about = {"timestamp": result.submitted} if result.submitted else {}
    with book.db.no_autoflush:
        book.update_or_create_student(result.student)
        try:
            book.update_or_create_submission(result.lab, result.student, **about)
            found = book.find_submission_notebook(result.lab, result.lab, result.student)
        except MissingEntry as error:
            raise GradingError(
                f"the gradebook does not know {result.lab}. Release it again: "
                f"`lab course release {result.lab} --force`."
            ) from error
        cells = {
            cell.metadata.nbgrader.grade_id: cell
            for cell in notebook.cells
            if "nbgrader" in cell.metadata
        }
        doubtful = result.status in DOUBTFUL
        for grade in found.grades:
            auto_score = _score(grade.name, cells, result)
            grade.auto_score = auto_score
            by_hand = grade.manual_score is not None
            if by_hand:
                grade.needs_manual_grade = bool(grade.needs_manual_grade or changed)
            else:
                grade.needs_manual_grade = auto_score is None or doubtful
        for comment in found.comments:
            comment.auto_comment = _comment(cells.get(comment.name), result)
        book.db.commit()


def _score(name: str, cells: dict[str, NotebookNode], result: Result) -> float | None:
    """Return the automatic score of a graded cell; None leaves it to a person."""
    if name in result.tasks:
        return None if result.status == FAILED else float(result.tasks[name]["score"])
    cell = cells.get(name)
    if cell is None or result.status not in (GRADED,):
        return None
    score: float | None = utils.determine_grade(cell)[0]
    return score


def _comment(cell: NotebookNode | None, result: Result) -> str | None:
    words = list(result.notes) if result.status in DOUBTFUL else []
    if cell is not None and not utils.is_task(cell) and _unchanged(cell):
        words.insert(0, _NO_RESPONSE)
    return " ".join(words) or None


def _unchanged(cell: NotebookNode) -> bool:
    checksum = cell.metadata.nbgrader.get("checksum")
    return bool(checksum == utils.compute_checksum(cell))


def manual(book: Gradebook, lab: str) -> dict[str, dict[str, Any]]:
    """Return who has what in the gradebook: ``score``, ``max_score``, ``needs_manual_grade``."""
    return {
        row["student"]: {
            "score": row["score"],
            "max_score": row["max_score"],
            "needs_manual_grade": row["needs_manual_grade"],
        }
        for row in book.submission_dicts(lab)
    }
