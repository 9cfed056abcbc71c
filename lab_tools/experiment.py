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
from lab_tools.plain import from_plain, to_plain

CONGESTION_CONTROLS = (
    "cubic", "reno", "htcp", "scalable", "highspeed", "bbr", "vegas", "westwood", "bic",
    "hybla", "illinois", "dctcp", "yeah", "cdg", "nv", "veno", "lp",
)  # fmt: skip
QUEUE_DISCIPLINES = ("droptail", "red", "sfq", "codel", "fq_codel", "pie", "fq")
HOST_QDISCS = ("noqueue", "fq", "pfifo", "fq_codel")

#: The virtual clock steps by 256 ns: above this rate a 9000-byte frame takes under 12 steps.
MAX_RATE_BPS = 25e9
#: IPv4 and TCP headers without options, RFC 791 and RFC 9293.
IP_TCP_HEADER_BYTES = 40
ETHERNET_HEADER_BYTES = 14


@dataclass(frozen=True)
class Path:
    """The network between the two hosts.

    Parameters
    ----------
    rate_bps : bottleneck rate, in bit/s.
    rtt_s : round-trip propagation time, in seconds.
    loss : probability that a data packet is lost at random.
    jitter_s : standard deviation of the one-way delay, in seconds.
    reorder, duplicate : probability that a data packet is sent early, or twice.
    buffer_bdp, buffer_bytes : the router's buffer, in bandwidth-delay products or in bytes
        (the latter wins where both are given).
    qdisc : queue discipline of the bottleneck.
    mtu_bytes : largest IP packet on every link.
    """

    rate_bps: float
    rtt_s: float
    loss: float = 0.0
    jitter_s: float = 0.0
    reorder: float = 0.0
    duplicate: float = 0.0
    buffer_bdp: float = 1.0
    buffer_bytes: int | None = None
    qdisc: str = "droptail"
    mtu_bytes: int = 9000

    def __post_init__(self) -> None:
        number("rate_bps", self.rate_bps, low=1e3, high=MAX_RATE_BPS)
        number("rtt_s", self.rtt_s, low=1e-5, high=10)
        number("loss", self.loss, low=0, below=1)
        number("jitter_s", self.jitter_s, low=0, high=self.rtt_s / 2)
        number("reorder", self.reorder, low=0, below=1)
        number("duplicate", self.duplicate, low=0, below=1)
        number("buffer_bdp", self.buffer_bdp, above=0, high=1000)
        whole("mtu_bytes", self.mtu_bytes, low=576, high=65535)
        if self.qdisc not in QUEUE_DISCIPLINES:
            raise UnknownNameError("qdisc", self.qdisc, QUEUE_DISCIPLINES)
        if self.buffer_bytes is not None:
            whole("buffer_bytes", self.buffer_bytes, low=0)
            if self.buffer_bytes < self.frame_bytes:
                raise InputError(
                    "buffer_bytes",
                    self.buffer_bytes,
                    f"at least one packet, {self.frame_bytes} bytes at this MTU",
                )

    @property
    def frame_bytes(self) -> int:
        """Bytes of one full Ethernet frame as the router's queue counts it."""
        return self.mtu_bytes + ETHERNET_HEADER_BYTES

    @property
    def bdp_bytes(self) -> float:
        """Bandwidth-delay product, in bytes."""
        return self.rate_bps * self.rtt_s / 8

    @property
    def router_buffer_bytes(self) -> int:
        """The router's buffer in bytes; never under two packets when it is given in BDPs."""
        if self.buffer_bytes is not None:
            return self.buffer_bytes
        return max(round(self.buffer_bdp * self.bdp_bytes), 2 * self.frame_bytes)


@dataclass(frozen=True)
class Host:
    """How both hosts are tuned.

    Parameters
    ----------
    sndbuf_bytes, rcvbuf_bytes : most that a socket may buffer (``tcp_wmem`` and ``tcp_rmem``
        maxima); without a value, enough never to limit the flow.
    offloads : let super-packets (TSO, GSO, GRO) cross the path: faster and coarser. An exact run
        has none.
    qdisc : queue discipline of the hosts' own interfaces.
    """

    sndbuf_bytes: int | None = None
    rcvbuf_bytes: int | None = None
    offloads: bool = False
    qdisc: str = "noqueue"

    def __post_init__(self) -> None:
        for name in ("sndbuf_bytes", "rcvbuf_bytes"):
            value = getattr(self, name)
            if value is not None:
                whole(name, value, low=4096, high=2**31 - 1)
        if not isinstance(self.offloads, bool):
            raise InputError("offloads", self.offloads, "true or false")
        if self.qdisc not in HOST_QDISCS:
            raise UnknownNameError("qdisc", self.qdisc, HOST_QDISCS)


@dataclass(frozen=True)
class Flow:
    """One transfer from ``h1`` to ``h2`` over one or more TCP connections.

    Parameters
    ----------
    cc : congestion control.
    streams : number of parallel connections.
    mss_bytes : largest segment, in bytes; without a value, what the MTU allows.
    pacing_bps : most that each stream sends, in bit/s (``SO_MAX_PACING_RATE``).
    start_s : when the flow begins, in seconds after the run does.
    app_limit_bps : rate at which the application offers data to each stream, in bit/s.
    """

    cc: str = "cubic"
    streams: int = 1
    mss_bytes: int | None = None
    pacing_bps: float | None = None
    start_s: float = 0.0
    app_limit_bps: float | None = None

    def __post_init__(self) -> None:
        if self.cc not in CONGESTION_CONTROLS:
            raise UnknownNameError("cc", self.cc, CONGESTION_CONTROLS)
        whole("streams", self.streams, low=1, high=1000)
        if self.mss_bytes is not None:
            whole("mss_bytes", self.mss_bytes, low=88)
        for name in ("pacing_bps", "app_limit_bps"):
            value = getattr(self, name)
            if value is not None:
                number(name, value, low=1e3, high=MAX_RATE_BPS)
        number("start_s", self.start_s, low=0)


@dataclass(frozen=True)
class Experiment:
    """Everything that a run depends on.

    Parameters
    ----------
    path, host, flows : the network, its hosts, what they send.
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

    def __post_init__(self) -> None:
        number("duration_s", self.duration_s, above=0, high=86400)
        number("omit_s", self.omit_s, low=0, below=self.duration_s)
        number("sample_interval_s", self.sample_interval_s, low=1e-3, high=self.duration_s)
        whole("seed", self.seed, low=0, high=2**63 - 1)
        if not self.flows:
            raise InputError("flows", self.flows, "at least one flow")
        largest = self.path.mtu_bytes - IP_TCP_HEADER_BYTES
        for flow in self.flows:
            if flow.mss_bytes is not None and flow.mss_bytes > largest:
                raise InputError(
                    "mss_bytes", flow.mss_bytes, f"at most MTU - {IP_TCP_HEADER_BYTES} = {largest}"
                )
            number("start_s", flow.start_s, below=self.duration_s)

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
