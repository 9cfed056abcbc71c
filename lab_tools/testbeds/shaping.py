"""What ``tc`` is told about an interface of the emulated network."""

from lab_tools.path import Path

_NO_LIMIT_PACKETS = 100_000_000
#: A super-packet above the token bucket's burst would be cut into frames again.
_SUPER_PACKET_BYTES = 66_000
#: A qdisc of its own handle in the place of what is cut, so that the other one can come back.
_CUT = f"root handle 9: netem limit {_NO_LIMIT_PACKETS} loss 100%"


def bottleneck(path: Path, *, offloads: bool) -> list[str]:
    """Return the token bucket of a path's rate and router buffer, with its queue discipline."""
    size = path.router_buffer_bytes
    burst = 2 * (_SUPER_PACKET_BYTES if offloads else path.frame_bytes)
    rate = f"rate {path.rate_bps:.0f}bit burst {burst}"
    if path.qdisc == "droptail":
        return [f"root handle 1: tbf {rate} limit {size}"]
    return [f"root handle 1: tbf {rate} limit {size}", f"parent 1:1 handle 10: {_aqm(path, size)}"]


def _aqm(path: Path, size: int) -> str:
    """Return a queue discipline other than drop-tail with its parameters, for a buffer in bytes."""
    packets = max(size // path.frame_bytes, 2)
    if path.qdisc == "red":
        frame = path.frame_bytes
        low, high = max(size // 12, frame), max(size // 4, 3 * frame)
        burst = max((2 * low + high) // (3 * frame), low // frame + 1)
        return (
            f"red limit {size} min {low} max {high} avpkt {frame} burst {burst} "
            f"probability 0.1 bandwidth {path.rate_bps:.0f}bit"
        )
    if path.qdisc == "sfq":
        return f"sfq limit {min(packets, 65535)} depth {min(packets, 65535)} divisor 1024"
    return f"{path.qdisc} limit {packets}"


def delay(path: Path, *, backward: bool = False) -> list[str]:
    """Return half of a path's round-trip time; in the data's direction with all that goes wrong."""
    words = [f"delay {path.rtt_s / 2 * 1e6:.3f}us"]
    if not backward:
        if path.jitter_s:
            words[0] += f" {path.jitter_s * 1e6:.3f}us distribution normal"
        for name in ("loss", "duplicate"):
            if value := getattr(path, name):
                words.append(f"{name} {value * 100:.10f}%")
        if path.reorder:
            words.append(f"reorder {path.reorder * 100:.10f}%")
    return [f"root handle 1: netem limit {_NO_LIMIT_PACKETS} {' '.join(words)}"]


def further_away(rtt_offset_s: float) -> list[str]:
    """Return the delay of a sender that is further away, all of it on the way back to it."""
    return [f"root handle 1: netem limit {_NO_LIMIT_PACKETS} delay {rtt_offset_s * 1e6:.3f}us"]


def host(qdisc: str) -> list[str]:
    """Return the queue discipline of a host's own interface."""
    if qdisc == "noqueue":
        return []
    limits = " flow_limit 1000000 limit 1000000" if qdisc == "fq" else ""
    return [f"root handle 1: {qdisc}{limits}"]


def cut(device: str, lines: list[str]) -> list[str]:
    """Return the commands that let nothing through an interface with these queue disciplines.

    What is on a wire already arrives: only netem's loss changes.
    """
    if lines and " netem " in lines[0]:
        return [f"qdisc change dev {device} {lines[0]} loss 100%"]
    return [f"qdisc replace dev {device} {_CUT}"]


def mend(device: str, lines: list[str]) -> list[str]:
    """Return the commands that undo `cut`."""
    if lines and " netem " in lines[0]:
        return [f"qdisc change dev {device} {lines[0]}"]
    again = [f"qdisc add dev {device} {line}" for line in lines]
    return [f"qdisc del dev {device} root", *again]
