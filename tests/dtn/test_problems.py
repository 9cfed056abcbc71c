"""Each thing that can be missing on a pair gives one clear error with its remedy."""

import contextlib
import shutil
import subprocess

import asyncssh
import pytest

from lab_tools.errors import InputError
from lab_tools.testbeds.dtn.problems import PairError
from lab_tools.testbeds.dtn.testbed import DtnTestbed

CHANGES = ["offloads", "shaping", "mtu", "qdisc"]


@pytest.fixture
def problem(pair, untouched, tmp_path):
    """Return a function that says what `available` and `run` say of a changed inventory."""

    def problem(**changes):
        file = pair.inventory(tmp_path / "dtn.toml", **changes)
        says = DtnTestbed(file).available()
        assert not says.available
        return says.reason, says.remedy

    return problem


def test_no_inventory(tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_INVENTORY", str(tmp_path / "none.toml"))
    says = DtnTestbed().available()
    assert not says.available
    assert f"no inventory of a pair of hosts at {tmp_path}/none.toml" in says.reason
    assert "docs/dtn.md" in says.remedy


def test_nobody_listens(pair, problem):
    reason, remedy = problem(port=1)
    assert reason.startswith(f"h1 (root@{pair.ssh['h1']}, port 1) does not answer")
    assert remedy == f"try: ssh -p 1 root@{pair.ssh['h1']} true"


def test_a_key_that_the_hosts_do_not_know(problem, tmp_path):
    asyncssh.generate_private_key("ssh-ed25519").write_private_key(str(tmp_path / "other"))
    reason, remedy = problem(key=str(tmp_path / "other"))
    assert "accepts none of your keys" in reason
    assert "send your public key" in remedy


def test_a_key_that_is_no_key(problem, tmp_path):
    (tmp_path / "other").write_text("nothing")
    reason, _ = problem(key=str(tmp_path / "other"))
    assert "cannot be read" in reason


def test_an_unknown_host_key_and_the_command_that_adds_it(pair, problem, tmp_path):
    known = tmp_path / "known_hosts"
    reason, remedy = problem(known_hosts=str(known))
    assert "is not in" in reason
    command = remedy.removeprefix("run: ").split(";")[0]
    assert command.startswith("ssh-keyscan")
    subprocess.run(command, shell=True, check=True, capture_output=True)
    # now h1 is known, and h2 is what is missing
    reason, _ = problem(known_hosts=str(known))
    assert reason.startswith("the host key of h2")


def test_another_host_key_than_before(pair, problem, tmp_path):
    public = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    known = tmp_path / "known_hosts"
    known.write_text(f"[{pair.ssh['h1']}]:2222 {public}")
    reason, remedy = problem(known_hosts=str(known))
    assert "another host key" in reason
    assert f"-R '[{pair.ssh['h1']}]:2222'" in remedy


@pytest.mark.parametrize("tool", ["tc", "ethtool", "ping"])
def test_a_tool_is_missing(pair, problem, tool):
    file = shutil.which(tool)
    with hidden(pair, "h2", file):
        reason, remedy = problem()
    assert reason == f"h2 has no {tool}"
    assert "apt-get install" in remedy


def test_python_is_missing(pair, problem):
    files = pair.on("h2", "sh", "-c", "which -a python3").split()
    with hidden(pair, "h2", *files):
        reason, remedy = problem()
    assert reason == "h2 has no python3."
    assert remedy == "as root on h2, run: apt-get install python3"


def test_an_account_without_sudo(pair, problem):
    with pair.account("student", "h1"):
        reason, remedy = problem(only={"h1": {"user": "student"}})
    assert reason.startswith("h1 does not let the account run python3 as root")
    assert "student ALL=(root) NOPASSWD: /usr/bin/python3" in remedy


def test_no_such_interface(problem):
    reason, _ = problem(only={"h2": {"interface": "eth7"}})
    assert reason == "h2 has no interface eth7; it has data0, lo, mgmt0"


def test_another_address(problem):
    reason, remedy = problem(only={"h2": {"address": "10.0.9.9/24"}})
    assert "h2's interface data0 does not have the address 10.0.9.9/24; it has 10.0.3.2" in reason
    assert "ip address add 10.0.9.9/24 dev data0" in remedy


def test_the_interface_is_down(pair, problem):
    with undone(pair, "h2", "ip link set data0 down", "ip link set data0 up", PEER_ROUTE):
        reason, _ = problem()
    assert "is down or has no carrier" in reason


PEER_ROUTE = "ip route replace 10.0.1.1 dev data0"


def test_a_line_that_came_up_slower(problem):
    # a veth says 10 Gbit/s
    reason, _ = problem(line_rate_bps="25 Gbit/s")
    assert reason.startswith("h1's interface data0 runs at 10 Gbit/s, and the inventory says 25")


def test_data_that_would_leave_through_the_management_interface(pair, problem):
    wrong = "ip route replace 10.0.3.2 dev mgmt0"
    with undone(pair, "h1", wrong, "ip route replace 10.0.3.2 dev data0"):
        reason, remedy = problem()
    assert "through mgmt0, not through its data interface data0" in reason
    assert remedy == "as root on h1, run: ip route replace 10.0.3.2 dev data0"


def test_a_congestion_control_that_the_kernel_lacks(pair, untouched, testbed, experiment):
    known = pair.on("h1", "cat", "/proc/sys/net/ipv4/tcp_available_congestion_control").split()
    if "htcp" in known:
        pytest.skip("this kernel has htcp")
    with pytest.raises(PairError, match=r"no congestion control htcp.*modprobe tcp_htcp"):
        testbed.run(experiment.replace(cc="htcp"))


def test_a_queue_discipline_that_the_kernel_lacks(pair, untouched, experiment, tmp_path):
    try:
        pair.on("h1", "tc", "qdisc", "add", "dev", "lo", "root", "netem")
    except subprocess.CalledProcessError:
        file = pair.inventory(tmp_path / "dtn.toml")
        with pytest.raises(PairError, match=r"lacks a queue discipline.*modprobe sch_netem"):
            DtnTestbed(file).run(experiment.replace(rtt_s=0.02))
    else:
        pair.on("h1", "tc", "qdisc", "del", "dev", "lo", "root")
        pytest.skip("this kernel has netem")


def test_a_path_that_does_not_carry_the_mtu(pair, untouched, testbed, experiment):
    narrow = "ip route replace 10.0.3.2 dev data0 mtu lock 1500"
    with (
        undone(pair, "h1", narrow, "ip route replace 10.0.3.2 dev data0"),
        pytest.raises(PairError, match=r"packets of 9000 bytes do not pass from h1: .*mtu"),
    ):
        testbed.run(experiment)


def test_a_longer_path_than_asked_for(untouched, testbed, experiment):
    with pytest.raises(InputError, match=r"rtt_s = 0\.5 .* does not allow 'netem'"):
        testbed.run(experiment.replace(rtt_s=0.5))


def test_a_parameter_that_may_not_be_changed(pair, untouched, experiment, tmp_path):
    file = pair.inventory(tmp_path / "dtn.toml", allowed_sysctls=[], allowed_changes=CHANGES)
    with pytest.raises(PairError, match=r"needs net\.ipv4\.tcp_[rw]mem up to .* on h1"):
        DtnTestbed(file).run(experiment.replace(buffer_bytes=2**30, rtt_s=1e-4))


def test_a_queue_discipline_of_the_hosts_own(pair, untouched, testbed, experiment):
    add = "tc qdisc add dev data0 root handle 7: tbf rate 9gbit burst 100k limit 1m"
    with undone(pair, "h1", add, "tc qdisc del dev data0 root"):
        with pytest.raises(Exception, match=r"a queue discipline of its own \(tbf 7:\)"):
            testbed.run(experiment)
        assert "qdisc tbf 7: root" in pair.state("h1")


@contextlib.contextmanager
def hidden(pair, name, *files):
    pair.hide(name, *files)
    try:
        yield
    finally:
        pair.show(name, *files)


@contextlib.contextmanager
def undone(pair, name, command, *undo):
    """Run a command on a host, and others afterwards."""
    pair.on(name, "sh", "-c", command)
    try:
        yield
    finally:
        for each in undo:
            pair.on(name, "sh", "-c", each)
