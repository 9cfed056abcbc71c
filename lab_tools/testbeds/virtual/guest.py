"""A running virtual-time kernel, seen from the host: start, ask, stop, and never leave anything."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from lab_tools.errors import MissingToolError, RunError
from lab_tools.kernel import Kernel
from lab_tools.testbeds.conversation import Conversation, tail

_HERE = Path(__file__).resolve().parent
_WORKER = _HERE.parent / "worker"
SYSTEM_PYTHON = Path("/usr/bin/python3")
#: The guest's clock starts here (2023-11-14 22:13:20 UTC), so that every run has the same times.
EPOCH_S = 1_700_000_000
VIRTUAL_CLOCK = ("time-travel=inf-cpu", f"time-travel-start={EPOCH_S * 10**9}")
#: Wall time without any progress of the virtual clock after which a run counts as hung.
STALL_S = float(os.environ.get("LAB_STALL_S", "120"))


class Guest(Conversation):
    """A booted kernel with a supervisor that answers requests.

    Use it as a context manager: on leaving it, its processes and its folder are gone.

    Parameters
    ----------
    kernel : the kernel to boot.
    memory_bytes : the guest's memory.
    seed : seed of all its randomness.
    stall_s : wall time without progress after which it counts as hung.
    clock : ``"virtual"``, or ``"wall"`` to let the guest's time pass with the host's.
    program : folder and name of the Python module whose ``main`` serves the channel.
    boot_options : more words for the kernel's command line, such as a module's parameter.
    """

    def __init__(
        self,
        kernel: Kernel,
        memory_bytes: int,
        seed: int,
        stall_s: float = STALL_S,
        *,
        clock: str = "virtual",
        program: tuple[Path, str] = (_WORKER, "supervisor"),
        boot_options: Sequence[str] = (),
    ) -> None:
        self.clock = clock
        self.hung = f"its {clock} clock made no progress in {{s:g}} s of wall time"
        self.kernel_pid = 0
        self._folder = Path(tempfile.mkdtemp(prefix="lab-virtual-"))
        # Only the guest and this object hold the file: it goes when both have gone.
        self._console = tempfile.TemporaryFile()  # noqa: SIM115
        guest_read, write_fd = os.pipe()
        read_fd, guest_write = os.pipe()
        super().__init__(read_fd, write_fd, stall_s)
        self.stage = "booting the kernel"
        start = (*{"virtual": VIRTUAL_CLOCK, "wall": ()}[clock], *boot_options)
        argv = _kernel_argv(kernel, memory_bytes, seed, (guest_read, guest_write), start, program)
        task = {
            "argv": argv,
            "folder": str(self._folder),
            "pass_fds": [guest_read, guest_write],
            "locks": str(Path(tempfile.gettempdir()) / f"lab-virtual-locks-{os.getuid()}"),
            "cpus": sorted(os.sched_getaffinity(0)),
        }
        try:
            self._guardian = subprocess.Popen(
                [SYSTEM_PYTHON, "-I", "-S", str(_HERE / "guardian.py"), json.dumps(task)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._console,
                pass_fds=[guest_read, guest_write],
                start_new_session=True,
            )
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        finally:
            os.close(guest_read)
            os.close(guest_write)

    def __enter__(self) -> Self:
        try:
            said = self._guardian.stdout.readline() if self._guardian.stdout else b""
            self.kernel_pid = int(said or 0)
            self.next_event()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the kernel and wait until everything of it is gone."""
        with contextlib.suppress(OSError):
            os.close(self._write_fd)
        with contextlib.suppress(OSError):
            os.close(self._read_fd)
        for pipe in (self._guardian.stdin, self._guardian.stdout):
            if pipe:
                pipe.close()
        self._guardian.wait()
        self._console.close()

    def last_lines(self) -> list[str]:
        """Return the last lines that the guest printed on its console."""
        if self._console.closed:
            return []
        return [line for line in tail(self._console.fileno()) if "ubd device" not in line]

    def died(self) -> RunError:
        """Say how the kernel ended."""
        if self._guardian.stdin:
            self._guardian.stdin.close()
        code = self._guardian.wait()
        how = f"was killed by signal {code - 128}" if code > 128 else f"ended with code {code}"
        return RunError(self.stage, f"the {self.clock}-time kernel {how}", self.last_lines())


def _kernel_argv(
    kernel: Kernel,
    memory_bytes: int,
    seed: int,
    channel: tuple[int, int],
    clock: tuple[str, ...],
    program: tuple[Path, str],
) -> list[str]:
    """Return the kernel's command line."""
    folder, module = program
    if not (SYSTEM_PYTHON.exists() and Path("/usr/lib/python3/dist-packages/mininet").exists()):
        raise MissingToolError(
            "the virtual testbed needs Debian's Mininet. As root, run: apt-get install mininet"
        )
    if len(str(_HERE).split()) > 1:
        raise MissingToolError(
            f"{_HERE} has a space in its name, which a kernel's command line cannot hold. "
            "Move the project to a folder without one."
        )
    for needed in (_HERE, folder):
        if not os.access(needed, os.R_OK | os.X_OK):
            raise MissingToolError(f"{needed} cannot be read by this user, nor by the guest.")
    return [
        str(kernel.program),
        f"mem={memory_bytes >> 20}M",
        "root=/dev/root",
        "rootfstype=hostfs",
        "rootflags=/",
        "ro",
        f"init={SYSTEM_PYTHON}",
        *clock,
        f"rng-seed={seed}",
        "con=null",
        "con0=null,fd:2",
        "ssl=null",
        "quiet",
        f"lab-channel={channel[0]},{channel[1]}",
        "--",
        "-I",
        "-S",
        str(_HERE / "guest_init.py"),
        str(folder),
        "/dev/lab",
        module,
    ]
