"""The inventory: a TOML file in which the operator says what a pair is and what may be changed."""

import ipaddress
import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab_tools.arrays import number, whole
from lab_tools.errors import InputError, UnknownNameError
from lab_tools.path import MAX_RATE_BPS
from lab_tools.plain import from_plain
from lab_tools.testbeds.dtn.problems import PairError

#: Kernel parameters that a run may want to set; the inventory says which of them it may.
SYSCTLS = (
    "net.core.rmem_max",
    "net.core.wmem_max",
    "net.ipv4.tcp_rmem",
    "net.ipv4.tcp_wmem",
    "net.ipv4.tcp_no_metrics_save",
    "net.ipv4.tcp_allowed_congestion_control",
)
#: Other things that a run may want to change on the data interface.
CHANGES = ("qdisc", "offloads", "netem", "shaping", "mtu")
#: Linux interface names: at most 15 bytes without a slash or white space.
_INTERFACE = re.compile(r"[^\s/]{1,15}")


@dataclass(frozen=True)
class HostEntry:
    """One host of the pair.

    Parameters
    ----------
    ssh : name or address under which SSH reaches the host, on the management network.
    interface, address : the data interface, and its address with the prefix (``10.0.0.1/24``).
    user, port, key, known_hosts : as for ``ssh``; without a key, those that ``ssh`` would try.
    allowed_sysctls : kernel parameters that a run may set, of `SYSCTLS`.
    allowed_changes : what a run may change on the data interface, of `CHANGES`.
    cpus : processors that the host programs run on, near the card; without any, all.
    """

    ssh: str
    interface: str
    address: str
    user: str
    port: int = 22
    key: str | None = None
    known_hosts: str = "~/.ssh/known_hosts"
    allowed_sysctls: Sequence[str] = ()
    allowed_changes: Sequence[str] = ()
    cpus: Sequence[int] = ()

    @property
    def data_ip(self) -> str:
        """The data interface's address alone."""
        return self.address.split("/")[0]


@dataclass(frozen=True)
class Inventory:
    """A pair of hosts.

    Parameters
    ----------
    h1, h2 : the hosts; data goes from h1 to h2 unless a flow says otherwise.
    management : network of the SSH connections: never measured, never tuned.
    line_rate_bps : rate of the data interfaces and of everything between them.
    mtu_bytes : largest IP packet that the whole path carries.
    rtt_tolerance : relative error of the round-trip time that is allowed.
    silence_s : time without a word from the student's machine after which the hosts are put back.
    """

    h1: HostEntry
    h2: HostEntry
    management: str
    line_rate_bps: float
    mtu_bytes: int = 1500
    rtt_tolerance: float = 0.05
    silence_s: float = 15.0

    @property
    def hosts(self) -> dict[str, HostEntry]:
        """The hosts by name."""
        return {"h1": self.h1, "h2": self.h2}

    def may(self, change: str) -> bool:
        """Whether a change is allowed on both hosts."""
        return all(change in entry.allowed_changes for entry in self.hosts.values())


def default_file() -> Path:
    """Return where the inventory is: ``LAB_INVENTORY``, or the user's configuration folder."""
    if chosen := os.environ.get("LAB_INVENTORY"):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(base).expanduser() / "data-over-distance" / "dtn.toml"


