"""The network between two hosts, and how the hosts are tuned, as frozen values."""

from dataclasses import dataclass

from lab_tools.arrays import number, whole
from lab_tools.errors import InputError, UnknownNameError

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
