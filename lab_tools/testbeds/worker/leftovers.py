"""What a network on a host of its own changes there, and how it is undone, whatever happens.

Every process of a network carries a mark in its environment, which its children inherit; the
namespaces and their interfaces vanish with the last process in them. Kernel parameters that all
the host shares are written to a file before they are changed. So whoever comes next finds by name
what a run that was killed has left, and nothing of anybody else's.
"""

import contextlib
import fcntl
import json
import os
import select
import signal
import time
from pathlib import Path

FOLDER = Path("/run/data-over-distance")
#: In the environment of the worker, and so of every process that it starts.
MARK = "DATA_OVER_DISTANCE_NETWORK"
#: A process that does not end within this time after SIGKILL sits in the kernel.
_END_S = 10.0


class BusyError(Exception):
    """Another network is running on this host."""


def take_lock():
    """Return the open file that makes this process the only one with a network on this host.

    Raises
    ------
    BusyError : another process has it; says which.
    """
    FOLDER.mkdir(mode=0o700, exist_ok=True)
    file = (FOLDER / "mininet.lock").open("a+", encoding="ascii")
    try:
        # A lock of the process alone: what it forks does not hold it.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.seek(0)
        holder = file.read().strip()
        file.close()
        raise BusyError(
            f"another network is running on this host (process {holder}). They would share its "
            "kernel parameters and its processors, so only one runs at a time: wait for it, or "
            "end it"
        ) from error
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


def save(names):
    """Note the values of kernel parameters, so that `put_back` finds them after any end."""
    values = {name: _parameter(name).read_text(encoding="ascii").strip() for name in names}
    beside = FOLDER / "mininet.json.new"
    beside.write_text(json.dumps(values), encoding="ascii")
    beside.rename(FOLDER / "mininet.json")


def saved():
    """Return the kernel parameters that a run has changed and not put back, with their values."""
    try:
        return json.loads((FOLDER / "mininet.json").read_text(encoding="ascii"))
    except FileNotFoundError:
        return {}


def put_back():
    """Give the kernel parameters their old values again; return their names."""
    values = saved()
    for name, value in values.items():
        _parameter(name).write_text(value, encoding="ascii")
    (FOLDER / "mininet.json").unlink(missing_ok=True)
    return sorted(values)


def marked():
    """Return the processes of networks on this host, but for this one."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            words = entry.read_bytes().split(b"\0")
            if any(word.startswith(MARK.encode() + b"=") for word in words):
                found.append(int(entry.parent.name))
    return [pid for pid in found if pid != os.getpid()]


def end():
    """Kill every process of a network and see it end; return how many there were."""
    seen = set()
    deadline = time.monotonic() + _END_S
    # One of them may have forked while the others were looked up.
    while (pids := marked()) and time.monotonic() < deadline:
        seen.update(pids)
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                fd = os.pidfd_open(pid)
                try:
                    signal.pidfd_send_signal(fd, signal.SIGKILL)
                    select.select([fd], [], [], max(0.0, deadline - time.monotonic()))
                finally:
                    os.close(fd)
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return len(seen)


def _parameter(name):
    return Path("/proc/sys", name.replace(".", "/"))


def clean():
    """Undo what a killed run has left; say what it was.

    Raises
    ------
    BusyError : a network is running; what there is, is its own.
    """
    with take_lock():
        return {"processes": end(), "sysctl": put_back()}


if __name__ == "__main__":
    try:
        print(json.dumps(clean()))
    except BusyError as error:
        print(json.dumps({"busy": str(error)}))
