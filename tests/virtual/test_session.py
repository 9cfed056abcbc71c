"""A live network stands still while nobody asks for anything."""

import re

import pytest

from lab_tools.errors import RunError
from lab_tools.experiment import Path

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def net(testbed):
    with testbed.session(Path(rate_bps=1e9, rtt_s=0.1)) as session:
        yield session


def clock_s(net):
    return float(net["h1"].run("date +%s.%N").output)


def test_ping_reads_the_path(net):
    output = net["h1"].run("ping -c 3 10.0.3.2").output
    assert re.search(r"rtt min/avg/max/mdev = 100\.0\d\d/100\.0\d\d/100\.0", output)
    assert "0% packet loss" in output


def test_the_clock_stands_still_between_commands(net):
    first, second = clock_s(net), clock_s(net)
    assert 0 < second - first < 0.1


def test_sleeping_takes_virtual_time_only(net):
    before = clock_s(net)
    net["h1"].run("sleep 3600", timeout_s=4000)
    assert clock_s(net) - before == pytest.approx(3600, abs=1)


def test_real_tools_run(net):
    net["h2"].run("iperf3 -s -D")
    result = net["h1"].run("iperf3 -c 10.0.3.2 -t 2 -J")
    assert '"congestion_window"' in result.output or '"snd_cwnd"' in result.output
    assert result.code == 0
    assert '"kind":"tbf"' in net["r1"].run("tc -s -j qdisc show dev r1-eth1").output
    assert "cubic" in net["h1"].run("sysctl net.ipv4.tcp_congestion_control").output


def test_tools_answer_with_data(net):
    idle = net["h1"].tool("ping", target="10.0.3.2", count=4, interval_s=0.5)
    assert idle["rtt_s"] == pytest.approx([0.1] * 4, abs=2e-5)
    assert (idle["sent"], idle["received"]) == (4, 4)
    # 9000-byte packets pass, a byte more does not (28 bytes of IP and ICMP headers)
    sizes = [
        net["h1"].tool("ping", target="10.0.3.2", count=1, size_bytes=n, unfragmented=True)
        for n in (8972, 8973)
    ]
    assert [each["received"] for each in sizes] == [1, 0]
    (root,) = [q for q in net["r1"].tool("tc", dev="r1-eth1")["qdiscs"] if q["kind"] == "tbf"]
    assert root["options"]["rate"] * 8 == 1e9
    net["h2"].run("iperf3 -s -D -1 -p 5300")
    report = net["h1"].tool("iperf3", target="10.0.3.2", port=5300, duration_s=2, cc="reno")
    assert report["end"]["sender_tcp_congestion"] == "reno"


def test_ss_shows_a_connection(net):
    net["h2"].run("iperf3 -s -D -1 -p 5301")
    net["h1"].run("iperf3 -c 10.0.3.2 -p 5301 -t 5 >/dev/null 2>&1 & sleep 2")
    found = [s for s in net["h1"].tool("ss")["sockets"] if s["peer"].endswith(":5301")]
    assert found[0]["state"] == "ESTAB"
    assert found[0]["cc"] == "cubic"
    assert float(found[0]["rtt"].split("/")[0]) >= 100


def test_a_tool_that_fails_says_why(net):
    with pytest.raises(RunError, match=r"unable to connect|refused"):
        net["h1"].tool("iperf3", target="10.0.3.2", port=9, duration_s=1)
    with pytest.raises(RunError, match="there are ping, iperf3, ss, tc"):
        net["h1"].tool("traceroute")


def test_a_command_ends_after_its_time(net):
    result = net["h1"].run("sleep 100", timeout_s=2)
    assert result.timed_out


def test_an_exit_code_comes_back(net):
    assert net["h1"].run("exit 7").code == 7


def test_an_unknown_host_is_refused(net):
    with pytest.raises(RunError, match="there are h1, r1, r2, h2"):
        net["h9"].run("true")
