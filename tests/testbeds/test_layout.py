"""From an experiment to interfaces, routes and events: read as a network engineer would."""

import ipaddress

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_tools.experiment import Cut, Experiment, Flow, Link, Network, Path, Site
from lab_tools.testbeds import plan as planning
from lab_tools.testbeds.layout import lay_out

PATH = Path(100e6, 0.02, mtu_bytes=1500)


@st.composite
def networks(draw):
    """Return a random tree of sites with a few more links."""
    count = draw(st.integers(2, 7))
    names = "abcdefg"[:count]
    pairs = {(draw(st.sampled_from(names[:i])), names[i]) for i in range(1, count)}
    for _ in range(draw(st.integers(0, 4))):
        left, right = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        if left < right:
            pairs.add((left, right))
    links = tuple(Link(a, b, rtt_s=draw(st.sampled_from([0.01, 0.02, 0.05]))) for a, b in pairs)
    return Network(tuple(Site(name) for name in names), links)


def follow(plan, source, address):
    """Forward a packet by the plan's routes, hop by hop; return the nodes it passes."""
    owner = {
        end["params"]["address"].split("/")[0]: end["node"]
        for link in plan["links"]
        for end in link["ends"]
    }
    way, here = [source], source
    while owner[address] != here:
        assert len(way) < 50, "a routing loop"
        direct = [
            other["node"]
            for link in plan["links"]
            for end, other in (link["ends"], link["ends"][::-1])
            if end["node"] == here and other["params"]["address"].split("/")[0] == address
        ]
        here = direct[0] if direct else owner[_next_hop(plan["nodes"][here]["routes"], address)]
        way.append(here)
    return way


def _next_hop(routes, address):
    for route in routes:
        network, _, via = route.partition(" via ")
        if network == "default" or ipaddress.ip_address(address) in ipaddress.ip_network(network):
            return via
    raise AssertionError(f"no route to {address}")


@given(networks())
def test_packets_take_the_shortest_way(network):
    hosts = network.hosts
    flows = tuple(Flow(source=hosts[0], target=host) for host in hosts[1:])
    experiment = Experiment(PATH, network=network, flows=flows)
    plan = planning.plan(experiment)
    graph = nx.Graph()
    for link in network.links:
        graph.add_edge(link.left, link.right, weight=link.rtt_s)
    for ping in planning.pings(experiment):
        shortest = nx.dijkstra_path_length(graph, ping["source"][0], ping["target"][0])
        way = follow(plan, ping["source"], ping["address"])
        assert way[-1] == ping["target"]
        sites = [node for node in way if len(node) == 1]
        assert nx.path_weight(graph, sites, "weight") == pytest.approx(shortest)
        assert ping["rtt_s"] == pytest.approx(shortest)


@given(networks())
def test_no_interface_address_or_hardware_address_twice(network):
    flows = (Flow(source=network.hosts[0], target=network.hosts[1]),)
    plan = planning.plan(Experiment(PATH, network=network, flows=flows))
    ends = [end for link in plan["links"] for end in link["ends"]]
    for key in ("device", "mac"):
        assert len({end[key] for end in ends}) == len(ends)
    assert len({end["params"]["address"] for end in ends}) == len(ends)
    assert max(len(end["device"]) for end in ends) <= 15


def test_the_narrowest_queue_on_the_way_is_watched():
    links = (Link("a", "b"), Link("b", "c", rate_bps=10e6), Link("c", "d"))
    network = Network(tuple(Site(name) for name in "abcd"), links)
    there = Experiment(PATH, network=network, flows=(Flow(source="a1", target="d1"),))
    back = Experiment(PATH, network=network, flows=(Flow(source="d1", target="a1"),))
    assert planning.watched(there)["node"] == "b"
    assert planning.watched(back)["node"] == "c"


def test_a_sender_further_away_is_a_host_of_its_own():
    flows = (Flow(), Flow(rtt_offset_s=0.05))
    experiment = Experiment(PATH, flows=flows, cross=(Flow(on_s=1, off_s=1),))
    assert [task["from"] for task in planning.flows(experiment)] == ["h1", "s1", "c1"]
    assert [task["to"] for task in planning.flows(experiment)] == ["h2", "h2", "c2"]
    assert [ping["rtt_s"] for ping in planning.pings(experiment)] == pytest.approx([0.02, 0.07])


def test_a_cut_is_mended_and_rerouted_in_order():
    cuts = (Cut("a-b", 1, 4, reroute_s=0.5), Cut("a1", 2, 3))
    flows = (Flow(source="a1", target="b1"),)
    experiment = Experiment(PATH, network=Network.ring(3), flows=flows, cuts=cuts, duration_s=10)
    events = planning.measurement(experiment)["events"]
    assert [event["at_s"] for event in events] == [1, 1.5, 2, 3, 4, 4.5]
    assert all("loss 100%" in line for line in events[0]["nodes"]["a-b"]["tc"])
    assert all("loss" not in line for line in events[4]["nodes"]["a-b"]["tc"])
    ways = [events[1]["nodes"]["a"]["ip"], events[5]["nodes"]["a"]["ip"]]
    assert all(ways)
    assert ways[0] != ways[1]
    assert set(events[2]["nodes"]) == {"a", "a1"}


def test_after_the_reroute_the_cut_link_is_used_no_more():
    experiment = Experiment(
        PATH,
        network=Network.ring(4),
        flows=(Flow(source="a1", target="b1"),),
        cuts=(Cut("a-b", 1, reroute_s=0.5),),
    )
    plan = planning.plan(experiment)
    assert "a-b" in follow(plan, "a1", lay_out(experiment).hosts["b1"])
    for node, commands in planning.measurement(experiment)["events"][1]["nodes"].items():
        for line in commands["ip"]:
            route = line.removeprefix("route replace ")
            network = route.split(" via ")[0]
            kept = [r for r in plan["nodes"][node]["routes"] if not r.startswith(network + " ")]
            plan["nodes"][node]["routes"] = [*kept, route]
    way = follow(plan, "a1", lay_out(experiment).hosts["b1"])
    assert [node for node in way if len(node) == 1] == ["a", "d", "c", "b"]
