"""Grade one submission: run it, score its data, look at its records. Nothing is written here.

A submission goes through three steps. The sandbox runs the notebook, for the person who grades the
written answers. A second job in the sandbox scores the data that was handed in, by the lab's
checks. The records are compared with second runs; if one is rejected, the data is scored again
without it.
"""

import datetime
import hashlib
import math
import os
import time
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode
from nbgrader.utils import parse_utc

from lab_tools.course import results
from lab_tools.course.assemble import graded_copy
from lab_tools.course.folder import CourseFolder
from lab_tools.course.intake import Intake, take_in
from lab_tools.course.limits import Limits
from lab_tools.course.released import Lab
from lab_tools.course.results import CRASHED, FAILED, GRADED, SUSPECT, UNREADABLE, Result
from lab_tools.course.sandbox import Outcome, Sandbox
from lab_tools.course.verification import Verifier
from lab_tools.errors import GradingError

_MOST_NOTES, _LONGEST_NOTE = 30, 400
_STOPPED = {
    "time": "it took too long",
    "memory": "it used too much memory",
    "processes": "it started too many processes",
    "broken": "its sandbox ended before it answered",
}


@dataclass(frozen=True)
class Settings:
    """How to grade.

    Parameters
    ----------
    run : run the notebooks; else they are only read, and the data alone is scored.
    workers : submissions at a time; 0 is one on every core.
    force : grade again what has not changed.
    limits : what a submission may use.
    """

    run: bool = True
    workers: int = 0
    force: bool = False
    limits: Limits = field(default_factory=Limits)

    @property
    def at_once(self) -> int:
        """How many submissions are graded at a time."""
        return self.workers or len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Graded:
    """A result, the graded copy of the notebook, and whether it was handed in anew."""

    result: Result
    notebook: NotebookNode
    changed: bool


