# mypy: ignore-errors
"""A program in a container, started through Docker's interface; looks like `subprocess.Popen`."""

import contextlib
import os
import select
import signal
import subprocess
import threading
import time

import docker
from requests.exceptions import RequestException


class DockerGoneError(Exception):
    """Docker does not answer any more."""


class Program:
    """Runs in the container: its files, its process namespace, its control groups.

    Parameters
    ----------
    api : Docker's interface.
    container : the container.
    argv : the program and its arguments.
    stderr : `subprocess.STDOUT`, or None to keep the standard error in ``errors``.
    """

    def __init__(self, api, container, argv, stderr=subprocess.STDOUT):
        self.api, self.returncode = api, None
        self.merged, self.output, self.errors = stderr is not None, b"", b""
        self.number = api.exec_create(container, argv)["Id"]
        chunks = api.exec_start(self.number, stream=True, demux=True)
        read_end, write_end = os.pipe()
        self.stdout = os.fdopen(read_end, "rb", buffering=0)
        threading.Thread(target=self._pump, args=(chunks, write_end), daemon=True).start()

    def _pump(self, chunks, write_end):
        """Pass on what Docker brings of the program's output, until its end or Docker's."""
        # A reader that is gone, or Docker that is gone: `wait` says so.
        with contextlib.suppress(OSError, RequestException, docker.errors.DockerException):
            for output, errors in chunks:
                for data in (output, errors if self.merged else None):
                    while data:
                        data = data[os.write(write_end, data) :]
                if errors and not self.merged:
                    self.errors += errors
        os.close(write_end)

    def _about(self):
        try:
            return self.api.exec_inspect(self.number)
        except (RequestException, docker.errors.DockerException) as error:
            raise DockerGoneError(f"Docker does not answer any more: {error}") from error

    def communicate(self, timeout=None):
        """Return all that the program prints, and what it printed on its standard error.

        Raises
        ------
        subprocess.TimeoutExpired : it takes longer than this, in seconds.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not select.select([self.stdout], [], [], left)[0]:
                raise subprocess.TimeoutExpired(self.number, timeout, self.output)
            data = self.stdout.read(1 << 16)
            if not data:
                break
            self.output += data
        self.wait()
        return self.output, self.errors

    def kill(self):
        """End the program and what it has started: it leads a session of its own."""
        if pid := self._about()["Pid"]:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)

    def wait(self):
        """Return the exit code, after the end of the output.

        Raises
        ------
        DockerGoneError : nobody knows how it ended.
        """
        while self.returncode is None:
            about = self._about()
            self.returncode = about["ExitCode"]
            if about["Running"]:
                self.returncode = None
                time.sleep(0.01)
        return self.returncode
