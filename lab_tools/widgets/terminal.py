"""A live terminal into the hosts of a network whose clock stands still between commands."""

import html
from typing import Any

import ipywidgets as w

from lab_tools import testbeds
from lab_tools.errors import MissingToolError
from lab_tools.experiment import Path
from lab_tools.testbeds.base import CommandResult, Session
from lab_tools.widgets.background import Job
from lab_tools.widgets.command_line import CommandLine
from lab_tools.widgets.controls import Message
from lab_tools.widgets.notebook import show, widgets_on
from lab_tools.widgets.ticking import Ticker, tick

HOSTS = ("h1", "r1", "r2", "h2")
#: Commands whose output stays on the page.
_KEPT = 50
_STYLE = (
    "max-height: 24em; overflow-y: auto; margin: 0; padding: 6px; white-space: pre-wrap; "
    "font-family: var(--jp-code-font-family, monospace); line-height: 1.3; "
    "color: var(--jp-content-font-color1, inherit); "
    "background: var(--jp-layout-color2, transparent)"
)


def terminal(where: Path | Session) -> None:
    """Show a terminal into the hosts of a live network.

    The network starts with the first command and goes with the notebook's kernel, or at Close.

    Parameters
    ----------
    where : the path to build, or a session that is not open yet, such as ``lab.session(path)``,
        which keeps what is typed with your answers.

    Raises
    ------
    MissingToolError : the testbed has no live network for this path.

    >>> terminal(Path(1e9, 0.02))
    A terminal needs a notebook with widgets. Without one, type in Python:
        with lab_tools.testbeds.get().session(path) as network:
            print(network["h1"].run("ping -c 3 10.0.3.2"))
    """
    words = (
        "A terminal needs a notebook with widgets. Without one, type in Python:\n"
        "    with lab_tools.testbeds.get().session(path) as network:\n"
        '        print(network["h1"].run("ping -c 3 10.0.3.2"))'
    )
    if widgets_on():
        show(Terminal(session_of(where)).widget, words)
    else:
        print(words)


def session_of(where: Path | Session) -> Session:
    """Return a session, not open yet.

    Raises
    ------
    MissingToolError : the testbed has no live network for this path.
    """
    if not isinstance(where, Path):
        return where
    testbed = testbeds.get()
    if not hasattr(testbed, "session"):
        raise MissingToolError(
            f"the testbed {testbed.name} has no live network. Choose one that has with LAB_TESTBED."
        )
    return testbed.session(where)


class Terminal:
    """The panel behind `terminal`.

    Parameters
    ----------
    session : not open yet; it is opened by the first command.
    ticker : calls a function again and again; without one, the kernel's loop.

    Attributes
    ----------
    widget : what to show; ``hosts``, ``line`` and ``close`` are its controls.
    """

    def __init__(self, session: Session, *, ticker: Ticker = tick) -> None:
        self._session, self._ticker = session, ticker
        self._open = False
        self._job: Job[CommandResult | None] | None = None
        self._said: list[str] = []
        self.hosts = w.Dropdown(options=HOSTS, description="Host", layout={"width": "14em"})
        self.hosts.observe(self._prompt, "value")
        self.close = w.Button(description="Close", tooltip="End the network", disabled=True)
        self.close.on_click(self._close)
        self.line = CommandLine()
        self.line.on_command(self.type)
        self._status = Message()
        self._output = w.HTML()
        top = w.HBox([self.hosts, self.close, self._status.box], layout={"flex_flow": "wrap"})
        self.widget = w.VBox([top, self._output, self.line], layout={"overflow": "hidden"})
        self._prompt()

    @property
    def output(self) -> str:
        """Everything on the page, as plain text."""
        return "\n".join(self._said)

    def type(self, command: str) -> None:
        """Run a command on the chosen host; one at a time."""
        if self._job is not None:
            return
        host = self.hosts.value
        self._print(f"{host}$ {command}")
        self.line.busy = self.close.disabled = True
        self._status.say("running …" if self._open else "starting the network …")
        self._job = Job(lambda: self._run(host, command))
        self._ticker(self.look)

    def look(self) -> bool:
        """Show what a command printed when it has ended; return whether it goes on."""
        job = self._job
        if job is None or not job.done:
            return job is not None
        self._job = None
        if job.error:
            self._print(job.error)
        elif job.result is not None:
            self._print(job.result.output.rstrip("\n"))
            if job.result.timed_out:
                self._print("(ended: it took too long)")
            elif job.result.code:
                self._print(f"(it ended with code {job.result.code})")
        self._status.say("" if self._open else "The network is closed; a command starts a new one.")
        self.line.busy = False
        self.close.disabled = not self._open
        return False

    def _run(self, host: str, command: str) -> CommandResult | None:
        """In the thread: open the network if need be, then run."""
        if not self._open:
            self._session.__enter__()
            self._open = True
        return self._session[host].run(command)

    def _close(self, _button: Any = None) -> None:
        def end() -> None:
            self._open = False
            self._session.__exit__(None, None, None)

        self.line.busy = self.close.disabled = True
        self._status.say("closing …")
        self._job = Job(end)
        self._ticker(self.look)

    def _prompt(self, _change: Any = None) -> None:
        self.line.prompt = f"{self.hosts.value}$"

    def _print(self, text: str) -> None:
        self._said = [*self._said, text][-2 * _KEPT :]
        words = html.escape(self.output)
        # the newest line is in sight: a reversed column begins at its end
        style = f"display: flex; flex-direction: column-reverse; {_STYLE}"
        log = f'<div role="log" aria-label="output" style="{style}">'
        self._output.value = f"{log}<div>{words}</div></div>"
