"""Run cells in IPython, and write what they show to a pipe as it comes.

A notebook's kernel speaks ZeroMQ to a server. Here the two are a fork and a pipe apart: there is no
start-up, and nothing to connect to. What is written is JSON, one message a line: ``stream``,
``display_data``, ``update_display_data``, ``execute_result``, ``clear_output``, ``error``,
``done``.
"""

import base64
import contextlib
import io
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from typing import Any, NoReturn

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell, InteractiveShellABC
from traitlets.config import Config

from lab_tools.course.box import kernel_calls as calls


class Channel:
    """The pipe to the supervisor; forks of this process write nothing."""

    def __init__(self, handle: int) -> None:
        self._handle, self._owner = handle, os.getpid()
        self._lock = threading.Lock()

    def send(self, kind: str, **content: Any) -> None:
        """Write one message."""
        if os.getpid() != self._owner:
            return
        line = memoryview(json.dumps({"type": kind, **content}, default=str).encode() + b"\n")
        # an interrupt in the middle of a message would break the next one, too
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with self._lock:
                while line:
                    line = line[os.write(self._handle, line) :]
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Stream(io.TextIOBase):
    """Standard output or error of the cells."""

    def __init__(self, channel: Channel, name: str) -> None:
        self._channel, self.name = channel, name

    encoding = "utf-8"

    def writable(self) -> bool:
        """Say yes."""
        return True

    def write(self, text: str) -> int:
        """Send some text."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._channel.send("stream", name=self.name, text=text)
        return len(text)


class _Publisher(DisplayPublisher):
    channel: Channel

    def publish(
        self,
        data: Any,
        metadata: Any = None,
        source: Any = None,
        *,
        transient: Any = None,
        update: bool = False,
        **kwargs: Any,
    ) -> None:
        """Send what `display` shows."""
        kind = "update_display_data" if update else "display_data"
        display_id = (transient or {}).get("display_id")
        self.channel.send(kind, data=plain(data), metadata=metadata or {}, id=display_id)

    def clear_output(self, wait: bool = False) -> None:
        """Take back what the cell has shown."""
        self.channel.send("clear_output")


class _Hook(DisplayHook):
    channel: Channel

    def write_output_prompt(self) -> None:
        """Write none: it is a terminal's."""

    def write_format_data(
        self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None
    ) -> None:
        """Send a cell's last value."""
        self.channel.send(
            "execute_result",
            data=plain(format_dict),
            metadata=md_dict or {},
            count=self.prompt_count,
        )


class _Shell(InteractiveShell):
    channel: Channel

    def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
        self.channel.send(
            "error", ename=getattr(etype, "__name__", "?"), evalue=str(evalue), traceback=stb
        )

    def system(self, command: str) -> None:
        """Run a shell command; its output comes back through this process."""
        self.user_ns["_exit_code"] = self.system_piped(command)

    @contextlib.contextmanager
    def _tee(self, channel: str) -> Iterator[None]:
        """Keep no copy of what a cell writes: IPython's history would, for ever and without end."""
        yield

    def init_readline(self) -> None:
        """Do without."""

    def enable_gui(self, gui: Any = None) -> None:
        """Do without."""


def plain(data: dict[str, Any]) -> dict[str, Any]:
    """Return what is shown as JSON can hold it: bytes in base 64."""
    return {
        name: base64.b64encode(value).decode() if isinstance(value, bytes) else value
        for name, value in data.items()
    }


def serve(commands: int, results: int) -> NoReturn:
    """Run the cells that arrive, one JSON text a line, until there are no more."""
    owner = os.getpid()
    try:
        calls.show_memory()
        channel, interrupt = Channel(results), _Interrupt()
        shell = _shell(channel)
        sys.stdout, sys.stderr = _Stream(channel, "stdout"), _Stream(channel, "stderr")
        with os.fdopen(commands, encoding="utf-8") as cells:
            for line in iter(cells.readline, ""):
                _run(shell, json.loads(line), interrupt)
                if os.getpid() != owner:
                    break  # a cell has forked, and this is the copy
                channel.send("done", count=shell.execution_count - 1)
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(0)


class _Interrupt:
    """Turns SIGINT into KeyboardInterrupt while a cell runs, once, and never after its end."""

    def __init__(self) -> None:
        self.wanted = False
        signal.signal(signal.SIGINT, self._come)

    def _come(self, number: int, frame: Any) -> None:
        if self.wanted:
            self.wanted = False
            raise KeyboardInterrupt


def _run(shell: InteractiveShell, source: str, interrupt: _Interrupt) -> None:
    try:
        try:
            interrupt.wanted = True
            shell.run_cell(source, store_history=True)
        finally:
            interrupt.wanted = False
    except KeyboardInterrupt:
        shell.showtraceback()
    except MemoryError:
        sys.stderr.write("MemoryError\n")
    except SystemExit:
        pass


def _shell(channel: Channel) -> InteractiveShell:
    settings = Config()
    settings.HistoryManager.enabled = False
    settings.InteractiveShell.colors = "NoColor"
    _Shell.channel = _Hook.channel = _Publisher.channel = channel
    InteractiveShellABC.register(_Shell)
    shell: InteractiveShell = _Shell.instance(
        config=settings, displayhook_class=_Hook, display_pub_class=_Publisher
    )
    return shell
