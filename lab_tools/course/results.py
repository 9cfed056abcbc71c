"""What grading found, one file a submission, and one table of all of them.

``results/LAB/STUDENT.json`` in the course's folder is written in one step as soon as a submission
is graded, before the gradebook. ``grades.json`` beside the gradebook is made of these files::

    {"format": 1, "rows": [ROW, ...]}

A row is one submission, by lab and student:

``lab``, ``student``
    Names, as in the gradebook.
``status``
    ``"graded"``: nothing unusual. ``"crashed"``: running the notebook did not end by itself (time,
    memory, processes, a killed kernel); the score still counts what was handed in.
    ``"unreadable"``: there is no notebook, or it is no notebook; the score counts the data, if any.
    ``"suspect"``: a person should look (a forged record, another student's work). ``"failed"``: a
    fault of the course's own, such as a check that crashed; there is no score.
``score``, ``points``
    Sum of the tasks that the checks scored, and their maximum; ``score`` is null for ``"failed"``.
    What a person gave by hand is in the gradebook only.
``tasks``
    ``{TASK: {"score", "points", "message"}}``, in the order of the checks.
``notes``
    Sentences for the instructor: what was unusual.
``records``
    ``{"found", "verified", "unverified", "rejected"}``: how many run records were handed in, equal
    those of a second run, were not run again, were left out.
``submitted``
    Time of submission (UTC, ISO 8601) from nbgrader's ``timestamp.txt``, or null.
``graded``
    Time of grading (UTC, ISO 8601).
``seconds``, ``cpu_s``
    Wall time of grading, and processor time in the sandbox.
``digest``
    SHA-256 of everything the result depends on: an unchanged submission is not graded again.
"""

import dataclasses
import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab_tools.course.folder import CourseFolder
from lab_tools.errors import GradingError

GRADED, CRASHED, UNREADABLE, SUSPECT, FAILED = (
    "graded",
    "crashed",
    "unreadable",
    "suspect",
    "failed",
)
#: Statuses that a person should look at.
DOUBTFUL = (CRASHED, UNREADABLE, SUSPECT, FAILED)


@dataclass(frozen=True)
class Result:
    """One submission's row; the module's docstring says what each field means."""

    lab: str
    student: str
    status: str
    tasks: dict[str, dict[str, Any]]
    notes: tuple[str, ...]
    digest: str
    records: dict[str, int] = field(default_factory=dict)
    submitted: str | None = None
    graded: str = ""
    seconds: float = 0.0
    cpu_s: float = 0.0

    @property
    def score(self) -> float | None:
        """Sum of the scored tasks, or None if the course itself failed."""
        if self.status == FAILED:
            return None
        return float(sum(each["score"] for each in self.tasks.values()))

    @property
    def points(self) -> float:
        """Most that the scored tasks can give."""
        return float(sum(each["points"] for each in self.tasks.values()))

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain data."""
        return {**dataclasses.asdict(self), "score": self.score, "points": self.points}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Result":
        """Return the result that a row holds."""
        names = {each.name for each in dataclasses.fields(cls)}
        values = {name: value for name, value in data.items() if name in names}
        return cls(**{**values, "notes": tuple(values["notes"])})


def write_text(file: Path, text: str) -> None:
    """Write a file in one step, and have it on the disk before returning."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as target:
            target.write(text)
            target.flush()
            os.fsync(target.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def save(folder: CourseFolder, result: Result) -> None:
    """Keep a result; whoever reads sees the old one or the new one."""
    text = json.dumps(result.to_dict(), indent=1) + "\n"
    write_text(folder.result(result.student, result.lab), text)


def load(folder: CourseFolder, student: str, lab: str) -> Result | None:
    """Return the result of a submission, or None if there is none that can be read."""
    try:
        return Result.from_dict(json.loads(folder.result(student, lab).read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def load_all(folder: CourseFolder, lab: str | None = None) -> list[Result]:
    """Return every result, by lab and student."""
    files = sorted((folder.root / "results").glob(f"{lab or '*'}/[!.]*.json"))
    found = (load(folder, file.stem, file.parent.name) for file in files)
    return [result for result in found if result is not None]


def write_table(folder: CourseFolder) -> Path:
    """Write `CourseFolder.table` from the results."""
    rows = [result.to_dict() for result in load_all(folder)]
    write_text(folder.table, json.dumps({"format": 1, "rows": rows}, indent=1) + "\n")
    return folder.table


def read_table(folder: CourseFolder) -> list[dict[str, Any]]:
    """Return the rows of `CourseFolder.table`.

    Raises
    ------
    GradingError : nothing has been graded yet.
    """
    try:
        rows: list[dict[str, Any]] = json.loads(folder.table.read_text("utf-8"))["rows"]
    except (OSError, ValueError, KeyError) as error:
        raise GradingError(
            f"{folder.table} cannot be read ({error}). Grade first: `lab course grade LAB`."
        ) from error
    return rows
