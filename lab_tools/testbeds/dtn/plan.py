"""What to change on the hosts for an experiment: plain data that the agents carry out.

What the real path lacks is emulated on the hosts' own data interfaces: delay by netem on both, half
on each; loss, jitter, reordering and duplication by netem on h1; a lower rate by a token bucket on
h1. Packets leave TCP's account when netem delays them, so that TCP small queues do not see the
token bucket behind it, which then fills and drops like a router's buffer. Without netem before it
TCP small queues keep the bucket's queue short.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

from lab_tools.errors import InputError
from lab_tools.experiment import Experiment
from lab_tools.path import Path
from lab_tools.testbeds import shaping
from lab_tools.testbeds.dtn.inventory import HostEntry, Inventory
from lab_tools.testbeds.dtn.limits import shaped
from lab_tools.testbeds.dtn.problems import PairError
from lab_tools.testbeds.plan import socket_buffer_bytes
from lab_tools.units import show_size, show_time

#: What two hosts add by themselves: interrupts, and the time ping needs.
HOSTS_RTT_S = 100e-6
#: Below this IPv6 leaves an interface (RFC 8200, section 5), and does not come back by itself.
_LEAST_MTU_BYTES = 1280
_LEAST_DELAY_S = 1e-5
_MOST_SOCKET_BUFFER_BYTES = 2**31 - 1


@dataclass(frozen=True)
class Plan:
    """What each host's agent does, and what the record must say about it."""

    steps: dict[str, list[dict[str, Any]]]
    notes: tuple[str, ...]
    added_rtt_s: float


def rtt_allowance_s(path: Path, pair: Inventory) -> float:
    """Return the error of the round-trip time that is allowed, in seconds."""
    return pair.rtt_tolerance * path.rtt_s + HOSTS_RTT_S


def make(
    experiment: Experiment, pair: Inventory, facts: dict[str, dict[str, Any]], real_rtt_s: float
) -> Plan:
    """Return what to change on the hosts.

    Parameters
    ----------
    facts : what the agents found, by host.
    real_rtt_s : round-trip time of the untouched path, in seconds.

    Raises
    ------
    InputError, PairError : it cannot be done within what the inventory allows.
    """
    added_s = _added_rtt_s(experiment.path, pair, real_rtt_s)
    forward, backward, notes = _queues(experiment, pair, added_s)
    steps = {
        name: [
            *_mtu(name, entry, experiment, facts[name]),
            *_sysctls(name, entry, experiment, facts[name]),
            *_offloads(name, entry, experiment, facts[name]),
        ]
        for name, entry in pair.hosts.items()
    }
    for name, lines in (("h1", forward), ("h2", backward)):
        if lines:
            steps[name].append({"do": "qdisc", "lines": lines})
    if not forward:
        kinds = ", ".join(facts["h1"]["link"]["qdiscs"])
        notes.append(f"h1's data interface keeps its own queue disciplines ({kinds})")
    return Plan(steps, tuple(notes), added_s)


def _added_rtt_s(path: Path, pair: Inventory, real_rtt_s: float) -> float:
    """Return the round-trip time that netem must add."""
    missing_s, allowed_s = path.rtt_s - real_rtt_s, rtt_allowance_s(path, pair)
    if abs(missing_s) <= allowed_s:
        return 0.0
    real = f"the real path's {show_time(real_rtt_s)}, give or take {show_time(allowed_s)}"
    if missing_s < 0:
        raise InputError("rtt_s", path.rtt_s, f"at least {real}")
    if not pair.may("netem"):
        why = "The inventory does not allow 'netem', which would add the rest."
        raise InputError("rtt_s", path.rtt_s, real, why)
    return missing_s


