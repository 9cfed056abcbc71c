"""Lay an experiment's network out: nodes, interfaces with their addresses, and routes.

The dumbbell is ``h1 - r1 - r2 - h2``: r1 carries the bottleneck (a token bucket whose limit is the
router's buffer), r2 carries the delay in each direction, and the random loss, jitter, reordering
and duplication of the data's direction. Delay has a hop of its own because netem with a rate counts
the packets in flight against its limit, and no netem sits on a host, where it would defeat TCP
small queues. In a network of sites each link is built the same way: its routers carry the rate, and
a node of its own, the wire, the delay.
"""

from dataclasses import dataclass, field

import networkx as nx

from lab_tools.experiment import Experiment
from lab_tools.path import Path
from lab_tools.testbeds import shaping


@dataclass(frozen=True)
class End:
    """One end of a link: an interface."""

    node: str
    device: str
    address: str
    mac: str
    tc: list[str]


@dataclass
class Layout:
    """Nodes and links of a network; `hosts` maps a host to its address.

    ``links`` holds pairs of ends; ``rtt_s`` the round-trip time of each pair. ``shaped`` names the
    interfaces that carry a path's rate, and ``lossy`` those that lose at random, with the path.
    """

    routers: list[str] = field(default_factory=list)
    hosts: dict[str, str] = field(default_factory=dict)
    links: list[tuple[End, End]] = field(default_factory=list)
    rtt_s: list[float] = field(default_factory=list)
    shaped: dict[tuple[str, str], Path] = field(default_factory=dict)
    lossy: dict[tuple[str, str], Path] = field(default_factory=dict)

    @property
    def nodes(self) -> list[str]:
        """Every node, in the order in which the network needs them."""
        found = dict.fromkeys(end.node for link in self.links for end in link)
        return list(found)

    def ends(self, node: str) -> list[End]:
        """Return a node's interfaces."""
        return [end for link in self.links for end in link if end.node == node]

    def join(
        self,
        left: str,
        right: str,
        tc_left: list[str] | None = None,
        tc_right: list[str] | None = None,
        rtt_s: float = 0.0,
    ) -> None:
        """Add a link; a host's address ends in 2 and its router's in 1."""
        number = len(self.links) + 1
        ends = []
        for node, side, tc in ((left, 0, tc_left), (right, 1, tc_right)):
            both_routers = left in self.routers and right in self.routers
            last = side + 1 if both_routers else (1 if node in self.routers else 2)
            address = f"10.{number >> 8}.{number & 255}.{last}"
            mac = f"02:00:00:{number >> 8:02x}:{number & 255:02x}:{last:02x}"
            device = f"{node}-eth{len(self.ends(node))}"
            ends.append(End(node, device, address, mac, tc or []))
            if node not in self.routers:
                self.hosts[node] = address
        self.links.append((ends[0], ends[1]))
        self.rtt_s.append(rtt_s)

    def graph(self, without: frozenset[int] = frozenset()) -> "nx.Graph[str]":
        """Return the network as a graph, without the links of these numbers."""
        graph: nx.Graph[str] = nx.Graph()
        graph.add_nodes_from(self.nodes)
        for number, (left, right) in enumerate(self.links):
            if number not in without:
                # a hop more counts a little, so that of two equal ways the shorter one is taken
                weight = self.rtt_s[number] + 1e-9
                graph.add_edge(left.node, right.node, weight=weight, number=number)
        return graph

    def next_hop(self, node: str, to: str) -> str:
        """Return the address of a neighbour as the node reaches it."""
        for link in self.links:
            for end, other in (link, link[::-1]):
                if end.node == node and other.node == to:
                    return other.address
        raise KeyError((node, to))

    def routes(self, without: frozenset[int] = frozenset()) -> dict[str, list[str]]:
        """Return each node's routes to the networks of hosts that it has no interface in."""
        graph = self.graph(without)
        found: dict[str, list[str]] = {name: [] for name in self.nodes}
        for name in self.hosts:
            found[name] = [f"default via {self.next_hop(name, self.router_of(name))}"]
        for router in self.routers:
            ways = nx.single_source_dijkstra_path(graph, router, weight="weight")
            for host, address in self.hosts.items():
                if host in ways and len(ways[host]) > 2:
                    via = self.next_hop(router, ways[host][1])
                    found[router].append(f"{address.rsplit('.', 1)[0]}.0/24 via {via}")
        return found

    def router_of(self, host: str) -> str:
        """Return the router of a host."""
        for left, right in self.links:
            if host in (left.node, right.node):
                return right.node if left.node == host else left.node
        raise KeyError(host)

    def way(self, source: str, target: str) -> list[str]:
        """Return the nodes that packets from one host to another pass."""
        way: list[str] = nx.dijkstra_path(self.graph(), source, target, weight="weight")
        return way


