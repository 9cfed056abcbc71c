"""Grades for Canvas: the file that its Gradebook imports ("Import Grades").

The format is that of Canvas's own export. Sources: ``lib/gradebook_exporter.rb`` and
``lib/gradebook_importer.rb`` of github.com/instructure/canvas-lms, and the Canvas Instructor Guide,
"How do I import grades in the Gradebook?".

- Header: ``Student, ID, SIS User ID, SIS Login ID, Section``, then one column an assignment. The
  importer wants ``Student`` and ``ID`` first and ``Section`` last before the assignments.
- Second row: ``Points Possible`` in the first column. The points there become the assignment's.
- A student is found by ``ID`` (Canvas's own number), else by ``SIS User ID``, else by ``SIS Login
  ID``, else by name. A university's number under ``ID`` could meet another person's Canvas number,
  so only a class list with ``canvas_id`` fills that column.
- An assignment is found by the number in its title, ``"Lab 2 (4711)"``, else by the whole title,
  else Canvas offers to make a new one. Columns named like its own totals are ignored by it.
- An empty cell is a change to "no grade" where Canvas has a grade: rows without any are left out.
- Text is UTF-8; Canvas finds out itself whether commas or semicolons separate, and reads decimal
  commas.
"""

from lab_tools.course.cells import Cell, Exact, runs
from lab_tools.course.export import Book, Choices, Export, check_titles, remarks
from lab_tools.course.roster import Person
from lab_tools.errors import InputError

#: Every column whose name has one of these in it is one of Canvas's own totals, and not read.
_TOTALS = (
    "Current Score",
    "Current Points",
    "Current Grade",
    "Final Score",
    "Final Points",
    "Final Grade",
    "Override Score",
    "Override Grade",
    "Override Status",
)
#: Columns of the person; they are no assignments.
_OWN = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_POINTS = Exact("    Points Possible")


def canvas(book: Book, choices: Choices) -> Export:
    """Return the file for Canvas's Gradebook.

    Raises
    ------
    InputError : a title or a number means something else to Canvas.
    """
    check_titles(book, choices, _TOTALS)
    for lab in book.labs:
        if choices.title(lab) in (*_OWN, "Integration ID", "Root Account"):
            raise InputError("--title", choices.title(lab), "no name of Canvas's own columns")
    said = remarks(book, choices)
    titles = [Exact(choices.title(lab)) for lab in book.labs]
    rows: list[list[Cell]] = [
        [*(Exact(name) for name in _OWN), *titles],
        [_POINTS, None, None, None, None, *(book.points(lab) for lab in book.labs)],
    ]
    for person in book.people:
        grades = [choices.grade(book.standings[lab][person.username]) for lab in book.labs]
        if all(grade is None for grade in grades):
            continue
        names = _names(person)
        if not any(names):
            said.append(f"{person.username}: Canvas could not find this name; it is left out.")
            continue
        rows.append([person.name or person.username, *names, person.section, *grades])
        if None in grades:
            said.append(f"{person.username}: an empty cell removes the grade that Canvas has.")
    return Export(choices.csv(rows), len(rows) - 2, tuple(said))


def _names(person: Person) -> list[Cell]:
    """Return what Canvas finds a person by: ID, SIS User ID, SIS Login ID."""
    if person.canvas_id and not person.canvas_id.isdecimal():
        raise InputError("canvas_id", person.canvas_id, "Canvas's number of the person")
    wanted = (person.canvas_id, person.sis_id, person.username)
    return [None if not each or runs(each) else Exact(each) for each in wanted]
