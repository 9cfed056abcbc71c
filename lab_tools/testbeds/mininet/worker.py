"""The worker that holds a network on this host, as a process under the system's Python."""

import contextlib
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from lab_tools.errors import RunError
from lab_tools.testbeds.conversation import Conversation, tail

_PROGRAMS = Path(__file__).resolve().parent.parent / "worker"
SYSTEM_PYTHON = Path("/usr/bin/python3")
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
#: The same word as in the worker's `leftovers`.
_MARK = "DATA_OVER_DISTANCE_NETWORK"
#: Time without a word, where one is due, after which the worker counts as hung.
STALL_S = float(os.environ.get("LAB_STALL_S", "120"))
#: Time to take a network down.
_CLOSE_S = 30.0


@dataclass(frozen=True)
class Leftovers:
    """What a killed run had left: its processes, and kernel parameters that it had changed."""

    processes: int
    sysctl: tuple[str, ...]

    def __str__(self) -> str:
        if not (self.processes or self.sysctl):
            return "Nothing was left on this host."
        parameters = ", ".join(self.sysctl) or "none"
        return (
            f"Ended {self.processes} processes of a killed run, and put back the kernel's "
            f"parameters: {parameters}."
        )


class Worker(Conversation):
    """A supervisor of a network on this host, for a ``with`` block.

    On leaving it, the network is gone and the host as it was before.

    Parameters
    ----------
    stall_s : time without a word, where one is due, after which it counts as hung.
    """

    def __init__(self, stall_s: float = STALL_S) -> None:
        # Only this object and the worker hold the file: it goes when both have gone.
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [SYSTEM_PYTHON, "-I", str(_PROGRAMS / "real_time.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._printed,
            env={"PATH": SYSTEM_PATH, "HOME": "/tmp", "LANG": "C.UTF-8", _MARK: str(os.getpid())},
            start_new_session=True,
        )
        super().__init__(_pipe(self._process.stdout), _pipe(self._process.stdin), stall_s)
        self.stage = "starting the worker"
        self.pid = self._process.pid
        self.booted_s = 0.0

    def __enter__(self) -> Self:
        try:
            event = self.next_event()
            if event["event"] == "failed":
                raise RunError(self.stage, event["problem"])
            self.booted_s = float(event["clock_s"])
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
        """End the network and see that this host is as it was."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        try:
            code = self._process.wait(min(_CLOSE_S, self.stall_s))
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._printed.close()
        if code != 0:
            # It could not clean up itself. If another run has begun meanwhile, that one did.
            with contextlib.suppress(RunError):
                cleanup()

    def last_lines(self) -> list[str]:
        """Return the last lines that the worker printed."""
        return [] if self._printed.closed else tail(self._printed.fileno())

    def died(self) -> RunError:
        """Say how the worker ended."""
        code = self._process.wait()
        how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
        return RunError(self.stage, f"the worker {how}", self.last_lines())


def cleanup() -> Leftovers:
    """Remove from this host what a killed run has left, by its name, and say what it was.

    Raises
    ------
    RunError : a run is going on, or this needs root.
    """
    stage = "cleaning up this host"
    argv = [str(SYSTEM_PYTHON), "-I", str(_PROGRAMS / "leftovers.py")]
    done = subprocess.run(argv, capture_output=True, text=True, env={"PATH": SYSTEM_PATH})
    if done.returncode != 0:
        raise RunError(stage, "it failed; it needs root", done.stderr.splitlines()[-3:])
    found = json.loads(done.stdout)
    if "busy" in found:
        raise RunError(stage, found["busy"])
    return Leftovers(found["processes"], tuple(found["sysctl"]))


def _pipe(file: IO[bytes] | None) -> int:
    if file is None:
        raise TypeError("the worker's standard input and output are pipes")
    return file.fileno()
