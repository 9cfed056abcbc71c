"""A JupyterLab on this machine alone, for one test module, in a folder of its own."""

import contextlib
import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START_LIMIT_S = 120.0


@dataclass(frozen=True)
class Server:
    """A running JupyterLab: where its notebooks are, and how to reach it."""

    folder: Path
    address: str
    token: str

    def url(self, notebook: str) -> str:
        """Return the address of a notebook in a workspace of its own."""
        place = f"lab/workspaces/{secrets.token_hex(4)}/tree/{notebook}"
        return f"{self.address}{place}?token={self.token}"


@contextlib.contextmanager
def jupyterlab(folder: Path, **settings: str) -> Iterator[Server]:
    """Run JupyterLab on a folder; ``settings`` are environment variables of its kernels."""
    own = folder.parent / f"{folder.name}-jupyter"
    own.mkdir()
    token = secrets.token_hex(16)
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(own / "config"),
        "JUPYTER_CONFIG_PATH": str(ROOT / "scripts" / "jupyter"),
        "JUPYTER_RUNTIME_DIR": str(own / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(own / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(own / "workspaces"),
        "JUPYTER_TOKEN": token,
        "LAB_RECORDINGS": str(ROOT / "recordings"),
        "LAB_STORE": str(own / "store"),
        **settings,
    }
    words = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    words += [f"--ServerApp.root_dir={folder}", "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0"]
    words += ["--LabApp.expose_app_in_browser=True"]
    with (own / "log").open("wb") as log:
        server = subprocess.Popen(
            words, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            told = own / "runtime" / f"jpserver-{server.pid}.json"
            yield Server(folder, _address(server, told, own / "log"), token)
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _address(server: "subprocess.Popen[bytes]", told: Path, log: Path) -> str:
    end = time.monotonic() + START_LIMIT_S
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(OSError, ValueError):
            return str(json.loads(told.read_text(encoding="utf-8"))["url"])
        time.sleep(0.1)
    raise AssertionError("JupyterLab did not start:\n" + log.read_text(errors="replace")[-3000:])
