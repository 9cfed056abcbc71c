"""Make a course, and release labs into it."""

import contextlib
import shutil
from collections.abc import Iterator

import nbformat

from lab_tools.authoring.build import nbgrader, tidy
from lab_tools.authoring.source import read
from lab_tools.course import gradebook
from lab_tools.course.folder import CourseFolder, student_id
from lab_tools.errors import GradingError
from lab_tools.grading.variant import LAB_FILE

_FOLDERS = ("source", "release", "submitted", "autograded", "feedback", "results")


def init(folder: CourseFolder, students: list[str]) -> list[str]:
    """Make the course's folders and gradebook; what is there already is kept.

    Parameters
    ----------
    folder : where.
    students : user names to enter into the gradebook.

    Returns
    -------
    Everybody who is in the gradebook now.

    Raises
    ------
    GradingError : it cannot be written.
    InputError : a name cannot be used.
    """
    names = [student_id(name) for name in students]
    try:
        for name in _FOLDERS:
            (folder.root / name).mkdir(parents=True, exist_ok=True)
        folder.root.chmod(0o711)
        for name in ("source", "submitted", "autograded", "results"):
            (folder.root / name).chmod(0o700)
        folder.exchange.mkdir(parents=True, exist_ok=True)
        # nbgrader asks for this: every student writes into a part of it
        folder.exchange.chmod(0o777)
    except OSError as error:
        raise GradingError(
            f"the course cannot be made in {folder.root}: {error}. Name a folder of yours with "
            "LAB_COURSE."
        ) from error
    with gradebook.opened(folder) as book:
        for name in names:
            book.update_or_create_student(name)
        known = [student.id for student in book.students]
    folder.gradebook.chmod(0o600)
    return known


def release(folder: CourseFolder, lab: str, *, force: bool = False, exchange: bool = True) -> None:
    """Make the students' copy of a lab and hand it out.

    Parameters
    ----------
    folder : the course.
    lab : the lab's name.
    force : make it again although it was released; points and tasks may have changed.
    exchange : put it into nbgrader's exchange, for students on the same machine or hub.

    Raises
    ------
    GradingError : it was released already, or nbgrader failed.
    InputError : the source breaks a rule.
    """
    folder.require()
    made = folder.release(lab) / f"{lab}.ipynb"
    if made.is_file() and not force:
        raise GradingError(
            f"{lab} was released already, to {made.parent}. Release it again with --force; "
            "students who have fetched it keep what they have."
        )
    notebook = read(folder.project.source(lab))
    source = folder.source(lab)
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    nbformat.write(notebook, source / f"{lab}.ipynb")
    shutil.copy(folder.project.about(lab), source / LAB_FILE)
    with _cells_that_left(folder, lab):
        nbgrader(folder.project, folder.root, "generate_assignment", lab, "--create", "--force")
    tidy(made)
    if exchange:
        nbgrader(folder.project, folder.root, "release_assignment", lab, "--force")


@contextlib.contextmanager
def _cells_that_left(folder: CourseFolder, lab: str) -> Iterator[None]:
    """Let nbgrader change a lab that has submissions already, and say it in our words."""
    try:
        yield
    except GradingError as error:
        if "submissions" not in str(error):
            raise
        raise GradingError(
            f"{lab} cannot be released again: its graded cells changed, and the gradebook has "
            f"submissions of it. Keep a copy of {folder.gradebook}, and remove the lab with "
            f"`nbgrader db assignment remove {lab} --force`; then release and grade it again."
        ) from error


def known_students(folder: CourseFolder) -> list[str]:
    """Return everybody in the gradebook."""
    with gradebook.opened(folder) as book:
        return [student.id for student in book.students]
