"""The command ``lab show``: a panel on a page of its own, for a lecture hall."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import click
import nbformat

from lab_tools.errors import InputError, LabError
from lab_tools.lecture import PAGES, TEMPLATE, notebook, write_template

USUAL_PORT = 8866
_START_LIMIT_S, _STOP_LIMIT_S = 90.0, 15.0
_LAST_LINES = 15
#: Only this machine can open the page: whoever opens it could start runs here.
_ADDRESS = "127.0.0.1"

#: Of JupyterLab's extensions, those that show widgets; the others expect a whole JupyterLab.
_EXTENSIONS = (
    "@voila-dashboards/widgets-manager8",
    "@jupyter-widgets/jupyterlab-manager",
    "anywidget",
)


@click.command()
@click.argument("page", type=click.Choice(sorted(PAGES)))
@click.option("--port", type=click.IntRange(1, 65535), help=f"Port.  [default: from {USUAL_PORT}]")
@click.option("--headless", is_flag=True, help="Do not open a browser, only print the address.")
@click.option("--dark", is_flag=True, help="Light words on a dark page.")
def show(page: str, port: int | None, headless: bool, dark: bool) -> None:
    """Show a PAGE with a panel in large type, for a lecture hall. Ctrl-C ends it.

    \b
    experiment  move a slider, see the model's answer, run it
    games       play the attacker against the computed best defence
    poincare    Poincaré maps, cobwebs, chaos and noise
    profiles    throughput profiles of the course's table
    """
    chosen = _free_port(port)
    url = f"http://{_ADDRESS}:{chosen}/"
    click.echo(f"Starting the page {page}.")
    with tempfile.TemporaryDirectory(prefix="lab-show-") as folder:
        file = Path(folder, f"{page}.ipynb")
        nbformat.write(notebook(page), file)  # type: ignore[no-untyped-call]
        write_template(Path(folder))
        log = Path(folder, "voila.log")
        with _stopped_by_signals(), _server(file, log, chosen, dark) as server:
            try:
                _wait_until_it_answers(server, url, log)
                click.echo(f"\nThe page is ready:\n\n    {url}\n\nCtrl-C ends it.")
                if not headless:
                    # a browser may hold the call until it is closed
                    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
                if server.wait():
                    raise _failure("the page's server ended by itself", log)
            except KeyboardInterrupt:
                click.echo("\nEnding the page.")


def _free_port(asked: int | None) -> int:
    """Return the port that was asked for, or the first free one from the usual."""
    for port in [asked] if asked else range(USUAL_PORT, USUAL_PORT + 50):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind((_ADDRESS, port))
                return port
    allowed = "a port that is free, or leave --port out"
    raise InputError("port", asked or USUAL_PORT, allowed)


@contextlib.contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Let the signals that end a program do so in order, as Ctrl-C does."""

    def stop(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _server(file: Path, log: Path, port: int, dark: bool) -> Iterator["subprocess.Popen[bytes]"]:
    """Run Voilà, in a session of its own: Ctrl-C comes to us first, and all ends in order."""
    words = [sys.executable, "-m", "voila", str(file), "--no-browser"]
    words += [f"--port={port}", "--Voila.port_retries=0", f"--Voila.ip={_ADDRESS}"]
    words += [f"--theme={'dark' if dark else 'light'}", f"--template={TEMPLATE}"]
    words += [f"--VoilaConfiguration.extension_allowlist={name}" for name in _EXTENSIONS]
    paths = filter(None, [str(file.parent), os.environ.get("JUPYTER_PATH", "")])
    with log.open("wb") as out:
        server = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
            env={**os.environ, "JUPYTER_PATH": os.pathsep.join(paths), "LAB_WIDGETS": "on"},
        )
    try:
        yield server
    finally:
        _stop(server)


def _stop(server: "subprocess.Popen[bytes]") -> None:
    """End the server, which ends its kernels; what is left of its session is killed."""
    if server.poll() is None:
        server.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(_STOP_LIMIT_S)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def _wait_until_it_answers(server: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    # a file of it: the page itself would start a kernel
    probe = f"{url}voila/templates/lab/static/voila.js"
    # whatever proxy the user has is not for this machine
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + _START_LIMIT_S
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        with contextlib.suppress(OSError), opener.open(probe, timeout=5):
            return
        time.sleep(0.1)
    raise _failure("the page's server did not start", log)


def _failure(problem: str, log: Path) -> LabError:
    said = log.read_text(encoding="utf-8", errors="replace").splitlines()
    lines = [f"{problem}. The last lines it printed:", *said[-_LAST_LINES:]]
    return LabError("\n    ".join(lines))
