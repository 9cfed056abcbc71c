"""The plan of a network: plain data, right before anything is built."""

import ipaddress
import json
import re

import numpy as np
import pytest
from hypothesis import given

from lab_tools.experiment import Experiment, Flow, Host, Path
from lab_tools.testbeds.plan import flows, guest_memory_bytes, plan, socket_buffer_bytes
from tests.test_experiment import experiments

WAN = Experiment(Path(rate_bps=10e9, rtt_s=0.1, loss=1 / 22000))


def ends(made):
    return [end for link in made["links"] for end in link["ends"]]


def shaping(made):
    return {end["device"]: end["params"]["tc"] for end in ends(made) if end["params"]["tc"]}


@given(experiments)
def test_a_plan_is_plain_data_with_consistent_addresses(experiment):
    made = json.loads(json.dumps(plan(experiment)))
    for link in made["links"]:
        one, two = (ipaddress.ip_interface(e["params"]["address"]) for e in link["ends"])
        assert one.network == two.network
        assert one.ip != two.ip
    devices = [end["device"] for end in ends(made)]
    macs = [end["mac"] for end in ends(made)]
    assert len(set(devices)) == len(set(macs)) == 6
    for name, node in made["nodes"].items():
        known = {e.split()[0] for e in node["neighbours"]}
        gateways = {route.split("via ")[1] for route in node["routes"]}
        assert gateways <= known, name


def test_bottleneck_and_delay_have_a_hop_each():
    tc = shaping(plan(WAN))
    assert set(tc) == {"r1-eth1", "r2-eth0", "r2-eth1"}
    # 10 Gbit/s x 100 ms is 125 MB; two 9014-byte frames of burst
    assert tc["r1-eth1"] == ["root handle 1: tbf rate 10000000000bit burst 18028 limit 125000000"]
    assert tc["r2-eth0"] == ["root handle 1: netem limit 100000000 delay 50000.000us"]
    assert tc["r2-eth1"][0].endswith("delay 50000.000us loss 0.0045454545%")


def test_super_packets_fit_the_token_bucket_in_the_fast_mode():
    (line,) = shaping(plan(WAN.replace(offloads=True)))["r1-eth1"]
    assert int(re.search(r"burst (\d+)", line).group(1)) >= 65536
    assert all(end["params"]["offloads"] for end in ends(plan(WAN.replace(offloads=True))))


def test_jitter_reordering_and_duplication_are_on_the_datas_way_only():
    tc = shaping(plan(WAN.replace(jitter_s=0.001, reorder=0.01, duplicate=0.02)))
    assert "50000.000us 1000.000us distribution normal" in tc["r2-eth1"][0]
    assert "reorder 1.0000000000%" in tc["r2-eth1"][0]
    assert "duplicate 2.0000000000%" in tc["r2-eth1"][0]
    assert "1000.000us" not in tc["r2-eth0"][0]


@pytest.mark.parametrize("qdisc", ["red", "sfq", "codel", "fq_codel", "pie", "fq"])
def test_other_queue_disciplines_sit_inside_the_token_bucket(qdisc):
    lines = shaping(plan(WAN.replace(qdisc=qdisc)))["r1-eth1"]
    assert lines[0].startswith("root handle 1: tbf")
    assert lines[1].startswith(f"parent 1:1 handle 10: {qdisc} limit")


def test_a_host_qdisc_is_on_the_hosts():
    tc = shaping(plan(WAN.replace(qdisc="droptail").replace(loss=0.0)))
    assert "h1-eth0" not in tc
    fq = Experiment(WAN.path, Host(qdisc="fq"))
    assert shaping(plan(fq))["h1-eth0"] == ["root handle 1: fq flow_limit 1000000 limit 1000000"]


def test_socket_buffers_never_limit_unless_asked():
    receive, _send = socket_buffer_bytes(WAN.path, WAN.host)
    # Linux advertises half of the receive buffer: twice what path and router hold must fit in half
    assert receive >= 2 * (125_000_000 + 125_000_000)
    assert socket_buffer_bytes(WAN.path, Host(250_000, 500_000)) == (500_000, 250_000)
    sysctl = plan(Experiment(WAN.path, Host(250_000, 500_000)))["nodes"]["h1"]["sysctl"]
    assert sysctl["net.ipv4.tcp_rmem"].split()[2] == "500000"
    assert sysctl["net.ipv4.tcp_wmem"].split()[2] == "250000"


@given(experiments)
def test_the_guest_has_room_for_what_is_in_flight(experiment):
    path = experiment.path
    assert guest_memory_bytes(experiment) >= path.bdp_bytes + path.router_buffer_bytes
    assert guest_memory_bytes(experiment) % (1 << 20) == 0


def test_each_flow_has_a_port_of_its_own():
    two = Experiment(WAN.path, flows=(Flow("reno", 3), Flow("bbr", start_s=2.0)))
    made = flows(two)
    assert [f["port"] for f in made] == [5201, 5202]
    assert [f["cc"] for f in made] == ["reno", "bbr"]
    starts_s = [f["start_s"] for f in made]
    assert starts_s == pytest.approx([0.0, 2.0], abs=2e-3)
    # each stream, and each flow's sampling, at a moment of its own
    moments_s = {starts_s[0] + n * 20e-6 for n in range(3)} | {starts_s[1] - 2.0}
    assert min(np.diff(sorted(moments_s))) >= 19e-6
    assert min(moments_s) > made[1]["sample_shift_s"] > 0
    (alone,) = flows(Experiment(WAN.path))
    assert (alone["start_s"], alone.get("sample_shift_s")) == (0.0, None)
