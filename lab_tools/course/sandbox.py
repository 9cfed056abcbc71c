"""The sandbox as the grader sees it: start it once, then hand it one job after another."""

import contextlib
import json
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from lab_tools.course import bubblewrap
from lab_tools.course.box.wire import BrokenMessageError, pack, read_all, unpack
from lab_tools.course.limits import Limits
from lab_tools.errors import MissingToolError, RunError

#: User ids that belong to nobody, one for each job at a time; only root needs them.
_FIRST_UID = 61_000
_START_S = 120.0
#: A job reports its own end; only if it does not does the grader give up on it.
_PATIENCE_S = 15.0
_REPORT_BYTES = 4096


@dataclass(frozen=True)
class Outcome:
    """What came of a job.

    Parameters
    ----------
    answer : what it sent, as plain data, or None; nobody has checked it.
    rest : bytes that followed.
    ended : ``"exit"``, or why it was stopped: ``"time"``, ``"memory"``, ``"processes"``,
        ``"broken"``, ``"trouble"``.
    trouble : what is wrong with the sandbox itself, else nothing.
    wall_s, cpu_s : how long it took, on the wall's clock and on the processors'.
    """

    answer: Any
    rest: bytes
    ended: str
    trouble: str
    wall_s: float
    cpu_s: float


class Sandbox:
    """A warm Python under bubblewrap that forks for every job.

    Parameters
    ----------
    recordings : the runs that a notebook may replay.
    modules : what to import once instead of in every job.
    testbed : who runs the experiments inside: ``"replay"`` or ``"virtual"``.
    seed : the course's seed of the variants.
    log : where what the warm process says is written; else a temporary file.
    """

    def __init__(
        self,
        recordings: Path,
        modules: Sequence[str] = (),
        *,
        testbed: str = "replay",
        seed: str = "",
        log: Path | None = None,
    ) -> None:
        self._recordings, self._modules, self.testbed = recordings, modules, testbed
        self._environment = {
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": "/tmp/home",
            "TMPDIR": "/tmp/tmp",
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONSAFEPATH": "1",
            "LAB_TESTBED": testbed,
            "LAB_RECORDINGS": bubblewrap.RECORDINGS,
            "LAB_WIDGETS": "off",
            "PLOTLY_RENDERER": "plotly_mimetype",
            # one job on each core: threads inside would only get in each other's way
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "ARROW_NUM_THREADS": "1",
        }
        if seed:
            self._environment["LAB_COURSE_SEED"] = seed
        self._log_file = log
        self._lock = threading.Lock()
        self._free_uids: list[int] = list(range(_FIRST_UID + 256, _FIRST_UID, -1))
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start the warm process.

        Raises
        ------
        MissingToolError : bubblewrap, or what it needs of the kernel, is missing.
        """
        self._log = self._log_file.open("w+b") if self._log_file else tempfile.TemporaryFile("w+b")
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        passwd, sent = os.pipe()
        os.write(sent, bubblewrap.users(os.getuid()))
        os.close(sent)
        zygote = "lab_tools.course.box.zygote"
        words = bubblewrap.command(
            [sys.executable, "-P", "-m", zygote, str(theirs.fileno()), *self._modules],
            recordings=self._recordings,
            environment=self._environment,
            also=self._for_testbed(),
            passwd=passwd,
        )
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                pass_fds=(theirs.fileno(), passwd),
                cwd="/",
            )
        finally:
            theirs.close()
            os.close(passwd)
        self._control.settimeout(_START_S)
        try:
            ready = self._control.recv(64)
        except OSError:
            ready = b""
        if not ready.startswith(b"ready"):
            said = self._last_words()
            self.__exit__(None, None, None)
            raise MissingToolError(
                f"the sandbox cannot be started: {said or 'it said nothing'}\n"
                "It needs bubblewrap, and a kernel that lets it make namespaces. In a container, "
                "allow it (docker run --privileged, or a pod with its own user namespaces)."
            )
        self._control.settimeout(None)
        #: Processor time of all jobs and of the start.
        self.cpu_s = float(ready.split()[1])
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the warm process and every job."""
        self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._log.close()

    def run(self, job: str, about: dict[str, Any], archive: bytes, limits: Limits) -> Outcome:
        """Do a job and return what came of it; several threads may call this at once.

        Parameters
        ----------
        job : ``"execute"`` or ``"judge"``.
        about : what the job wants to know, plain data.
        archive : the submitted files (tar).
        limits : what it may use.

        Raises
        ------
        RunError : the sandbox itself is gone.
        """
        began = time.monotonic()
        with self._lock:
            uid = self._free_uids.pop()
        ours, theirs = socket.socketpair()
        report, status = os.pipe()
        wanted = {"job": job, "uid": uid, "limits": limits.to_dict()}
        try:
            with self._lock:
                socket.send_fds(
                    self._control, [json.dumps(wanted).encode()], [theirs.fileno(), status]
                )
        except OSError as problem:
            ours.close()
            os.close(report)
            raise RunError("grading", "the sandbox is gone", [self._last_words()]) from problem
        finally:
            theirs.close()
            os.close(status)
        deadline = began + limits.wall_s + _PATIENCE_S
        with ours:
            answer, rest, fault = _talk(ours, pack(about, archive), limits.answer_bytes, deadline)
        ended = _read_report(report, deadline)
        with self._lock:
            self._free_uids.append(uid)
            self.cpu_s += float(ended.get("cpu_s", 0.0))
        return Outcome(
            answer,
            rest,
            "broken" if fault and ended["ended"] == "exit" else ended["ended"],
            str(ended.get("trouble", "")),
            time.monotonic() - began,
            float(ended.get("cpu_s", 0.0)),
        )

    def _for_testbed(self) -> tuple[Path, ...]:
        if self.testbed != "virtual":
            return ()
        from lab_tools.kernel import find

        kernel = find()
        self._environment["LAB_KERNEL"] = str(kernel.program.parent)
        return (kernel.program.parent,)

    def _last_words(self) -> str:
        self._log.flush()
        self._log.seek(0)
        lines = self._log.read()[-2000:].decode(errors="replace").strip().splitlines()
        return " ".join(lines[-3:])


def _talk(
    connection: socket.socket, message: bytes, most_bytes: int, deadline_s: float
) -> tuple[Any, bytes, str]:
    """Send a message and return the answer, its bytes, and what was wrong with it."""
    try:
        connection.settimeout(max(0.001, deadline_s - time.monotonic()))
        # a job that was stopped reads nothing any more; its report says why
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(message)
            connection.shutdown(socket.SHUT_WR)
        answer, rest = unpack(read_all(connection, most_bytes, deadline_s))
    except (BrokenMessageError, OSError) as problem:
        return None, b"", str(problem) or type(problem).__name__
    return answer, rest, ""


def _read_report(handle: int, deadline_s: float) -> dict[str, Any]:
    """Read the keeper's report, which ends when the last process of the job has ended."""
    with os.fdopen(handle, "rb", buffering=0) as report, selectors.DefaultSelector() as ready:
        ready.register(report, selectors.EVENT_READ)
        if not ready.select(max(0.001, deadline_s - time.monotonic())):
            return {"ended": "trouble", "trouble": "the sandbox does not answer"}
        text = report.read(_REPORT_BYTES)
    try:
        found: dict[str, Any] = json.loads(text or b"")
    except ValueError:
        return {"ended": "trouble", "trouble": "the sandbox broke"}
    return found
