"""What must be right before anything is measured: on each host, and between them."""

import ipaddress
from typing import Any

from lab_tools.experiment import Experiment
from lab_tools.path import Path
from lab_tools.testbeds.dtn.inventory import SYSCTLS, HostEntry, Inventory
from lab_tools.testbeds.dtn.pair import Pair
from lab_tools.testbeds.dtn.problems import PairError
from lab_tools.units import show_rate

#: IPv4 and ICMP headers, RFC 791 and RFC 792.
_IP_ICMP_HEADER_BYTES = 28
_PACKAGES = {"ip": "iproute2", "tc": "iproute2", "ethtool": "ethtool", "ping": "iputils-ping"}
_PINGS, _BETWEEN_PINGS_S = 5, 0.05


def facts(pair: Pair) -> dict[str, dict[str, Any]]:
    """Return what the agents find on their hosts, if all of it is as the inventory says.

    Raises
    ------
    PairError : names the host, what is wrong and the remedy.
    """
    found = {}
    for name, entry in pair.inventory.hosts.items():
        found[name] = pair.ask(name, "facts", sysctls=list(SYSCTLS))
        check(name, entry, pair.inventory, found[name])
    return found


def check(name: str, entry: HostEntry, inventory: Inventory, found: dict[str, Any]) -> None:
    """Compare what is on a host with what the inventory says.

    Raises
    ------
    PairError : the first thing that is wrong.
    """
    for tool, there in found["tools"].items():
        if not there:
            package = _PACKAGES[tool]
            raise PairError(f"{name} has no {tool}", f"as root, run: apt-get install {package}")
    device = entry.interface
    if device not in found["interfaces"]:
        raise PairError(
            f"{name} has no interface {device}; it has {', '.join(found['interfaces'])}",
            f"the operator puts {name}'s interface right in the inventory",
        )
    link = found["link"]
    if not link["up"]:
        raise PairError(
            f"{name}'s interface {device} is down or has no carrier",
            f"check the cable; as root, run: ip link set dev {device} up",
        )
    if entry.address not in link["addresses"]:
        has = ", ".join(link["addresses"]) or "none"
        raise PairError(
            f"{name}'s interface {device} does not have the address {entry.address}; it has {has}",
            f"as root, run: ip address add {entry.address} dev {device}; or put the inventory "
            "right",
        )
    _check_management(name, inventory, found, link)
    speed = link["speed_bps"]
    if speed is not None and speed < inventory.line_rate_bps * (1 - 1e-6):
        raise PairError(
            f"{name}'s interface {device} runs at {show_rate(speed)}, and the inventory says "
            f"{show_rate(inventory.line_rate_bps)}",
            "check the cable, the other end's port and its negotiation, or the inventory",
        )


def _check_management(
    name: str, inventory: Inventory, found: dict[str, Any], link: dict[str, Any]
) -> None:
    """See that SSH does not come in over what is going to be measured and changed."""
    said = found["management_address"]
    try:
        address = ipaddress.ip_address(said.split("%")[0])
    except ValueError as error:
        raise PairError(
            f"{name} does not say over which address SSH came in",
            "the operator lets sshd set SSH_CONNECTION (it does so by default)",
        ) from error
    mine = [each.split("/")[0] for each in link["addresses"]]
    if said in mine or address not in ipaddress.ip_network(inventory.management):
        raise PairError(
            f"SSH reaches {name} at {said}, outside the management network {inventory.management}",
            "give `ssh` an address in it: data and management must be separate networks",
        )


def congestion_controls(experiment: Experiment, found: dict[str, dict[str, Any]]) -> None:
    """See that each flow's sender has the congestion control that the flow asks for.

    Raises
    ------
    PairError : names the host and the module.
    """
    for flow in experiment.flows + experiment.cross:
        name = flow.source or "h1"
        known = found[name]["congestion_controls"]
        if flow.transport == "tcp" and flow.cc not in known:
            module = f"tcp_{flow.cc}"
            raise PairError(
                f"{name}'s kernel has no congestion control {flow.cc}; it has {', '.join(known)}",
                f"as root on {name}, run: modprobe {module}; and for the next boot: "
                f"echo {module} > /etc/modules-load.d/{module}.conf",
            )


def routes(pair: Pair) -> None:
    """See that data leaves each host through its data interface.

    Raises
    ------
    PairError : it goes another way.
    """
    hosts = pair.inventory.hosts
    for name, other in (("h1", "h2"), ("h2", "h1")):
        device = pair.ask(name, "route", peer=hosts[other].data_ip)
        if device != hosts[name].interface:
            raise PairError(
                f"{name} reaches {other}'s {hosts[other].data_ip} through {device}, not through "
                f"its data interface {hosts[name].interface}",
                f"as root on {name}, run: ip route replace {hosts[other].data_ip} "
                f"dev {hosts[name].interface}",
            )


def idle_rtt_s(pair: Pair, path: Path) -> list[float]:
    """Return the round-trip times of the idle path, in seconds.

    Raises
    ------
    PairError : there is no answer.
    """
    peer = pair.inventory.h2.data_ip
    answer = pair.ask(
        "h1",
        "ping",
        peer=peer,
        count=_PINGS,
        interval_s=_BETWEEN_PINGS_S,
        wait_s=_patience_s(path),
    )
    if not answer["rtt_s"]:
        raise PairError(
            f"h1 gets no answer from h2's {peer}: {_last_line(answer['said'])}",
            "check the cable and the switch between the data interfaces, and firewalls for ICMP",
        )
    times: list[float] = answer["rtt_s"]
    return times


def full_packets(pair: Pair, path: Path) -> None:
    """See that packets of the whole MTU pass, in both directions, without being cut in pieces.

    Raises
    ------
    PairError : they do not.
    """
    size = path.mtu_bytes - _IP_ICMP_HEADER_BYTES
    for name, other in (("h1", pair.inventory.h2), ("h2", pair.inventory.h1)):
        answer = pair.ask(
            name,
            "ping",
            peer=other.data_ip,
            count=_PINGS,
            interval_s=_BETWEEN_PINGS_S,
            wait_s=_patience_s(path),
            size_bytes=size,
        )
        # half of the pings may be lost at random
        if not answer["rtt_s"]:
            raise PairError(
                f"packets of {path.mtu_bytes} bytes do not pass from {name}: "
                f"{_last_line(answer['said'])}",
                "set the same MTU on the switch's ports and both data interfaces, or ask for a "
                "smaller mtu_bytes",
            )


def _patience_s(path: Path) -> float:
    return max(1.0, 3 * path.rtt_s)


def _last_line(text: str) -> str:
    """Return what matters of ping's output: its complaint, or its count."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    complaints = [line for line in lines if "error" in line.lower() or "unreachable" in line]
    counts = [line for line in lines if "transmitted" in line]
    return (complaints or counts or lines or ["it said nothing"])[0]
