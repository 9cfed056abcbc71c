"""Ask a worker for things over a pair of pipes, wherever it runs.

Requests and events are JSON, one object a line; `lab_tools.testbeds.worker.supervisor` is the other
end.
"""

import json
import os
import select
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from lab_tools.errors import RunError

OnEvent = Callable[[dict[str, Any]], None]
_LAST_LINES = 12


class Conversation(ABC):
    """The host's end.

    Parameters
    ----------
    read_fd, write_fd : pipes from and to the worker.
    stall_s : wall time without a word from the worker after which it counts as hung.
    """

    #: What to say of a worker that hangs, with `stall_s` as ``{s:g}``.
    hung = "it said nothing for {s:g} s"

    def __init__(self, read_fd: int, write_fd: int, stall_s: float) -> None:
        self.stall_s = stall_s
        self.stage = "starting"
        self._read_fd, self._write_fd = read_fd, write_fd
        self._rest = b""

    @abstractmethod
    def last_lines(self) -> list[str]:
        """Return the last lines that the worker printed beside the conversation."""

    @abstractmethod
    def died(self) -> RunError:
        """Say how the worker, whose end is closed, has ended."""

    def ask(
        self,
        do: str,
        on_event: OnEvent | None = None,
        *,
        stage: str,
        silence_s: float = 0.0,
        **request: Any,
    ) -> dict[str, Any]:
        """Send a request and return its last event, passing the others on.

        Parameters
        ----------
        do : name of the request; ``request`` holds its fields.
        on_event : called with every event but the last.
        stage : what is going on, for error messages.
        silence_s : wall time that the request may rightly take without a word.

        Raises
        ------
        RunError : the worker refused, hung or died; names the stage and shows its last lines.
        """
        self.stage = stage
        self._send({"do": do, **request})
        while True:
            event = self.next_event(silence_s)
            if event["event"] == "done":
                return event
            if event["event"] == "failed":
                raise RunError(f"{stage} ({event['stage']})", event["problem"], self.last_lines())
            if on_event:
                on_event(event)

    def next_event(self, silence_s: float = 0.0) -> dict[str, Any]:
        """Return the next event.

        Raises
        ------
        RunError : the worker hung or died.
        """
        for line in self._lines(self.stall_s + silence_s):
            event: dict[str, Any] = json.loads(line)
            return event
        raise self.died()

    def _send(self, request: dict[str, Any]) -> None:
        data = json.dumps(request).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._write_fd, data) :]
        except BrokenPipeError as error:
            raise self.died() from error

    def _lines(self, patience_s: float) -> Iterator[bytes]:
        """Yield whole lines; raise when nothing comes for too long."""
        deadline = time.monotonic() + patience_s
        while True:
            if b"\n" in self._rest:
                line, self._rest = self._rest.split(b"\n", 1)
                yield line
                continue
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self._read_fd], [], [], max(0.0, left))
            if not ready:
                raise RunError(self.stage, self.hung.format(s=patience_s), self.last_lines())
            data = os.read(self._read_fd, 1 << 16)
            if not data:
                return
            self._rest += data


def tail(fd: int) -> list[str]:
    """Return the last lines of an open file that are not empty; none if it cannot be read."""
    try:
        size = os.fstat(fd).st_size
        text = os.pread(fd, 8192, max(0, size - 8192))
    except OSError:
        return []
    lines = text.decode(errors="replace").replace("\r", "").splitlines()
    return [line for line in lines if line.strip()][-_LAST_LINES:]
