"""Tests with Docker's daemon: they run inside the kernel, started by `tests/contract`.

The daemon starts before the first test and ends after the last, with all its data in memory.
"""

import contextlib
import os
import select
import socket
import subprocess
import time
from pathlib import Path

import pytest

_SOCKET = "/run/docker.sock"
_LOG = Path("/tmp/dockerd.log")
#: No bridge and no address translation: the containers' only links are those of the plan.
_DAEMON = (
    "dockerd --data-root /run/docker-data --exec-root /run/docker --storage-driver overlay2 "
    f"--iptables=false --bridge=none --host unix://{_SOCKET}"
).split()
_PATIENCE_S = 120.0


class Daemon:
    """Docker's daemon."""

    def __init__(self):
        self.start()

    def start(self):
        """Start it and wait until it answers."""
        with _LOG.open("ab") as log:
            self.process = subprocess.Popen(_DAEMON, stdout=log, stderr=log)
        ended = os.pidfd_open(self.process.pid)
        deadline = time.monotonic() + _PATIENCE_S
        while not self.answers():
            over = select.select([ended], [], [], 0.2)[0] or time.monotonic() > deadline
            assert not over, _LOG.read_text(errors="replace")[-4000:]
        os.close(ended)

    def answers(self):
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock,
            contextlib.suppress(OSError),
        ):
            sock.connect(_SOCKET)
            sock.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
            return sock.recv(1 << 12).startswith(b"HTTP/1.0 200")
        return False

    def stop(self):
        """End it as a person would, and see that it is gone."""
        self.process.terminate()
        self.process.wait()


def pytest_configure(config):
    inside = os.environ.get("LAB_INSIDE") == "wall"
    if inside and config.getoption("--testbed", default=None) == "containernet":
        config.docker_daemon = Daemon()


def pytest_unconfigure(config):
    if hasattr(config, "docker_daemon"):
        config.docker_daemon.stop()


@pytest.fixture(scope="session")
def daemon(pytestconfig):
    if not hasattr(pytestconfig, "docker_daemon"):
        pytest.skip("needs a Docker of its own; tests/contract runs this inside the kernel")
    return pytestconfig.docker_daemon


@pytest.fixture(scope="session")
def docker(daemon):
    """Return what asks the daemon by Docker's own program, Debian's."""

    def ask(*words):
        argv = ["/usr/bin/docker", *words]
        return subprocess.run(argv, capture_output=True, text=True, check=True).stdout

    return ask
