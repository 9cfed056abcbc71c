"""Read a class list: who is in the class, and what the university's system calls them.

A roster is a CSV file with a header. Columns are found by their names, in any order: ``username``
(needed), ``name``, ``sis_id``, ``email``, ``section`` and ``canvas_id``. The file that Canvas
exports as its gradebook is a roster too (``Student``, ``ID``, ``SIS User ID``, ``SIS Login ID``,
``Section``), and so is Moodle's grade export if it has the user names.
"""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from lab_tools.errors import InputError

#: Words of a header, without spaces and in small letters, to the field that they mean.
_NAMES = {
    "username": "username",
    "user": "username",
    "login": "username",
    "sisloginid": "username",
    "name": "name",
    "fullname": "name",
    "student": "name",
    "firstname": "first",
    "lastname": "last",
    "surname": "last",
    "sisid": "sis_id",
    "sisuserid": "sis_id",
    "idnumber": "sis_id",
    "studentid": "sis_id",
    "email": "email",
    "emailaddress": "email",
    "mail": "email",
    "section": "section",
    "group": "section",
    "canvasid": "canvas_id",
    "id": "canvas_id",
}
_SEPARATORS = ",;\t"
#: More than any university has.
_MOST_BYTES = 50_000_000


@dataclass(frozen=True)
class Person:
    """Somebody in the class.

    Parameters
    ----------
    username : the name that the course knows, a submission's folder.
    name : as the class list writes it.
    sis_id : the university's number (Canvas: SIS User ID; Moodle: ID number).
    email : address.
    section : group of the class.
    canvas_id : Canvas's own number of the person, which nothing else may stand for.
    """

    username: str
    name: str = ""
    sis_id: str = ""
    email: str = ""
    section: str = ""
    canvas_id: str = ""

    @property
    def shown(self) -> str:
        """The name, or the user name where there is none."""
        return self.name or self.username


def read_roster(file: Path) -> list[Person]:
    """Read a class list.

    Commas, semicolons or tabs separate the columns; the text is UTF-8, with or without a byte
    order mark, or UTF-16 with one.

    Raises
    ------
    InputError : the file cannot be read, or has no user names, or one name twice.
    """
    lines = _rows(_text(file))
    header = next(lines, (0, []))[1]
    known = [_NAMES.get(_squeezed(word), "") for word in header]
    if "username" not in known:
        raise InputError(
            "roster", ", ".join(header)[:200], "a CSV file with a column named username"
        )
    if "canvas_id" in known and not {"sisloginid", "canvasid"} & set(map(_squeezed, header)):
        raise InputError(
            "roster", "id", "named canvas_id or sis_id", "Canvas would take one for the other."
        )
    people: dict[str, Person] = {}
    for number, cells in lines:
        if cells[0].strip() == "Points Possible":  # the second row of a Canvas gradebook
            continue
        person = _person(known, cells)
        if not person.username:
            raise InputError("roster", f"line {number}", "a line with a user name")
        if person.username in people:
            raise InputError(
                "roster", f"line {number}", "about somebody new", f"{person.username} is in twice."
            )
        people[person.username] = person
    if not people:
        raise InputError("roster", str(file), "a file that names somebody")
    return list(people.values())


def _text(file: Path) -> str:
    try:
        with file.open("rb") as source:
            content = source.read(_MOST_BYTES + 1)
    except OSError as error:
        raise InputError("roster", str(file), f"a file to read ({error.strerror})") from error
    if len(content) > _MOST_BYTES:
        raise InputError("roster", str(file), "a class list, which is smaller")
    coding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(coding)
    except UnicodeDecodeError as error:
        raise InputError(
            "roster", str(file), "UTF-8", 'Save it again, in Excel as "CSV UTF-8".'
        ) from error


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of every line that holds something."""
    first = text.splitlines()[0] if text else ""
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise InputError("roster", f"line {reader.line_num}", f"CSV ({error})") from error


def _person(known: list[str], cells: list[str]) -> Person:
    found: dict[str, str] = {}
    for field, cell in zip(known, cells, strict=False):
        if field and cell.strip():
            found.setdefault(field, cell.strip())
    joined = " ".join(found[part] for part in ("first", "last") if part in found)
    if joined:
        found.setdefault("name", joined)
    names = {each.name for each in fields(Person)}
    return Person(**{"username": "", **{k: v for k, v in found.items() if k in names}})


def _squeezed(word: str) -> str:
    return "".join(char for char in word.lower() if char.isalnum())
