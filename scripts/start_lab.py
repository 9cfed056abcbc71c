"""Start JupyterLab on the course's first lab; ``--headless`` only prints its address.

Standard library only. Ctrl-C ends the server and everything it started, without a question.
"""

import argparse
import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

PROJECT = Path(__file__).resolve().parent.parent
FIRST = "00_start_here"
LOG = PROJECT / ".uv" / "logs" / "jupyter.log"
START_LIMIT_S = 90.0
STOP_LIMIT_S = 15.0


def folder_and_page(project: Path) -> tuple[Path, str]:
    """Return the server's folder and the page to open: the first lab, if it has been built."""
    labs = project / "labs"
    if not (labs / FIRST).is_dir():
        return project, "/lab"
    notebooks = sorted((labs / FIRST).glob("*.ipynb"))
    page = f"{FIRST}/{notebooks[0].name}" if len(notebooks) == 1 else FIRST
    return labs, "/lab/tree/" + quote(page)


def environment(project: Path, token: str) -> dict[str, str]:
    """Return the server's environment: the course's settings, ``lab`` on the path, the token.

    ``jupyter-alone`` hides what hands out, collects and makes assignments: nobody does here.
    """
    folders = [str(project / "scripts" / name) for name in ("jupyter-alone", "jupyter")]
    settings = [*folders, os.environ.get("JUPYTER_CONFIG_PATH", "")]
    return {
        **os.environ,
        "JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, settings)),
        "JUPYTER_TOKEN": token,
        "PATH": os.pathsep.join([str(project / ".venv" / "bin"), os.environ.get("PATH", "")]),
    }


def command(project: Path, *, headless: bool, ip: str, port: int) -> list[str]:
    """Return the command that starts the server."""
    folder, page = folder_and_page(project)
    words = [
        str(project / ".venv" / "bin" / "jupyter"),
        "lab",
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.default_url={page}",
        f"--ServerApp.ip={ip}",
        f"--ServerApp.port={port}",
    ]
    if headless:
        words.append("--no-browser")
    if os.geteuid() == 0:
        words.append("--allow-root")
    return words


def address(server: "subprocess.Popen[bytes]", runtime: Path, page: str, token: str) -> str:
    """Wait until the server listens and return its address, or "" if it ended."""
    told = runtime / f"jpserver-{server.pid}.json"
    for _ in range(int(START_LIMIT_S / 0.1)):
        if server.poll() is not None:
            return ""
        with contextlib.suppress(OSError, ValueError):
            url = str(json.loads(told.read_text(encoding="utf-8"))["url"]).rstrip("/")
            return f"{url}{page}?token={token}"
        time.sleep(0.1)
    return ""


def runtime_folder(project: Path) -> Path:
    """Return where the server writes its address."""
    jupyter = [str(project / ".venv" / "bin" / "jupyter"), "--runtime-dir"]
    return Path(subprocess.run(jupyter, capture_output=True, text=True, check=True).stdout.strip())


def failed(how: str) -> int:
    """Say how the server failed and show the end of its log."""
    said = LOG.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
    lines = [f"JupyterLab {how}. The end of {LOG.relative_to(PROJECT)}:", *said]
    print("\n    ".join(lines), file=sys.stderr)
    return 1


def stop(server: "subprocess.Popen[bytes]") -> None:
    """End the server; it ends its kernels."""
    if server.poll() is None:
        server.terminate()
        try:
            server.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def main() -> int:
    """Start the server, print its address, wait for its end or for Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--headless", action="store_true", help="do not open a browser")
    parser.add_argument("--ip", default="localhost", help="address to listen on")
    parser.add_argument("--port", type=int, default=8888, help="first port to try")
    asked = parser.parse_args()

    token = os.environ.get("JUPYTER_TOKEN") or secrets.token_hex(24)
    _, page = folder_and_page(PROJECT)
    runtime = runtime_folder(PROJECT)
    words = command(PROJECT, headless=asked.headless, ip=asked.ip, port=asked.port)
    print("Starting JupyterLab.", flush=True)
    LOG.parent.mkdir(parents=True, exist_ok=True)
    with LOG.open("wb") as log:
        # A session of its own: Ctrl-C comes here first, and ends everything in order.
        server = subprocess.Popen(
            words,
            env=environment(PROJECT, token),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )

    def ended(signum: int, frame: object) -> None:
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ended)
    try:
        url = address(server, runtime, page, token)
        if not url:
            return failed("did not start")
        print(f"\nJupyterLab is ready:\n\n    {url}\n\nCtrl-C ends it.", flush=True)
        return failed("ended by itself") if server.wait() else 0
    except KeyboardInterrupt:
        print("\nEnding JupyterLab.", flush=True)
        return 0
    finally:
        stop(server)


if __name__ == "__main__":
    sys.exit(main())
