"""What this host offers to a Mininet network."""

import os
import platform
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from lab_tools.errors import MissingToolError
from lab_tools.testbeds.base import Availability
from lab_tools.testbeds.mininet.worker import SYSTEM_PATH, SYSTEM_PYTHON

_INSTALL = "as root, run: scripts/install-packages network"
_COMMANDS = ("ip", "tc", "ping", "mnexec", "unshare")
_MININET = Path("/usr/lib/python3/dist-packages/mininet")
_PARAMETER = "/proc/sys/net/core/rmem_max"
#: There while kernel parameters are not as they were; the same as in the worker's `leftovers`.
_STATE = Path("/run/data-over-distance/mininet.json")
#: Tried in a network namespace of its own, which vanishes with the command.
_TRIALS = {
    "network namespaces (CAP_SYS_ADMIN)": ("true", ""),
    "virtual links (veth)": ("ip link add lab0 type veth peer name lab1", "modprobe veth"),
    "the delay queue (netem)": ("tc qdisc add dev lo root netem delay 1ms", "modprobe sch_netem"),
    "the token bucket (tbf)": (
        "tc qdisc add dev lo root tbf rate 1mbit burst 10kb limit 10kb",
        "modprobe sch_tbf",
    ),
}
_PROBE_S = 60.0

Try = Callable[[Sequence[str]], str]


def availability(root: bool, attempt: Try) -> Availability:
    """Say whether this host can hold a network; if not, the first thing that is missing.

    Parameters
    ----------
    root : whether this process is root.
    attempt : runs a command in a network namespace of its own, and returns its complaint or "".
    """
    if platform.system() != "Linux":
        found = f"it needs Linux, this is {platform.system()}"
        return Availability(
            False, found, "use the workshop's virtual machine, or LAB_TESTBED=replay"
        )
    if not root:
        return Availability(
            False,
            "it needs root: it makes network namespaces and sets kernel parameters",
            "start it with sudo, or use LAB_TESTBED=virtual, which needs no root",
        )
    if not (_MININET.exists() and SYSTEM_PYTHON.exists()):
        return Availability(False, "Debian's Mininet is missing", _INSTALL)
    missing = [name for name in _COMMANDS if shutil.which(name, path=SYSTEM_PATH) is None]
    if missing:
        return Availability(False, f"programs are missing: {', '.join(missing)}", _INSTALL)
    if not os.access(_PARAMETER, os.W_OK):
        return Availability(
            False,
            "kernel parameters cannot be set here (/proc/sys is read-only, as in a container)",
            "run it outside the container, or use LAB_TESTBED=virtual",
        )
    for what, (command, module) in _TRIALS.items():
        if complaint := attempt(command.split()):
            remedy = f"as root, run: {module}; where this kernel has no such module, " * bool(
                module
            )
            return Availability(
                False,
                f"this host's kernel refuses {what}: {complaint}",
                f"{remedy}use LAB_TESTBED=virtual, which brings its own kernel",
            )
    if _STATE.exists():
        return Availability(
            True,
            "a network is running, or a run was killed here; if so, the next run puts back what it "
            "changed, or: python -m lab_tools.testbeds.mininet",
        )
    return Availability(True)


def in_a_namespace(command: Sequence[str]) -> str:
    """Run a command in a network namespace of its own and return its complaint, or ""."""
    argv = ["unshare", "--net", "--", *command]
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=_PROBE_S, env={"PATH": SYSTEM_PATH}
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return ""
    return (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]


def has_congestion_control(name: str) -> bool:
    """Say whether the kernel has a congestion control, loading its module where it may."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, name.encode())
        except OSError:
            return False
    return True


def require_congestion_controls(
    wanted: Iterable[str], has: Callable[[str], bool] = has_congestion_control
) -> None:
    """See that the kernel has what an experiment wants.

    Raises
    ------
    MissingToolError : names what is missing, and what to do.
    """
    missing = [name for name in dict.fromkeys(wanted) if not has(name)]
    if missing:
        modules = " ".join(f"tcp_{name}" for name in missing)
        raise MissingToolError(
            f"this host's kernel {platform.release()} does not have the congestion control "
            f"{', '.join(missing)}. As root, run: modprobe -a {modules}. Where it has no such "
            "module, use LAB_TESTBED=virtual, whose kernel has them all."
        )
