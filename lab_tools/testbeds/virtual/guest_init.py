"""First program of the project's kernel: mount what a Linux needs, then serve the host.

The root is the host's own file system, read-only; everything that is written goes to tmpfs.
Standard library only, run by the system's Python.
"""

import ctypes
import importlib
import os
import sys
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
MOUNTS = (
    ("proc", "/proc", "proc", ""),
    ("sysfs", "/sys", "sysfs", ""),
    ("tmpfs", "/tmp", "tmpfs", "mode=1777"),
    ("tmpfs", "/run", "tmpfs", "mode=755"),
    ("tmpfs", "/var/tmp", "tmpfs", "mode=1777"),
    ("devpts", "/dev/pts", "devpts", "ptmxmode=666"),
    ("tmpfs", "/dev/shm", "tmpfs", "mode=1777"),
)
SYSTEM_PACKAGES = "/usr/lib/python3/dist-packages"
POWER_OFF = 0x4321FEDC
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/tmp",
    "SHELL": "/bin/bash",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "TERM": "dumb",
}


def mount(source, target, kind, options):
    """Mount one file system, or say which one failed."""
    if target in ("/dev/pts", "/dev/shm"):
        Path(target).mkdir(exist_ok=True)
    result = LIBC.mount(source.encode(), target.encode(), kind.encode(), 0, options.encode())
    if result != 0:
        raise OSError(ctypes.get_errno(), f"cannot mount {kind} on {target}")


def main():
    """Run ``main(channel)`` of a module; folder, channel and module are the arguments."""
    folder, channel, name = sys.argv[1:4]
    sys.path += [folder, SYSTEM_PACKAGES]
    # Before anything is mounted: the project itself may lie in what tmpfs is about to cover.
    module = importlib.import_module(name)

    for entry in MOUNTS:
        mount(*entry)
    os.environ.clear()
    os.environ.update(ENVIRONMENT)
    os.chdir("/tmp")
    pid = os.fork()
    if pid == 0:
        os.setsid()
        module.main(channel)
        os._exit(0)
    while True:
        done, status = os.wait()
        if done == pid:
            print(f"the {name} ended with status {status}", file=sys.stderr, flush=True)
            LIBC.reboot(POWER_OFF)


if __name__ == "__main__":
    main()
