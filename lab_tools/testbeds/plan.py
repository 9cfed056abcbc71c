"""Turn an experiment into the plan of a network: plain data that a worker can build."""

import itertools
from typing import Any

from lab_tools.experiment import Experiment, Host, Path
from lab_tools.host.traffic import STAGGER_S
from lab_tools.testbeds.cutting import events
from lab_tools.testbeds.layout import Layout, lay_out, source_of, target_of

#: Of the dumbbell without a network of sites.
BOTTLENECK = {"node": "r1", "dev": "r1-eth1"}
RECEIVER_ADDRESS = "10.0.3.2"
FIRST_PORT = 5201
_NO_LIMIT_PAGES = str(2**40)
_LEAST_SOCKET_BUFFER_BYTES = 16 << 20
_MOST_SOCKET_BUFFER_BYTES = 2**31 - 1
_IP_UDP_HEADER_BYTES = 28
#: Between the samplings of two flows, and what a system call takes of it.
_FLOW_S, _CALL_S = 20e-6, 1e-6
#: Between the first samples of several flows and the first stream's start.
_SETTLE_S = 1e-3


def plan(experiment: Experiment) -> dict[str, Any]:
    """Return the network plan of an experiment, as plain data."""
    layout = lay_out(experiment)
    routes = layout.routes()
    nodes: dict[str, Any] = {
        name: {
            "sysctl": _node_sysctl(experiment, layout),
            "routes": routes[name],
            "neighbours": _neighbours(layout, name),
        }
        for name in _in_order(layout)
    }
    links = [
        {
            "ends": [
                {
                    "node": end.node,
                    "device": end.device,
                    "mac": end.mac,
                    "params": {
                        "address": f"{end.address}/24",
                        "mtu": experiment.path.mtu_bytes,
                        "offloads": experiment.host.offloads,
                        "tc": end.tc,
                    },
                }
                for end in link
            ]
        }
        for link in layout.links
    ]
    return {"nodes": nodes, "links": links, "sysctl": _global_sysctl()}


def flows(experiment: Experiment) -> list[dict[str, Any]]:
    """Return what the traffic programs need to know of each flow, cross traffic last."""
    addresses = lay_out(experiment).hosts
    found = []
    turns = _turns(experiment)
    for number, flow in enumerate(experiment.flows + experiment.cross):
        target = target_of(experiment, number)
        task: dict[str, Any] = {
            "flow": number,
            "from": source_of(experiment, number),
            "to": target,
            "peer": addresses[target],
            "port": FIRST_PORT + number,
            "cc": flow.cc,
            "streams": flow.streams,
            "mss_bytes": flow.mss_bytes,
            "pacing_bps": flow.pacing_bps,
            "start_s": flow.start_s + turns[number][0],
            "app_limit_bps": flow.app_limit_bps,
        }
        if turns[number][1]:
            task["sample_shift_s"] = turns[number][1]
        if flow.stop_s is not None:
            task["stop_s"] = flow.stop_s
        if flow.on_s is not None:
            task |= {"on_s": flow.on_s, "off_s": flow.off_s, "seed": experiment.seed}
        if flow.transport == "udp":
            payload = experiment.path.mtu_bytes - _IP_UDP_HEADER_BYTES
            task |= {"transport": "udp", "packet_bytes": flow.mss_bytes or payload}
        found.append(task)
    return found


def _turns(experiment: Experiment) -> list[tuple[float, float]]:
    """Return how much later each flow starts, and how much later it is sampled, in s.

    Programs that wake at the same moment run in an order that depends on what each did before, down
    to how long the boot took. So each flow has moments of its own: after the first samples of all
    flows the streams start one by one, and the flows are sampled one after the other. An experiment
    with one flow has nothing to separate.
    """
    flows = experiment.flows + experiment.cross
    before = [0, *itertools.accumulate(each.streams for each in flows)]
    samples = [number * _FLOW_S + 2 * first * _CALL_S for number, first in enumerate(before)]
    lead_s = samples[-1] + _SETTLE_S if len(flows) > 1 else 0.0
    return [(lead_s + first * STAGGER_S, samples[n]) for n, first in enumerate(before[:-1])]


def measurement(experiment: Experiment) -> dict[str, Any]:
    """Return the whole request for a worker's ``measure``."""
    return {
        "flows": flows(experiment),
        "queue": watched(experiment),
        "duration_s": experiment.duration_s,
        "interval_s": experiment.sample_interval_s,
        "events": events(experiment, lay_out(experiment)),
    }


