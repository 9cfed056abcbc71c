"""Cells of a CSV file that a spreadsheet shows and does not run, and private files.

A cell that begins with one of ``= + - @``, a tab, a carriage return or a null is a formula to Excel
and LibreOffice, even in quotes, and a formula can send a class's grades elsewhere. Such text gets
an apostrophe in front (OWASP, "CSV Injection"; OWASP ASVS 5.0, requirement 1.2.10). Numbers are
left as they are.
"""

import contextlib
import csv
import io
import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from lab_tools.errors import InputError

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠")
#: Where another separator than ours would begin a new cell.
_NEW_CELL = re.compile(r"([,;]\s*[\"']?\s*)(?=[=+\-@＝＋－＠])")


class Exact(str):
    """A text that must reach the other system as it is; whoever makes one has checked it."""

    __slots__ = ()


Cell = str | float | int | None


def runs(text: str) -> bool:
    """Whether a spreadsheet would run a text as a formula.

    >>> runs("=1+1"), runs("Ann-Kathrin"), runs("  @sum")
    (True, False, True)
    """
    return text.startswith(_FORMULA) or text.lstrip().startswith(_FORMULA)


def safe(text: str) -> str:
    """Return a text that a spreadsheet shows as it is, in one line.

    >>> safe("=HYPERLINK(1)"), safe("Ada"), safe("two\\nlines"), safe("Ada;=1+1")
    ("'=HYPERLINK(1)", 'Ada', 'two lines', "Ada;'=1+1")
    """
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    line = _NEW_CELL.sub(r"\1'", line)
    return f"'{line}" if runs(text) else line


def number(value: float) -> str:
    """Return a number as text, to two decimal places like the systems' own exports.

    >>> number(3), number(2.5), number(1 / 3)
    ('3', '2.5', '0.33')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def as_csv(
    rows: Iterable[Sequence[Cell]], *, separator: str = ",", decimal: str = ".", bom: bool = False
) -> str:
    """Return rows as CSV text (RFC 4180, lines end with CR LF).

    Parameters
    ----------
    rows : of text, which is made `safe`, `Exact` text, numbers, and None for an empty cell.
    separator : between columns.
    decimal : ``"."`` or ``","``: spreadsheets of many European countries read 2.5 as a date.
    bom : begin with a byte order mark: Excel takes UTF-8 for its own old encoding without one.
    """
    made = io.StringIO(newline="")
    writer = csv.writer(made, delimiter=separator, lineterminator="\r\n")
    for row in rows:
        writer.writerow([_cell(value, decimal) for value in row])
    return ("\ufeff" if bom else "") + made.getvalue()


def _cell(value: Cell, decimal: str) -> str:
    if value is None:
        return ""
    if isinstance(value, Exact):
        return str(value)
    if isinstance(value, str):
        return safe(value)
    return number(value).replace(".", decimal)


def write_private(file: Path, text: str) -> Path:
    """Write a file that only its owner reads, in one step.

    Raises
    ------
    InputError : it cannot be written there.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as target:
                target.write(text)
            Path(name).replace(file)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise InputError("out", str(file), f"a place to write to ({error.strerror})") from error
    return file
