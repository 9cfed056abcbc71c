"""What each testbed needs, and whether this machine has it; `lab doctor` prints it."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lab_tools.errors import LabError
from lab_tools.experiment import Path as NetworkPath
from lab_tools.kernel import Kernel, find
from lab_tools.kernel.build import check_tools
from lab_tools.kernel.recipe import cache_folder
from lab_tools.testbeds import TESTBEDS, base, get
from lab_tools.testbeds.plan import RECEIVER_ADDRESS

_INSTALL = "as root, run: scripts/install-packages base kernel network"
_REBUILD = "run: lab kernel build --force"
_SYSTEM_PYTHON = "/usr/bin/python3"
#: Where the guest looks for programs; the same as in its first program.
_GUEST_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_GUEST_COMMANDS = ("ip", "tc", "ss", "ping", "iperf3", "ethtool", "ifconfig", "mnexec", "bash")
#: A guest needs 384 MB, and 3 times what is in flight: 1.3 GB at 10 Gbit/s and 100 ms.
_MEMORY_BYTES = 2e9
#: Records and logs; the kernel's source tree and objects need this much more, once.
_DISK_BYTES = 1e9
_BUILD_BYTES = 3e9
_PROBE_S = 30.0
# PTRACE_TRACEME is request 0.
_TRACE = "import ctypes, sys; sys.exit(ctypes.CDLL(None).ptrace(0, 0, 0, 0) != 0)"


@dataclass(frozen=True)
class Check:
    """One thing a testbed needs.

    Parameters
    ----------
    name : what was looked at.
    ok : whether the testbed can work with it.
    found : what is there, in words.
    remedy : what to do if it is not ok.
    mend : what `lab doctor --fix` does about it, a name in `lab_tools.doctor_repairs`.
    """

    name: str
    ok: bool
    found: str
    remedy: str = ""
    mend: str = ""


def check_machine(system: str, machine: str) -> Check:
    """Check that this is Linux on x86-64.

    >>> check_machine("Darwin", "arm64").ok
    False
    """
    return Check(
        "machine",
        (system, machine) == ("Linux", "x86_64"),
        f"{system} on {machine}",
        "use the workshop's virtual machine, or recorded runs: LAB_TESTBED=replay",
    )


def check_cpus(count: int) -> Check:
    """Check the processors; one is enough, a run uses no more."""
    found = "1 (runs and the notebook share it)" if count == 1 else str(count)
    return Check("processors", count >= 1, found, "give the machine a processor")


def check_memory(meminfo: str) -> Check:
    """Check the memory that is free for a guest.

    Parameters
    ----------
    meminfo : text of ``/proc/meminfo``.

    >>> check_memory("MemAvailable:  512000 kB").found
    '0.5 GB available'
    """
    available_bytes = 0.0
    for line in meminfo.splitlines():
        if line.startswith("MemAvailable:"):
            available_bytes = float(line.split()[1]) * 1024
    return Check(
        "memory",
        available_bytes >= _MEMORY_BYTES,
        f"{available_bytes / 1e9:.1f} GB available",
        f"free some: a path of 10 Gbit/s and 100 ms needs {_MEMORY_BYTES / 1e9:g} GB",
    )


def check_disk(free_bytes: float, *, to_build: bool) -> Check:
    """Check the disk that the kernel and the records go to."""
    needed = _DISK_BYTES + (_BUILD_BYTES if to_build else 0)
    what = "the kernel's build and the records" if to_build else "the records"
    return Check(
        "disk",
        free_bytes >= needed,
        f"{free_bytes / 1e9:.1f} GB free",
        f"free some: {what} need {needed / 1e9:g} GB, or choose another disk with LAB_CACHE",
    )


def check_commands(names: Sequence[str], path: str) -> Check:
    """Check that programs are installed where a guest looks for them."""
    missing = [name for name in names if shutil.which(name, path=path) is None]
    found = f"missing: {', '.join(missing)}" if missing else f"all {len(names)} there"
    return Check("network programs", not missing, found, _INSTALL, "packages")


def check_python(python: str) -> Check:
    """Check that the system's Python is there and imports Debian's Mininet."""
    say = "import platform, mininet.net as n; print(platform.python_version(), n.VERSION)"
    try:
        done = subprocess.run(
            [python, "-I", "-c", say], capture_output=True, text=True, timeout=_PROBE_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check("system Python", False, f"{python}: {error}", _INSTALL, "packages")
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["no message"])[-1]
        found = f"{python} has no Mininet: {said}"
        return Check("system Python", False, found, _INSTALL, "packages")
    version, mininet = done.stdout.split()[:2]
    return Check("system Python", True, f"{python} {version} with Mininet {mininet}")


def check_tracing(scope: str, command: Sequence[str]) -> Check:
    """Check that a process may be traced; the virtual-time kernel runs its programs so.

    Parameters
    ----------
    scope : text of Yama's ``ptrace_scope``, or "" where there is none.
    command : ends with 0 if it could ask to be traced.
    """
    try:
        traced = subprocess.run(command, capture_output=True, timeout=_PROBE_S).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        traced = False
    why = f" (kernel.yama.ptrace_scope is {scope.strip()})" if scope.strip() else ""
    return Check(
        "tracing (ptrace)",
        traced,
        "allowed" if traced else f"refused{why}",
        "as root, run: sysctl kernel.yama.ptrace_scope=1; in a container, allow ptrace in its "
        "seccomp profile",
        "tracing",
    )


def check_kernel(find_kernel: Callable[[], Kernel]) -> Check:
    """Check that the virtual-time kernel is built and starts on this processor."""
    try:
        kernel = find_kernel()
    except LabError as error:
        remedy = "run: lab kernel build"
        return Check("virtual-time kernel", False, str(error), remedy, "kernel")
    try:
        done = subprocess.run(
            [kernel.program, "--version"], capture_output=True, text=True, timeout=_PROBE_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check("virtual-time kernel", False, str(error), _REBUILD, "new kernel")
    return Check(
        "virtual-time kernel",
        done.returncode == 0 and done.stdout.strip() == kernel.version,
        f"{kernel.version} (recipe {kernel.recipe})",
        _REBUILD,
        "new kernel",
    )


def check_build_tools(check: Callable[[], None]) -> Check:
    """Check that a kernel could be built here."""
    try:
        check()
    except LabError as error:
        return Check("kernel build tools", False, str(error), _INSTALL, "packages")
    return Check("kernel build tools", True, "all there")


def check_network(testbed: base.Testbed) -> Check:
    """Boot a network of 1 Gbit/s and 100 ms, and ping across it."""
    name = "a network boots"
    try:
        with testbed.session(NetworkPath(rate_bps=1e9, rtt_s=0.1)) as net:
            pinged = net["h1"].run(f"ping -c 1 {RECEIVER_ADDRESS}")
    except LabError as error:
        return Check(name, False, str(error), "if the message above does not help, report it")
    answer = [line for line in pinged.output.splitlines() if "time=" in line]
    found = answer[0].split("time=")[1] if answer else pinged.output.strip()
    remedy = "if the message above does not help, report it"
    return Check(name, bool(answer), f"ping over 100 ms: {found}", remedy)


def check_testbed(name: str) -> Check:
    """Ask a testbed itself whether it can be used."""
    says = get(name).available()
    mends = {"install-packages": "packages", "modprobe": "modules"}
    mend = next((way for word, way in mends.items() if word in says.remedy), "")
    return Check("the testbed itself", says.available, says.reason or "ready", says.remedy, mend)


def examine(names: Iterable[str] = TESTBEDS) -> dict[str, tuple[Check, ...]]:
    """Return the checks of testbeds, by their names."""
    return {name: tuple(_needs(name)) for name in names}


def works(checks: Iterable[Check]) -> bool:
    """Say whether a testbed can be used."""
    return all(check.ok for check in checks)


def _needs(name: str) -> Iterable[Check]:
    if name == "virtual":
        yield check_machine(platform.system(), platform.machine())
        yield check_cpus(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)
        yield check_memory(_text("/proc/meminfo"))
        kernel = check_kernel(find)
        yield check_disk(_free_bytes(cache_folder()), to_build=not kernel.ok)
        yield check_python(_SYSTEM_PYTHON)
        yield check_commands(_GUEST_COMMANDS, _GUEST_PATH)
        yield check_tracing(_text("/proc/sys/kernel/yama/ptrace_scope"), _tracer())
        if not kernel.ok:
            yield check_build_tools(check_tools)
        yield kernel
    ready = check_testbed(name)
    yield ready
    if name == "virtual" and kernel.ok and ready.ok:
        yield check_network(get(name))


def _tracer() -> list[str]:
    return [sys.executable, "-I", "-S", "-c", _TRACE]


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except OSError:
        return ""


def _free_bytes(folder: Path) -> int:
    """Return the free space of the disk that a folder, there or not yet, is on."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    return shutil.disk_usage(there).free
