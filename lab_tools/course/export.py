"""Grades as a table for another system: what goes into it, and what is left to say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lab_tools.course import cells
from lab_tools.course.cells import Cell
from lab_tools.course.results import CRASHED, UNREADABLE
from lab_tools.course.roster import Person
from lab_tools.course.standings import MISSING, UNGRADED, Standing, missing
from lab_tools.errors import InputError

EMPTY, SCORE, ZERO = "empty", "score", "zero"


@dataclass(frozen=True)
class Choices:
    """How to write what is not plain.

    Parameters
    ----------
    doubtful : ``"empty"``: a submission that crashed, or that is suspect, has no grade until a
        person has looked at it; ``"score"``: it has what the gradebook says.
    missing : ``"empty"`` or ``"zero"`` for somebody who handed in nothing.
    titles : lab to the name of its column.
    match : which of a person's names Moodle goes by.
    semicolon : semicolons between columns and decimal commas.
    """

    doubtful: str = EMPTY
    missing: str = EMPTY
    titles: Mapping[str, str] = field(default_factory=dict)
    match: str = "username"
    semicolon: bool = False

    def title(self, lab: str) -> str:
        """Return the name of a lab's column."""
        return self.titles.get(lab, lab)

    def grade(self, standing: Standing) -> float | None:
        """Return the grade to write, or None for none."""
        if standing.status == MISSING:
            return 0.0 if self.missing == ZERO else None
        if standing.status == UNGRADED:
            return None
        if standing.doubtful and self.doubtful == EMPTY:
            return None
        return standing.final

    def csv(self, rows: Sequence[Sequence[Cell]], *, bom: bool = False) -> str:
        """Return rows as CSV."""
        separator, decimal = (";", ",") if self.semicolon else (",", ".")
        return cells.as_csv(rows, separator=separator, decimal=decimal, bom=bom)


@dataclass(frozen=True)
class Book:
    """Everybody's grades for some labs.

    Parameters
    ----------
    people : the class, in the order of the class list.
    labs : names, in order.
    standings : lab to student to standing; it has everybody of the class.
    strangers : who is in the course and not in the class list.
    """

    people: tuple[Person, ...]
    labs: tuple[str, ...]
    standings: Mapping[str, Mapping[str, Standing]]
    strangers: tuple[str, ...] = ()

    def points(self, lab: str) -> float:
        """Return the most that a lab gives."""
        return max((each.points for each in self.standings[lab].values()), default=0.0)


@dataclass(frozen=True)
class Export:
    """A table as text, and what the instructor should know of it.

    Parameters
    ----------
    text : the file.
    people : how many are in it.
    problems : sentences.
    """

    text: str
    people: int
    problems: tuple[str, ...]


def gather(people: Sequence[Person] | None, found: Mapping[str, Mapping[str, Standing]]) -> Book:
    """Join a class list with what the course knows.

    Parameters
    ----------
    people : the class list; without one, everybody in the course.
    found : lab to student to standing.
    """
    known = sorted({student for standings in found.values() for student in standings})
    chosen = list(people) if people is not None else [Person(name) for name in known]
    listed = {person.username for person in chosen}
    filled = {}
    for lab, standings in found.items():
        points = max((each.points for each in standings.values()), default=0.0)
        filled[lab] = {
            name: standings.get(name) or missing(lab, name, points) for name in sorted(listed)
        }
    # whoever is in the gradebook and did nothing is no stranger to tell of
    busy = {n for each in found.values() for n, s in each.items() if s.status != MISSING}
    return Book(tuple(chosen), tuple(found), filled, tuple(sorted(busy - listed)))


def remarks(book: Book, choices: Choices) -> list[str]:
    """Return what the table itself does not say: who is missing, what waits for a person."""
    said = []
    if book.strangers:
        said.append(f"Not in the class list, so not in the file: {', '.join(book.strangers)}.")
    for lab in book.labs:
        standings = book.standings[lab].values()
        absent = [each.student for each in standings if each.status == MISSING]
        if absent:
            said.append(f"{lab}: {len(absent)} handed in nothing: {', '.join(absent)}.")
        left = [each.student for each in standings if each.status == UNGRADED]
        if left:
            said.append(f"{lab}: handed in and not graded: {', '.join(left)}.")
        for each in standings:
            if each.doubtful:
                said.append(f"{lab}, {each.student}: {note(each, choices)}")
        waiting = [each for each in standings if each.waiting and not each.doubtful]
        waiting = [each for each in waiting if each.status != UNGRADED]
        if waiting:
            said.append(
                f"{lab}: the written part of {len(waiting)} waits for a person; it counts 0 so far."
            )
        late = [f"{each.student} (−{each.penalty:g})" for each in standings if each.penalty]
        if late:
            said.append(f"{lab}: late penalties: {', '.join(late)}.")
    return said


