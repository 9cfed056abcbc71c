"""The command line that builds the sandbox: what is in it, and nothing else."""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

import lab_tools
from lab_tools.errors import MissingToolError

#: Where the recordings are inside.
RECORDINGS = "/recordings"
#: What the host's C library and certificates need; none of it is the course's.
_SYSTEM = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/ssl",
)
#: Folders, empty ones, that the virtual testbed's guest mounts its own file systems on.
_GUESTS = (Path("/sys"), Path("/run"), Path("/var"), Path("/var/tmp"))
#: Folders of installed packages, on whichever search path they are.
_PACKAGES = ("site-packages", "dist-packages")
#: Root keeps what the warm process needs to build each job's own namespaces, and to leave root.
_ROOTS = ("SYS_ADMIN", "SETUID", "SETGID", "KILL", "NET_ADMIN", "SYS_PTRACE", "DAC_OVERRIDE")
_USERS = "root:x:0:0::/:/bin/false\nstudent:x:{uid}:{uid}::/tmp/home:/bin/false\n"


def program() -> str:
    """Return bubblewrap's program.

    Raises
    ------
    MissingToolError : it is not installed.
    """
    found = shutil.which("bwrap")
    if found is None:
        raise MissingToolError(
            "bubblewrap is not installed, and submissions are run in nothing else. Install it: "
            "`make packages`, or `apt-get install bubblewrap`."
        )
    return found


def command(
    inside: list[str],
    *,
    recordings: Path,
    environment: dict[str, str],
    also: tuple[Path, ...] = (),
    passwd: int | None = None,
) -> list[str]:
    """Return the command that runs ``inside`` in the sandbox.

    The system, this Python, the package `lab_tools` and the recordings are there, all read-only.
    There is no network, no other folder of the project or the course, and no other process.

    Parameters
    ----------
    inside : the program and its arguments.
    recordings : a store of recorded runs.
    environment : all variables that the program sees.
    also : further folders and files to show, read-only, at their own places.
    passwd : handle of a pipe with the list of users.
    """
    words = [program(), "--die-with-parent", "--new-session", "--clearenv"]
    words += ["--unshare-net", "--unshare-ipc", "--unshare-pid", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--hostname", "sandbox"]
    if os.geteuid() == 0:
        for name in _ROOTS:
            words += ["--cap-add", f"CAP_{name}"]
    for name, value in environment.items():
        words += ["--setenv", name, value]
    shown = [*python_folders(), *also]
    # bubblewrap would make the folders above these readable for root alone
    above = {parent for place in shown for parent in place.parents} - {Path("/")}
    for folder in sorted({*above, Path("/etc"), *_GUESTS}):
        words += ["--perms", "0755", "--dir", str(folder)]
    words += ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        place = Path("/", name)
        if place.is_symlink():
            words += ["--symlink", str(place.readlink()), str(place)]
        elif place.is_dir():
            words += ["--ro-bind", str(place), str(place)]
    for name in _SYSTEM:
        words += ["--ro-bind-try", name, name]
    words += ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    for place in shown:
        words += ["--ro-bind", str(place), str(place)]
    words += ["--ro-bind-try", str(recordings.resolve()), RECORDINGS]
    if passwd is not None:
        words += ["--ro-bind-data", str(passwd), "/etc/passwd"]
    # these are file systems in memory without a limit: nobody shall write there
    words += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/", "--", *inside]
    return words


def users(uid: int) -> bytes:
    """Return the list of users of the sandbox."""
    return _USERS.format(uid=uid).encode()


def python_folders() -> list[Path]:
    """Return the folders that this Python and the project's package lie in, outermost first."""
    package = Path(lab_tools.__file__).resolve().parent
    wanted = {
        Path(sys.prefix).resolve(),
        Path(sys.base_prefix).resolve(),
        Path(sysconfig.get_path("stdlib")).resolve(),
        package,
        *(Path(each).resolve() for each in sys.path if each.endswith(_PACKAGES)),
    }
    usr = Path("/usr")
    wanted = {place for place in wanted if not place.is_relative_to(usr)}
    return sorted(
        place
        for place in wanted
        if not any(place != other and place.is_relative_to(other) for other in wanted)
    )