def watched(experiment: Experiment) -> dict[str, str]:
    """Return the queue that is sampled: the narrowest one on the first flow's way."""
    if experiment.network is None:
        return BOTTLENECK
    layout = lay_out(experiment)
    way = layout.way(source_of(experiment, 0), target_of(experiment, 0))
    on_way = [
        (layout.shaped[end.node, end.device].rate_bps, end)
        for link in layout.links
        for end, other in (link, link[::-1])
        if (end.node, end.device) in layout.shaped
        and (end.node, other.node) in itertools.pairwise(way)
    ]
    _, narrowest = min(on_way, key=lambda pair: pair[0])
    return {"node": narrowest.node, "dev": narrowest.device}


def pings(experiment: Experiment) -> list[dict[str, Any]]:
    """Return the idle paths to measure: ``source``, ``target``, ``address`` and ``rtt_s`` of each.

    One for each pair of hosts that a flow joins, a site's own links not counted.
    """
    layout = lay_out(experiment)
    graph = layout.graph()
    found = {}
    for number in range(len(experiment.flows)):
        source, target = source_of(experiment, number), target_of(experiment, number)
        way = layout.way(source, target)
        rtt_s = sum(layout.rtt_s[graph.edges[pair]["number"]] for pair in itertools.pairwise(way))
        found[source, target] = {
            "source": source,
            "target": target,
            "address": layout.hosts[target],
            "rtt_s": rtt_s,
        }
    return list(found.values())


def guest_memory_bytes(experiment: Experiment) -> int:
    """Return the memory that a kernel needs to run the experiment.

    A packet in flight costs its bytes once (routers share them) and about 1200 bytes of headers
    and bookkeeping in each of the places that hold it.
    """
    layout = lay_out(experiment)
    in_flight = sum(
        path.bdp_bytes + path.router_buffer_bytes
        for path in {id(path): path for path in layout.shaped.values()}.values()
    )
    packets = in_flight / min(experiment.path.mtu_bytes, _smallest_segment(experiment))
    per_stream, per_node = 2 << 20, 4 << 20
    streams = sum(flow.streams for flow in experiment.flows + experiment.cross)
    needed = (384 << 20) + 3 * in_flight + 2400 * packets + per_stream * streams
    needed += per_node * max(0, len(layout.nodes) - 4)
    step = 128 << 20
    return -(-round(needed) // step) * step


def socket_buffer_bytes(path: Path, host: Host) -> tuple[int, int]:
    """Return the most that a socket may buffer to receive and to send, in bytes.

    Without a wish it is enough never to limit a single flow that fills path and router. Linux
    advertises about half of the receive buffer, and charges a packet's bookkeeping to it too.
    """
    return _socket_buffers(path.bdp_bytes + path.router_buffer_bytes, host)


def _socket_buffers(in_flight_bytes: float, host: Host) -> tuple[int, int]:
    enough = round(4 * in_flight_bytes)
    enough = min(max(enough, _LEAST_SOCKET_BUFFER_BYTES), _MOST_SOCKET_BUFFER_BYTES)
    return (host.rcvbuf_bytes or enough, host.sndbuf_bytes or enough)


def _smallest_segment(experiment: Experiment) -> int:
    return min(flow.mss_bytes or experiment.path.mtu_bytes for flow in experiment.flows)


def _in_order(layout: Layout) -> list[str]:
    """Return the nodes, the dumbbell's own four first."""
    return sorted(layout.nodes, key=lambda name: name not in ("h1", "r1", "r2", "h2"))


def _neighbours(layout: Layout, node: str) -> list[str]:
    """Return the entries of a node's neighbour table: no time is lost on ARP."""
    return [
        f"{other.address} lladdr {other.mac} dev {end.device}"
        for link in layout.links
        for end, other in (link, link[::-1])
        if end.node == node
    ]


def _most_in_flight_bytes(experiment: Experiment, layout: Layout) -> float:
    """Return what a flow over the longest way may have in flight and in routers."""
    path = experiment.path
    if experiment.network is None:
        offset_s = max(flow.rtt_offset_s for flow in experiment.flows + experiment.cross)
        return path.bdp_bytes + path.router_buffer_bytes + path.rate_bps * offset_s / 8
    paths = [layout.shaped[end] for end in layout.shaped][::2]
    rate_bps = max(each.rate_bps for each in paths)
    rtt_s = sum(each.rtt_s for each in paths)
    return rate_bps * rtt_s / 8 + sum(each.router_buffer_bytes for each in paths)


def _node_sysctl(experiment: Experiment, layout: Layout) -> dict[str, str]:
    in_flight = _most_in_flight_bytes(experiment, layout)
    receive, send = _socket_buffers(in_flight, experiment.host)
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
