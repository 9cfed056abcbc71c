"""What the hosts send to each other, as frozen values."""

from dataclasses import dataclass

from lab_tools.arrays import number, whole
from lab_tools.errors import InputError, UnknownNameError
from lab_tools.path import MAX_RATE_BPS

CONGESTION_CONTROLS = (
    "cubic", "reno", "htcp", "scalable", "highspeed", "bbr", "vegas", "westwood", "bic",
    "hybla", "illinois", "dctcp", "yeah", "cdg", "nv", "veno", "lp",
)  # fmt: skip
TRANSPORTS = ("tcp", "udp")


@dataclass(frozen=True)
class Flow:
    """One transfer over one or more connections.

    Parameters
    ----------
    cc : congestion control.
    streams : number of parallel connections.
    mss_bytes : largest segment, in bytes; without a value, what the MTU allows.
    pacing_bps : most that each stream sends, in bit/s (``SO_MAX_PACING_RATE``).
    start_s, stop_s : when the flow begins and stops offering data, in seconds after the run
        begins; without ``stop_s``, at the run's end.
    app_limit_bps : rate at which the application offers data to each stream, in bit/s.
    transport : ``"tcp"``, or ``"udp"`` for packets at the constant rate ``app_limit_bps``.
    on_s, off_s : mean time for which an on/off application offers data and pauses, in seconds;
        both times are drawn from exponential distributions.
    rtt_offset_s : round-trip time that this flow has beyond the path's, in seconds: it starts from
        a host of its own, that much further away.
    source, target : names of the hosts; without them, ``h1`` and ``h2``.

    Raises
    ------
    InputError : names the field, the value and what is allowed.
    """

    cc: str = "cubic"
    streams: int = 1
    mss_bytes: int | None = None
    pacing_bps: float | None = None
    start_s: float = 0.0
    app_limit_bps: float | None = None
    stop_s: float | None = None
    transport: str = "tcp"
    on_s: float | None = None
    off_s: float | None = None
    rtt_offset_s: float = 0.0
    source: str | None = None
    target: str | None = None

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
        number("rtt_offset_s", self.rtt_offset_s, low=0, high=10)
        if self.stop_s is not None:
            number("stop_s", self.stop_s, above=self.start_s)
        self._check_on_off()
        self._check_transport()

    def _check_on_off(self) -> None:
        if (self.on_s is None) != (self.off_s is None):
            raise InputError("on_s", self.on_s, "given together with off_s")
        if self.on_s is not None and self.off_s is not None:
            number("on_s", self.on_s, low=1e-3)
            number("off_s", self.off_s, low=1e-3)

    def _check_transport(self) -> None:
        if self.transport not in TRANSPORTS:
            raise UnknownNameError("transport", self.transport, TRANSPORTS)
        if self.transport == "udp" and self.app_limit_bps is None:
            raise InputError("app_limit_bps", None, "given for UDP: it is the constant rate")
        if self.transport == "udp" and (self.cc != "cubic" or self.pacing_bps is not None):
            raise InputError("transport", "udp", "without congestion control and pacing")
