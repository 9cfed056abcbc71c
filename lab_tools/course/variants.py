"""Which parameters each student has in a lab."""

from collections.abc import Sequence
from typing import Any

from lab_tools.course.folder import CourseFolder
from lab_tools.grading.variant import LAB_FILE, LabFile, course_seed, draw


def lab_file(folder: CourseFolder, lab: str) -> LabFile:
    """Return a lab's description: the released one, or the source's if there is no release.

    Raises
    ------
    GradingError : there is none, or it cannot be read.
    """
    released = folder.release(lab) / LAB_FILE
    return LabFile.read(released if released.is_file() else folder.project.about(lab))


def variant(folder: CourseFolder, lab: str, student: str) -> dict[str, Any]:
    """Return a student's parameters, drawn with the course's seed."""
    return draw(lab, student, lab_file(folder, lab).variant, course_seed())


def variants(folder: CourseFolder, lab: str, students: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the parameters of several students, by name."""
    table = lab_file(folder, lab).variant
    return {name: draw(lab, name, table, course_seed()) for name in students}


def same(found: dict[str, dict[str, Any]]) -> list[list[str]]:
    """Return the groups of students who have drawn the same parameters."""
    groups: dict[str, list[str]] = {}
    for student, drawn in found.items():
        groups.setdefault(repr(sorted(drawn.items())), []).append(student)
    return [names for names in groups.values() if len(names) > 1]
