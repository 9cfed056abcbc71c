"""First program of the project's kernel: mount what a Linux needs, then serve the host.

The root is the host's own file system, read-only; everything that is written goes to tmpfs.
Standard library only, run by the system's Python.

The project is seen at one place, wherever it lies on the host, and its compiled modules are not
used (Python's and Mininet's are: they are there on every machine). Otherwise the length of a path,
or whether a module had been compiled, would move the heap; a program would ask the kernel for
memory at another moment; that takes a microsecond of the virtual clock, and the run would be
another one.
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
#: What the programs that serve the host import of the system.
SYSTEM_MODULES = ("json", "mininet.link", "mininet.net", "mmap", "random", "signal", "subprocess")
#: Where the guest sees the package `lab_tools`.
PROJECT = Path("/run/lab")
MS_BIND = 0x1000
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


def first(folder, channel, name):
    """Mount everything, and begin again from the fixed place."""
    package = Path(__file__).resolve().parents[2]
    inside = Path(folder).resolve().relative_to(package)
    # Before anything is mounted: the project itself may lie in what tmpfs is about to cover.
    handle = os.open(package, os.O_PATH)
    for entry in MOUNTS:
        mount(*entry)
    PROJECT.mkdir()
    bind = LIBC.mount(f"/proc/self/fd/{handle}".encode(), bytes(PROJECT), None, MS_BIND, None)
    if bind != 0:
        raise OSError(ctypes.get_errno(), f"cannot show {package} at {PROJECT}")
    os.close(handle)
    script = PROJECT / Path(__file__).resolve().relative_to(package)
    words = [sys.executable, "-I", "-S", str(script), str(PROJECT / inside), channel, name]
    os.execve(sys.executable, words, ENVIRONMENT)


def second(folder, channel, name):
    """Serve, and power off when that has ended."""
    sys.path += [folder, SYSTEM_PACKAGES]
    os.chdir("/tmp")
    pid = os.fork()
    if pid == 0:
        os.setsid()
        for system_module in SYSTEM_MODULES:
            importlib.import_module(system_module)
        sys.pycache_prefix = "/run/none"
        importlib.import_module(name).main(channel)
        os._exit(0)
    while True:
        done, status = os.wait()
        if done == pid:
            print(f"the {name} ended with status {status}", file=sys.stderr, flush=True)
            LIBC.reboot(POWER_OFF)


def main():
    """Run ``main(channel)`` of a module; folder, channel and module are the arguments."""
    stage = second if __file__.startswith(f"{PROJECT}/") else first
    stage(*sys.argv[1:4])


if __name__ == "__main__":
    main()
