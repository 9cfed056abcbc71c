"""The agent: takes a host, tunes it, starts programs on it, and puts everything back.

It runs as root on each host of a pair for as long as the SSH connection lives. Requests come on
standard input, events leave on standard output, one JSON object a line each:

    {"id": 1, "do": "tune", "steps": […]}    ->    {"id": 1, "event": "done", "result": {…}}

However the connection ends, the end of standard input or a silence on it makes the agent end what
it started, put the host back, remove its folder and let the host go.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from . import look
from .journal import HostError, Journal
from .tuning import Tuner

STATE = Path("/run/data-over-distance-dtn")
OUTPUT_LIMIT = 4 << 20
_PR_SET_CHILD_SUBREAPER = 36


class Busy(Exception):  # noqa: N818
    """Somebody else holds this host."""


def take(who: dict[str, Any]) -> IO[str]:
    """Lock the host for the life of this process and say who holds it.

    The kernel drops the lock when the process ends, however it ends.
    """
    STATE.mkdir(mode=0o755, exist_ok=True)
    file = (STATE / "lock").open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.seek(0)
        raise Busy(file.read()) from error
    file.truncate(0)
    file.write(json.dumps({**who, "since_s": time.time()}))
    file.flush()
    return file


def holder() -> str:
    """Return what the one who holds this host wrote into the lock; empty if nobody does."""
    with contextlib.suppress(OSError), (STATE / "lock").open(encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return file.read()
    return ""


def descendants() -> set[int]:
    """Return the living processes that come from this one."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(entry.name)] = int(parent)
    found: set[int] = set()
    more = {os.getpid()}
    while more:
        more = {pid for pid, parent in parents.items() if parent in more} - found
        found |= more
    return found


