"""Parent of the virtual-time kernel: nothing of a run outlives this process or its own parent.

Started with one JSON argument ``{"argv", "folder", "pass_fds", "locks", "cpus"}``. It starts the
kernel in a session of its own, on one CPU, and waits until the kernel ends or until standard input
is closed (the program that asked for the run has ended, however). Then it kills what is left and
removes the run's folder. Standard library only, so that it starts at once.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


def claim_cpu(cpus, folder):
    """Return a CPU that no other run of this user is on, and the lock that says so.

    Each system call of the guest is two switches between the kernel and the process it traces: on
    two CPUs each switch wakes the other one, which costs three times as much.
    """
    Path(folder).mkdir(mode=0o700, exist_ok=True)
    for cpu in cpus:
        file = os.open(f"{folder}/cpu-{cpu}", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
        else:
            return cpu, file
    return cpus[os.getpid() % len(cpus)], None


def main():
    """Guard one run; see this file's head."""
    task = json.loads(sys.argv[1])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    cpu, _lock = claim_cpu(task["cpus"], task["locks"])
    kernel = subprocess.Popen(
        task["argv"],
        stdin=subprocess.DEVNULL,
        stdout=2,
        env={"HOME": task["folder"], "PATH": os.defpath, "TMPDIR": task["folder"]},
        cwd=task["folder"],
        pass_fds=task["pass_fds"],
        start_new_session=True,
        preexec_fn=lambda: os.sched_setaffinity(0, [cpu]),
    )
    for fd in task["pass_fds"]:
        os.close(fd)
    ended = os.pidfd_open(kernel.pid)
    # Who asked for the run may have ended meanwhile; the closed standard input tells it next.
    with contextlib.suppress(BrokenPipeError):
        os.write(1, f"{kernel.pid}\n".encode())
    select.select([0, ended], [], [])
    if kernel.poll() is None:
        kernel.kill()
    code = kernel.wait()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(kernel.pid, signal.SIGKILL)
    # The guest's processes were the kernel's children; now they are this one's. See them end.
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    shutil.rmtree(task["folder"], ignore_errors=True)
    os._exit(128 - code if code < 0 else code)


if __name__ == "__main__":
    main()
