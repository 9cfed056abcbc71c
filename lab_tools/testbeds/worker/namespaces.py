"""Run things in a node's network namespace.

Inside the virtual-time kernel every page that a new process touches is mapped through the host:
starting a program costs ten to thirty milliseconds of wall time, forking this one fifty. So the
worker itself steps into a namespace and back, and ``ip`` and ``tc`` get their commands in batches.
"""

import contextlib
import ctypes
import fcntl
import os
import socket
import struct
import subprocess
import sys
import traceback
from pathlib import Path

_LIBC = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWNET = 0x40000000
_SIOCETHTOOL = 0x8946
#: ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO (include/uapi/linux/ethtool.h)
_OFFLOAD_SWITCHES = (0x1F, 0x24, 0x2C)


class CommandError(Exception):
    """A configuration command on a node failed."""


def _checked(result, what):
    if result != 0:
        raise CommandError(f"cannot {what}: {os.strerror(ctypes.get_errno())}")


@contextlib.contextmanager
def inside(pid):
    """Step into the network namespace of a process, and back; without a process, stay."""
    if pid is None:
        yield
        return
    here = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    try:
        _checked(_LIBC.setns(there, _CLONE_NEWNET), f"enter the namespace of process {pid}")
        try:
            yield
        finally:
            _checked(_LIBC.setns(here, _CLONE_NEWNET), "leave a network namespace")
    finally:
        os.close(there)
        os.close(here)


def new(name):
    """Start a process that holds a new network namespace open, with a name; return it."""
    here = os.open("/proc/self/ns/net", os.O_RDONLY)
    try:
        _checked(_LIBC.unshare(_CLONE_NEWNET), "make a network namespace (root's right)")
        try:
            return subprocess.Popen(
                ["sleep", "infinity"],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                env={**os.environ, "LAB_NODE": name},
            )
        finally:
            _checked(_LIBC.setns(here, _CLONE_NEWNET), "leave a network namespace")
    finally:
        os.close(here)


def command(pid, argv, text=None):
    """Run a command in a namespace and return what it printed.

    Raises
    ------
    CommandError : it failed; says what it was and what it printed.
    """
    with inside(pid):
        done = subprocess.run(argv, input=text or "", capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        raise CommandError(f"{' '.join(argv)}: {done.stderr.strip()}\nin: {text or ''}".strip())
    return done.stdout


def offloads_off(pid, devices):
    """Switch TSO, GSO and GRO off on interfaces in a namespace."""
    with inside(pid), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for device in devices:
            for number in _OFFLOAD_SWITCHES:
                value = ctypes.create_string_buffer(struct.pack("=II", number, 0))
                request = struct.pack("16sP", device.encode(), ctypes.addressof(value))
                fcntl.ioctl(sock, _SIOCETHTOOL, request)


def interface_counters(pid):
    """Return received and sent bytes, packets, errors and drops of a namespace's interfaces."""
    with inside(pid):
        lines = Path("/proc/self/net/dev").read_text(encoding="ascii").splitlines()[2:]
    names = ("bytes", "packets", "errors", "dropped")
    found = {}
    for line in lines:
        device, _, rest = line.partition(":")
        values = [int(word) for word in rest.split()]
        found[device.strip()] = {
            "rx": dict(zip(names, values[0:4], strict=True)),
            "tx": dict(zip(names, values[8:12], strict=True)),
        }
    return found


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
            with inside(pid):
                function(*arguments)
            code = 0
        except BaseException:
            traceback.print_exc(file=sys.stderr)
        finally:
            sys.stderr.flush()
            os._exit(code)
    os.close(write_end)
    return Child(child, os.fdopen(read_end, "rb", buffering=0))