class Agent:
    """Answers requests until the connection ends."""

    def __init__(self, folder: str, task: dict[str, Any], management: str) -> None:
        self.folder, self.management = folder, management
        self.device: str = task["device"]
        self.silence_s: float = task["silence_s"]
        self.looking: bool = task["look"]
        self.saying = threading.Lock()
        self.changing = threading.Lock()
        self.closing = False
        self.programs: list[subprocess.Popen[bytes]] = []
        self.journal: Journal | None = None
        self.lock: IO[str] | None = None
        self.who: dict[str, Any] = task["who"]
        if task["cpus"]:
            os.sched_setaffinity(0, task["cpus"])

    def say(self, **event: Any) -> None:
        """Send one event."""
        data = json.dumps(event, separators=(",", ":")).encode() + b"\n"
        with self.saying:
            while data:
                data = data[os.write(1, data) :]

    def serve(self, wake: int) -> None:
        """Take the host, then answer requests until the other end is gone."""
        left: list[str] = []
        if not self.looking:
            try:
                self.lock = take(self.who)
            except Busy as busy:
                self.say(event="busy", holder=str(busy))
                return
            self.journal = Journal(STATE / "journal.json")
            # of a run whose agent was killed before it could put the host back
            left = self.journal.restore()
            self.journal.note(kind="folder", path=self.folder)
        self.say(event="ready", busy=holder() if self.looking else "", not_restored=left)
        for request in self.requests(wake):
            if request["do"] == "stop":
                failed = self.put_back()
                self.say(id=request["id"], event="done", result={"not_restored": failed})
                return
            if request["do"] != "beat":
                threading.Thread(target=self.answer, args=(request,), daemon=True).start()

    def requests(self, wake: int) -> Iterator[dict[str, Any]]:
        """Yield requests until the input ends, is silent for too long, or a signal came."""
        rest = b""
        while True:
            ready, _, _ = select.select([0, wake], [], [], self.silence_s)
            if not ready or wake in ready:
                return
            data = os.read(0, 1 << 16)
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            yield from (json.loads(line) for line in lines)

    def answer(self, request: dict[str, Any]) -> None:
        """Do one request and say what came of it."""
        number, what = request.pop("id"), request.pop("do")
        try:
            result = getattr(self, "do_" + what)(**request)
        except Exception as error:
            self.say(id=number, event="failed", problem=str(error)[-4000:])
        else:
            self.say(id=number, event="done", result=result)

    def do_facts(self, sysctls: list[str]) -> dict[str, Any]:
        """Return what is on this host."""
        return look.facts(self.device, sysctls, self.management)

    def do_clock(self) -> float:
        """Return the host's real-time clock in seconds."""
        return time.clock_gettime(time.CLOCK_REALTIME)

    def do_route(self, peer: str) -> str:
        """Return the interface towards the other host."""
        return look.route(peer)

    def do_ping(self, **options: Any) -> dict[str, Any]:
        """Ping the other host."""
        return look.ping(**options)

    def do_counters(self) -> dict[str, Any]:
        """Return the data interface's counters."""
        return look.counters(self.device)

    def do_tune(self, steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Change the host as the plan says."""
        with self.changing:
            if self.closing or self.journal is None:
                raise HostError("the host is being put back")
            tuner = Tuner(self.journal, self.device)
            tuner.apply(steps)
            return tuner.log

    def do_start(self, program: str, number: int, task: dict[str, Any]) -> None:
        """Start a host program; its lines come as events, and so does its end."""
        argv = [sys.executable, "-E", "-s", f"{self.folder}/host/{program}.py", json.dumps(task)]
        process = self.spawn(argv, stderr=subprocess.PIPE)
        threading.Thread(target=self.follow, args=(process, number), daemon=True).start()

    def do_kill(self) -> None:
        """End every program that was started."""
        # what a program leaves behind becomes a child of this process: until nothing is left
        while found := descendants():
            for pid in found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)
        for process in self.programs:
            process.wait()
        self.programs.clear()

    def do_tool(self, task: dict[str, Any]) -> Any:
        """Run one of the field's tools and return what it says as data."""
        argv = [sys.executable, "-E", "-s", f"{self.folder}/host/tools.py", json.dumps(task)]
        process = self.spawn(argv, stderr=subprocess.PIPE)
        output, errors = process.communicate()
        if process.returncode != 0:
            raise HostError(errors.decode(errors="replace").strip()[-400:])
        return json.loads(output)

    def do_shell(self, command: str, limit_s: float) -> dict[str, Any]:
        """Run a shell command as the account that logged in, and return what it printed."""
        account = {}
        if os.environ.get("SUDO_UID"):
            uid, gid = int(os.environ["SUDO_UID"]), int(os.environ["SUDO_GID"])
            groups = os.getgrouplist(os.environ["SUDO_USER"], gid)
            account = {"user": uid, "group": gid, "extra_groups": groups}
        process = self.spawn(["sh", "-c", command], stderr=subprocess.STDOUT, cwd="/tmp", **account)
        try:
            output, _ = process.communicate(timeout=limit_s)
            timed_out = False
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            timed_out = True
        text = output[:OUTPUT_LIMIT].decode(errors="replace")
        return {"output": text, "code": process.returncode, "timed_out": timed_out}

    def spawn(self, argv: list[str], **options: Any) -> subprocess.Popen[bytes]:
        """Start a program in a process group of its own, which ends with this agent."""
        with self.changing:
            if self.closing:
                raise HostError("the host is being put back")
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                start_new_session=True,
                **options,
            )
            self.programs.append(process)
            return process

    def follow(self, process: subprocess.Popen[bytes], number: int) -> None:
        """Pass a host program's lines on, and say how it ended."""
        if process.stdout is None or process.stderr is None:
            return
        for line in process.stdout:
            self.say(event="line", program=number, line=json.loads(line))
        said = process.stderr.read().decode(errors="replace").strip()[-1000:]
        self.say(event="ended", program=number, code=process.wait(), said=said)

    def put_back(self) -> list[str]:
        """End what runs and put the host back; return what could not be."""
        self.closing = True
        with self.changing:
            self.do_kill()
            failed = self.journal.restore() if self.journal else []
            shutil.rmtree(self.folder, ignore_errors=True)
            return failed


def main(folder: str, task: dict[str, Any], management: str) -> None:
    """Serve one connection from beginning to end; see this file's head."""
    os.environ["PATH"] = os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/sbin:/usr/bin"
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    wake, poke = os.pipe()
    os.set_blocking(poke, False)
    signal.set_wakeup_fd(poke)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    agent = Agent(folder, task, management)
    try:
        # the connection may be cut while something is being said
        with contextlib.suppress(OSError):
            agent.serve(wake)
    finally:
        agent.put_back()
        # threads may still wait for a program or for the connection
        os._exit(0)
