"""Boot the kernel, hand it one command, and pass on what it prints; see the package."""

import base64
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lab_tools.errors import InputError, RunError
from lab_tools.kernel import Kernel, find
from lab_tools.testbeds.virtual.guest import Guest

CLOCKS = ("wall", "virtual")
#: Exit code of a command that was ended because it took too long.
TIMED_OUT = 124
#: The guest says every second that it lives.
_SILENCE_S = 120.0
_LEAST_MEMORY_BYTES = 128 << 20
#: What the guest covers with empty file systems of its own.
_COVERED = ("/tmp", "/run", "/var/tmp", "/dev/shm")
_SEED = 1

OnOutput = Callable[[str, bytes], None]


def run(
    argv: Sequence[str],
    on_output: OnOutput,
    *,
    memory_bytes: int = 1 << 30,
    clock: str = "wall",
    timeout_s: float = 600.0,
    tmpfs: Sequence[str | Path] = (),
    writable: Sequence[str | Path] = (),
    environment: Mapping[str, str] | None = None,
    cgroups: bool = False,
    kernel: Kernel | None = None,
) -> int:
    """Run a command inside the kernel and return its exit code.

    Parameters
    ----------
    argv : the command and its arguments.
    on_output : called with ``"stdout"`` or ``"stderr"`` and the bytes, as they come.
    memory_bytes : the guest's memory; the files it writes to memory come out of it.
    clock : ``"wall"`` or ``"virtual"``.
    timeout_s : most wall time for all of it; then the guest is ended (`TIMED_OUT`).
    tmpfs : more folders that are empty and in memory.
    writable : folders of this machine that the command may write to.
    environment : more environment variables.
    cgroups : mount the control groups (version 1) on ``/sys/fs/cgroup``.
    kernel : the kernel to boot; without one, the one that `lab kernel build` made.

    Raises
    ------
    InputError : an argument is not allowed.
    MissingToolError : the kernel is not built, or Mininet is missing.
    RunError : the guest died, hung, or could not start the command.
    """
    folders = _check(argv, memory_bytes, clock, timeout_s, writable)
    deadline = time.monotonic() + timeout_s

    def take(event: dict[str, Any]) -> None:
        if event["event"] == "output":
            on_output(event["stream"], base64.b64decode(event["data"]))
        if time.monotonic() > deadline:
            raise TimeoutError

    here = Path.cwd()
    silence_s = min(_SILENCE_S, timeout_s)
    program = (Path(__file__).resolve().parent, "guest_command")
    try:
        with Guest(
            kernel or find(), memory_bytes, _SEED, silence_s, clock=clock, program=program
        ) as guest:
            done = guest.ask(
                "run",
                take,
                stage=f"running {argv[0]} inside the kernel",
                argv=list(argv),
                folder=str(here),
                clock=clock,
                tmpfs=[str(Path(each).absolute()) for each in tmpfs],
                shared=[str(here)] if _covered(here, tmpfs) else [],
                writable=[str(folder) for folder in folders],
                environment=dict(environment or {}),
                cgroups=cgroups,
            )
    except TimeoutError:
        text = f"inside: {argv[0]} was ended after {timeout_s:g} s\n"
        on_output("stderr", text.encode())
        return TIMED_OUT
    except RunError:
        if time.monotonic() < deadline:
            raise
        text = f"inside: {argv[0]} was ended after {timeout_s:g} s of silence\n"
        on_output("stderr", text.encode())
        return TIMED_OUT
    code: int = done["code"]
    return code


def _check(
    argv: Sequence[str],
    memory_bytes: int,
    clock: str,
    timeout_s: float,
    writable: Sequence[str | Path],
) -> list[Path]:
    """Check the arguments and return the writable folders."""
    if not argv:
        raise InputError("command", "", "a program and its arguments")
    if memory_bytes < _LEAST_MEMORY_BYTES:
        raise InputError("memory", memory_bytes, f"at least {_LEAST_MEMORY_BYTES >> 20}M")
    if clock not in CLOCKS:
        raise InputError("clock", clock, "one of " + ", ".join(CLOCKS))
    if not timeout_s > 0:
        raise InputError("timeout", timeout_s, "a positive number of seconds")
    folders = [Path(each).absolute() for each in writable]
    for folder in folders:
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            raise InputError("writable", str(folder), "a folder that you may write to")
    return folders


def _covered(folder: Path, tmpfs: Sequence[str | Path]) -> bool:
    """Say whether the guest would see an empty file system where a folder is."""
    covers = [Path(each) for each in (*_COVERED, tempfile.gettempdir(), *tmpfs)]
    return any(folder.is_relative_to(cover) for cover in covers)
