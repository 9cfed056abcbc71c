"""Run things in a node's network namespace.

Inside the virtual-time kernel starting a program costs ten to a hundred milliseconds of wall time
(every page it touches is mapped through the host), so a Python host program is forked from the
process that already runs, and commands go to ``ip`` and ``tc`` in batches.
"""

import ctypes
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import traceback

_LIBC = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWNET = 0x40000000
_SIOCETHTOOL = 0x8946
#: ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO (include/uapi/linux/ethtool.h)
_OFFLOAD_SWITCHES = (0x1F, 0x24, 0x2C)


class CommandError(Exception):
    """A configuration command on a node failed."""


def enter(pid):
    """Move this process into the network namespace of another."""
    fd = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    if _LIBC.setns(fd, _CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), f"cannot enter the network namespace of process {pid}")
    os.close(fd)


def new():
    """Start a process that holds a new network namespace open; return its process id."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 0 if _LIBC.unshare(_CLONE_NEWNET) == 0 else 1
        os.write(write_end, bytes([code]))
        while code == 0:
            signal.pause()
        os._exit(code)
    os.close(write_end)
    failed = os.read(read_end, 1) != b"\0"
    os.close(read_end)
    if failed:
        raise CommandError("cannot make a network namespace: the testbed needs root's rights")
    return pid


def command(pid, argv, text=None):
    """Run a command in a namespace and return what it printed.

    Raises
    ------
    CommandError : it failed; says what it was and what it printed.
    """
    done = subprocess.run(
        argv,
        input=text,
        stdin=subprocess.DEVNULL if text is None else None,
        capture_output=True,
        encoding="utf-8",
        preexec_fn=(lambda: enter(pid)) if pid else None,
    )
    if done.returncode != 0:
        raise CommandError(f"{' '.join(argv)}: {done.stderr.strip()}\nin: {text or ''}".strip())
    return done.stdout


def offloads_off(pid, devices):
    """Switch TSO, GSO and GRO off on interfaces in a namespace."""

    def switch():
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for device in devices:
            for number in _OFFLOAD_SWITCHES:
                value = ctypes.create_string_buffer(struct.pack("=II", number, 0))
                request = struct.pack("16sP", device.encode(), ctypes.addressof(value))
                fcntl.ioctl(sock, _SIOCETHTOOL, request)

    if call(pid, switch).wait() != 0:
        raise CommandError(f"cannot switch offloads off on {', '.join(devices)}")


class Child:
    """A forked process with its standard output on a pipe; looks like `subprocess.Popen`."""

    def __init__(self, pid, stdout):
        self.pid, self.stdout, self.returncode = pid, stdout, None

    def wait(self):
        """Wait for the end and return the exit code."""
        if self.returncode is None:
            _, status = os.waitpid(self.pid, 0)
            self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def call(pid, function, *arguments):
    """Run a Python function in a namespace, in a process of its own."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(read_end)
            os.dup2(write_end, 1)
            if pid:
                enter(pid)
            function(*arguments)
            code = 0
        except BaseException:
            traceback.print_exc(file=sys.stderr)
        finally:
            sys.stderr.flush()
            os._exit(code)
    os.close(write_end)
    return Child(child, os.fdopen(read_end, "rb", buffering=0))
