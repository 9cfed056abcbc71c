"""A course in a folder: release a lab, hand in submissions, let nbgrader grade them."""

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat

from lab_tools.authoring.build import execute_into, nbgrader
from lab_tools.authoring.source import Course, read


def grade(
    course: Course,
    name: str,
    root: Path,
    submissions: dict[str, Callable[[Path], None] | Path | None],
) -> dict[str, dict[str, float]]:
    """Release a lab, hand in, autograde, give feedback, export; return score and maximum.

    A submission is what changes the folder of the worked copy, a folder to hand in as it is, or
    None for a blank one.
    """
    source = root / "source" / name
    source.mkdir(parents=True)
    notebook = read(course.source(name))
    nbformat.write(notebook, source / f"{name}.ipynb")
    shutil.copy(course.about(name), source / "lab.toml")
    nbgrader(course, root, "generate_assignment", name, "--create")
    for student, change in submissions.items():
        folder = root / "submitted" / student / name
        shutil.copytree(root / "release" / name, folder)
        if isinstance(change, Path):
            shutil.copytree(change, folder, dirs_exist_ok=True)
        elif change:
            execute_into(course, name, notebook, folder, student)
            change(folder)
    nbgrader(course, root, "autograde", name, "--create")
    nbgrader(course, root, "generate_feedback", name)
    nbgrader(course, root, "export", "--to", str(root / "grades.csv"))
    with (root / "grades.csv").open() as file:
        return {
            row["student_id"]: {
                "score": float(row["score"]),
                "max_score": float(row["max_score"]),
            }
            for row in csv.DictReader(file)
        }
