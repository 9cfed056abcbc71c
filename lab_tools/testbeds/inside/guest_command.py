"""The guest's side: mount what was asked for, run the command, and pass its output to the host.

Runs under the system's Python inside the kernel: standard library only.
"""

import base64
import ctypes
import json
import math
import os
import selectors
import subprocess
import time
from pathlib import Path
from typing import Any

_LIBC = ctypes.CDLL(None, use_errno=True)
_READ_ONLY = 1
_CONTROLLERS = ("cpu", "cpuacct", "memory", "devices", "freezer", "pids")
#: The host counts a guest that says nothing for minutes as hung.
_ALIVE_S = 1.0


def mount(source: str, target: str, kind: str, options: str = "", flags: int = 0) -> None:
    """Mount a file system on a folder, or say what could not be mounted."""
    words = [word.encode() for word in (source, target, kind)]
    if _LIBC.mount(*words, flags, options.encode()) != 0:
        reason = os.strerror(ctypes.get_errno())
        raise OSError(f"cannot mount {kind} on {target}: {reason}")


def prepare(request: dict[str, Any]) -> None:
    """Make the guest's own file systems and its loopback interface ready."""
    for folder in request["tmpfs"]:
        if not Path(folder).is_dir():
            raise OSError(f"cannot mount tmpfs on {folder}: this machine has no such folder")
        mount("tmpfs", folder, "tmpfs", "mode=755")
    for names, flags in (("shared", _READ_ONLY), ("writable", 0)):
        for folder in request[names]:
            Path(folder).mkdir(parents=True, exist_ok=True)
            mount("none", folder, "hostfs", folder, flags)
    if request["cgroups"]:
        mount("tmpfs", "/sys/fs/cgroup", "tmpfs", "mode=755")
        for name in _CONTROLLERS:
            Path("/sys/fs/cgroup", name).mkdir()
            mount("cgroup", f"/sys/fs/cgroup/{name}", "cgroup", name)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


class Channel:
    """The host's end of the talk: one JSON object a line."""

    def __init__(self, path: str) -> None:
        self.fd = os.open(path, os.O_RDWR)

    def request(self) -> dict[str, Any]:
        """Return the host's request."""
        data = b""
        while not data.endswith(b"\n"):
            data += os.read(self.fd, 1 << 16)
        found: dict[str, Any] = json.loads(data)
        return found

    def say(self, **event: object) -> None:
        """Send one event."""
        data = json.dumps(event).encode() + b"\n"
        while data:
            data = data[os.write(self.fd, data) :]


def run(request: dict[str, Any], channel: Channel) -> int:
    """Run the command until it ends, passing its output on; return its exit code."""
    process = subprocess.Popen(
        request["argv"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=request["folder"],
        env={**os.environ, "LAB_INSIDE": request["clock"], **request["environment"]},
    )
    ended = os.pidfd_open(process.pid)
    with selectors.DefaultSelector() as selector:
        selector.register(ended, selectors.EVENT_READ, None)
        for name in ("stdout", "stderr"):
            selector.register(getattr(process, name), selectors.EVENT_READ, name)
        said = time.monotonic()
        last = math.inf
        while time.monotonic() < last:
            ready = [(key.fd, key.data) for key, _ in selector.select(_ALIVE_S)]
            outputs = [(fd, name) for fd, name in ready if name]
            for fd, name in outputs:
                data = os.read(fd, 1 << 14)
                if not data:
                    selector.unregister(fd)
                    continue
                text = base64.b64encode(data).decode()
                channel.say(event="output", stream=name, data=text)
            # What it printed before it ended is still in the pipes, and comes first; but a process
            # that it left behind may write for ever.
            if (ended, None) in ready:
                last = min(last, time.monotonic() + _ALIVE_S) if outputs else 0.0
            if time.monotonic() - said >= _ALIVE_S:
                said = time.monotonic()
                channel.say(event="alive")
    code = process.wait()
    return 128 - code if code < 0 else code


def main(path: str) -> None:
    """Serve one request; see this file's head."""
    channel = Channel(path)
    channel.say(event="booted")
    request = channel.request()
    try:
        prepare(request)
        code = run(request, channel)
    except (OSError, subprocess.CalledProcessError) as error:
        channel.say(event="failed", stage="starting the command", problem=str(error))
    else:
        channel.say(event="done", code=code)
    # Reading waits for the host's goodbye, and the whole guest with it.
    channel.request()
