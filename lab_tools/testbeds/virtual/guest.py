"""A running virtual-time kernel, seen from the host: start, ask, stop, and never leave anything."""

import contextlib
import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from lab_tools.errors import MissingToolError, RunError
from lab_tools.kernel import Kernel

_HERE = Path(__file__).resolve().parent
_WORKER = _HERE.parent / "worker"
SYSTEM_PYTHON = Path("/usr/bin/python3")
#: The guest's clock starts here (2023-11-14 22:13:20 UTC), so that every run has the same times.
EPOCH_S = 1_700_000_000
VIRTUAL_CLOCK = ("time-travel=inf-cpu", f"time-travel-start={EPOCH_S * 10**9}")
#: Wall time without any progress of the virtual clock after which a run counts as hung.
STALL_S = float(os.environ.get("LAB_STALL_S", "120"))
_LAST_LINES = 12

OnEvent = Callable[[dict[str, Any]], None]


class Guest:
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
    ) -> None:
        self.stall_s = stall_s
        self.clock = clock
        self.stage = "booting the kernel"
        self.clock_s = 0.0
        self.kernel_pid = 0
        self._rest = b""
        self._folder = Path(tempfile.mkdtemp(prefix="lab-virtual-"))
        # Only the guest and this object hold the file: it goes when both have gone.
        self._console = tempfile.TemporaryFile()  # noqa: SIM115
        guest_read, self._write_fd = os.pipe()
        self._read_fd, guest_write = os.pipe()
        start = {"virtual": VIRTUAL_CLOCK, "wall": ()}[clock]
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
        finally:
            os.close(guest_read)
            os.close(guest_write)

    def __enter__(self) -> Self:
        try:
            said = self._guardian.stdout.readline() if self._guardian.stdout else b""
            self.kernel_pid = int(said or 0)
            self._next_event()
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

    def ask(
        self, do: str, on_event: OnEvent | None = None, *, stage: str, **request: Any
    ) -> dict[str, Any]:
        """Send a request and return its last event, passing the others on.

        Raises
        ------
        RunError : the guest refused, hung or died; names the stage and shows its last lines.
        """
        self.stage = stage
        self._send({"do": do, **request})
        while True:
            event = self._next_event()
            if event["event"] == "done":
                return event
            if event["event"] == "failed":
                raise RunError(f"{stage} ({event['stage']})", event["problem"], self.last_lines())
            if on_event:
                on_event(event)

    def last_lines(self) -> list[str]:
        """Return the last lines that the guest printed on its console."""
        try:
            size = os.fstat(self._console.fileno()).st_size
            text = os.pread(self._console.fileno(), 8192, max(0, size - 8192))
        except (OSError, ValueError):
            return []
        lines = text.decode(errors="replace").replace("\r", "").splitlines()
        return [line for line in lines if line.strip() and "ubd device" not in line][-_LAST_LINES:]

    def _send(self, request: dict[str, Any]) -> None:
        data = json.dumps(request).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._write_fd, data) :]
        except BrokenPipeError as error:
            raise self._died() from error

    def _next_event(self) -> dict[str, Any]:
        for line in self._lines():
            event: dict[str, Any] = json.loads(line)
            return event
        raise self._died()

    def _lines(self) -> Iterator[bytes]:
        """Yield whole lines; raise when neither bytes nor virtual time come for too long."""
        deadline = time.monotonic() + self.stall_s
        while True:
            if b"\n" in self._rest:
                line, self._rest = self._rest.split(b"\n", 1)
                yield line
                continue
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self._read_fd], [], [], max(0.0, left))
            if not ready:
                raise RunError(
                    self.stage,
                    f"its {self.clock} clock made no progress in {self.stall_s:g} s of wall time",
                    self.last_lines(),
                )
            data = os.read(self._read_fd, 1 << 16)
            if not data:
                return
            self._rest += data

    def _died(self) -> RunError:
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
