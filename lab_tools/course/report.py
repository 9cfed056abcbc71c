"""A student's report: a page a lab, to read on a screen or to print."""

import datetime
import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import nbformat

from lab_tools.course import handed_in, page, results, standings, variants
from lab_tools.course.folder import CourseFolder
from lab_tools.course.results import CRASHED, DOUBTFUL, FAILED, UNREADABLE, Result
from lab_tools.course.roster import Person
from lab_tools.course.standings import MISSING, UNGRADED, Standing

_STYLE = """
section { margin-bottom: 3rem; }
section + section { border-top: 2px solid var(--line); padding-top: 1.5rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
.bar { background: var(--tile); border: 1px solid var(--line); border-radius: .3rem; height: .7rem;
  margin: .3rem 0 1rem; overflow: hidden; }
.bar i { background: var(--accent); display: block; height: 100%;
  -webkit-print-color-adjust: exact; print-color-adjust: exact; }
.total { font-size: 1.25rem; font-weight: 600; margin: .6rem 0 0; }
@page { size: A4; margin: 14mm 15mm; }
@media print { section { margin: 0; } h3 { break-after: avoid; margin-top: .9rem; }
  section + section { border: 0; break-before: page; padding: 0; } }
"""
_LONGEST = 60


@dataclass(frozen=True)
class LabReport:
    """What a report says of one lab.

    Parameters
    ----------
    title : the lab's heading.
    standing : points.
    submitted, graded : when (UTC), or None.
    variant : the student's parameters.
    predictions : name, predicted value, and the answer to the task of the same name or None.
    remarks : sentences for the student.
    """

    title: str
    standing: Standing
    submitted: str | None
    graded: str | None
    variant: Mapping[str, Any]
    predictions: Sequence[tuple[str, Any, Any]]
    remarks: Sequence[str]


def gather(folder: CourseFolder, student: str, standing: Standing) -> LabReport:
    """Return what there is to say of a student's lab."""
    lab = standing.lab
    about = variants.lab_file(folder, lab)
    result = results.load(folder, student, lab)
    data = handed_in.read(folder, student, lab) if standing.status != MISSING else None
    predicted = []
    if data is not None:
        known = [name for name in about.predictions if name in data.predictions]
        predicted = [
            (name, data.predictions[name], data.answers.get(name) if name in about.tasks else None)
            for name in known
        ]
    return LabReport(
        title=_title(folder, lab),
        standing=standing,
        submitted=result.submitted if result else None,
        graded=result.graded if result else None,
        variant=variants.variant(folder, lab, student),
        predictions=predicted,
        remarks=_remarks(standing, result),
    )


def for_class(
    folder: CourseFolder, labs: Sequence[str], students: Sequence[str]
) -> dict[str, list[LabReport]]:
    """Return the reports of several students, with the gradebook read once for each lab."""
    made: dict[str, list[LabReport]] = {student: [] for student in students}
    for lab in labs:
        found = standings.read(folder, lab)
        points = max((each.points for each in found.values()), default=0.0)
        for student in students:
            standing = found.get(student) or standings.missing(lab, student, points)
            made[student].append(gather(folder, student, standing))
    return made


def write(person: Person, labs: Sequence[LabReport]) -> str:
    """Return the report as a page."""
    sections = "".join(_section(person, each) for each in labs)
    return page.page(f"Report: {person.shown}", sections, style=_STYLE)


