"""What the course itself says of a lab: the released notebook, its points, and the checks."""

import ast
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

import nbformat
from nbformat import NotebookNode

from lab_tools.course.folder import CourseFolder
from lab_tools.errors import GradingError
from lab_tools.grading.variant import LAB_FILE

#: Changed whenever the same submission could get another result from this program.
_VERSION = 1


@dataclass(frozen=True)
class Lab:
    """What the course itself says of a lab; nothing of a student's.

    Parameters
    ----------
    name : the lab's name.
    release : the released notebook.
    lab_file : the released ``lab.toml``.
    checks : the text of the checks.
    points : of every autograded cell, as released.
    digest : a hash of all this.
    """

    name: str
    release: NotebookNode
    lab_file: bytes
    checks: str
    points: dict[str, float]
    digest: str


def read_lab(folder: CourseFolder, lab: str) -> Lab:
    """Read a lab's release and checks.

    Raises
    ------
    GradingError : something is missing.
    """
    notebook = nbformat.read(folder.require_release(lab), as_version=4)
    checks = folder.project.checks(lab)
    if not checks.is_file():
        raise GradingError(f"{lab} has no checks: there is no {checks}.")
    text = checks.read_text(encoding="utf-8")
    lab_file = (folder.release(lab) / LAB_FILE).read_bytes()
    points = {
        cell.metadata.nbgrader.grade_id: float(cell.metadata.nbgrader.points)
        for cell in notebook.cells
        if cell.cell_type == "code"
        and cell.metadata.get("nbgrader", {}).get("grade")
        and not cell.metadata.nbgrader.get("solution")
    }
    about = json.dumps([_VERSION, lab, text, lab_file.decode(), nbformat.writes(notebook)])
    digest = hashlib.sha256(about.encode()).hexdigest()
    return Lab(lab, notebook, lab_file, text, points, digest)


def modules_of(lab: Lab) -> list[str]:
    """Return the modules that a lab's released notebook and its checks import.

    They are the course's own texts; what a student imports besides is imported in the sandbox.
    """
    cells = [cell.source for cell in lab.release.cells if cell.cell_type == "code"]
    found: set[str] = set()
    for text in [lab.checks, *cells]:
        try:
            tree = ast.parse(text)
        except SyntaxError:  # a cell with a magic command
            continue
        found |= set(_imported(tree))
    return sorted(found)


def _imported(tree: ast.AST) -> Iterable[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
