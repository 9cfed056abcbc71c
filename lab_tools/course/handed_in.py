"""What a submission's data says, read as text that somebody else wrote; nothing in it is run."""

import hashlib
import json
import math
from dataclasses import dataclass
from typing import Any

from lab_tools.course.folder import CourseFolder
from lab_tools.course.intake import Intake, take_in
from lab_tools.course.limits import Limits
from lab_tools.grading.files import WORK

_RECORD = "record.json"
_RUNS = f"{WORK}/runs/"


@dataclass(frozen=True)
class Seen:
    """A run record as it was handed in.

    Parameters
    ----------
    id : of its experiment, as the folder is named.
    experiment : what it says it ran.
    digest : SHA-256 of ``record.json``. That file holds the wall time of the run, so two runs of
        one experiment differ in it, and a copy does not.
    """

    id: str
    experiment: dict[str, Any]
    digest: str


@dataclass(frozen=True)
class HandedIn:
    """The data of one submission.

    Parameters
    ----------
    student : whose.
    answers : task to answer.
    predictions : name to predicted value.
    made_by : the user name that the data itself gives, or None.
    records : the run records.
    """

    student: str
    answers: dict[str, Any]
    predictions: dict[str, Any]
    made_by: str | None
    records: tuple[Seen, ...]


def files_of(folder: CourseFolder, student: str, lab: str) -> Intake:
    """Return the regular files of a submission."""
    return take_in(folder.submitted(student, lab), Limits(), b"")


def read(folder: CourseFolder, student: str, lab: str) -> HandedIn:
    """Return what a submission's data says; what cannot be read is as good as not there."""
    files = files_of(folder, student, lab).files
    predictions = _table(files.get(f"{WORK}/predictions.json"))
    made_by = _table(files.get(f"{WORK}/lab.json")).get("student")
    return HandedIn(
        student=student,
        answers=_table(files.get(f"{WORK}/answers.json")),
        predictions={
            name: entry["value"]
            for name, entry in predictions.items()
            if isinstance(entry, dict) and "value" in entry
        },
        made_by=made_by if isinstance(made_by, str) else None,
        records=tuple(
            seen
            for name, content in sorted(files.items())
            if name.startswith(_RUNS) and (seen := _seen(name, content)) is not None
        ),
    )


def number(value: Any) -> float | None:
    """Return a finite number, or None if it is none.

    >>> number(2), number(True), number("2"), number(float("nan"))
    (2.0, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        made = float(value)
    except OverflowError:
        return None
    return made if math.isfinite(made) else None


def _seen(name: str, content: bytes) -> Seen | None:
    parts = name.removeprefix(_RUNS).split("/")
    if len(parts) != 4 or parts[3] != _RECORD:
        return None
    experiment = _table(content).get("experiment")
    if not isinstance(experiment, dict):
        return None
    return Seen(parts[1], experiment, hashlib.sha256(content).hexdigest())


def _table(content: bytes | None) -> dict[str, Any]:
    try:
        found = json.loads(content or b"{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
