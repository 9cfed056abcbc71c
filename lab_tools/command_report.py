"""``lab report``: what a bug report needs in one text file, without private data."""

import contextlib
import datetime
import getpass
import io
import ipaddress
import os
import platform
import pwd
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import click
from rich.console import Console

from lab_tools import __version__
from lab_tools.doctor import write
from lab_tools.doctor_checks import examine
from lab_tools.errors import InputError, LabError
from lab_tools.kernel import find
from lab_tools.store import default_folder
from lab_tools.testbeds import get

PROJECT = Path(__file__).resolve().parents[1]
_LAST_LINES = 40
_LOGS = 6
_PARTIAL_RUNS = 3
_ASK_S = 20.0
#: Settings whose values say who somebody is; that they are set is told, not to what.
_PRIVATE = ("LAB_STUDENT", "LAB_COURSE_SEED", "LAB_INVENTORY")
_SECRET = re.compile(
    r"(?i)\b([\w-]*(?:token|password|secret|api[_-]?key))(\"?\s*[=:]\s*\"?)[^\s\"'&,;]+"
)
_IN_ADDRESS = re.compile(r"(://)[^/\s@]+@")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")
_IPV4 = re.compile(r"(?<![\w.])(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?![\w.]*\d)")
_MAC = re.compile(r"(?i)\b([0-9a-f]{2}:){5}[0-9a-f]{2}\b")
_IPV6 = re.compile(r"(?i)(?<![\w:])[0-9a-f:]{4,39}(?![\w:])")


@dataclass(frozen=True)
class Person:
    """Whose machine this is: what must not stand in a report.

    Parameters
    ----------
    home : the home folder.
    names : login name, full name, and the like.
    hosts : names of the machine.
    """

    home: str
    names: tuple[str, ...]
    hosts: tuple[str, ...]

    @classmethod
    def here(cls) -> "Person":
        """Return who runs this program, and under ``sudo`` also who started it."""
        names, full = {getpass.getuser(), os.environ.get("SUDO_USER", "")}, ""
        with contextlib.suppress(KeyError):
            full = pwd.getpwuid(os.getuid()).pw_gecos.split(",")[0]
        # "root" is no person, and stands in many a path and message.
        people = (names | {full}) - {"", "root"}
        host = socket.gethostname()
        return cls(str(Path.home()), tuple(people), (host, host.split(".")[0]))


def mask(text: str, person: Person) -> str:
    """Return a text without what says who somebody is or lets others in.

    Home folders, login and full names, the machine's name, e-mail and IP addresses (but for this
    machine's own, 127.*, and the emulated hosts', 10.0.*), tokens and passwords.

    >>> mask("/home/ada/x?token=abc", Person("/home/ada", ("ada",), ("pc",)))
    '~/x?token=...'
    """
    if len(person.home) > 1:
        text = re.sub(re.escape(person.home.rstrip("/")) + r"(?![\w.-])", "~", text)
    text = re.sub(r"(?<![\w])/(home|Users)/[^/\s:'\"]+", r"/\1/USER", text)
    text = _SECRET.sub(r"\1\2...", text)
    text = _IN_ADDRESS.sub(r"\1*@", text)
    text = _MAIL.sub("MAIL", text)
    for names, word in ((person.hosts, "HOST"), (person.names, "USER")):
        for name in sorted(filter(None, names), key=len, reverse=True):
            if name != "localhost":
                text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", word, text)
    text = _IPV6.sub(_masked_ipv6, _MAC.sub("ADDRESS", text))
    return _IPV4.sub(_masked_ipv4, text)


def _masked_ipv4(found: re.Match[str]) -> str:
    parts = [int(part) for part in found.groups()]
    harmless = parts[0] in (0, 127) or parts[:2] == [10, 0] or max(parts) > 255
    return found.group() if harmless else "ADDRESS"


def _masked_ipv6(found: re.Match[str]) -> str:
    with contextlib.suppress(ValueError):
        if not ipaddress.IPv6Address(found.group()).is_loopback:
            return "ADDRESS"
    return found.group()


def commit(project: Path) -> str:
    """Return the commit of this copy, and whether something in it was changed."""
    noted = project / ".commit"
    if noted.is_file():
        return noted.read_text(encoding="ascii").strip()
    head = _ask("git", "-C", str(project), "rev-parse", "HEAD")
    changed = _ask("git", "-C", str(project), "status", "--porcelain", "--untracked-files=no")
    files = len(changed.splitlines())
    return f"{head or 'unknown'}{f', {files} files changed' if files else ''}"


