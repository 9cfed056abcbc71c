"""Read a lab's source text, and refuse one that breaks the rules of a lab."""

import re
from dataclasses import dataclass
from pathlib import Path

import jupytext
from nbformat import NotebookNode

from lab_tools.errors import InputError, UnknownNameError

MAX_CELLS = 60
MAX_CODE_LINES = 10
_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
#: nbgrader's marks take no part in a cell's length: they vanish from the student's copy.
_MARKS = ("### BEGIN SOLUTION", "### END SOLUTION")


@dataclass(frozen=True)
class Course:
    """The folders of the project that authoring reads and writes."""

    root: Path

    @classmethod
    def here(cls) -> "Course":
        """Return the project that this package lies in."""
        return cls(Path(__file__).resolve().parents[2])

    def source(self, name: str) -> Path:
        """Return a lab's source text."""
        return self.root / "instructor" / "source" / f"{name}.py"

    def about(self, name: str) -> Path:
        """Return the file that becomes the lab's ``lab.toml``."""
        return self.root / "instructor" / "variants" / f"{name}.toml"

    def checks(self, name: str) -> Path:
        """Return the lab's checks."""
        return self.root / "instructor" / "checks" / f"{name}.py"

    def student(self, name: str) -> Path:
        """Return the folder of the student's copy."""
        return self.root / "labs" / name

    def worked(self, name: str) -> Path:
        """Return the folder of the worked copy."""
        return self.root / "solutions" / name

    def names(self) -> list[str]:
        """Return the names of all labs that have a source."""
        return sorted(p.stem for p in (self.root / "instructor" / "source").glob("[0-9][0-9]_*.py"))

    def choose(self, names: tuple[str, ...]) -> list[str]:
        """Return the labs of these names (or unique beginnings of names); all without any.

        Raises
        ------
        UnknownNameError : a name is that of no lab.
        """
        known = self.names()
        chosen = []
        for name in names:
            found = [each for each in known if each.startswith(name)]
            if len(found) != 1:
                raise UnknownNameError("lab", name, known)
            chosen += found
        return chosen or known


def read(file: Path) -> NotebookNode:
    """Read a source text into a notebook with stable cell ids.

    Raises
    ------
    InputError : a rule of a lab is broken; names the cell.
    """
    text = file.read_text(encoding="utf-8")
    notebook = jupytext.reads(text, fmt="py:percent")
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"{file.stem[:2]}-{number:02d}"
    notebook.metadata = {"kernelspec": dict(_KERNEL), "language_info": {"name": "python"}}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    check_rules(notebook, file.name)
    check_round_trip(notebook, file.name)
    return notebook


def check_rules(notebook: NotebookNode, name: str) -> None:
    """See that the notebook is short, its cells are short, and its grade ids are unique."""
    if len(notebook.cells) > MAX_CELLS:
        raise InputError(f"{name}: cells", len(notebook.cells), f"at most {MAX_CELLS}")
    seen: set[str] = set()
    for number, cell in enumerate(notebook.cells):
        where = f"{name}, cell {number} ({cell.source.strip().splitlines()[:1]})"
        if cell.cell_type == "code":
            lines = [x for x in cell.source.splitlines() if x.strip() and x.strip() not in _MARKS]
            if len(lines) > MAX_CODE_LINES:
                raise InputError(f"{where}: lines", len(lines), f"at most {MAX_CODE_LINES}")
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if grade_id in seen:
            raise InputError(f"{where}: grade_id", grade_id, "used only once")
        if grade_id is not None:
            if not re.fullmatch(r"[a-z][a-z0-9_]*", grade_id):
                raise InputError(f"{where}: grade_id", grade_id, "lower case with underscores")
            seen.add(grade_id)


def check_round_trip(notebook: NotebookNode, name: str) -> None:
    """See that writing the notebook as text and reading it again loses nothing."""
    again = jupytext.reads(jupytext.writes(notebook, fmt="py:percent"), fmt="py:percent")
    mine = [(c.cell_type, c.source, dict(c.metadata)) for c in notebook.cells]
    theirs = [(c.cell_type, c.source, dict(c.metadata)) for c in again.cells]
    if mine != theirs:
        at = next((i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), -1)
        raise InputError(f"{name}: cell", at, "one that survives the py:percent format")