def load(file: Path | None = None) -> Inventory:
    """Read an inventory.

    Raises
    ------
    PairError : there is no such file.
    InputError : names the file, the field, the value and what is allowed.
    """
    file = file or default_file()
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise PairError(
            f"there is no inventory of a pair of hosts at {file}",
            "get one from whoever runs the hosts and name it in LAB_INVENTORY; "
            "docs/dtn.md says how a pair is set up",
        ) from error
    except OSError as error:
        raise InputError("inventory", str(file), f"a readable file ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError("inventory", str(file), f"a TOML file ({error})") from error
    try:
        inventory: Inventory = from_plain(Inventory, data, str(file))
    except InputError as error:
        if str(file) in error.field:
            raise
        # a quantity that cannot be parsed knows only its own name
        raise InputError(f"{file}: {error.field}", error.value, error.allowed) from error
    _check(inventory, str(file))
    return inventory


def _check(pair: Inventory, file: str) -> None:
    number(f"{file}: line_rate_bps", pair.line_rate_bps, low=1e6, high=MAX_RATE_BPS)
    whole(f"{file}: mtu_bytes", pair.mtu_bytes, low=1280, high=65535)
    number(f"{file}: rtt_tolerance", pair.rtt_tolerance, above=0, below=1)
    number(f"{file}: silence_s", pair.silence_s, low=1, high=600)
    management = _network(f"{file}: management", pair.management)
    for name, entry in pair.hosts.items():
        _check_host(f"{file}: {name}", entry, management)
    _check_together(pair, file)


def _network(field: str, value: Any) -> ipaddress.IPv4Network:
    try:
        return ipaddress.IPv4Network(value)
    except ValueError as error:
        raise InputError(field, value, f"an IPv4 network such as '192.0.2.0/24' ({error})") from (
            error
        )


def _check_host(where: str, entry: HostEntry, management: ipaddress.IPv4Network) -> None:
    for field in ("ssh", "user", "known_hosts", "interface"):
        value = getattr(entry, field)
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"{where}.{field}", value, "text")
    if entry.ssh.startswith("-") or not _INTERFACE.fullmatch(entry.interface):
        field = "ssh" if entry.ssh.startswith("-") else "interface"
        raise InputError(f"{where}.{field}", getattr(entry, field), "a name")
    whole(f"{where}.port", entry.port, low=1, high=65535)
    data = _interface(f"{where}.address", entry.address)
    if data.ip in management:
        raise InputError(
            f"{where}.address", entry.address, f"outside the management network {management}"
        )
    reached = _address_or_none(entry.ssh)
    if reached is not None and reached not in management:
        raise InputError(
            f"{where}.ssh", entry.ssh, f"a name, or an address in the management {management}"
        )
    _check_key(where, entry)
    for field, known in (("allowed_sysctls", SYSCTLS), ("allowed_changes", CHANGES)):
        for each in _items(f"{where}.{field}", getattr(entry, field)):
            if each not in known:
                raise UnknownNameError(f"{where}.{field}", each, known)
    for each in _items(f"{where}.cpus", entry.cpus):
        whole(f"{where}.cpus", each, low=0, high=4095)


def _check_key(where: str, entry: HostEntry) -> None:
    if entry.key is None:
        return
    if not isinstance(entry.key, str) or not Path(entry.key).expanduser().is_file():
        allowed = "the file of a private key on this machine"
        raise InputError(f"{where}.key", entry.key, allowed, "Leave it out to use ssh's own keys.")


def _check_together(pair: Inventory, file: str) -> None:
    one, two = (_interface("address", entry.address) for entry in pair.hosts.values())
    if one.ip == two.ip:
        raise InputError(f"{file}: h2.address", pair.h2.address, "another address than h1's")
    if (pair.h1.ssh, pair.h1.port) == (pair.h2.ssh, pair.h2.port):
        raise InputError(f"{file}: h2.ssh", pair.h2.ssh, "another host than h1")


def _interface(field: str, value: Any) -> ipaddress.IPv4Interface:
    try:
        if "/" not in value:
            raise ValueError("the prefix is missing")
        return ipaddress.IPv4Interface(value)
    except (ValueError, TypeError) as error:
        allowed = f"an IPv4 address with its prefix, such as '10.0.0.1/24' ({error})"
        raise InputError(field, value, allowed) from error


def _address_or_none(text: str) -> ipaddress.IPv4Address | None:
    try:
        return ipaddress.IPv4Address(text)
    except ValueError:
        return None


def _items(field: str, value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise InputError(field, value, "a list")
    return list(value)