def machine() -> Iterator[str]:
    """Yield what the machine is: system, processors, memory, disk."""
    release = _text("/etc/os-release")
    name = re.search(r'^PRETTY_NAME="?([^"\n]*)', release, re.MULTILINE)
    yield f"system       {name.group(1) if name else platform.system()}"
    yield f"kernel       {platform.release()} {platform.machine()}"
    yield f"virtual      {_ask('systemd-detect-virt') or 'unknown'}"
    yield f"processors   {os.cpu_count()}"
    for line in _text("/proc/meminfo").splitlines()[:3]:
        yield f"memory       {' '.join(line.split())}"
    usage = shutil.disk_usage(PROJECT)
    yield f"disk         {usage.free / 1e9:.1f} of {usage.total / 1e9:.1f} GB free"


def versions() -> Iterator[str]:
    """Yield the versions of the project and of all that its runs depend on."""
    yield f"course       {__version__}, commit {commit(PROJECT)}"
    yield f"Python       {platform.python_version()}"
    try:
        kernel = find()
        yield f"lab kernel   {kernel.version}, recipe {kernel.recipe}, source {kernel.source}"
    except LabError as error:
        yield f"lab kernel   {error}"
    for word in metadata.requires("data-over-distance") or ():
        name = re.split(r"[^\w.-]", word)[0]
        try:
            yield f"  {name:<16} {metadata.version(name)}"
        except metadata.PackageNotFoundError:
            yield f"  {name:<16} is missing"
    listed = PROJECT / "scripts" / "debian-packages.txt"
    names = [line.split()[0] for line in _text(listed).splitlines() if line and line[0] != "#"]
    yield _ask("dpkg-query", "-W", "-f", "  ${Package} ${Version}\n", *names)


def settings(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the course's settings; of private ones only that they are set."""
    for name in sorted(environment):
        if name.startswith("LAB_"):
            yield f"{name}={'(set)' if name in _PRIVATE else environment[name]}"


def table() -> str:
    """Return what `lab doctor` says of every testbed."""
    written = io.StringIO()
    write(Console(file=written, highlight=False, soft_wrap=True), examine(), get().name)
    return written.getvalue()


def logs(folder: Path) -> Iterator[str]:
    """Yield the ends of the newest logs of set-up and JupyterLab."""
    files = sorted(folder.glob("*.log"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files[:_LOGS]:
        yield f"--- {file.name}"
        yield from _text(file).splitlines()[-_LAST_LINES:]


def partial_runs(store: Path) -> Iterator[str]:
    """Yield the experiments of the newest runs that did not complete."""
    files = store.glob("partial/*/record.json")
    newest = sorted(files, key=lambda file: file.stat().st_mtime, reverse=True)
    for file in newest[:_PARTIAL_RUNS]:
        yield f"--- {file.parent.name}"
        yield _text(file)


def compose(environment: Mapping[str, str]) -> str:
    """Return the report, not masked yet."""
    parts: dict[str, Callable[[], str | Iterable[str]]] = {
        "machine": machine,
        "versions": versions,
        "settings": lambda: settings(environment),
        "lab doctor": table,
        "logs": lambda: logs(PROJECT / ".uv" / "logs"),
        "runs that did not complete": lambda: partial_runs(default_folder()),
    }
    text = "Data over Distance: a report for the people who mend it.\n"
    for title, part in parts.items():
        try:
            found = part()
            said = found if isinstance(found, str) else "\n".join(found)
        except (OSError, LabError) as error:
            # What cannot be read may be the very thing that is wrong: the rest is needed then.
            said = f"could not be found out: {error}"
        text += f"\n== {title}\n{said.rstrip() or 'none'}\n"
    return text


@click.command()
@click.option("--output", type=click.Path(dir_okay=False), help="The file to write.")
def report(output: str | None) -> None:
    """Write what a bug report needs into one text file: versions, checks, ends of logs.

    The names of people and of the machine, home folders, addresses and tokens are left out; answers
    and notebooks are not looked at. Nothing is sent anywhere.
    """
    now = datetime.datetime.now(datetime.UTC)
    place = Path(output or f"lab-report-{now:%Y%m%d-%H%M%S}.txt")
    if not os.access(place.parent, os.W_OK):
        raise InputError("--output", str(place), "a file in a folder that you may write to")
    text = mask(compose(os.environ), Person.here())
    try:
        place.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError("--output", str(place), f"a file that can be written ({error})") from error
    click.echo(f"{place}: {len(text.splitlines())} lines. Read it before you send it to anybody.")


def _ask(*words: str) -> str:
    """Return what a command prints, or "" where it is missing, fails or hangs."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_ASK_S)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip("\n")


def _text(file: str | Path) -> str:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
