"""What to run: a path, its hosts and their flows, as frozen values with an identity.

An `Experiment` says everything a run depends on. Its canonical JSON, in which a field at its
default is left out, is its identity: the same experiment has the same ``id`` everywhere, and a
field added later renames no experiment that does not use it.
"""

import dataclasses
import hashlib
import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any, Self

from lab_tools.arrays import number, whole
from lab_tools.errors import InputError, UnknownNameError
from lab_tools.flow import CONGESTION_CONTROLS, TRANSPORTS, Flow
from lab_tools.network import Cut, Link, Network, Site
from lab_tools.path import (
    ETHERNET_HEADER_BYTES,
    HOST_QDISCS,
    IP_TCP_HEADER_BYTES,
    MAX_RATE_BPS,
    QUEUE_DISCIPLINES,
    Host,
    Path,
)
from lab_tools.plain import from_plain, to_plain

__all__ = [
    "CONGESTION_CONTROLS",
    "ETHERNET_HEADER_BYTES",
    "HOST_QDISCS",
    "IP_TCP_HEADER_BYTES",
    "MAX_RATE_BPS",
    "QUEUE_DISCIPLINES",
    "TRANSPORTS",
    "Cut",
    "Experiment",
    "Flow",
    "Host",
    "Link",
    "Network",
    "Path",
    "Site",
]


@dataclass(frozen=True)
class Experiment:
    """Everything that a run depends on.

    Parameters
    ----------
    path, host, flows : the network, its hosts, what they send.
    cross : traffic that shares the network and is in no total.
    network : sites and links in the place of the dumbbell; each link is as ``path`` where it does
        not say otherwise.
    cuts : what fails during the run.
    duration_s : how long the flows send, in seconds.
    omit_s : head left out of the summary (slow start), in seconds.
    sample_interval_s : time between samples, in seconds.
    seed : seed of every random number in the run.

    Raises
    ------
    InputError : names the field, the value and what is allowed.

    >>> e = Experiment(Path(rate_bps=10e9, rtt_s=0.1), duration_s=20)
    >>> e == Experiment.from_dict(e.to_dict())
    True
    """

    path: Path
    host: Host = field(default_factory=Host)
    flows: tuple[Flow, ...] = (Flow(),)
    duration_s: float = 10.0
    omit_s: float = 0.0
    sample_interval_s: float = 0.1
    seed: int = 1
    cross: tuple[Flow, ...] = ()
    network: Network | None = None
    cuts: tuple[Cut, ...] = ()

    def __post_init__(self) -> None:
        number("duration_s", self.duration_s, above=0, high=86400)
        number("omit_s", self.omit_s, low=0, below=self.duration_s)
        number("sample_interval_s", self.sample_interval_s, low=1e-3, high=self.duration_s)
        whole("seed", self.seed, low=0, high=2**63 - 1)
        if not self.flows:
            raise InputError("flows", self.flows, "at least one flow")
        for flow in self.flows + self.cross:
            self._check_flow(flow)
        for cut in self.cuts:
            self._check_cut(cut)

    def _check_flow(self, flow: Flow) -> None:
        largest = self.path.mtu_bytes - IP_TCP_HEADER_BYTES
        if flow.mss_bytes is not None and flow.mss_bytes > largest:
            allowed = f"at most MTU - {IP_TCP_HEADER_BYTES} = {largest}"
            raise InputError("mss_bytes", flow.mss_bytes, allowed)
        number("start_s", flow.start_s, below=self.duration_s)
        for end in ("source", "target"):
            name = getattr(flow, end)
            if name is None and self.network is not None:
                raise InputError(end, None, f"given: one of {', '.join(self.hosts)}")
            if name is not None and name not in self.hosts:
                raise UnknownNameError(end, name, self.hosts)
        if flow.rtt_offset_s and (self.network is not None or flow.source is not None):
            raise InputError("rtt_offset_s", flow.rtt_offset_s, "0 for a flow with a given source")
        if flow.source is not None and flow.source == flow.target:
            raise InputError("target", flow.target, "another host than the source")

    def _check_cut(self, cut: Cut) -> None:
        number("at_s", cut.at_s, below=self.duration_s)
        names = ["path", *self.hosts]
        if self.network is not None:
            links = [link.name for link in self.network.links]
            names = [*links, *(site.name for site in self.network.sites), *self.hosts]
        if cut.what not in names:
            raise UnknownNameError("what", cut.what, names)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names of the hosts that a flow may start from or end at."""
        return ("h1", "h2") if self.network is None else self.network.hosts

    @property
    def streams(self) -> int:
        """Number of TCP connections of all flows together."""
        return sum(flow.streams for flow in self.flows)

    @property
    def id(self) -> str:
        """Identity: the SHA-256 of the canonical JSON, in hexadecimal."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Return the experiment as plain data, without the fields that are at their default."""
        data: dict[str, Any] = to_plain(self)
        return data

    def to_json(self) -> str:
        """Return the canonical JSON: sorted keys, no spaces, defaults left out."""
        return json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))

    def replace(self, **changes: Any) -> Self:
        """Return a copy with other fields; fields of `Path`, `Host` and a single `Flow` too.

        >>> e = Experiment(Path(rate_bps=1e9, rtt_s=0.1))
        >>> e.replace(rtt_s=0.2, cc="reno", seed=7).flows[0].cc
        'reno'
        """
        parts: dict[str, Any] = {"path": self.path, "host": self.host, "flow": self.flows[0]}
        homes = {name: _field_names(part) for name, part in parts.items()}
        own = _field_names(self)
        top: dict[str, Any] = {}
        inner: dict[str, dict[str, Any]] = {name: {} for name in homes}
        for key, value in changes.items():
            place = next((name for name, names in homes.items() if key in names), None)
            if key in own:
                top[key] = value
            elif place is None:
                raise UnknownNameError("field", key, sorted(own.union(*homes.values())))
            else:
                inner[place][key] = value
        if inner["flow"] and len(self.flows) > 1:
            raise InputError("flows", len(self.flows), "one flow, to change it by its field's name")
        for name in ("path", "host"):
            if inner[name]:
                top[name] = dataclasses.replace(parts[name], **inner[name])
        if inner["flow"]:
            top["flows"] = (dataclasses.replace(parts["flow"], **inner["flow"]),)
        return dataclasses.replace(self, **top)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Build an experiment from plain data (JSON or TOML); quantities may be text with units.

        Raises
        ------
        InputError : a key that is not known, a key that is missing, a value that is not allowed.
        """
        result: Self = from_plain(cls, data, "experiment")
        return result

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Build an experiment from its JSON text."""
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise InputError("experiment", text[:60], f"valid JSON ({error})") from error
        return cls.from_dict(data)

    @classmethod
    def from_toml(cls, file: str | FilePath) -> Self:
        """Read an experiment from a TOML file with the tables ``path``, ``host`` and ``flows``.

        Raises
        ------
        InputError : no such file, not TOML, or not an experiment.
        """
        try:
            data = tomllib.loads(FilePath(file).read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError("experiment", str(file), f"a readable file ({error})") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError("experiment", str(file), f"a TOML file ({error})") from error
        return cls.from_dict(data)


def _field_names(value: Any) -> set[str]:
    return {item.name for item in dataclasses.fields(value)}
