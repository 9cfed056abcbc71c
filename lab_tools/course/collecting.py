"""Bring submissions into the course: from nbgrader's exchange, from folders, from zip files."""

import contextlib
import datetime
import os
import re
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from lab_tools.authoring.build import nbgrader
from lab_tools.course.folder import CourseFolder, student_id
from lab_tools.course.intake import TIMESTAMP, take_in
from lab_tools.course.limits import Limits
from lab_tools.errors import GradingError, InputError
from lab_tools.grading.variant import LAB_FILE

#: A file's or folder's name up to the first underscore: what Canvas and Moodle begin with.
DEFAULT_PATTERN = r"(?P<student>[^_]+)"


def collect(folder: CourseFolder, lab: str) -> str:
    """Collect what students have submitted through nbgrader's exchange; return what it said.

    Raises
    ------
    GradingError : nbgrader failed.
    """
    folder.require_release(lab)
    return nbgrader(folder.project, folder.root, "collect", lab, "--update")


def collect_from(
    folder: CourseFolder, lab: str, place: Path, pattern: str = DEFAULT_PATTERN
) -> dict[str, list[str]]:
    """Collect submissions from a folder, or a zip file, of folders, zip files and notebooks.

    Parameters
    ----------
    folder : the course.
    lab : the lab's name.
    place : a folder or a zip file that holds one folder, zip file or notebook for each student.
    pattern : regular expression with a group ``student``, matched to the beginning of each name.

    Returns
    -------
    Student to what was left out of their submission.

    Raises
    ------
    InputError : the place or the pattern cannot be used.
    GradingError : a zip file is damaged or unpacks to too much.
    """
    folder.require_release(lab)
    matcher = _matcher(pattern)
    if not place.exists():
        raise InputError("--from", str(place), "a folder or a zip file")
    found: dict[str, list[str]] = {}
    with _as_folder(place) as top:
        for entry in sorted(top.iterdir()):
            if entry.name.startswith((".", "__MACOSX")):
                continue
            matched = matcher.match(entry.stem if entry.is_file() else entry.name)
            if matched is None:
                raise InputError(
                    "--pattern", pattern, f"one that finds a student in {entry.name!r}"
                )
            student = student_id(matched["student"])
            if student in found:
                raise InputError(
                    "--from", str(place), "one entry for each student", f"{student} has two."
                )
            found[student] = _one(folder, lab, entry, student)
    return found


def _matcher(pattern: str) -> re.Pattern[str]:
    try:
        matcher = re.compile(pattern)
    except re.error as error:
        raise InputError("--pattern", pattern, f"a regular expression ({error})") from error
    if "student" not in matcher.groupindex:
        raise InputError("--pattern", pattern, "one with a group (?P<student>…)")
    return matcher


def _one(folder: CourseFolder, lab: str, entry: Path, student: str) -> list[str]:
    """Copy one student's submission into its place; return what was left out."""
    with contextlib.ExitStack() as opened:
        top = opened.enter_context(_as_folder(entry, lab))
        inner = sorted(top.glob("*.zip"))
        if inner and not any(top.rglob("*.ipynb")):
            top = opened.enter_context(_as_folder(inner[0]))
        notebooks = sorted(top.rglob(f"{lab}.ipynb")) or sorted(top.rglob("*.ipynb"))
        # an archive often holds the lab's folder, and a system's own files beside it
        source = notebooks[0].parent if notebooks else top
        intake = take_in(source, Limits(), (folder.release(lab) / LAB_FILE).read_bytes())
        if notebooks and notebooks[0].name in intake.files:
            intake.files[f"{lab}.ipynb"] = intake.files.pop(notebooks[0].name)
        when = datetime.datetime.fromtimestamp(entry.stat().st_mtime, datetime.UTC)
        # a time that stands in the submission is the student's own word
        intake.files[TIMESTAMP] = f"{when:%Y-%m-%d %H:%M:%S} UTC\n".encode()
    place = folder.submitted(student, lab)
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{lab}-", dir=place.parent))
    for name, content in intake.files.items():
        target = beside / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    shutil.rmtree(place, ignore_errors=True)
    beside.rename(place)
    return intake.notes


@contextlib.contextmanager
def _as_folder(place: Path, lab: str = "") -> Iterator[Path]:
    """Give a folder: the place itself, an unpacked zip file, or a notebook in a folder of its own.

    Raises
    ------
    GradingError : it is none of these.
    """
    if place.is_dir() and not place.is_symlink():
        yield place
        return
    with tempfile.TemporaryDirectory(prefix="lab-collect-") as made:
        if place.suffix == ".ipynb" and not place.is_symlink():
            shutil.copy(place, Path(made, f"{lab}.ipynb"))
        else:
            _unzip(place, Path(made))
        yield Path(made)


def _unzip(place: Path, target: Path) -> None:
    """Unpack the regular files of a zip file that stay inside of the target."""
    limits = Limits()
    # a zip file of a whole class holds that of each student
    left_bytes, left_files = 40 * limits.files_bytes, 40 * limits.files
    try:
        with zipfile.ZipFile(place) as archive:
            for member in archive.infolist():
                path = PurePosixPath(member.filename)
                kind = member.external_attr >> 16
                if member.is_dir() or path.is_absolute() or ".." in path.parts:
                    continue
                if stat.S_IFMT(kind) not in (0, stat.S_IFREG):
                    continue
                left_files -= 1
                left_bytes -= member.file_size
                if left_bytes < 0 or left_files < 0:
                    raise GradingError(f"{place.name} unpacks to more than is accepted.")
                file = target / path
                file.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as source, file.open("wb") as copy:
                    copy.write(source.read(member.file_size))
                when = datetime.datetime(*member.date_time, tzinfo=datetime.UTC).timestamp()
                with contextlib.suppress(OSError):
                    os.utime(file, (when, when))
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError) as error:
        raise GradingError(
            f"{place.name} is no folder, notebook or zip file that can be read: {error}"
        ) from error
