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


def test_a_command_ends_after_its_time(net):
    result = net["h1"].run("sleep 100", timeout_s=2)
    assert result.timed_out


def test_an_exit_code_comes_back(net):
    assert net["h1"].run("exit 7").code == 7


def test_an_unknown_host_is_refused(net):
    with pytest.raises(RunError, match="there are h1, r1, r2, h2"):
        net["h9"].run("true")
