"""Grades for Moodle: a file for Grades, Import, CSV file.

Sources: MoodleDocs, "Grade import" (docs.moodle.org, 3.11 and 4.5), and
``grade/import/csv/classes/load_data.php`` of github.com/moodle/moodle.

- One column finds the user ("Map from"), as ``Username``, ``Email address`` or ``ID number``; in
  "Map to" it is ``username``, ``useremail`` or ``useridnumber``. The other columns are mapped one
  by one: to a grade item, to its feedback, to a new item, or to "Ignore".
- Moodle refuses the whole file if one user is not found. It gives a row without a user's name to
  the user of the row before: such rows are left out here.
- ``-`` means no grade, to a new grade item and to one that exists; it would take away a grade that
  Moodle has, so rows without any grade are left out.
- Feedback without the grade's own column would remove the grades ("Note 3" of the documentation):
  each item has both columns, and both must be mapped. Students read the feedback, so it says
  nothing that is meant for the instructor.
- Grades above 100 are refused unless ``unlimitedgrades`` is set.
- Addresses must have the same capitals as in Moodle; Moodle's user names have none.
"""

from lab_tools.course.cells import Cell, Exact, runs
from lab_tools.course.export import Book, Choices, Export, check_titles, note, remarks
from lab_tools.course.roster import Person
from lab_tools.errors import UnknownNameError

#: What to go by: heading, and the word to choose in "Map to".
MATCH = {
    "username": ("Username", "username"),
    "email": ("Email address", "useremail"),
    "idnumber": ("ID number", "useridnumber"),
}
_NO_GRADE = Exact("-")
_MOST_POINTS = 100


def moodle(book: Book, choices: Choices) -> Export:
    """Return the file for Moodle's grade import.

    Raises
    ------
    InputError : a title cannot be used; UnknownNameError : there is no such way to find users.
    """
    if choices.match not in MATCH:
        raise UnknownNameError("--match", choices.match, MATCH)
    check_titles(book, choices)
    heading, word = MATCH[choices.match]
    said = [f'In Moodle choose "Map from" {heading} and "Map to" {word}.', *remarks(book, choices)]
    titles = [
        Exact(f"{choices.title(lab)} ({kind})")
        for lab in book.labs
        for kind in ("Real", "Feedback")
    ]
    rows: list[list[Cell]] = [[Exact(heading), "Full name", *titles]]
    for person in book.people:
        standings = [book.standings[lab][person.username] for lab in book.labs]
        grades = [choices.grade(each) for each in standings]
        if all(grade is None for grade in grades):
            continue
        name = _name(person, choices.match)
        if name is None:
            said.append(f"{person.username}: has no {heading} for Moodle and is left out.")
            continue
        row: list[Cell] = [name, person.name]
        for standing, grade in zip(standings, grades, strict=True):
            row += [_NO_GRADE if grade is None else grade, note(standing, choices, told=True)]
        rows.append(row)
    for lab in book.labs:
        if book.points(lab) > _MOST_POINTS:
            said.append(f"{lab}: Moodle takes no grade above 100 unless unlimitedgrades is set.")
    return Export(choices.csv(rows), len(rows) - 1, tuple(said))


def _name(person: Person, match: str) -> Exact | None:
    """Return what Moodle finds a person by, or None if it could not."""
    given = {
        "username": person.username.lower(),
        "email": person.email,
        "idnumber": person.sis_id,
    }[match]
    # PHP takes "0" for empty
    return None if given in ("", "0") or runs(given) else Exact(given)
