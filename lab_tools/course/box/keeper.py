"""One job's keeper: gives it a sandbox of its own, watches what it uses, ends it.

The keeper stays outside of the job's namespaces. The job is process 1 of its own: when it ends,
for whatever reason, the kernel ends every process that it left.
"""

import fcntl
import json
import os
import resource
import signal
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

from lab_tools.course.box import kernel_calls as calls

#: Where a job works; a file system of its own, in memory, gone with the job.
PLACE = "/tmp"
_SHARED_MEMORY = "/dev/shm"
_LOOK_EVERY_S = 0.05
#: Time for the job to hand over what it has when it is told to stop.
_GRACE_S = 3.0
_SHARED_MEMORY_BYTES = 16 << 20
_FILES_ON_DISK = 20_000
_OPEN_FILES = 512
#: How a job is told why it must stop.
STOP = {"memory": signal.SIGUSR1, "processes": signal.SIGUSR2, "time": signal.SIGTERM}
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def keep(about: dict[str, Any], data: int, status: int) -> NoReturn:
    """Run a job in a sandbox of its own and report how it ended; does not return.

    Parameters
    ----------
    about : ``job``, ``uid`` (used by root alone) and ``limits``.
    data : the socket that carries the job's data in and its results out.
    status : the pipe that the report is written to; the job cannot reach it.
    """
    report: dict[str, Any] = {"ended": "trouble"}
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        _separate()
        child = os.fork()
        if child == 0:
            os.close(status)
            _inside(about, data)
        os.close(data)
        report = _watch(child, about["limits"])
    except OSError as error:
        report["trouble"] = str(error)
    finally:
        os.write(status, json.dumps(report).encode())
        os._exit(0)


def _separate() -> None:
    """Enter new namespaces; without root's privileges, a user namespace allows the others."""
    names = ["pid", "ipc", "uts", "net"]
    if os.geteuid() == 0:
        calls.unshare(*names)
        return
    user, group = os.getuid(), os.getgid()
    calls.unshare("user", *names)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def _inside(about: dict[str, Any], data: int) -> NoReturn:
    """Become the job: private file systems, no privileges, limits, no refused system calls."""
    code = 1
    try:
        calls.die_with_parent(signal.SIGKILL)
        # here and not in the keeper, which needs to see all processes in its own /proc
        calls.unshare("mount")
        uid = about["uid"] if os.geteuid() == 0 else os.getuid()
        _mount_own(about["limits"], uid)
        _loopback_up()
        _limit(about["limits"])
        if os.geteuid() == 0:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
        calls.drop_privileges()
        calls.hide_memory()
        calls.filter_calls()
        os.chdir(PLACE)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        from lab_tools.course.box import jobs

        jobs.run(about["job"], socket.socket(fileno=data))
        code = 0
    except BaseException as error:
        # it goes to the grader's log; a job reports the student's faults itself
        print(f"job {about['job']}: {error!r}", file=sys.stderr, flush=True)
    finally:
        os._exit(code)


def _mount_own(limits: dict[str, Any], uid: int) -> None:
    calls.mount("none", "/", "none", calls.MS_REC | calls.MS_PRIVATE)
    plain = calls.MS_NOSUID | calls.MS_NODEV
    disk = f"size={limits['disk_bytes']},nr_inodes={_FILES_ON_DISK},mode=700,uid={uid},gid={uid}"
    if os.geteuid() != 0:
        disk = disk.partition(",uid=")[0]
    shown = _mounted_in(PLACE)
    calls.mount("tmpfs", _SHARED_MEMORY, "tmpfs", plain, disk)
    for place in shown:
        target = Path(_SHARED_MEMORY, Path(place).relative_to(PLACE))
        target.mkdir(0o755, parents=True, exist_ok=True)
        calls.mount(place, str(target), "none", calls.MS_BIND | calls.MS_REC)
    calls.mount(_SHARED_MEMORY, PLACE, "none", calls.MS_MOVE)
    calls.mount("tmpfs", _SHARED_MEMORY, "tmpfs", plain, f"size={_SHARED_MEMORY_BYTES},mode=1777")
    calls.mount("proc", "/proc", "proc", plain | calls.MS_NOEXEC)


