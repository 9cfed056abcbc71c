"""Build the root file system of a host from Debian's packages, once."""

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from filelock import FileLock

from lab_tools.errors import MissingToolError, RunError
from lab_tools.kernel.recipe import cache_folder

_HERE = Path(__file__).resolve().parent
_HOST_PROGRAMS = _HERE.parents[2] / "host"
_HOOKS = Path("/usr/share/mmdebstrap/hooks/merged-usr")
NAME = "data-over-distance-host"
#: What `docker import` adds to the files; the Dockerfile says the same.
CHANGES = ['CMD ["sleep", "infinity"]']
_SUITE = "bookworm"
#: What only the installation of packages needs: a third of the files, and Docker takes its time for
#: every file that it imports.
_NOT_NEEDED = ("usr/lib/x86_64-linux-gnu/perl-base", "usr/share/perl5", "var/lib/dpkg/info")
#: Raised when the steps of the build change what comes out.
_STEPS = "2"
#: Files get this time, so that the same packages give the same bytes (2023-11-14 22:13:20 UTC).
_EPOCH_S = 1_700_000_000
_LAST_LINES = 12


def packages() -> list[str]:
    """Return the packages that the image holds."""
    lines = (_HERE / "packages.txt").read_text(encoding="utf-8").splitlines()
    return [words[0] for line in lines if (words := line.split("#")[0].split())]


@functools.cache
def key() -> str:
    """Return the name of the image's contents: another process finds another one if they change."""
    digest = hashlib.sha256(f"{_STEPS} {_SUITE} {CHANGES}".encode())
    files = [_HERE / "packages.txt", _HERE / "dpkg.cfg", *sorted(_HOST_PROGRAMS.glob("*.py"))]
    for each in files:
        digest.update(each.name.encode() + b"\0" + each.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def name() -> str:
    """Return the image's name in Docker."""
    return f"{NAME}:{key()}"


def file() -> Path:
    """Return where the built root file system is kept."""
    return cache_folder().parent / "image" / f"{key()}.tar"


def problem() -> str:
    """Say why the image cannot be built here; nothing if it can, or was."""
    if file().is_file():
        return ""
    if shutil.which("mmdebstrap") is None:
        return "mmdebstrap, which builds it, is missing"
    return "" if _HOOKS.is_dir() else f"{_HOOKS} is missing"


def build() -> Path:
    """Build the root file system, unless it was built before; return the file.

    It needs Debian's package servers. Archives of other contents are removed from the cache.

    Raises
    ------
    MissingToolError : mmdebstrap is missing, or the cache cannot be written.
    RunError : the build failed; shows its last lines.
    """
    if why := problem():
        raise MissingToolError(
            f"the hosts' image cannot be built: {why}. As root, run: scripts/install-packages test"
        )
    place = file()
    if place.is_file():
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(place.parent / "lock"):
            if not place.is_file():
                _build(place)
    except OSError as error:
        raise MissingToolError(
            f"the hosts' image cannot be kept in {place.parent}: {error}. "
            "LAB_CACHE names another folder for it."
        ) from error
    return place


def _build(place: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="building-", dir=place.parent) as work:
        made = Path(work) / "root.tar"
        _debootstrap(made)
        for old in place.parent.glob("*.tar"):
            old.unlink()
        made.rename(place)


def _debootstrap(target: Path) -> None:
    sources = "/etc/apt/sources.list.d/debian.sources"
    argv = [
        "mmdebstrap",
        "--variant=essential",
        # Without it a package that merges /usr comes in, and all of Perl with it.
        f"--hook-dir={_HOOKS}",
        f"--include=usr-is-merged,{','.join(packages())}",
        f"--dpkgopt={_HERE / 'dpkg.cfg'}",
        '--customize-hook=mkdir -p "$1/opt/lab"',
        *(
            f'--customize-hook=copy-in "{each}" /opt/lab'
            for each in sorted(_HOST_PROGRAMS.glob("*.py"))
        ),
        *(f'--customize-hook=rm -r "$1/{folder}"' for folder in _NOT_NEEDED),
        _SUITE,
        str(target),
    ]
    argv += [sources] if Path(sources).is_file() else []
    kept = {each: os.environ[each] for each in ("PATH", "HOME", "TMPDIR") if each in os.environ}
    proxies = {each: value for each, value in os.environ.items() if each.endswith("_proxy")}
    done = subprocess.run(
        argv,
        env={**kept, **proxies, "LC_ALL": "C", "SOURCE_DATE_EPOCH": str(_EPOCH_S)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        lines = done.stderr.splitlines()[-_LAST_LINES:]
        raise RunError(
            "building the hosts' image", f"mmdebstrap ended with {done.returncode}", lines
        )
