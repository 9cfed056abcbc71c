"""What `lab doctor --fix` can mend: packages, the kernel, what killed runs left, permissions."""

import contextlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from lab_tools.command_kernel import build_with_bar
from lab_tools.doctor_checks import Check
from lab_tools.errors import LabError, RunError
from lab_tools.kernel.recipe import cache_folder
from lab_tools.store import default_folder
from lab_tools.testbeds.mininet import cleanup

PROJECT = Path(__file__).resolve().parents[1]
_MODULES = PROJECT / "instructor" / "vm" / "modules.conf"
_INSTALL = ("scripts/install-packages", "base", "kernel", "network")
#: There while kernel parameters of this host are not as they were; the same as in the worker.
STATE = Path("/run/data-over-distance/mininet.json")
_TRACING = ("sysctl", "kernel.yama.ptrace_scope=1")
#: What is built in the cache, each under a lock of its own.
_CACHES = ("kernel", "image")
#: Folders of killed guests; their locks have the same beginning and are no leftovers.
_GUESTS, _LOCKS = "lab-virtual-*", "lab-virtual-locks-"


@dataclass(frozen=True)
class Repair:
    """One thing that can be mended.

    Parameters
    ----------
    what : what is done, in words.
    do : does it; raises a `LabError` where it fails. None where this user may not do it.
    command : what an administrator types instead.
    """

    what: str
    do: Callable[[], object] | None
    command: str = ""


def repairs(checks: Iterable[Check], *, root: bool, project: Path = PROJECT) -> list[Repair]:
    """Return what can be mended, in the order in which it has to be done.

    Parameters
    ----------
    checks : of the testbeds that should work.
    root : whether this user is the administrator.
    project : the copy of the project, for its scripts and folders.
    """
    wanted = {check.mend for check in checks if not check.ok}
    found: list[Repair] = []
    if "packages" in wanted and (project / _INSTALL[0]).exists():
        found.append(_as_root("install the Debian packages that are missing", _INSTALL, root))
    if "modules" in wanted:
        words = ("modprobe", "--all", *modules())
        found.append(_as_root("load the kernel modules that Mininet needs", words, root))
    if "tracing" in wanted:
        found.append(_as_root("let a process trace its own children", _TRACING, root))
    found += [*unreachable(_folders(project)), *leftovers(root=root)]
    if "new kernel" in wanted:
        found.append(Repair("build the virtual-time kernel anew", _builder(force=True)))
    elif "kernel" in wanted:
        text = "build the virtual-time kernel (about 5 minutes on 2 processors)"
        found.append(Repair(text, _builder(force=False)))
    return found


def modules(file: Path = _MODULES) -> list[str]:
    """Return the names of the kernel modules that Mininet may need."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ["veth", "sch_netem", "sch_tbf"]
    return [line for line in lines if line and not line.startswith("#")]


def unreachable(folders: Iterable[Path]) -> Iterator[Repair]:
    """Yield a repair for each folder that this user cannot write to, all the way down."""
    me = os.geteuid()
    for folder in folders:
        closed = [each for each in _tree(folder) if not _open(each)]
        if not closed:
            continue
        if all(each.stat().st_uid == me for each in closed):
            what = f"make {folder} writable for you ({len(closed)} of its files and folders)"
            yield Repair(what, lambda closed=closed: _make_writable(closed))  # type: ignore[misc]
        else:
            # Usually made by a command that was run with sudo.
            words = f"chown -R {me}:{os.getegid()} '{folder}'"
            yield Repair(f"give you what others own in {folder}", None, words)


def leftovers(*, root: bool, temporary: Path | None = None) -> Iterator[Repair]:
    """Yield a repair for each thing that a killed run or build has left."""
    builds = cache_folder().parent
    if halves := [each for place in _CACHES for each in _half_made(builds / place)]:
        yield Repair(
            f"remove {len(halves)} half-made builds from {builds}", lambda: _remove(halves)
        )
    guests = _dead_guests(temporary or Path(tempfile.gettempdir()))
    if guests:
        yield Repair(f"remove the folders of {len(guests)} killed runs", lambda: _remove(guests))
    if STATE.exists():
        what = "put back the kernel's parameters that a killed run has changed"
        command = "python -m lab_tools.testbeds.mininet"
        yield Repair(what, cleanup if root else None, f"{PROJECT}/.venv/bin/{command}")


def _as_root(what: str, words: tuple[str, ...], root: bool) -> Repair:
    command = " ".join(words)
    return Repair(what, (lambda: _call(what, words)) if root else None, command)


def _call(what: str, words: tuple[str, ...]) -> None:
    """Run a command in the project's folder; its output goes to the terminal."""
    try:
        code = subprocess.run(words, cwd=PROJECT).returncode
    except OSError as error:
        raise RunError(what, str(error)) from error
    if code != 0:
        raise RunError(what, f"{words[0]} ended with {code}")


def _builder(*, force: bool) -> Callable[[], object]:
    return lambda: build_with_bar(force=force)


def _folders(project: Path) -> list[Path]:
    """Return the folders that the course writes to."""
    return [cache_folder().parent, default_folder(), project / "labs"]


def _tree(folder: Path) -> Iterator[Path]:
    """Yield a folder and everything in it, as far as it can be read."""
    if not folder.exists():
        return
    yield folder
    for root, folders, files in os.walk(folder):
        yield from (Path(root, name) for name in (*folders, *files))


def _open(file: Path) -> bool:
    needed = os.R_OK | os.W_OK | (os.X_OK if file.is_dir() else 0)
    return file.is_symlink() or os.access(file, needed)


def _make_writable(closed: list[Path]) -> None:
    for each in closed:
        mode = stat.S_IRUSR | stat.S_IWUSR | (stat.S_IXUSR if each.is_dir() else 0)
        try:
            each.chmod(each.stat().st_mode | mode)
        except OSError as error:
            raise RunError(f"making {each} writable", str(error)) from error


def _half_made(place: Path) -> list[Path]:
    """Return the folders of builds that were killed; none while somebody builds."""
    folders = list(place.glob("building-*"))
    if not folders:
        return []
    try:
        with FileLock(place / "lock", timeout=0):
            return folders
    except Timeout:
        return []


def _dead_guests(temporary: Path) -> list[Path]:
    """Return the folders of this user's virtual networks that no process works in."""
    mine = [
        folder
        for folder in temporary.glob(_GUESTS)
        if not folder.name.startswith(_LOCKS) and folder.stat().st_uid == os.geteuid()
    ]
    if not mine:
        return []
    commands = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            commands.append(file.read_bytes())
    return [folder for folder in mine if not any(bytes(folder) in each for each in commands)]


def _remove(folders: list[Path]) -> None:
    for folder in folders:
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise RunError(f"removing {folder}", str(error)) from error


def carry_out(repair: Repair) -> str:
    """Do a repair and return why it failed, or ""."""
    if repair.do is None:
        return f"this takes an administrator; as root, run: {repair.command}"
    try:
        repair.do()
    except LabError as error:
        return str(error)
    return ""
