"""However a run ends, both hosts are as they were before."""

import os
import signal
import subprocess
import sys

import pytest

from lab_tools.errors import CancelledError, RunError
from lab_tools.testbeds.dtn.problems import PairError

HOSTS = ("h1", "h2")


@pytest.fixture
def endless(experiment):
    return experiment.replace(duration_s=600.0)


def at_the_third_sample(action):
    seen = []

    def on_sample(sample):
        seen.append(sample)
        if len(seen) == 3:
            action()

    return on_sample


def test_after_a_normal_end(pair, untouched, testbed, experiment):
    during = {}

    def look():
        during.update({name: pair.state(name) for name in HOSTS})

    record = testbed.run(experiment, at_the_third_sample(look))
    record.require_calibrated()
    for name in HOSTS:
        assert "ipv4/tcp_no_metrics_save 1" in during[name]
        assert "tcp-segmentation-offload: off" in during[name]
        assert "gso_max_segs 1\n" in during[name]
        assert "9000\n" in during[name]
        assert "1500\n" in untouched[name]
    assert "qdisc tbf 1: root refcnt" in during["h1"]
    assert "rate 100Mbit" in during["h1"]
    changed = {change["what"] for change in record.counters["tuning"]["h1"]}
    assert {"mtu", "net.ipv4.tcp_rmem", "queue disciplines", "gso_max_segs"} <= changed


def test_after_an_exception(untouched, testbed, endless):
    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        testbed.run(endless, at_the_third_sample(fail))


def test_after_control_c(untouched, testbed, endless):
    def stop():
        raise KeyboardInterrupt

    with pytest.raises(CancelledError) as caught:
        testbed.run(endless, at_the_third_sample(stop))
    assert caught.value.partial.flows["time_s"].max() == pytest.approx(0.2)
    assert caught.value.partial.calibration == ()


def test_after_the_ssh_server_is_killed(pair, untouched, testbed, endless):
    with pytest.raises(RunError, match="the SSH connection to h1 was cut") as caught:
        testbed.run(endless, at_the_third_sample(lambda: pair.kill_sshd_children("h1")))
    assert caught.value.partial is not None


def test_after_the_management_link_is_cut(pair, untouched, testbed, endless):
    try:
        with pytest.raises(RunError, match="the SSH connection to h2 was cut"):
            testbed.run(endless, at_the_third_sample(lambda: pair.cut("h2")))
        pair.wait_until_agent_is_gone("h2")
        # before the link is there again: the agent has done it by itself
        assert pair.state("h2") == untouched["h2"]
    finally:
        pair.mend("h2")


PROGRAM = """
import sys
from lab_tools.experiment import Experiment
from lab_tools.testbeds.dtn.testbed import DtnTestbed
DtnTestbed(sys.argv[1]).run(Experiment.from_json(sys.argv[2]), lambda s: print(s, flush=True))
"""


def test_after_kill_9_of_the_students_process(pair, untouched, testbed, endless, tmp_path):
    argv = [sys.executable, "-c", PROGRAM, str(tmp_path / "dtn.toml"), endless.to_json()]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline().startswith(b"Sample(")
            assert pair.state("h1") != untouched["h1"]
            assert pair.agent("h1") is not None
        finally:
            process.kill()


def test_after_kill_9_of_the_agent_by_the_next_run(pair, untouched, testbed, endless, experiment):
    def kill():
        os.kill(pair.agent("h1"), signal.SIGKILL)

    with pytest.raises(RunError, match="the SSH connection to h1 was cut"):
        testbed.run(endless, at_the_third_sample(kill))
    assert pair.state("h1") != untouched["h1"]
    assert testbed.run(experiment).calibrated


def test_a_second_student_is_told_who_is_there_and_since_when(testbed, experiment, untouched):
    user = "of this test"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("getpass.getuser", lambda: user)
        session = testbed.session(experiment.path)
        with session:
            said = f"h1 is held by {user} on .* since 20.*UTC"
            with pytest.raises(PairError, match=said):
                testbed.run(experiment)
            says = testbed.available()
            assert not says.available
            assert f"held by {user}" in says.reason
    assert testbed.available().available
