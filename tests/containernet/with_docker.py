"""Start Docker's daemon inside the project's kernel, run a command, and end both.

    with_docker.py COMMAND...

Control groups have to be mounted (`lab_tools.testbeds.inside` does it) and ``/etc/docker`` has to be
writable. Everything of Docker's is in memory. Standard library only.
"""

import contextlib
import os
import select
import socket
import subprocess
import sys
import time
from pathlib import Path

SOCKET = Path("/run/docker.sock")
LOG = Path("/tmp/dockerd.log")
DOCKERD = (
    "dockerd --data-root /run/docker-data --exec-root /run/docker --storage-driver overlay2 "
    "--iptables=false --bridge=none --host unix:///run/docker.sock"
).split()
_PATIENCE_S = 120.0


def answers() -> bool:
    """Say whether somebody listens on Docker's socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock, contextlib.suppress(OSError):
        sock.connect(str(SOCKET))
        return True
    return False


def start() -> "subprocess.Popen[bytes]":
    """Start the daemon and wait until it listens."""
    with LOG.open("ab") as log:
        daemon = subprocess.Popen(DOCKERD, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    ended = os.pidfd_open(daemon.pid)
    deadline = time.monotonic() + _PATIENCE_S
    while not answers():
        if select.select([ended], [], [], 0.2)[0] or time.monotonic() > deadline:
            daemon.kill()
            sys.exit(f"Docker's daemon did not start:\n{LOG.read_text(errors='replace')[-4000:]}")
    os.close(ended)
    return daemon


def main() -> None:
    """Run the command with the daemon beside it; leave with its exit code."""
    # runc mounts /dev/mqueue into containers, and the terminal devices are the guest's
    os.environ.setdefault("LANG", "C.UTF-8")
    daemon = start()
    try:
        code = subprocess.run(sys.argv[1:]).returncode
    finally:
        daemon.terminate()
        daemon.wait()
    sys.exit(code)


if __name__ == "__main__":
    main()
