"""Score a submission from its data alone, in a process of its own.

``python -m lab_tools.grading CHECKS FOLDER --student NAME`` reads the answers, predictions,
records and commands that a student handed in and prints ``{"task": {"score", "points",
"message"}}``. It runs none of the student's code. A check is a function in a file that students
never see::

    @task("loss_exponent", points=3)
    def loss_exponent(s: Submission) -> Result: ...
"""

import importlib.util
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lab_tools.errors import GradingError, LabError
from lab_tools.grading.files import WORK, read_json
from lab_tools.grading.variant import LAB_FILE, LabFile, course_seed, draw
from lab_tools.record import RunRecord
from lab_tools.store import Store


@dataclass(frozen=True)
class Result:
    """What a check says of an answer: points, and words that help without giving it away."""

    score: float
    message: str


Check = Callable[["Submission"], Result]
#: What a check runs into when an answer is a number where it expects a list, and so on.
_OF_ANOTHER_SHAPE = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
_TASKS: dict[str, tuple[float, Check]] = {}


def task(name: str, points: float) -> Callable[[Check], Check]:
    """Register a function as the check of a task."""

    def register(check: Check) -> Check:
        _TASKS[name] = (points, check)
        return check

    return register


@dataclass(frozen=True)
class Submission:
    """What a student handed in, as data.

    Parameters
    ----------
    lab : the lab's name.
    folder : the submitted folder.
    student : who handed it in.
    """

    lab: str
    folder: Path
    student: str

    @cached_property
    def about(self) -> LabFile:
        """The lab's own description."""
        return LabFile.read(self.folder / LAB_FILE)

    @cached_property
    def variant(self) -> dict[str, Any]:
        """The student's parameters, drawn again and not read from the submission."""
        return draw(self.lab, self.student, self.about.variant, course_seed())

    @cached_property
    def answers(self) -> dict[str, Any]:
        """Task to answer."""
        return self._table("answers")

    @cached_property
    def predictions(self) -> dict[str, Any]:
        """Name to predicted value."""
        return {name: entry["value"] for name, entry in self._table("predictions").items()}

    @cached_property
    def commands(self) -> list[dict[str, Any]]:
        """The commands typed on live hosts, with their outputs, in order."""
        found = read_json(self.folder / WORK / "commands.json", [])
        return found if isinstance(found, list) else []

    @cached_property
    def records(self) -> dict[str, RunRecord]:
        """Experiment id to record, calibrated ones only."""
        store = Store(self.folder / WORK / "runs")
        return {record.experiment.id: record for record in store if record.calibrated}

    def number(self, name: str) -> float:
        """Return an answer as a finite number.

        Raises
        ------
        GradingError : there is no answer, or it is no number.
        """
        if name not in self.answers:
            raise GradingError("there is no answer.")
        value = self.answers[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise GradingError("the answer is not a number.")
        if not math.isfinite(value):
            raise GradingError("the answer is not a finite number.")
        return float(value)

    def record(self, experiment_id: object) -> RunRecord:
        """Return the record of a run by its experiment's id.

        Raises
        ------
        GradingError : there is no such calibrated record.
        """
        if not isinstance(experiment_id, str) or experiment_id not in self.records:
            raise GradingError(
                "the submission has no calibrated record of a run that the answer names."
            )
        return self.records[experiment_id]

    def find(self, **fields: Any) -> list[RunRecord]:
        """Return the records whose path, host or first flow has these fields.

        Numbers agree to one part in a million.
        """
        return [r for r in self.records.values() if _has(r, fields)]

    def _table(self, name: str) -> dict[str, Any]:
        found = read_json(self.folder / WORK / f"{name}.json", {})
        return found if isinstance(found, dict) else {}


def _has(record: RunRecord, fields: dict[str, Any]) -> bool:
    experiment = record.experiment
    for name, wanted in fields.items():
        parts = (experiment, experiment.path, experiment.host, experiment.flows[0])
        got = next((getattr(part, name) for part in parts if hasattr(part, name)), None)
        if isinstance(wanted, float) and isinstance(got, (int, float)):
            if not math.isclose(got, wanted, rel_tol=1e-6):
                return False
        elif got != wanted:
            return False
    return True


def judge(checks: Path, folder: Path, student: str) -> dict[str, dict[str, Any]]:
    """Return the score, the points and a message for every task of a lab.

    Raises
    ------
    GradingError : there are no checks at that place.
    """
    _TASKS.clear()
    spec = importlib.util.spec_from_file_location("checks", checks)
    if spec is None or spec.loader is None or not checks.is_file():
        raise GradingError(f"there are no checks at {checks}.")
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    submission = Submission(checks.stem, folder, student)
    return {name: _one(submission, *entry) for name, entry in _TASKS.items()}


def _one(submission: Submission, points: float, check: Check) -> dict[str, Any]:
    """Score one task; what the student got wrong is a message, a fault of ours is an error."""
    try:
        result = check(submission)
    except LabError as error:
        return {"score": 0.0, "points": points, "message": str(error)}
    except _OF_ANOTHER_SHAPE as error:
        # ``trouble`` is for the instructor: it may be the student's data, or a fault in the check.
        message = "The answer is not of the shape that the task asks for."
        return {"score": 0.0, "points": points, "message": message, "trouble": repr(error)}
    score = min(max(float(result.score), 0.0), points)
    return {"score": score, "points": points, "message": result.message}