def lay_out(experiment: Experiment) -> Layout:
    """Return the layout of an experiment's network."""
    return _dumbbell(experiment) if experiment.network is None else _sites(experiment)


def source_of(experiment: Experiment, number: int) -> str:
    """Return the host that a flow starts from; flows are numbered, cross traffic comes after."""
    flow = (experiment.flows + experiment.cross)[number]
    if flow.rtt_offset_s:
        return f"s{number}"
    return flow.source or ("h1" if number < len(experiment.flows) else "c1")


def target_of(experiment: Experiment, number: int) -> str:
    """Return the host that a flow goes to."""
    flow = (experiment.flows + experiment.cross)[number]
    return flow.target or ("h2" if number < len(experiment.flows) else "c2")


def _dumbbell(experiment: Experiment) -> Layout:
    path, offloads = experiment.path, experiment.host.offloads
    own = shaping.host(experiment.host.qdisc)
    layout = Layout(routers=["r1", "r2"])
    layout.join("h1", "r1", own)
    layout.join(
        "r1",
        "r2",
        shaping.bottleneck(path, offloads=offloads),
        shaping.delay(path, backward=True),
        path.rtt_s / 2,
    )
    layout.join("r2", "h2", shaping.delay(path), own, path.rtt_s / 2)
    layout.shaped["r1", "r1-eth1"] = path
    layout.lossy["r2", "r2-eth1"] = path
    everything = range(len(experiment.flows + experiment.cross))
    if "c1" in {source_of(experiment, number) for number in everything}:
        layout.join("c1", "r1", own)
    if "c2" in {target_of(experiment, number) for number in everything}:
        layout.join("r2", "c2", shaping.delay(path), own, path.rtt_s / 2)
        layout.lossy["r2", layout.ends("r2")[-1].device] = path
    for number, flow in enumerate(experiment.flows + experiment.cross):
        if flow.rtt_offset_s:
            further = shaping.further_away(flow.rtt_offset_s)
            layout.join(f"s{number}", "r1", own, further, flow.rtt_offset_s)
    return layout


def _sites(experiment: Experiment) -> Layout:
    network, offloads = experiment.network, experiment.host.offloads
    if network is None:
        raise ValueError("an experiment without sites is a dumbbell")
    layout = Layout(routers=[site.name for site in network.sites])
    layout.routers += [link.name for link in network.links]
    own = shaping.host(experiment.host.qdisc)
    for link in network.links:
        path = link.path(experiment.path)
        rate = shaping.bottleneck(path, offloads=offloads)
        back = shaping.delay(path, backward=True)
        layout.join(link.left, link.name, rate, back, path.rtt_s / 2)
        layout.join(link.name, link.right, shaping.delay(path), rate, path.rtt_s / 2)
        for end in (layout.links[-2][0], layout.links[-1][1]):
            layout.shaped[end.node, end.device] = path
        layout.lossy[link.name, layout.links[-1][0].device] = path
    for site in network.sites:
        for host in site.host_names:
            layout.join(host, site.name, own)
    return layout