class OneByOne:
    """Grades single submissions of a lab; several threads may use one of these.

    Parameters
    ----------
    folder : the course.
    lab : what the course says of the lab.
    sandbox : where submissions run and are scored.
    verifier : who looks at the records.
    settings : how to grade.
    """

    def __init__(
        self,
        folder: CourseFolder,
        lab: Lab,
        sandbox: Sandbox,
        verifier: Verifier,
        settings: Settings,
    ) -> None:
        self._folder, self._lab, self._sandbox = folder, lab, sandbox
        self._verifier, self._settings = verifier, settings

    def take_in(self, student: str) -> tuple[Intake, str]:
        """Return a submission's files, and a hash of all that its result depends on."""
        lab = self._lab
        place = self._folder.submitted(student, lab.name)
        intake = take_in(place, self._settings.limits, lab.lab_file)
        how = f"{self._settings.run} {self._sandbox.testbed} {self._verifier.policy}"
        text = f"{lab.digest} {how} {intake.digest()}"
        return intake, hashlib.sha256(text.encode()).hexdigest()

    def grade(self, student: str) -> Graded:
        """Grade one submission; whatever it holds, this gives a result.

        Raises
        ------
        LabError : the sandbox is out of order.
        """
        began = time.monotonic()
        intake, digest = self.take_in(student)
        before = results.load(self._folder, student, self._lab.name)
        notes = list(intake.notes)
        run = self._execute(student, intake)
        answer = run.answer if isinstance(run.answer, dict) else {}
        status, said = _how_it_ran(run, answer)
        notes += said
        data = intake.data_archive()
        if not intake.has_work and run.rest:
            data = run.rest
            notes.append("Only a notebook was handed in: its own run was scored.")
        scored = self._judge(student, data)
        notes += scored.notes
        if status == GRADED and scored.doubtful:
            status = SUSPECT
        if scored.fault:
            status = FAILED
            notes.append(f"The checks failed: {scored.fault}")
        result = Result(
            lab=self._lab.name,
            student=student,
            status=status,
            tasks=scored.tasks,
            notes=tuple(_clean(note) for note in notes[:_MOST_NOTES]),
            digest=digest,
            records=scored.records,
            submitted=_timestamp(intake.submitted),
            graded=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            seconds=round(time.monotonic() - began, 2),
            cpu_s=round(run.cpu_s + scored.cpu_s, 2),
        )
        cells = answer.get("cells")
        tasks = {} if scored.fault else result.tasks
        copy = graded_copy(self._lab.release, cells if isinstance(cells, list) else [], tasks)
        return Graded(result, copy, before is None or before.digest != digest)

    def _execute(self, student: str, intake: Intake) -> Outcome:
        limits = self._settings.limits
        about = {
            "notebook": f"{self._lab.name}.ipynb",
            "run": self._settings.run,
            "environment": {"LAB_STUDENT": student},
            "cell_s": limits.cell_s,
            "wall_s": limits.wall_s,
            "output_bytes": limits.output_bytes,
            "work_bytes": 0 if intake.has_work else limits.disk_bytes,
        }
        return self._in_sandbox("execute", about, intake.archive())

    def _in_sandbox(self, job: str, about: dict[str, Any], archive: bytes) -> Outcome:
        outcome = self._sandbox.run(job, about, archive, self._settings.limits)
        if outcome.ended == "trouble":
            raise GradingError(
                f"the sandbox is out of order: {outcome.trouble}. The kernel must let it make "
                "namespaces: see docs/grading.md."
            )
        return outcome

    def _judge(self, student: str, data: bytes) -> "_Scored":
        """Score data and look at its records."""
        about: dict[str, Any] = {
            "lab": self._lab.name,
            "student": student,
            "checks": self._lab.checks,
            "lab_file": self._lab.lab_file.decode(),
            "environment": {"LAB_STUDENT": student},
        }
        first = self._in_sandbox("judge", about, data)
        if not isinstance(first.answer, dict):
            reason = _STOPPED.get(first.ended, _STOPPED["broken"])
            note = f"The data could not be scored: {reason}."
            return _Scored(self._tasks({}), notes=[note], doubtful=True)
        answer = dict(first.answer)
        verdict = self._verifier.verify(student, answer["records"])
        if verdict.rejected:
            again = self._in_sandbox("judge", about | {"without": verdict.rejected}, data)
            answer |= again.answer if isinstance(again.answer, dict) else {"scores": {}}
        notes = [*map(str, first.answer["notes"]), *verdict.notes]
        found = _Scored(self._tasks(answer["scores"]), verdict.counts(), notes)
        found.cpu_s = first.cpu_s
        found.doubtful = bool(verdict.rejected) or verdict.doubtful
        if answer["made_by"] not in (None, student):
            found.doubtful = True
            found.notes.append(f"The data says that {answer['made_by']} made it.")
        found.fault = str(answer["fault"]) or self._disagreement(answer["scores"])
        return found

    def _tasks(self, scores: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """Return score, points and message of every released task."""
        made = {}
        for name, points in self._lab.points.items():
            found = scores.get(name)
            if not isinstance(found, dict):
                made[name] = {"score": 0.0, "points": points, "message": "It was not scored."}
                continue
            score = float(found["score"])
            score = min(max(score, 0.0), points) if math.isfinite(score) else 0.0
            made[name] = {"score": score, "points": points, "message": str(found["message"])}
            if "trouble" in found:
                made[name]["trouble"] = str(found["trouble"])[:_LONGEST_NOTE]
        return made

    def _disagreement(self, scores: dict[str, Any]) -> str:
        """Say where release and checks differ in points; that is a fault of the course."""
        theirs = {name: each["points"] for name, each in scores.items()}
        if theirs == self._lab.points:
            return ""
        return (
            f"the released notebook gives points for {self._lab.points}, the checks for {theirs}; "
            f"release the lab again with `lab course release {self._lab.name} --force`."
        )


@dataclass
class _Scored:
    """What the checks and the records gave."""

    tasks: dict[str, dict[str, Any]]
    records: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    doubtful: bool = False
    fault: str = ""
    cpu_s: float = 0.0


def _how_it_ran(run: Outcome, answer: dict[str, Any]) -> tuple[str, list[str]]:
    """Return a status and notes on how a notebook's run ended."""
    notes = [str(note) for note in answer.get("notes", ())]
    if reason := answer.get("unreadable"):
        return UNREADABLE, [*notes, f"The notebook cannot be read: {reason}."]
    if reason := answer.get("stopped") or _STOPPED.get(run.ended):
        return CRASHED, [*notes, f"The notebook did not run to its end: {reason}."]
    return GRADED, notes


def _timestamp(text: str | None) -> str | None:
    """Return a time of submission in UTC, or None if it is none."""
    try:
        return str(parse_utc(text).isoformat()) if text else None
    except (ValueError, OverflowError, TypeError, AttributeError):
        return None


def _clean(note: str) -> str:
    return "".join(char if char.isprintable() else " " for char in note[:_LONGEST_NOTE])
