"""A live session on both hosts of the stand-in pair."""

import pytest

from lab_tools.errors import LabError, RunError


def test_commands_run_where_they_are_asked_for(pair, untouched, testbed, experiment):
    with testbed.session(experiment.path) as net:
        assert net.address("h2") == "10.0.3.2"
        said = net["h1"].run(f"ping -c 1 {net.address('h2')}")
        assert (said.code, said.timed_out) == (0, False)
        assert "1 received" in said.output
        assert "10.0.3.2/24" in net["h2"].run("ip address show data0").output
        assert "mtu 9000" in net["h2"].run("ip address show data0").output
        assert net["h1"].run("echo one; echo two >&2; exit 7").code == 7
        ended = net["h1"].run("echo before; sleep 1000; echo after", timeout_s=0.2)
        assert (ended.output, ended.timed_out) == ("before\n", True)
        assert net["h1"].run("pgrep -x -f 'sleep 1000'").output == ""
        assert net["h1"].tool("ping", target="10.0.3.2", count=1)["received"] == 1
        with pytest.raises(RunError, match="there is no tool telnet"):
            net["h1"].tool("telnet")
        with pytest.raises(LabError, match="there is no host h9; there are h1, h2"):
            net["h9"]


def test_what_a_command_started_ends_with_the_session(pair, untouched, testbed, experiment):
    with testbed.session(experiment.path) as net:
        net["h2"].run("setsid sleep 1000 >/dev/null 2>&1 & echo started")
        assert "sleep 1000" in pair.on("h2", "ps", "-eo", "args")
    assert "sleep 1000" not in pair.on("h2", "ps", "-eo", "args")


def test_a_session_that_is_not_open_is_refused(testbed, experiment):
    with pytest.raises(RunError, match="not open"):
        testbed.session(experiment.path)["h1"]