def note(standing: Standing, choices: Choices, *, told: bool = False) -> str:
    """Return a sentence or two on a submission whose grade needs words; else nothing.

    Parameters
    ----------
    standing, choices : of what.
    told : the student will read it.
    """
    said = []
    if standing.status == MISSING:
        said.append("Nothing was handed in.")
    elif standing.status == UNGRADED:
        said.append("Handed in and not graded.")
    elif standing.doubtful and told and standing.status not in (CRASHED, UNREADABLE):
        said.append("This is not graded yet.")
    elif standing.doubtful:
        kept = "no grade yet" if choices.grade(standing) is None else "its grade is not confirmed"
        said.append(f"The submission {_HAPPENED[standing.status]}: {kept}.")
        said += standing.notes[:3]
    elif standing.waiting:
        said.append("The written part is not graded yet.")
    if standing.penalty:
        said.append(f"{standing.penalty:g} points less for being late.")
    return " ".join(said)


_HAPPENED = {
    "crashed": "did not run to its end, which is not the same as wrong",
    "unreadable": "could not be read",
    "suspect": "should be looked at by a person",
    "failed": "could not be graded, for a fault of the course",
}
_HEADER = (
    "username",
    "name",
    "sis_id",
    "email",
    "section",
    "lab",
    "status",
    "score",
    "late_penalty",
    "grade",
    "points",
    "hours_late",
    "waits_for_a_person",
    "note",
)


def plain(book: Book, choices: Choices) -> Export:
    """Return a table with a row for each student and lab, for a spreadsheet or a program.

    It begins with a byte order mark, which spreadsheets need and ``encoding="utf-8-sig"`` reads.
    """
    rows: list[list[Cell]] = [list(_HEADER)]
    for person in book.people:
        for lab in book.labs:
            rows.append([*_about(person), *_row(book.standings[lab][person.username], choices)])
    return Export(choices.csv(rows, bom=True), len(book.people), tuple(remarks(book, choices)))


def by_task(book: Book, choices: Choices) -> Export:
    """Return a table with a row for each student, lab and task."""
    rows: list[list[Cell]] = [[*_HEADER[:5], "lab", "task", "score", "points", "by_hand", "words"]]
    for person in book.people:
        for lab in book.labs:
            for task in book.standings[lab][person.username].tasks:
                hand = "yes" if task.by_hand else "no"
                made = [choices.title(lab), task.name, task.score, task.points, hand, task.words]
                rows.append([*_about(person), *made])
    return Export(choices.csv(rows, bom=True), len(book.people), tuple(remarks(book, choices)))


def _about(person: Person) -> list[Cell]:
    return [person.username, person.name, person.sis_id, person.email, person.section]


def _row(standing: Standing, choices: Choices) -> list[Cell]:
    handed_in = standing.status not in (MISSING, UNGRADED)
    return [
        choices.title(standing.lab),
        standing.status,
        standing.score if handed_in else None,
        standing.penalty if handed_in else None,
        choices.grade(standing),
        standing.points,
        standing.late_s / 3600 if handed_in else None,
        "yes" if standing.waiting else "no",
        note(standing, choices),
    ]


def check_titles(book: Book, choices: Choices, forbidden: Sequence[str] = ()) -> None:
    """See that the columns' names differ and mean nothing else to the other system.

    Raises
    ------
    InputError : names the title.
    """
    seen: set[str] = set()
    for lab in book.labs:
        title = choices.title(lab)
        if not title.strip() or cells.safe(title) != title:
            raise InputError("--title", title, "a line of text that is no formula")
        if title in seen:
            raise InputError("--title", title, "the title of one lab only")
        if any(word.lower() in title.lower() for word in forbidden):
            words = ", ".join(forbidden)
            raise InputError("--title", title, f"free of the other system's own words ({words})")
        seen.add(title)
