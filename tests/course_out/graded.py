"""A course of the toy lab whose gradebook is filled without running anything."""

import json
from pathlib import Path

import nbformat

from lab_tools.course import gradebook, results
from lab_tools.course.assemble import graded_copy
from lab_tools.course.folder import CourseFolder
from lab_tools.course.released import read_lab
from lab_tools.course.results import GRADED, Result
from tests.course.toy_class import new_course
from tests.grading.toy import NAME

POINTS = {"scaled": 3.0, "runs": 1.0}
#: The worked lab's written answer gives two points.
WRITTEN = 2.0
TOTAL = 6.0


def make(place: Path) -> CourseFolder:
    """Return a course with the toy lab released and nobody in it."""
    return new_course(place)


def write(
    folder: CourseFolder,
    student: str,
    scaled: float,
    runs: float = 1.0,
    *,
    status: str = GRADED,
    written: float | None = None,
    comment: str = "",
    submitted: str | None = None,
    notes: tuple[str, ...] = (),
    words: str = "Right.",
) -> Result:
    """Write a student's result and gradebook entry, as grading does."""
    lab = read_lab(folder, NAME)
    given = {"scaled": scaled, "runs": runs}
    tasks = {
        name: {"score": given[name], "points": points, "message": words}
        for name, points in POINTS.items()
    }
    result = Result(
        NAME,
        student,
        status,
        tasks,
        notes,
        digest="",
        submitted=submitted,
        graded="2026-11-20T10:00:00+00:00",
    )
    folder.submitted(student, NAME).mkdir(parents=True, exist_ok=True)
    results.save(folder, result)
    # a written answer that is not the released text waits for a person
    cells = [{"type": "markdown", "id": "words", "source": f"{student} explains.", "outputs": []}]
    notebook = graded_copy(lab.release, cells, tasks)
    with gradebook.opened(folder) as book:
        gradebook.write(book, result, notebook)
        if written is not None:
            found = book.find_submission_notebook(NAME, NAME, student)
            for grade in found.grades:
                if grade.name == "words":
                    grade.manual_score = written
                grade.needs_manual_grade = False
            for each in found.comments:
                if each.name == "words":
                    each.manual_comment = comment
            book.db.commit()
    return result


def hand_in(folder: CourseFolder, student: str, **files: object) -> Path:
    """Put JSON files into the folder ``work`` of a submission, and a notebook beside it."""
    place = folder.submitted(student, NAME)
    (place / "work").mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (place / "work" / f"{name}.json").write_text(json.dumps(content))
    nbformat.write(nbformat.v4.new_notebook(), place / f"{NAME}.ipynb")
    return place
