"""Look at a host without changing anything: what is there, and how the path to the other one is."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from . import journal as host
from .journal import OFFLOADS, HostError

TOOLS = ("ip", "tc", "ethtool", "ping")
_REPLY = re.compile(r"time=([\d.]+) ms")
_AVAILABLE_CC = "net.ipv4.tcp_available_congestion_control"


def facts(device: str, sysctls: list[str], management: str) -> dict[str, Any]:
    """Return what a pair needs to know of this host.

    ``management`` is this host's end of the SSH connection.
    """
    tools = {name: shutil.which(name) is not None for name in TOOLS}
    found: dict[str, Any] = {
        "python": platform.python_version(),
        "kernel": os.uname().release,
        "machine": os.uname().machine,
        "tools": tools,
        "congestion_controls": (host.read_sysctl(_AVAILABLE_CC) or "").split(),
        "sysctl": {name: host.read_sysctl(name) for name in sysctls},
        "interfaces": sorted(each.name for each in Path("/sys/class/net").iterdir()),
        "management_address": management,
    }
    if all(tools.values()) and device in found["interfaces"]:
        found["link"] = link_facts(device)
    return found


def link_facts(device: str) -> dict[str, Any]:
    """Return the data interface's state, MTU, addresses, speed and queue disciplines."""
    said = host.link(device)
    try:
        speed = int(Path("/sys/class/net", device, "speed").read_text(encoding="ascii"))
    except (OSError, ValueError):
        speed = -1
    switches = host.features(device)
    return {
        "up": "LOWER_UP" in said["flags"] and "UP" in said["flags"],
        "mtu": said["mtu"],
        "gso_max_segs": said["gso_max_segs"],
        "addresses": [f"{a['local']}/{a['prefixlen']}" for a in said["addr_info"]],
        "speed_bps": speed * 1e6 if speed > 0 else None,
        "qdiscs": [each["kind"] for each in host.qdiscs(device)],
        "offloads": {name: value for name, value in switches.items() if name in OFFLOADS},
    }


def route(peer: str) -> str:
    """Return the interface through which packets to the other host leave."""
    found = json.loads(host.command(["ip", "-j", "route", "get", peer]))
    device: str = found[0].get("dev", "none")
    return device


def ping(
    peer: str, count: int, interval_s: float, wait_s: float, size_bytes: int = 56
) -> dict[str, Any]:
    """Return the round-trip times of ``count`` pings that no router may cut in pieces."""
    argv = ["ping", "-n", "-M", "do", "-c", str(count), "-i", str(interval_s)]
    argv += ["-W", f"{wait_s:g}", "-s", str(size_bytes), peer]
    limit_s = count * interval_s + wait_s + 10
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit_s
        )
    except subprocess.TimeoutExpired as error:
        raise HostError(f"{' '.join(argv)} did not end within {limit_s:g} s") from error
    said = f"{done.stdout}{done.stderr}".strip()
    if done.returncode not in (0, 1):
        raise HostError(f"{' '.join(argv)} failed: {said[-400:]}")
    return {"rtt_s": [float(value) / 1e3 for value in _REPLY.findall(done.stdout)], "said": said}


def counters(device: str) -> dict[str, Any]:
    """Return the data interface's and its queues' counters, and the kernel's receive drops."""
    lines = Path("/proc/net/dev").read_text(encoding="ascii").splitlines()[2:]
    values = next(
        [int(word) for word in rest.split()]
        for name, _, rest in (line.partition(":") for line in lines)
        if name.strip() == device
    )
    names = ("bytes", "packets", "errors", "dropped")
    softnet = Path("/proc/net/softnet_stat").read_text(encoding="ascii").splitlines()
    return {
        "rx": {name: values[index] for index, name in enumerate(names)},
        "tx": {name: values[8 + index] for index, name in enumerate(names)},
        "softnet_drops": sum(int(line.split()[1], 16) for line in softnet),
        "queues": host.qdiscs(device),
    }
