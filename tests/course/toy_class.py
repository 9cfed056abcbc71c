"""A class that hands in the toy lab: what the course's tests have in common."""

import contextlib
import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from lab_tools.authoring.source import read
from lab_tools.course.folder import CourseFolder
from lab_tools.course.grading import Grader
from lab_tools.course.limits import Limits
from lab_tools.course.release import init, release
from lab_tools.course.released import modules_of, read_lab
from lab_tools.course.results import Result
from lab_tools.course.sandbox import Sandbox
from lab_tools.course.submission import Settings
from lab_tools.course.verification import Verifier
from lab_tools.grading.variant import DEFAULT_COURSE_SEED, draw
from lab_tools.store import Store
from tests.grading.toy import EXPERIMENT, NAME, make_course
from tests.test_cli import record_of

#: Small, so that whoever exceeds them is stopped soon.
LIMITS = Limits(
    wall_s=12,
    cell_s=3,
    memory_bytes=512 << 20,
    disk_bytes=24 << 20,
    processes=12,
    output_bytes=200_000,
    notebook_bytes=2 << 20,
    files_bytes=16 << 20,
    files=200,
)
#: `make check` runs on machines that have Python alone.
needs_bubblewrap = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="bubblewrap is not installed"
)
GOODPUT_BPS = 80e6
Change = Callable[[Path, nbformat.NotebookNode], None]


def new_course(place: Path) -> CourseFolder:
    """Make a course with the toy lab released."""
    folder = CourseFolder(place / "course", make_course(place / "project"))
    init(folder, [])
    release(folder, NAME, exchange=False)
    return folder


def factor(student: str) -> int:
    """Return the one number of a student's variant."""
    return draw(NAME, student, {"factor": [2, 3, 5, 7]}, DEFAULT_COURSE_SEED)["factor"]


def right(student: str) -> float:
    """Return the right answer to the toy lab's first task."""
    return GOODPUT_BPS * factor(student)


def notebook_of(folder: CourseFolder) -> nbformat.NotebookNode:
    """Return the worked notebook with the marks of the released one."""
    worked = read(folder.project.source(NAME))
    made = nbformat.read(folder.release(NAME) / f"{NAME}.ipynb", as_version=4)
    for mine, theirs in zip(made.cells, worked.cells, strict=True):
        if mine.metadata.get("nbgrader", {}).get("solution"):
            mine.source = theirs.source
    return made


def hand_in(
    folder: CourseFolder,
    student: str,
    answer: float | None = None,
    *cells: str,
    change: Change | None = None,
) -> Path:
    """Hand in the worked notebook and its data.

    Parameters
    ----------
    folder : the course.
    student : who.
    answer : to the first task; without one, the right one.
    cells : code cells that come first.
    change : what else to do to the folder and the notebook before it is written.
    """
    place = folder.submitted(student, NAME)
    shutil.copytree(folder.release(NAME), place)
    work = place / "work"
    Store(work / "runs").put(record_of(EXPERIMENT))
    given = right(student) if answer is None else answer
    answers = {"runs": [EXPERIMENT.id], "scaled": given}
    (work / "answers.json").write_text(json.dumps(answers))
    (work / "lab.json").write_text(json.dumps({"lab": NAME, "student": student}))
    (work / "predictions.json").write_text(json.dumps({"guess": {"value": 1.0}}))
    notebook = copy.deepcopy(notebook_of(folder))
    notebook.cells[:0] = [nbformat.v4.new_code_cell(cell) for cell in cells]
    file = place / f"{NAME}.ipynb"
    file.write_text(json.dumps(notebook))
    if change:
        file.unlink()
        change(place, notebook)
        if not file.exists() and not file.is_symlink():
            file.write_text(json.dumps(notebook))
    return place


def hand_in_blank(folder: CourseFolder, student: str) -> Path:
    """Hand in the lab as it was released."""
    place = folder.submitted(student, NAME)
    shutil.copytree(folder.release(NAME), place)
    return place


def grade(
    folder: CourseFolder, *, sandbox: Sandbox | None = None, policy: str = "sample", **settings
) -> dict[str, Result]:
    """Grade whoever has not been graded; return the results by student.

    A sandbox that is given is one that was started already.
    """
    lab = read_lab(folder, NAME)
    recordings = folder.project.root / "recordings"
    verifier = Verifier(
        [Store(recordings)], Store(folder.root / "reruns"), policy, "secret", testbed="replay"
    )
    settings = {"limits": LIMITS, "workers": 2} | settings
    new = Sandbox(recordings, modules_of(lab))
    with contextlib.nullcontext(sandbox) if sandbox else new as started:
        grader = Grader(folder, lab, started, verifier, Settings(**settings))
        done = grader.grade(grader.pending(folder.students(NAME)))
    return {each.student: each for each in done}
