"""Build the student's and the worked notebook of a lab from its source text."""

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from lab_tools.authoring.source import Course, read
from lab_tools.errors import GradingError, RunError
from lab_tools.experiment import Path as NetworkPath
from lab_tools.grading.files import WORK, read_json, write_json
from lab_tools.grading.variant import LAB_FILE, WORKED_STUDENT
from lab_tools.plain import from_plain
from lab_tools.store import Store
from lab_tools.testbeds.replay import session_file

_TIMEOUT_S = 600


def build(course: Course, name: str, *, execute: bool = True, record: bool = False) -> None:
    """Build one lab into ``labs/`` and ``solutions/``.

    Parameters
    ----------
    course : where the project is.
    name : the lab's name.
    execute : run the worked copy, so that it shows its figures.
    record : keep the records of its runs among the course's recordings.

    Raises
    ------
    InputError : the source breaks a rule.
    RunError : the worked copy failed; shows where.
    """
    notebook = read(course.source(name))
    with tempfile.TemporaryDirectory(prefix="lab-release-") as root:
        student = release(course, name, notebook, Path(root))
        replace_folder(student, course.student(name))
    if execute:
        folder = Path(tempfile.mkdtemp(prefix="lab-worked-"))
        try:
            execute_into(course, name, notebook, folder, WORKED_STUDENT)
            if record:
                keep_recordings(course, folder)
            shutil.rmtree(folder / WORK)
            replace_folder(folder, course.worked(name))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def release(course: Course, name: str, notebook: NotebookNode, root: Path) -> Path:
    """Let nbgrader make the student's copy in the course folder ``root``; return its folder."""
    source = root / "source" / name
    source.mkdir(parents=True)
    nbformat.write(notebook, source / f"{name}.ipynb")
    shutil.copy(course.about(name), source / LAB_FILE)
    nbgrader(course, root, "generate_assignment", name, "--create")
    made = root / "release" / name
    tidy(made / f"{name}.ipynb")
    return made


def nbgrader(course: Course, root: Path, *words: str) -> str:
    """Run an nbgrader command in a course folder and return what it said.

    Raises
    ------
    GradingError : it failed; shows its last lines.
    """
    # nbgrader starts alembic by name, which is beside this Python and maybe nowhere else
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    settings = [str(course.root / "instructor")]
    if more := os.environ.get("JUPYTER_CONFIG_PATH"):
        settings.append(more)  # a hub's, which say how to collect there
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *words],
        cwd=root,
        env={
            **os.environ,
            "PATH": path,
            "JUPYTER_CONFIG_PATH": os.pathsep.join(settings),
            "LAB_COURSE": str(root),
        },
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise GradingError(f"nbgrader {words[0]} failed:\n{done.stderr[-2000:]}")
    return done.stderr


def tidy(file: Path) -> None:
    """Take out of a notebook what differs between two builds of the same source."""
    notebook = nbformat.read(file, as_version=4)
    notebook.metadata.pop("celltoolbar", None)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(notebook, file)


def execute_into(
    course: Course, name: str, notebook: NotebookNode, folder: Path, student: str
) -> NotebookNode:
    """Run a notebook in a folder as a student would; leave it there with its outputs.

    Raises
    ------
    RunError : a cell failed or wrote to standard error; shows the cell and its output.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    shutil.copy(course.about(name), folder / LAB_FILE)
    worked = nbformat.from_dict(notebook)
    client = NotebookClient(
        worked,
        timeout=_TIMEOUT_S,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
        # the kernel would warn that its local connection is not encrypted
        extra_arguments=["--Application.log_level=40"],
        # nbclient's own way with Ctrl-C fails on the kernel that it has just ended
        on_notebook_start=_let_ctrl_c_through,
    )
    # Ctrl-C leaves the client's tasks unfinished, and the loop would print their tracebacks
    logging.getLogger("asyncio").disabled = True
    try:
        with as_student(student):
            # a view without its kernel is worth nothing: the panels print their words instead
            # what cells write to stderr comes by another way; this is the kernel's own, at its end
            environment = {**os.environ, "LAB_WIDGETS": "off"}
            client.execute(env=environment, stderr=subprocess.DEVNULL)
    except KeyboardInterrupt:
        sys.unraisablehook = _say_nothing  # of tasks that are thrown away when the program ends
        raise
    except CellExecutionError as error:
        raise RunError(f"running {name} as {student}", str(error)[-3000:]) from error
    for number, cell in enumerate(worked.cells):
        for output in cell.get("outputs", ()):
            if output.output_type == "stream" and output.name == "stderr":
                raise RunError(f"running {name}, cell {number}", f"standard error: {output.text}")
    nbformat.write(worked, folder / f"{name}.ipynb")
    return worked


def _let_ctrl_c_through(notebook: NotebookNode) -> None:
    """Let Ctrl-C end the program as elsewhere; the notebook's kernel ends when the program does."""
    asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)


def _say_nothing(unraisable: object) -> None:
    """Print no traceback."""


@contextlib.contextmanager
def as_student(student: str) -> Iterator[None]:
    """Let what runs in here take itself for a student's."""
    before = os.environ.get("LAB_STUDENT")
    os.environ["LAB_STUDENT"] = student
    try:
        yield
    finally:
        if before is None:
            del os.environ["LAB_STUDENT"]
        else:
            os.environ["LAB_STUDENT"] = before


def keep_recordings(course: Course, folder: Path) -> None:
    """Copy a worked copy's runs and live sessions into the course's recordings."""
    recordings = Store(course.root / "recordings")
    for run in Store(folder / WORK / "runs"):
        recordings.put(run)
    typed: dict[Path, list[dict[str, Any]]] = {}
    for each in read_json(folder / WORK / "commands.json", []):
        path = from_plain(NetworkPath, each.pop("path"), "path")
        typed.setdefault(session_file(recordings.folder, path), []).append(each)
    for file, commands in typed.items():
        write_json(file, commands)


def replace_folder(made: Path, place: Path) -> None:
    """Put a folder in the place of another one; what a student made there is kept."""
    place.parent.mkdir(parents=True, exist_ok=True)
    kept = place / WORK
    if kept.exists():
        shutil.copytree(kept, made / WORK, dirs_exist_ok=True)
    shutil.rmtree(place, ignore_errors=True)
    shutil.move(made, place)
    place.chmod(0o755)