def _section(person: Person, lab: LabReport) -> str:
    standing = lab.standing
    who = person.shown if not person.name else f"{person.name} ({person.username})"
    parts = [
        f"<section>\n<p class='soft'>{html.escape(who)}</p>\n<h1>{html.escape(lab.title)}</h1>\n",
        f"<p class='soft'>{html.escape(_times(lab))}</p>\n",
        _total(standing),
        *(f"<p>{html.escape(each)}</p>\n" for each in lab.remarks),
    ]
    if standing.tasks:
        parts.append(
            page.table(("Task", "Points", "What we say"), _task_rows(standing), numbers=(1,))
        )
    if lab.predictions:
        parts.append("<h3>Predicted and found</h3>\n")
        rows = [_prediction_row(*each) for each in lab.predictions]
        header = ("Prediction", "You expected", "You found", "Found / expected")
        parts.append(page.table(header, rows, numbers=(1, 2, 3)))
        parts.append("<p class='soft'>A prediction gives no points, right or wrong.</p>\n")
    if lab.variant:
        values = "; ".join(f"{name} = {_shown(value)}" for name, value in lab.variant.items())
        parts.append(f"<h3>Your parameters</h3>\n<p>{html.escape(values)}</p>\n")
    return "".join(parts) + "</section>\n"


def _total(standing: Standing) -> str:
    if standing.final is None:
        return f"<p class='total'>No grade yet, of {standing.points:g} points</p>\n"
    words = f"{standing.final:g} of {standing.points:g} points"
    if standing.waiting:
        words += " so far"
    part = min(1.0, standing.final / standing.points) if standing.points else 0.0
    return (
        f"<p class='total'>{html.escape(words)}</p>\n"
        f"<div class='bar'><i style='width: {100 * part:.1f}%'></i></div>\n"
    )


def _task_rows(standing: Standing) -> list[tuple[str, str, str]]:
    rows = []
    for task in standing.tasks:
        if task.score is None:
            words = task.words or "This has not been graded yet."
            rows.append((task.name, f"– of {task.points:g}", words))
        else:
            words = task.words[:1].upper() + task.words[1:]
            rows.append((task.name, f"{task.score:g} of {task.points:g}", words))
    if standing.penalty:
        rows.append(("late", f"−{standing.penalty:g}", f"{_late(standing.late_s)} late."))
    return rows


def _late(late_s: float) -> str:
    hours = late_s / 3600
    return f"{hours / 24:.1f} days" if hours >= 48 else f"{hours:.1f} hours"


def _remarks(standing: Standing, result: Result | None) -> list[str]:
    """Return what a student is told of how grading went; suspicions are not among it."""
    if standing.status == MISSING:
        return ["Nothing was handed in."]
    if standing.status == UNGRADED:
        return ["This was handed in and has not been graded yet."]
    made = []
    if standing.status in (CRASHED, UNREADABLE) and result is not None:
        made += list(result.notes)
    if standing.status == FAILED:
        made.append("This could not be graded yet, which is not your fault.")
    elif standing.waiting:
        confirm = standing.status in DOUBTFUL
        made.append("A person will look at it." if confirm else "The written part is not graded.")
    return made


def _prediction_row(name: str, expected: Any, found: Any) -> tuple[str, str, str, str]:
    one, other = handed_in.number(expected), handed_in.number(found)
    ratio = f"{other / one:.3g}" if one and other is not None else "–"
    return name, _shown(expected), "–" if found is None else _shown(found), ratio


def _shown(value: Any) -> str:
    made = handed_in.number(value)
    text = f"{made:.4g}" if made is not None else str(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 2] + " …"


def _times(lab: LabReport) -> str:
    said = [lab.standing.lab]
    for word, time in (("handed in", lab.submitted), ("graded", lab.graded)):
        if time:
            said.append(f"{word} {datetime.datetime.fromisoformat(time):%-d %B %Y, %H:%M} UTC")
    return " · ".join(said)


def _title(folder: CourseFolder, lab: str) -> str:
    """Return the first heading of a lab's notebook, or its name."""
    file = folder.release(lab) / f"{lab}.ipynb"
    if not file.is_file():
        return lab
    for cell in nbformat.read(file, as_version=4).cells:
        for line in cell.source.splitlines():
            if cell.cell_type == "markdown" and line.startswith("# "):
                return line.removeprefix("# ").strip()
    return lab
