"""Hold a pair of hosts: an SSH connection and an agent on each, for as long as the block lasts.

AsyncSSH's event loop runs in a thread of its own, because a notebook's main thread has one already.
The agents' events come through a queue, so that everything else happens in the caller's thread.
"""

import asyncio
import contextlib
import getpass
import itertools
import json
import queue
import socket
import threading
import time
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

import asyncssh

from lab_tools.errors import RunError
from lab_tools.testbeds.dtn import ssh
from lab_tools.testbeds.dtn.bootstrap import REFUSALS, command, payload
from lab_tools.testbeds.dtn.inventory import Inventory
from lab_tools.testbeds.dtn.problems import PairError

T = TypeVar("T")
#: Most time for an answer that takes no time of its own.
ANSWER_S = 60.0
#: Most time that the hosts get to put themselves back before the connection is cut.
PUT_BACK_S = 30.0

OnEvent = Callable[[str, dict[str, Any]], None]


class Pair:
    """Both hosts of an inventory, for a ``with`` block.

    Parameters
    ----------
    inventory : the pair.
    look : only look: take no lock and change nothing.
    """

    def __init__(self, inventory: Inventory, *, look: bool = False) -> None:
        self.inventory, self.look = inventory, look
        self.stage = "connecting to the pair"
        self.notes: list[str] = []
        self.busy = ""
        self._events: queue.SimpleQueue[tuple[str, dict[str, Any]]] = queue.SimpleQueue()
        self._numbers = itertools.count(1)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._connections: dict[str, asyncssh.SSHClientConnection] = {}
        self._agents: dict[str, asyncssh.SSHClientProcess[bytes]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            for name in self.inventory.hosts:
                self._await(self._open(name))
            for name in self.inventory.hosts:
                self._wait_until_ready(name)
        except BaseException:
            self.close(orderly=False)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        left = self.close()
        if left and error is not None:
            error.add_note("\n".join(left))
        elif left:
            raise RunError("putting the hosts back", "; ".join(left))

    def close(self, *, orderly: bool = True) -> list[str]:
        """Have both hosts put back and disconnect; return what could not be put back."""
        left: list[str] = []
        try:
            if orderly:
                left = self._put_back()
        finally:
            with contextlib.suppress(Exception):
                self._await(self._disconnect())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
        return left

    def ask(
        self,
        name: str,
        do: str,
        on_event: OnEvent | None = None,
        *,
        timeout_s: float = ANSWER_S,
        **request: Any,
    ) -> Any:
        """Send a request to a host's agent and return the result; pass other events on.

        Raises
        ------
        RunError : the agent refused, did not answer in time, or its connection was cut.
        """
        number = next(self._numbers)
        self._send(name, {"id": number, "do": do, **request})
        deadline = time.monotonic() + timeout_s
        while True:
            host, event = self.next_event(deadline - time.monotonic())
            if host == name and event.get("id") == number:
                if event["event"] == "failed":
                    raise RunError(self.stage, f"{name}: {event['problem']}")
                return event["result"]
            if on_event:
                on_event(host, event)

    def next_event(self, timeout_s: float) -> tuple[str, dict[str, Any]]:
        """Return the next event with the name of its host.

        Raises
        ------
        RunError : none came in time, or a connection was cut.
        """
        try:
            host, event = self._events.get(timeout=max(0.0, timeout_s))
        except queue.Empty as error:
            raise RunError(self.stage, "the hosts gave no answer in time") from error
        if event["event"] == "gone":
            self._agents.pop(host, None)
            raise RunError(
                self.stage,
                f"the SSH connection to {host} was cut; within {self.inventory.silence_s:g} s the "
                "agent there puts the host back by itself",
                event["said"],
            )
        return host, event

    def _put_back(self) -> list[str]:
        """Have both hosts put back at once; return what could not be."""
        left: list[str] = []
        waiting = {name: next(self._numbers) for name in self._agents}
        going = set(waiting)
        for name, number in waiting.items():
            self._send(name, {"id": number, "do": "stop"})
        deadline = time.monotonic() + PUT_BACK_S
        while going:
            try:
                name, event = self._events.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return left + [f"{name} was not seen being put back" for name in waiting]
            if event["event"] == "gone":
                going.discard(name)
                if waiting.pop(name, None) is not None:
                    left.append(f"{name} was not seen being put back: its connection was cut")
            elif name in waiting and event.get("id") == waiting[name]:
                del waiting[name]
                left += [f"{name}: {each}" for each in event["result"]["not_restored"]]
        return left

    def _wait_until_ready(self, name: str) -> None:
        waiting: list[tuple[str, dict[str, Any]]] = []
        while True:
            host, event = self._events.get(timeout=ANSWER_S)
            if host != name:
                waiting.append((host, event))
                continue
            break
        for each in waiting:
            self._events.put(each)
        if event["event"] == "busy":
            raise _in_use(name, event["holder"])
        if event["event"] == "gone":
            raise _refused(name, self.inventory.hosts[name].user, event)
        self.busy = self.busy or (str(_in_use(name, event["busy"])) if event["busy"] else "")
        self.notes += [f"left by an earlier run on {name}: {e}" for e in event["not_restored"]]

    async def _open(self, name: str) -> None:
        entry = self.inventory.hosts[name]
        connection = await ssh.connect(name, entry, self.inventory.silence_s)
        self._connections[name] = connection
        who = {"user": getpass.getuser(), "machine": socket.gethostname()}
        task = {
            "who": {**who, "account": entry.user},
            "look": self.look,
            "device": entry.interface,
            "cpus": list(entry.cpus),
            "silence_s": self.inventory.silence_s,
        }
        data = payload(task)
        agent = await connection.create_process(command(len(data)), encoding=None)
        self._agents[name] = agent
        agent.stdin.write(data)
        self._tasks.append(self._loop.create_task(self._read(name, agent)))
        self._tasks.append(self._loop.create_task(self._beat(agent)))

    async def _read(self, name: str, agent: "asyncssh.SSHClientProcess[bytes]") -> None:
        """Put everything that an agent says into the queue, and at last that it is gone."""
        with contextlib.suppress(asyncssh.Error, OSError, ValueError):
            while line := await agent.stdout.readline():
                self._events.put((name, json.loads(line)))
        said = b""
        with contextlib.suppress(asyncssh.Error, OSError):
            said = await agent.stderr.read(1 << 16)
            await agent.wait_closed()
        lines = said.decode(errors="replace").strip().splitlines()[-12:]
        self._events.put((name, {"event": "gone", "code": agent.exit_status, "said": lines}))

    async def _beat(self, agent: "asyncssh.SSHClientProcess[bytes]") -> None:
        """Say now and then that we are still there."""
        with contextlib.suppress(asyncssh.Error, OSError):
            while True:
                await asyncio.sleep(self.inventory.silence_s / 5)
                agent.stdin.write(b'{"do":"beat"}\n')

    async def _disconnect(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for connection in self._connections.values():
            connection.close()
        for connection in self._connections.values():
            with contextlib.suppress(asyncio.TimeoutError, TimeoutError):
                await asyncio.wait_for(connection.wait_closed(), 2)
            connection.abort()

    def _await(self, work: "Coroutine[Any, Any, T]") -> T:
        """Do asynchronous work in the loop's thread and wait for it."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _send(self, name: str, request: dict[str, Any]) -> None:
        agent = self._agents.get(name)
        if agent is None:
            raise RunError(self.stage, f"the SSH connection to {name} was cut")
        data = json.dumps(request).encode() + b"\n"

        def write() -> None:
            with contextlib.suppress(asyncssh.Error, OSError):
                agent.stdin.write(data)

        self._loop.call_soon_threadsafe(write)


def _in_use(name: str, holder: str) -> PairError:
    """Say who holds a host, and since when."""
    try:
        who = json.loads(holder)
        since = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(who["since_s"]))
        said = f"by {who['user']} on {who['machine']} since {since} (the host's clock)"
    except (ValueError, KeyError, TypeError):
        said = "by somebody who has just taken it"
    return PairError(
        f"the pair is in use: {name} is held {said}",
        "wait until that run or session has ended, or ask them to end it",
    )


def _refused(name: str, user: str, event: dict[str, Any]) -> PairError:
    """Say why an agent did not start."""
    said = " ".join(event["said"])[-400:]
    if event["code"] in REFUSALS:
        reason, remedy = REFUSALS[event["code"]]
        return PairError(f"{name} {reason} {said}".strip(), remedy.format(host=name, user=user))
    return PairError(
        f"the agent on {name} ended at once (exit code {event['code']}): {said}",
        f"log in to {name} and see whether python3 runs there",
    )
