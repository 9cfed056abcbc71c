"""A live network, whichever testbed holds it."""

import re

import pytest

from lab_tools.errors import LabError, RunError

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def net(testbed, experiment):
    with testbed.session(experiment.path) as session:
        yield session


def test_ping_reads_the_path(net):
    result = net["h1"].run("ping -c 3 -i 0.3 10.0.3.2")
    times_ms = [float(text) for text in re.findall(r"time=([\d.]+) ms", result.output)]
    assert result.code == 0
    assert len(times_ms) == 3
    assert min(times_ms) == pytest.approx(20, abs=2)
    assert min(times_ms) >= 20


def test_output_and_exit_code_come_back(net):
    assert net["h1"].run("echo one; echo two").output == "one\ntwo\n"
    result = net["h1"].run("exit 7")
    assert (result.output, result.code, result.timed_out) == ("", 7, False)


def test_hosts_are_apart(net, way):
    if not way.live:
        pytest.skip("only what was recorded can be asked for")
    addresses = {host: net[host].run("ip -brief -4 address").output for host in ("h1", "h2")}
    assert "10.0.1.1/24" in addresses["h1"] or "10.0.1.2/24" in addresses["h1"]
    assert "10.0.3.2/24" in addresses["h2"]
    assert "10.0.3.2" not in addresses["h1"]


def test_a_command_ends_after_its_time_with_all_it_started(net, way):
    if not way.live:
        pytest.skip("nothing runs")
    result = net["h1"].run("echo before; sleep 1000; echo after", timeout_s=1)
    assert result.timed_out
    assert result.output == "before\n"
    assert net["h1"].run("pgrep -x -f 'sleep 1000'").output == ""


def test_an_unknown_host_or_command_is_refused(net):
    with pytest.raises(LabError, match=r"there are h1, (r1, r2, )?h2|not among the recorded"):
        net["h9"].run("true")


def test_a_session_that_is_not_open_is_refused(testbed, experiment, way):
    if not way.live:
        pytest.skip("a recorded session is always open")
    with pytest.raises(RunError, match="not open"):
        testbed.session(experiment.path)["h1"]
