"""Remember how a host was before it was tuned, and put it back.

Every change is written down before it is made, in a file under ``/run``: should this process be
killed, the next one that takes the host finds the file and undoes what it says. After a reboot
neither the tuning nor the file is there.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

COMMAND_S = 30
#: What ``ethtool -K`` switches: segments larger than the MTU, made by the card or the kernel.
OFFLOADS = ("tcp-segmentation-offload", "generic-segmentation-offload", "generic-receive-offload")


class HostError(Exception):
    """Something on this host is not as it must be; says what."""


def command(argv: list[str], problem: str = "") -> str:
    """Run a command and return what it printed."""
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=COMMAND_S
        )
    except FileNotFoundError as error:
        raise HostError(f"{argv[0]} is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise HostError(f"{' '.join(argv)} did not end within {COMMAND_S} s") from error
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip()[-400:]
        raise HostError(f"{problem}{' '.join(argv)} failed: {said}")
    return done.stdout


def sysctl_file(name: str) -> Path:
    """Return the file of a kernel parameter."""
    return Path("/proc/sys", name.replace(".", "/"))


def read_sysctl(name: str) -> str | None:
    """Return a kernel parameter with single spaces; None where there is none of that name."""
    try:
        return " ".join(sysctl_file(name).read_text(encoding="ascii").split())
    except OSError:
        return None


def write_sysctl(name: str, value: str) -> None:
    """Write a kernel parameter and see that the kernel took it."""
    try:
        sysctl_file(name).write_text(value, encoding="ascii")
    except OSError as error:
        raise HostError(f"the kernel does not let {name} be set to {value}: {error}") from error
    if read_sysctl(name) != value:
        raise HostError(f"{name} was set to {value}, but the kernel says {read_sysctl(name)}")


def features(device: str) -> dict[str, str]:
    """Return the interface's features that can be switched, by name: ``on`` or ``off``."""
    found = {}
    for line in command(["ethtool", "-k", device]).splitlines()[1:]:
        name, _, value = line.strip().partition(": ")
        if value in ("on", "off"):
            found[name] = value
    return found


def switch_features(device: str, wanted: dict[str, str]) -> None:
    """Switch an interface's features in one command."""
    words = [word for pair in wanted.items() for word in pair]
    if words:
        command(["ethtool", "-K", device, *words])


def set_burst(device: str, segments: int) -> None:
    """Set how many segments TCP puts into one packet before the interface cuts it."""
    command(["ip", "link", "set", "dev", device, "gso_max_segs", str(segments)])


def qdiscs(device: str) -> list[dict[str, Any]]:
    """Return the interface's queue disciplines with their counters."""
    found: list[dict[str, Any]] = json.loads(
        command(["tc", "-s", "-j", "qdisc", "show", "dev", device]) or "[]"
    )
    return found


def link(device: str) -> dict[str, Any]:
    """Return what ``ip`` says of an interface and its addresses."""
    found: list[dict[str, Any]] = json.loads(
        command(["ip", "-d", "-j", "address", "show", "dev", device])
    )
    return next(each for each in found if each.get("ifname") == device)


class Journal:
    """What to undo, in the order in which it was done; kept in a file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.entries: list[dict[str, Any]] = []
        if file.exists():
            self.entries = json.loads(file.read_text(encoding="utf-8"))

    def note(self, **entry: Any) -> None:
        """Write down how to undo a change that is about to be made."""
        self.entries.append(entry)
        self._write()

    def restore(self) -> list[str]:
        """Undo everything, the last change first; return what could not be undone."""
        failed = []
        for entry in reversed(list(self.entries)):
            try:
                _UNDO[entry["kind"]](entry)
            except (HostError, OSError) as error:
                failed.append(str(error))
            self.entries.remove(entry)
            self._write()
        if not failed:
            self.file.unlink(missing_ok=True)
        return failed

    def _write(self) -> None:
        fresh = self.file.with_suffix(".new")
        fresh.write_text(json.dumps(self.entries), encoding="utf-8")
        fresh.replace(self.file)


def _undo_sysctl(entry: dict[str, Any]) -> None:
    # a change that the kernel refused needs no undoing
    if read_sysctl(entry["name"]) != entry["before"]:
        write_sysctl(entry["name"], entry["before"])


def _undo_mtu(entry: dict[str, Any]) -> None:
    command(["ip", "link", "set", "dev", entry["device"], "mtu", str(entry["before"])])


def _undo_burst(entry: dict[str, Any]) -> None:
    set_burst(entry["device"], entry["before"])


def _undo_features(entry: dict[str, Any]) -> None:
    device, before = entry["device"], entry["before"]
    # the switches that were used first: they move others beside themselves
    switch_features(device, {name: before[name] for name in OFFLOADS if name in before})
    now = features(device)
    switch_features(device, {k: v for k, v in before.items() if now.get(k, v) != v})
    after = features(device)
    left = [name for name, value in before.items() if after.get(name) != value]
    if left:
        raise HostError(f"{device}: cannot put back {', '.join(left)}")


def _undo_qdisc(entry: dict[str, Any]) -> None:
    device = entry["device"]
    if any(each.get("root") and each["handle"] != "0:" for each in qdiscs(device)):
        command(["tc", "qdisc", "del", "dev", device, "root"])
    now = [each["kind"] for each in qdiscs(device)]
    if now != entry["before"]:
        was = ", ".join(entry["before"])
        raise HostError(f"{device} had the queue disciplines {was}, and has {', '.join(now)}")


def _undo_folder(entry: dict[str, Any]) -> None:
    shutil.rmtree(entry["path"], ignore_errors=True)


_UNDO = {
    "folder": _undo_folder,
    "sysctl": _undo_sysctl,
    "mtu": _undo_mtu,
    "burst": _undo_burst,
    "features": _undo_features,
    "qdisc": _undo_qdisc,
}
