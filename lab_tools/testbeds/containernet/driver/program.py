# mypy: ignore-errors
"""A program in a container, started through Docker's interface; looks like `subprocess.Popen`."""

import contextlib
import io
import os
import queue
import signal
import subprocess
import threading
import time

import docker
from requests.exceptions import RequestException


class DockerGoneError(Exception):
    """Docker does not answer any more."""


class Output(io.RawIOBase):
    """What a program prints, from the thread that receives it to whoever reads it.

    No pipe: a process that is forked meanwhile would hold its writing end open.
    """

    def __init__(self):
        self.chunks, self.rest, self.ended = queue.SimpleQueue(), b"", False

    def readable(self):
        """It is."""
        return True

    def take(self, timeout=None):
        """Return the next piece; an empty one at the end."""
        if self.rest or self.ended:
            piece, self.rest = self.rest, b""
            return piece
        piece = self.chunks.get(timeout=timeout)
        self.ended = not piece
        return piece

    def readinto(self, buffer):
        """Read at least a byte, if this is not the end."""
        piece = self.take()
        size = min(len(piece), len(buffer))
        buffer[:size], self.rest = piece[:size], piece[size:]
        return size


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
        self.merged, self.printed, self.errors = stderr is not None, b"", b""
        self.number = api.exec_create(container, argv)["Id"]
        self.stdout = Output()
        chunks = api.exec_start(self.number, stream=True, demux=True)
        threading.Thread(target=self._receive, args=(chunks,), daemon=True).start()

    def _receive(self, chunks):
        """Pass on what Docker brings of the program's output, until its end or Docker's."""
        # If Docker is gone, `wait` says so.
        with contextlib.suppress(OSError, RequestException, docker.errors.DockerException):
            for output, errors in chunks:
                if output:
                    self.stdout.chunks.put(output)
                if errors and self.merged:
                    self.stdout.chunks.put(errors)
                elif errors:
                    self.errors += errors
        self.stdout.chunks.put(b"")

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
            try:
                piece = self.stdout.take(left)
            except queue.Empty:
                raise subprocess.TimeoutExpired(self.number, timeout, self.printed) from None
            if not piece:
                break
            self.printed += piece
        self.wait()
        return self.printed, self.errors

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
