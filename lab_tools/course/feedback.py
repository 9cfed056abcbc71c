"""What a student gets back: points and words for every task, and nothing of the checks."""

import datetime
import html
from dataclasses import dataclass
from typing import Any

from nbgrader.api import Gradebook, MissingEntry

from lab_tools.course import results
from lab_tools.course.folder import CourseFolder
from lab_tools.course.intake import TIMESTAMP, take_in
from lab_tools.course.limits import Limits
from lab_tools.course.results import CRASHED, FAILED, UNREADABLE, Result, write_text

_STYLE = """
body { font: 1rem/1.5 sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.6rem; }
tr { border-bottom: 1px solid #ccc; }
td.points { white-space: nowrap; }
"""
#: What nbgrader puts into a submission to find its feedback again.
SECRET = "submission_secret.txt"
_LONGEST_SECRET = 200
#: Statuses whose notes help the student; the others are for the instructor alone.
_TOLD = (CRASHED, UNREADABLE)


@dataclass(frozen=True)
class _Row:
    task: str
    points: str
    words: str


def write(folder: CourseFolder, book: Gradebook, lab: str, students: list[str]) -> list[str]:
    """Write the feedback of everybody whose submission was graded; return their names.

    Each gets ``LAB.html``, which nbgrader can hand back, and ``LAB.md``, the same as plain text.
    """
    written = []
    for student in students:
        result = results.load(folder, student, lab)
        if result is None or result.status == FAILED:
            continue
        rows, total, most = _rows(book, result)
        place = folder.feedback(student, lab)
        write_text(place / f"{lab}.html", _page(result, rows, total, most))
        write_text(place / f"{lab}.md", _text(result, rows, total, most))
        _for_nbgrader(folder, student, lab)
        written.append(student)
    return written


def _for_nbgrader(folder: CourseFolder, student: str, lab: str) -> None:
    """Put beside the feedback what nbgrader names it after when it hands it back."""
    handed_in = take_in(folder.submitted(student, lab), Limits(), b"")
    place = folder.feedback(student, lab)
    for name in (TIMESTAMP, SECRET):
        text = handed_in.files.get(name, b"")[:_LONGEST_SECRET].decode(errors="replace")
        if text:
            write_text(place / name, text)


def without_exchange(folder: CourseFolder, lab: str, students: list[str]) -> list[str]:
    """Return who cannot get feedback through nbgrader: what they handed in came another way."""
    needed = (TIMESTAMP, SECRET)
    return [
        name
        for name in students
        if not all((folder.feedback(name, lab) / each).is_file() for each in needed)
    ]


def _rows(book: Gradebook, result: Result) -> tuple[list[_Row], float, float]:
    """Return a row for each graded cell, the total and the maximum, as the gradebook has them."""
    try:
        found = book.find_submission_notebook(result.lab, result.lab, result.student)
    except MissingEntry:
        rows = [_automatic(name, each) for name, each in result.tasks.items()]
        return rows, result.score or 0.0, result.points
    comments = {comment.name: comment.manual_comment or "" for comment in found.comments}
    by_name: dict[str, Any] = {grade.name: grade for grade in found.grades}
    order = [*result.tasks, *sorted(set(by_name) - set(result.tasks))]
    rows = []
    for name in order:
        grade = by_name.get(name)
        if grade is None:
            continue
        if name in result.tasks and grade.manual_score is None:
            row = _automatic(name, result.tasks[name])
        elif grade.manual_score is None and grade.auto_score is None:
            row = _Row(name, f"– of {grade.max_score:g}", "This has not been graded yet.")
        else:
            words = comments.get(name) or ("" if grade.manual_score is not None else "No answer.")
            row = _Row(name, f"{grade.score:g} of {grade.max_score:g}", words)
        rows.append(row)
    return rows, float(found.score), float(found.max_score)


def _automatic(name: str, found: dict[str, Any]) -> _Row:
    return _Row(name, f"{found['score']:g} of {found['points']:g}", found["message"])


def _remarks(result: Result) -> list[str]:
    return list(result.notes) if result.status in _TOLD else []


def _page(result: Result, rows: list[_Row], total: float, most: float) -> str:
    # everything that comes from a submission or a check is text here, never markup
    title = html.escape(f"{result.lab}: {result.student}")
    table = "".join(
        f"<tr><td>{html.escape(row.task)}</td><td class='points'>{html.escape(row.points)}</td>"
        f"<td>{html.escape(row.words)}</td></tr>\n"
        for row in rows
    )
    remarks = "".join(f"<p>{html.escape(each)}</p>\n" for each in _remarks(result))
    return (
        f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
        f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n"
        f"<p><strong>{total:g} of {most:g} points.</strong> Graded {_day(result)}.</p>\n{remarks}"
        f"<table><tr><th>Task</th><th>Points</th><th>What we say</th></tr>\n{table}</table>\n"
        "</body></html>\n"
    )


def _text(result: Result, rows: list[_Row], total: float, most: float) -> str:
    lines = [f"# {result.lab}: {result.student}", "", f"{total:g} of {most:g} points.", ""]
    lines += [f"{each}\n" for each in _remarks(result)]
    lines += [f"- {row.task}: {row.points} points. {row.words}".rstrip() for row in rows]
    return "\n".join(lines) + "\n"


def _day(result: Result) -> str:
    return f"{datetime.datetime.fromisoformat(result.graded):%-d %B %Y}"
