"""A lab of two tasks, and a course to grade it in: what the grading tests have in common."""

import shutil
from pathlib import Path

from lab_tools.authoring.source import Course
from lab_tools.experiment import Experiment
from lab_tools.experiment import Path as NetPath
from lab_tools.store import Store
from tests.test_cli import record_of

NAME = "90_toy"
EXPERIMENT = Experiment(NetPath(1e9, 0.01), duration_s=1.0)
PROJECT = Path(__file__).resolve().parents[2]

LAB = """
predictions = ["guess"]
[variant]
factor = [2, 3, 5, 7]
[task.scaled]
kind = "number"
unit = "bit/s"
low = 0
[task.runs]
kind = "list"
"""

SOURCE = """\
# %% [markdown]
# # A toy

# %%
from lab_tools.experiment import Experiment, Path
from lab_tools.grading import Lab

lab = Lab("90_toy")

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "work", "schema_version": 3, "task": false}
### BEGIN SOLUTION
lab.predict("guess", 80e6)
record = lab.run(Experiment(Path(1e9, 0.01), duration_s=1.0))
lab.answer("runs", [record.experiment.id])
lab.answer("scaled", record.goodput_bps() * lab.variant["factor"])
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "scaled", "schema_version": 3, "task": false}
lab.check("scaled")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "runs", "schema_version": 3, "task": false}
lab.check("runs")

# %% [markdown] nbgrader={"grade": true, "solution": true, "locked": false, "points": 2, "grade_id": "words", "schema_version": 3, "task": false}
# The goodput is what it is.
"""  # noqa: E501

CHECKS = """
from lab_tools.grading.judge import Result, Submission, task


@task("scaled", points=3)
def scaled(s: Submission) -> Result:
    record = s.record((s.answers.get("runs") or [None])[0])
    wanted = record.goodput_bps() * s.variant["factor"]
    got = s.number("scaled")
    if abs(got - wanted) < 1e-3 * wanted:
        return Result(3, "Right.")
    if abs(got * s.variant["factor"] - wanted) < 1e-3 * wanted:
        return Result(1.5, "Your own factor is missing.")
    return Result(0, "Not what your record says.")


@task("runs", points=1)
def runs(s: Submission) -> Result:
    s.record((s.answers.get("runs") or [None])[0])
    return Result(1, "Found.")
"""


def make_course(root: Path) -> Course:
    """Write the toy lab into an empty project folder."""
    for folder, name, text in (
        ("source", f"{NAME}.py", SOURCE),
        ("variants", f"{NAME}.toml", LAB),
        ("checks", f"{NAME}.py", CHECKS),
    ):
        place = root / "instructor" / folder
        place.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    shutil.copy(PROJECT / "instructor" / "nbgrader_config.py", root / "instructor")
    Store(root / "recordings").put(record_of(EXPERIMENT))
    return Course(root)


def lab_folder(place: Path) -> Path:
    """Make a student's folder of the toy lab."""
    place.mkdir(parents=True, exist_ok=True)
    (place / "lab.toml").write_text(LAB)
    return place
