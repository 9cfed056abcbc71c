"""The worker that holds a network with containers, as a process of its own."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from lab_tools.errors import MissingToolError, RunError
from lab_tools.testbeds.conversation import Conversation
from lab_tools.testbeds.mininet.worker import STALL_S, SYSTEM_PATH, SYSTEM_PYTHON, Worker

_PROGRAMS = Path(__file__).resolve().parent / "driver"
#: The same word as in the workers' `leftovers`.
_MARK = "DATA_OVER_DISTANCE_NETWORK"
#: Where `scripts/install-containernet` puts Containernet.
CONTAINERNET_FOLDER = Path("/opt/data-over-distance/containernet")
#: A container takes its time to start where there is one slow processor.
_PATIENCE_S = 120.0


def interpreter() -> Path:
    """Return the Python with Containernet, in ``LAB_CONTAINERNET`` or its usual place.

    Where there is none it is the system's, which has Mininet.
    """
    folder = Path(os.environ.get("LAB_CONTAINERNET") or CONTAINERNET_FOLDER)
    python = folder / "bin" / "python"
    return python if python.exists() else SYSTEM_PYTHON


class DockerWorker(Worker):
    """A `Worker` whose network has containers for end hosts."""

    def __init__(self, stall_s: float = max(STALL_S, _PATIENCE_S)) -> None:
        # Only this object and the worker hold the file: it goes when both have gone.
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [interpreter(), "-I", str(_PROGRAMS / "driver.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._printed,
            env={**_environment(), _MARK: str(os.getpid())},
            start_new_session=True,
        )
        read, write = self._process.stdout, self._process.stdin
        if read is None or write is None:
            raise TypeError("the worker's standard input and output are pipes")
        Conversation.__init__(self, read.fileno(), write.fileno(), stall_s)
        self.stage = "starting the worker"
        self.pid = self._process.pid
        self.booted_s = 0.0

    def close(self) -> None:
        """End the network and see that this host is as it was."""
        super().close()
        if self._process.returncode != 0:
            # It could not clean up itself; what it had in Docker is removed by its label.
            order("--clean")


def order(*arguments: str, timeout_s: float = 120.0) -> dict[str, Any]:
    """Have ``orders.py`` do one thing and return what it says; ``"problem"`` if it could not."""
    argv = [str(interpreter()), "-I", str(_PROGRAMS / "orders.py"), *arguments]
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, env=_environment(), timeout=timeout_s
        )
    except subprocess.TimeoutExpired:
        return {"problem": f"Docker took longer than {timeout_s:g} s"}
    if done.returncode != 0:
        return {"problem": (done.stderr.strip().splitlines() or ["it failed"])[-1]}
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def import_image(image: str, file: Path, changes: list[str]) -> None:
    """Import a root file system into Docker as an image.

    Raises
    ------
    MissingToolError : Docker does not answer, or refuses it.
    """
    said = order("--import", image, str(file), json.dumps(changes), timeout_s=1200.0)
    if problem := said.get("problem"):
        raise MissingToolError(f"the image {image} cannot be imported into Docker: {problem}")


def cleanup() -> str:
    """Remove from this host what a killed run has left, by its label, and say what it was.

    Raises
    ------
    RunError : a run is going on, or this needs root.
    """
    said = order("--clean")
    if problem := said.get("busy") or said.get("problem"):
        raise RunError("cleaning up this host", problem)
    containers = ", ".join(said["containers"]) or "none"
    parameters = ", ".join(said["sysctl"]) or "none"
    return (
        f"Containers removed: {containers}. Processes ended: {said['processes']}. "
        f"Kernel parameters put back: {parameters}."
    )


def _environment() -> dict[str, str]:
    passed = {name: os.environ[name] for name in ("DOCKER_HOST",) if name in os.environ}
    return {"PATH": SYSTEM_PATH, "HOME": "/tmp", "LANG": "C.UTF-8", **passed}
