"""No release unless the blank copy scores nothing and the worked copy everything."""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lab_tools.authoring.build import execute_into
from lab_tools.authoring.source import Course, read
from lab_tools.errors import GradingError
from lab_tools.grading.judge import judge
from lab_tools.grading.variant import LAB_FILE, WORKED_STUDENT


@dataclass(frozen=True)
class Scores:
    """Points of the blank copy, of the worked copy, and of the lab."""

    blank: float
    worked: float
    points: float


def check(course: Course, name: str, student: str = WORKED_STUDENT) -> Scores:
    """Score the blank and the worked copy of a lab.

    Raises
    ------
    GradingError : the blank copy scores points, the worked one loses some, or a graded cell and the
        checks disagree.
    """
    notebook = read(course.source(name))
    graded = {
        cell.metadata["nbgrader"]["grade_id"]: float(cell.metadata["nbgrader"]["points"])
        for cell in notebook.cells
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade")
    }
    with tempfile.TemporaryDirectory(prefix="lab-check-") as place:
        blank, worked = Path(place, "blank"), Path(place, "worked")
        for folder in (blank, worked):
            folder.mkdir()
        shutil.copy(course.about(name), blank / LAB_FILE)
        execute_into(course, name, notebook, worked, student)
        nothing = judge(course.checks(name), blank, student)
        everything = judge(course.checks(name), worked, student)
    found = {task: result["points"] for task, result in everything.items()}
    if found != graded:
        raise GradingError(f"{name}: the notebook's points {graded} are not the checks' {found}.")
    gained = [f"{t}: {r['score']:g}" for t, r in nothing.items() if r["score"]]
    lost = [f"{t}: {r['message']}" for t, r in everything.items() if r["score"] < r["points"]]
    if gained or lost:
        text = "; ".join(["the blank copy scores " + x for x in gained] + lost)
        raise GradingError(f"{name} cannot be released as {student}: {text}")
    total = sum(found.values())
    return Scores(0.0, total, total)