def _mounted_in(place: str) -> list[str]:
    """Return what is mounted in a folder: Python and the project may themselves lie in ``/tmp``."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    found = [line.split()[4].encode().decode("unicode_escape") for line in lines]
    return sorted(each for each in found if each.startswith(f"{place}/"))


def _loopback_up() -> None:
    """Let a program talk to itself; the namespace has no other interface."""
    get_flags, set_flags, up = 0x8913, 0x8914, 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = fcntl.ioctl(probe, get_flags, struct.pack("16sh14x", b"lo", 0))
        flags = struct.unpack_from("16xh", request)[0]
        fcntl.ioctl(probe, set_flags, struct.pack("16sh14x", b"lo", flags | up))


def _limit(limits: dict[str, Any]) -> None:
    data_bytes = int(Path("/proc/self/statm").read_text().split()[5]) * _PAGE_BYTES
    most = {
        # processes are counted by the keeper; this stops what it is too slow for
        resource.RLIMIT_NPROC: 2 * limits["processes"] + 64,
        # one process alone meets this first, as a MemoryError that the notebook can show
        resource.RLIMIT_DATA: data_bytes + 3 * limits["memory_bytes"] // 4,
        resource.RLIMIT_CPU: int(limits["wall_s"]) + 5,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 1 << 16,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for name, value in most.items():
        resource.setrlimit(name, (value, value))


def _watch(child: int, limits: dict[str, Any]) -> dict[str, Any]:
    """Wait for the job's end; stop it when it uses more than it may."""
    began = time.monotonic()
    reason, killed_at = "", None
    peak_bytes = 0
    while True:
        signal.sigtimedwait({signal.SIGCHLD}, _LOOK_EVERY_S)
        done, code = os.waitpid(child, os.WNOHANG)
        now = time.monotonic()
        if done:
            ended = reason or ("exit" if code == 0 else "broken")
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            return {
                "ended": ended,
                "code": code,
                "wall_s": now - began,
                "cpu_s": used.ru_utime + used.ru_stime,
                "peak_bytes": peak_bytes,
            }
        if killed_at is not None:
            if now > killed_at:
                os.kill(child, signal.SIGKILL)
            continue
        processes = family(child)
        used_bytes = memory_bytes(processes, limits["memory_bytes"])
        peak_bytes = max(peak_bytes, used_bytes)
        if used_bytes > limits["memory_bytes"]:
            reason = "memory"
        elif len(processes) > limits["processes"]:
            reason = "processes"
        elif now - began > limits["wall_s"] + _GRACE_S:
            reason = "time"
        if reason:
            os.kill(child, STOP[reason])
            killed_at = now + _GRACE_S


def family(first: int) -> list[int]:
    """Return a process and all its descendants; orphans are the first one's children here."""
    children: dict[int, list[int]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = file.read_text()
        except OSError:
            continue
        parent = int(text.rpartition(")")[2].split()[1])
        children.setdefault(parent, []).append(int(file.parent.name))
    found = [first]
    for each in found:
        found += children.get(each, [])
    return found


def memory_bytes(processes: list[int], limit_bytes: int) -> int:
    """Return the memory of processes; what they share counts once if it matters."""
    total = 0
    for each in processes:
        try:
            words = Path(f"/proc/{each}/statm").read_text().split()
        except OSError:
            continue
        total += (int(words[1]) - int(words[2])) * _PAGE_BYTES
    if total <= limit_bytes:
        return total
    # Every fork of the warm process shares its pages: count each page once.
    total = 0
    for each in processes:
        try:
            text = Path(f"/proc/{each}/smaps_rollup").read_text()
        except OSError:
            continue
        for line in text.splitlines():
            if line.startswith(("Pss_Anon:", "Pss_Shmem:")):
                total += int(line.split()[1]) * 1024
    return total
