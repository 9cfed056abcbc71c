"""Grade a class from the command line: build what grading needs, and show how far it is."""

from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lab_tools import units
from lab_tools.course.folder import CourseFolder
from lab_tools.course.grading import Grader
from lab_tools.course.limits import Limits
from lab_tools.course.released import modules_of, read_lab
from lab_tools.course.results import Result
from lab_tools.course.sandbox import Sandbox
from lab_tools.course.submission import Settings
from lab_tools.course.verification import Verifier, secret_of
from lab_tools.errors import GradingError, InputError
from lab_tools.grading.variant import course_seed
from lab_tools.store import Store
from lab_tools.testbeds.replay import default_folder


def grade_class(
    folder: CourseFolder, lab: str, *, quiet: bool = False, **options: Any
) -> tuple[list[Result], int]:
    """Grade what is left of a lab; return the results, and how many were done before.

    Parameters
    ----------
    folder, lab : what to grade.
    quiet : show no progress.
    options : as ``lab course grade`` has them.

    Raises
    ------
    LabError : grading cannot begin or go on; what is done is kept.
    """
    about = read_lab(folder, lab)
    students = _chosen(folder, lab, options.get("students") or ())
    settings = Settings(
        run=not options.get("no_run"),
        workers=options.get("workers") or 0,
        force=bool(options.get("force")),
        limits=limits_of(options),
    )
    recordings = default_folder()
    verifier = Verifier(
        [Store(recordings)],
        Store(folder.root / "reruns"),
        options.get("verify") or "sample",
        secret_of(folder.root / ".secret.json"),
    )
    testbed = options.get("testbed") or "replay"
    sandbox = Sandbox(recordings, modules_of(about), testbed=testbed, seed=course_seed())
    lock = FileLock(folder.root / ".grading.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise GradingError(
            f"somebody is grading in {folder.root} now. Wait until they are done."
        ) from error
    with lock:
        grader = Grader(folder, about, sandbox, verifier, settings)
        pending = grader.pending(students)
        if not pending:
            return [], len(students)
        with _progress(quiet) as progress:
            task = progress.add_task("starting the sandbox", total=len(pending))
            with sandbox:
                progress.update(task, description=lab)
                done = grader.grade(pending, lambda _: progress.advance(task))
    return done, len(students) - len(pending)


def limits_of(options: dict[str, Any]) -> Limits:
    """Return the limits that the options of the command line mean.

    Raises
    ------
    InputError : the memory is no size.
    """
    usual = Limits()
    memory = options.get("memory")
    memory_bytes = int(units.size_bytes(memory, "--memory")) if memory else usual.memory_bytes
    if memory_bytes < 256 << 20:
        raise InputError("--memory", memory, "at least 256 MiB: Python itself wants that")
    wall_s = options.get("time") or usual.wall_s
    cell_s = min(options.get("cell_time") or usual.cell_s, wall_s)
    return Limits(wall_s=wall_s, cell_s=cell_s, memory_bytes=memory_bytes)


def _chosen(folder: CourseFolder, lab: str, names: tuple[str, ...]) -> list[str]:
    known = folder.students(lab)
    for name in names:
        if name not in known:
            raise InputError("--student", name, f"somebody who has handed in {lab}")
    if not known:
        raise GradingError(
            f"nobody has handed in {lab}: {Path(folder.root, 'submitted')} has none. Collect "
            f"first: `lab course collect {lab}`."
        )
    return list(names) or known


def _progress(quiet: bool) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), disable=quiet)
