"""Read a submitted folder as what it is: files that somebody else made."""

import hashlib
import io
import os
import stat
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lab_tools.course.limits import Limits
from lab_tools.grading.files import WORK
from lab_tools.grading.variant import LAB_FILE

#: nbgrader's own file: when the submission arrived.
TIMESTAMP = "timestamp.txt"
_LEFT_OUT = {".ipynb_checkpoints", "__pycache__", ".git", ".venv"}
_DEEPEST = 12


@dataclass
class Intake:
    """The files of a submission, by their path in it, and what was left out of them.

    Parameters
    ----------
    files : path to content.
    notes : sentences for the instructor.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def has_work(self) -> bool:
        """Whether there is anything to grade besides the notebook."""
        return any(name.startswith(f"{WORK}/") for name in self.files)

    @property
    def submitted(self) -> str | None:
        """Return nbgrader's time of submission, as it stands there."""
        text = self.files.get(TIMESTAMP, b"")[:64].decode(errors="replace").strip()
        return text or None

    def digest(self) -> str:
        """Return a hash of all files."""
        made = hashlib.sha256()
        for name in sorted(self.files):
            made.update(f"{name}\0{len(self.files[name])}\0".encode(errors="surrogateescape"))
            made.update(self.files[name])
        return made.hexdigest()

    def archive(self) -> bytes:
        """Return all files as a tar."""
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as target:
            for name, content in self.files.items():
                about = tarfile.TarInfo(name)
                about.size = len(content)
                target.addfile(about, io.BytesIO(content))
        return made.getvalue()

    def data_archive(self) -> bytes:
        """Return only what the checks read."""
        kept = {name: body for name, body in self.files.items() if name.startswith(f"{WORK}/")}
        return Intake(kept).archive()


def take_in(folder: Path, limits: Limits, lab_file: bytes) -> Intake:
    """Read the regular files of a submission; leave out whatever else there is, and say so.

    Parameters
    ----------
    folder : what was handed in.
    limits : how much is accepted.
    lab_file : the released ``lab.toml``, which takes the place of the submitted one.
    """
    found = Intake()
    left_bytes = limits.files_bytes
    for name, handle, size_bytes in _walk(folder, found):
        with os.fdopen(handle, "rb") as file:
            if len(found.files) >= limits.files:
                found.notes.append(f"Only the first {limits.files} files were read.")
                break
            most_bytes = left_bytes
            if name.endswith(".ipynb"):
                most_bytes = min(most_bytes, limits.notebook_bytes)
            if size_bytes > most_bytes:
                found.notes.append(
                    f"{name} was left out: {size_bytes / 1e6:.1f} MB is more than is accepted."
                )
                continue
            # a file may grow while it is read
            found.files[name] = file.read(most_bytes)
            left_bytes -= len(found.files[name])
    found.files.pop(LAB_FILE, None)
    found.files[LAB_FILE] = lab_file
    return found


def _walk(folder: Path, found: Intake) -> Iterator[tuple[str, int, int]]:
    """Yield path, open handle and size of every regular file; follows no link."""
    try:
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        found.notes.append(f"The submitted folder cannot be read: {error.strerror}.")
        return
    yield from _below(top, "", found, 0)


def _below(handle: int, prefix: str, found: Intake, depth: int) -> Iterator[tuple[str, int, int]]:
    try:
        # if there are too many, what is graded comes before what is not
        for name in sorted(os.listdir(handle), key=lambda name: (not _is_graded(name), name)):
            path = prefix + name
            if name in _LEFT_OUT:
                continue
            kind = os.lstat(name, dir_fd=handle).st_mode
            if stat.S_ISLNK(kind):
                found.notes.append(f"{_shown(path)} was left out: it is a link to elsewhere.")
                continue
            if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
                found.notes.append(f"{_shown(path)} was left out: it is no file.")
                continue
            try:
                opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=handle)
            except OSError as error:
                found.notes.append(f"{_shown(path)} was left out: {error.strerror}.")
                continue
            about = os.fstat(opened)
            if stat.S_ISDIR(about.st_mode) and depth < _DEEPEST:
                yield from _below(opened, path + "/", found, depth + 1)
            elif stat.S_ISREG(about.st_mode):
                yield path, opened, about.st_size
            else:
                os.close(opened)
    finally:
        os.close(handle)


def _is_graded(name: str) -> bool:
    return name == WORK or name.endswith(".ipynb")


def _shown(path: str) -> str:
    return path[:100].encode("ascii", "backslashreplace").decode()
