"""What a job can be; process 1 of its sandbox starts here."""

import io
import shutil
import socket
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab_tools.course.box import execute, judging
from lab_tools.course.box.keeper import PLACE
from lab_tools.course.box.wire import pack, read_all, unpack

_JOBS: dict[str, Callable[[dict[str, Any], Path], tuple[Any, bytes]]] = {
    "execute": execute.job,
    "judge": judging.job,
}
#: The grader bounds what it sends; this only has to be more.
_MOST_BYTES = 1 << 32


def run(name: str, connection: socket.socket) -> None:
    """Read a job's data, do it in a folder of its own, and send back what came out."""
    about, archive = unpack(read_all(connection, _MOST_BYTES))
    folder = Path(PLACE, "lab")
    folder.mkdir()
    for made in ("home", "tmp"):
        Path(PLACE, made).mkdir()
    unpack_folder(archive, folder)
    answer, rest = _JOBS[name](about, folder)
    connection.sendall(pack(answer, rest))


def unpack_folder(archive: bytes, folder: Path) -> None:
    """Write the regular files of an archive into a folder."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as source:
        for member in source:
            place = (folder / member.name).resolve()
            content = source.extractfile(member) if member.isreg() else None
            if content is None or not place.is_relative_to(folder.resolve()):
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("wb") as target:
                shutil.copyfileobj(content, target)


def pack_folder(folder: Path, most_bytes: int) -> bytes:
    """Return the regular files below a folder as an archive; stop before it gets too large."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as target:
        for file in sorted(folder.rglob("*")):
            if file.is_symlink() or not file.is_file():
                continue
            if made.tell() + file.stat().st_size > most_bytes:
                break
            target.add(file, arcname=str(file.relative_to(folder)), recursive=False)
    return made.getvalue()
