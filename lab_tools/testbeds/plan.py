"""Turn an experiment into the plan of a network: plain data that a worker can build.

The dumbbell ``h1 - r1 - r2 - h2``: r1 carries the bottleneck (a token bucket whose limit is the
router's buffer), r2 carries the delay in each direction, and the random loss, jitter, reordering
and duplication of the data's direction. Delay has a hop of its own because netem with a rate counts
the packets in flight against its limit, and no netem sits on a host, where it would defeat TCP
small queues.
"""

from typing import Any

from lab_tools.experiment import Experiment, Host, Path

#: Links of the dumbbell: left end, right end, network.
_LINKS = (("h1", "r1", "10.0.1"), ("r1", "r2", "10.0.2"), ("r2", "h2", "10.0.3"))
BOTTLENECK = {"node": "r1", "dev": "r1-eth1"}
RECEIVER_ADDRESS = "10.0.3.2"
FIRST_PORT = 5201
_NO_LIMIT_PACKETS = 100_000_000
#: A super-packet above the token bucket's burst would be cut into frames again.
_SUPER_PACKET_BYTES = 66_000
_NO_LIMIT_PAGES = str(2**40)
_LEAST_SOCKET_BUFFER_BYTES = 16 << 20
_MOST_SOCKET_BUFFER_BYTES = 2**31 - 1


def plan(experiment: Experiment) -> dict[str, Any]:
    """Return the network plan of an experiment, as plain data."""
    path = experiment.path
    shaping = {
        "r1-eth1": _bottleneck(path, offloads=experiment.host.offloads),
        "r2-eth0": _delay(path, backward=True),
        "r2-eth1": _delay(path),
    }
    if experiment.host.qdisc != "noqueue":
        for name in ("h1-eth0", "h2-eth0"):
            limits = " flow_limit 1000000 limit 1000000" if experiment.host.qdisc == "fq" else ""
            shaping[name] = [f"root handle 1: {experiment.host.qdisc}{limits}"]
    nodes: dict[str, Any] = {
        name: {"sysctl": _node_sysctl(experiment), "routes": [], "neighbours": []}
        for name in ("h1", "r1", "r2", "h2")
    }
    links = [_link(number, experiment, nodes, shaping) for number in range(len(_LINKS))]
    nodes["h1"]["routes"] = ["default via 10.0.1.1"]
    nodes["h2"]["routes"] = ["default via 10.0.3.1"]
    nodes["r1"]["routes"] = ["10.0.3.0/24 via 10.0.2.2"]
    nodes["r2"]["routes"] = ["10.0.1.0/24 via 10.0.2.1"]
    return {"nodes": nodes, "links": links, "sysctl": _global_sysctl()}


def flows(experiment: Experiment) -> list[dict[str, Any]]:
    """Return what the traffic programs need to know of each flow."""
    return [
        {
            "flow": number,
            "from": "h1",
            "to": "h2",
            "peer": RECEIVER_ADDRESS,
            "port": FIRST_PORT + number,
            "cc": flow.cc,
            "streams": flow.streams,
            "mss_bytes": flow.mss_bytes,
            "pacing_bps": flow.pacing_bps,
            "start_s": flow.start_s,
            "app_limit_bps": flow.app_limit_bps,
        }
        for number, flow in enumerate(experiment.flows)
    ]


def guest_memory_bytes(experiment: Experiment) -> int:
    """Return the memory that a kernel needs to run the experiment.

    A packet in flight costs its bytes once (routers share them) and about 1200 bytes of headers
    and bookkeeping in each of the places that hold it.
    """
    path = experiment.path
    in_flight = path.bdp_bytes + path.router_buffer_bytes
    packets = in_flight / min(path.mtu_bytes, _smallest_segment(experiment))
    per_stream = 2 << 20
    needed = (384 << 20) + 3 * in_flight + 2400 * packets + per_stream * experiment.streams
    step = 128 << 20
    return -(-round(needed) // step) * step


def socket_buffer_bytes(path: Path, host: Host) -> tuple[int, int]:
    """Return the most that a socket may buffer to receive and to send, in bytes.

    Without a wish it is enough never to limit a single flow that fills path and router. Linux
    advertises about half of the receive buffer, and charges a packet's bookkeeping to it too.
    """
    enough = round(4 * (path.bdp_bytes + path.router_buffer_bytes))
    enough = min(max(enough, _LEAST_SOCKET_BUFFER_BYTES), _MOST_SOCKET_BUFFER_BYTES)
    return (host.rcvbuf_bytes or enough, host.sndbuf_bytes or enough)


def _smallest_segment(experiment: Experiment) -> int:
    return min(flow.mss_bytes or experiment.path.mtu_bytes for flow in experiment.flows)


def _link(
    number: int, experiment: Experiment, nodes: dict[str, Any], shaping: dict[str, list[str]]
) -> dict[str, Any]:
    """Describe one link and enter each end into the other's neighbour table."""
    ends: list[dict[str, Any]] = []
    left, right, network = _LINKS[number]
    for side, node in enumerate((left, right)):
        last = (1 if node.startswith("r") else 2) if number != 1 else side + 1
        device = f"{node}-eth{1 if number and side == 0 else 0}"
        params = {
            "address": f"{network}.{last}/24",
            "mtu": experiment.path.mtu_bytes,
            "offloads": experiment.host.offloads,
            "tc": shaping.get(device, []),
        }
        mac = f"02:00:00:00:{number + 1:02x}:{last:02x}"
        ends.append({"node": node, "device": device, "mac": mac, "params": params})
    for end, other in ((ends[0], ends[1]), (ends[1], ends[0])):
        address = other["params"]["address"].split("/")[0]
        entry = f"{address} lladdr {other['mac']} dev {end['device']}"
        nodes[end["node"]]["neighbours"].append(entry)
    return {"ends": ends}


def _bottleneck(path: Path, *, offloads: bool) -> list[str]:
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


def _delay(path: Path, *, backward: bool = False) -> list[str]:
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


def _node_sysctl(experiment: Experiment) -> dict[str, str]:
    receive, send = socket_buffer_bytes(experiment.path, experiment.host)
    return {
        "net.ipv4.ip_forward": "1",
        "net.ipv4.tcp_rmem": f"4096 {min(131072, receive)} {receive}",
        "net.ipv4.tcp_wmem": f"4096 {min(16384, send)} {send}",
        "net.ipv4.tcp_no_metrics_save": "1",
        "net.ipv6.conf.all.disable_ipv6": "1",
    }


def _global_sysctl() -> dict[str, str]:
    # Both ends' sockets count against one tcp_mem: at its limit the receiver throws away data that
    # it has acknowledged selectively (reneging), which no pair of real hosts would do.
    return {
        "net.core.rmem_max": str(_MOST_SOCKET_BUFFER_BYTES),
        "net.core.wmem_max": str(_MOST_SOCKET_BUFFER_BYTES),
        "net.core.netdev_max_backlog": "10000000",
        "net.ipv4.tcp_mem": " ".join([_NO_LIMIT_PAGES] * 3),
    }