def _queues(
    experiment: Experiment, pair: Inventory, added_s: float
) -> tuple[list[str], list[str], list[str]]:
    """Return the queue disciplines of h1 and of h2, and what to note about them."""
    path = experiment.path
    impaired = bool(path.jitter_s or path.loss or path.reorder or path.duplicate)
    limited = shaped(experiment, pair)
    if not (added_s or impaired or limited):
        return shaping.host(experiment.host.qdisc), shaping.host(experiment.host.qdisc), []
    if experiment.host.qdisc != "noqueue":
        allowed = "'noqueue', the default, where a delay is emulated on the hosts"
        raise InputError("qdisc", experiment.host.qdisc, allowed)
    notes, forward, backward = [], [], []
    if added_s or impaired or pair.may("netem"):
        part = dataclasses.replace(path, rtt_s=max(added_s, _LEAST_DELAY_S))
        forward = shaping.delay(part)
        notes.append(
            f"netem on h1's and h2's own data interfaces adds {show_time(added_s)} to the real "
            "path: packets in it are no longer on the sender's account, so TCP small queues see "
            "less than on a real path, and its timing is that of the hosts' timers"
        )
        if added_s:
            backward = shaping.delay(part, backward=True)
    if limited:
        bucket = shaping.bottleneck(path, offloads=experiment.host.offloads)
        forward += [_behind_netem(line) for line in bucket] if forward else bucket
        notes.append(
            "a token bucket on h1's own data interface limits the rate; its limit is the router's "
            "buffer"
            + ("" if pair.may("netem") else ", which TCP small queues keep from ever filling")
        )
    return forward, backward, notes


def _behind_netem(line: str) -> str:
    """Hang a queue discipline of `shaping.bottleneck` below netem, whose handle is 1."""
    moved = line.replace("parent 1:1 handle 10:", "parent 2:1 handle 10:")
    return moved.replace("root handle 1:", "parent 1:1 handle 2:")


def _mtu(
    name: str, entry: HostEntry, experiment: Experiment, facts: dict[str, Any]
) -> list[dict[str, Any]]:
    wanted, mine = experiment.path.mtu_bytes, facts["link"]["mtu"]
    if wanted == mine:
        return []
    if "mtu" not in entry.allowed_changes or wanted < _LEAST_MTU_BYTES:
        why = f"The inventory of {name} does not allow 'mtu'."
        if wanted < _LEAST_MTU_BYTES:
            why = f"Below {_LEAST_MTU_BYTES} an interface loses its IPv6 addresses."
        raise InputError("mtu_bytes", wanted, f"{mine}, as on {name}'s {entry.interface}", why)
    return [{"do": "mtu", "value": wanted}]


def _sysctls(
    name: str, entry: HostEntry, experiment: Experiment, facts: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the kernel parameters to set; complain of what is needed and not allowed."""
    receive, send = socket_buffer_bytes(experiment.path, experiment.host)
    steps = []
    for parameter, field, size, first in (
        ("net.ipv4.tcp_rmem", "rcvbuf_bytes", receive, 131072),
        ("net.ipv4.tcp_wmem", "sndbuf_bytes", send, 16384),
    ):
        if parameter in entry.allowed_sysctls:
            value = f"4096 {min(first, size)} {size}"
            steps.append({"do": "sysctl", "name": parameter, "value": value, "required": True})
            continue
        mine = int((facts["sysctl"].get(parameter) or "0").split()[-1])
        asked = getattr(experiment.host, field)
        if mine < size or (asked is not None and mine != asked):
            raise PairError(
                f"the experiment needs {parameter} up to {show_size(size)} on {name}, which has "
                f"{show_size(mine)}, and the inventory does not allow it to be changed",
                f"the operator adds '{parameter}' to {name}'s allowed_sysctls",
            )
    wishes = {
        "net.core.rmem_max": str(_MOST_SOCKET_BUFFER_BYTES),
        "net.core.wmem_max": str(_MOST_SOCKET_BUFFER_BYTES),
        "net.ipv4.tcp_no_metrics_save": "1",
        "net.ipv4.tcp_allowed_congestion_control": " ".join(facts["congestion_controls"]),
    }
    return steps + [
        {"do": "sysctl", "name": parameter, "value": value, "required": False}
        for parameter, value in wishes.items()
        if parameter in entry.allowed_sysctls
    ]


def _offloads(
    name: str, entry: HostEntry, experiment: Experiment, facts: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the switch of the offloads; with offloads a host's own receive side is left alone."""
    states = facts["link"]["offloads"]
    wanted = "on" if experiment.host.offloads else "off"
    matters = [each for each in states if wanted == "off" or "segmentation" in each]
    single = experiment.host.offloads or facts["link"]["gso_max_segs"] == 1
    if single and all(states[each] == wanted for each in matters):
        return []
    if "offloads" not in entry.allowed_changes:
        found = ", ".join(f"{each} is {states[each]}" for each in matters)
        why = f"On {name} {found}, and its inventory does not allow 'offloads' to be changed."
        allowed = not experiment.host.offloads
        raise InputError("offloads", experiment.host.offloads, str(allowed).lower(), why)
    return [{"do": "offloads", "wanted": wanted}]
