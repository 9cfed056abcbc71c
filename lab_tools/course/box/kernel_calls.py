"""The system calls that Python 3.11 does not offer: namespaces, mounts, capabilities, filters.

Constants are those of the kernel's headers: linux/sched.h, linux/mount.h, linux/prctl.h,
linux/capability.h, linux/seccomp.h, linux/filter.h and the tables of system calls.
"""

import ctypes
import os
import platform
import struct

NEW_NAMESPACES = {
    "mount": 0x00020000,
    "uts": 0x04000000,
    "ipc": 0x08000000,
    "user": 0x10000000,
    "pid": 0x20000000,
    "net": 0x40000000,
}
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MS_BIND, MS_MOVE, MS_REC, MS_PRIVATE = 0x1000, 0x2000, 0x4000, 1 << 18
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP = 1, 4, 22
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 24, 38
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mount.argtypes = (
    ctypes.c_char_p,
    ctypes.c_char_p,
    ctypes.c_char_p,
    ctypes.c_ulong,
    ctypes.c_char_p,
)
_libc.prctl.argtypes = (ctypes.c_int, *(ctypes.c_ulong,) * 4)


def _checked(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(*names: str) -> None:
    """Move this process (its children, for ``pid``) into new namespaces."""
    flags = sum(NEW_NAMESPACES[name] for name in names)
    _checked(_libc.unshare(flags), f"unshare {' '.join(names)}")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount a file system."""
    words = [word.encode() for word in (source, target, kind)]
    _checked(_libc.mount(*words, flags, options.encode()), f"mount {kind} on {target}")


def die_with_parent(signal: int) -> None:
    """Be sent a signal when the parent process ends."""
    _checked(_libc.prctl(_PR_SET_PDEATHSIG, signal, 0, 0, 0), "die with parent")


def hide_memory() -> None:
    """Let no process of the same user trace this one or read its memory."""
    _checked(_libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0), "hide memory")


def drop_privileges() -> None:
    """Give up every capability for good, here and in whatever is started from here."""
    for capability in range(_LAST_CAPABILITY + 1):
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # unknown ones are refused: no matter
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(header, bytes(24)), "drop capabilities")
    _checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")


#: System calls that a notebook does not need: memory that no limit of a process counts, new
#: namespaces, mounts, and parts of the kernel with a long record of faults. Numbers by machine.
_REFUSED = {
    "x86_64": {
        "shmget": 29,
        "mount": 165,
        "umount2": 166,
        "add_key": 248,
        "request_key": 249,
        "keyctl": 250,
        "unshare": 272,
        "perf_event_open": 298,
        "setns": 308,
        "memfd_create": 319,
        "bpf": 321,
        "userfaultfd": 323,
        "io_uring_setup": 425,
        "memfd_secret": 447,
    },
    "aarch64": {
        "umount2": 39,
        "mount": 40,
        "unshare": 97,
        "shmget": 194,
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "perf_event_open": 241,
        "setns": 268,
        "memfd_create": 279,
        "bpf": 280,
        "userfaultfd": 282,
        "io_uring_setup": 425,
        "memfd_secret": 447,
    },
}
_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435
#: On x86-64, numbers from here on are the x32 interface, a second door to the same calls.
_X32 = 0x40000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_KILL, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_EPERM, _ENOSYS = 1, 38
_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16


def filter_calls() -> None:
    """Refuse the system calls in `_REFUSED`, and new user namespaces, from here on.

    Does nothing on a machine whose numbers are not known.
    """
    machine = platform.machine()
    if machine not in _REFUSED:
        return
    step = struct.Struct("HBBI").pack
    program = [
        step(_LOAD, 0, 0, _ARCH),
        step(_EQUAL, 1, 0, _AUDIT_ARCH[machine]),
        step(_RETURN, 0, 0, _KILL),
        step(_LOAD, 0, 0, _NUMBER),
        step(_AT_LEAST, 0, 1, _X32),
        step(_RETURN, 0, 0, _ERRNO | _ENOSYS),
        # the C library falls back to clone, whose flags a filter can read
        step(_EQUAL, 0, 1, _CLONE3),
        step(_RETURN, 0, 0, _ERRNO | _ENOSYS),
    ]
    for number in _REFUSED[machine].values():
        program += [step(_EQUAL, 0, 1, number), step(_RETURN, 0, 0, _ERRNO | _EPERM)]
    program += [
        step(_EQUAL, 0, 3, _CLONE[machine]),
        step(_LOAD, 0, 0, _FIRST_ARGUMENT),
        step(_ANY_BIT, 0, 1, NEW_NAMESPACES["user"]),
        step(_RETURN, 0, 0, _ERRNO | _EPERM),
        step(_RETURN, 0, 0, _ALLOW),
    ]
    code = ctypes.create_string_buffer(b"".join(program))
    about = struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code))
    about_buffer = ctypes.create_string_buffer(about)
    _checked(
        _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(about_buffer), 0, 0),
        "filter system calls",
    )


def show_memory() -> None:
    """Undo `hide_memory` in a child: a program may look at itself in /proc."""
    _checked(_libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0), "show memory")
