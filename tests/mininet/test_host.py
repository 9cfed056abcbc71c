"""Whatever ends a run, this host is as it was before, and what is not ours is not touched."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import traceback

import pytest

from lab_tools import cli, command_run
from lab_tools.errors import RunError
from lab_tools.experiment import Experiment, Path
from lab_tools.testbeds.mininet import MininetTestbed, cleanup
from lab_tools.testbeds.mininet.worker import Worker
from lab_tools.testbeds.plan import plan

pytestmark = [
    pytest.mark.kernel,
    # Python 3.12 warns of the threads of numerical libraries, which the forked programs do not use
    pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning"),
]

PATH = Path(rate_bps=10e6, rtt_s=0.02, mtu_bytes=1500)


def wait_for(pid):
    """Wait for the end of a process that need not be a child."""
    try:
        ended = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([ended], [], [], 60)[0]
    finally:
        os.close(ended)


def run_until_refused(host):
    """Run a command again and again: the worker notices in its own time."""
    while True:
        host.run("true")


def test_the_hosts_parameters_are_lent_only(testbed, host):
    before = host.parameters()
    with testbed.session(PATH):
        assert host.parameters()["core/rmem_max"] == "2147483647\n"
        assert len(host.processes()) == 5  # the worker and four hosts
    assert host.parameters() == before


@pytest.fixture
def fork(host):
    """Run an action in a process of its own; return its id, and its output with its errors."""
    started = []

    def start(action):
        read_end, write_end = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.dup2(write_end, 1)
            os.dup2(write_end, 2)
            os._exit(outcome(action))
        os.close(write_end)
        started.append((pid, os.fdopen(read_end)))
        return started[-1]

    yield start
    for pid, output in started:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        # held open by what it has started, until that has ended too
        output.read()
        output.close()


def outcome(action):
    """Return the exit code of an action, having printed its error."""
    sys.stdout = sys.stderr = os.fdopen(1, "w", buffering=1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        action()
    except SystemExit as ending:
        return ending.code
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def ending(pid):
    """Wait for the end of a child and return its exit code; leave it to be waited for again."""
    found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


@contextlib.contextmanager
def telling(_experiment):
    """Say it when there is something to keep of a run, in the place of a progress bar."""
    yield lambda sample: print("running") if sample.time_s == 0.5 else None


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_a_signal_to_the_program(host, fork, tmp_path, monkeypatch, number, code):
    monkeypatch.setattr(command_run, "progress_bar", telling)
    words = ["--testbed", "mininet", "--rate", "10 Mbit/s", "--rtt", "20 ms", "--mtu", "1500"]
    words += ["--duration", "600 s", "--store", str(tmp_path)]
    pid, output = fork(lambda: cli.main(["run", *words]))
    assert output.readline() == "running\n"
    worker = host.worker()
    os.kill(pid, number)
    assert ending(pid) == code
    wait_for(worker)
    said = output.read()
    assert "Traceback" not in said
    assert ("is kept in" in said) == (number == signal.SIGINT)


def test_kill_9_of_the_worker_is_told(testbed, host):
    with testbed.session(PATH) as net:
        os.kill(host.worker(), signal.SIGKILL)
        with pytest.raises(RunError, match="the worker was killed by signal 9"):
            net["h1"].run("true")


def test_a_hung_worker_is_told(host):
    with Worker() as worker:
        worker.ask("build", plan=plan(Experiment(PATH)), stage="building the network")
        worker.stall_s = 5.0
        os.kill(worker.pid, signal.SIGSTOP)
        with pytest.raises(RunError, match="said nothing for 5 s") as caught:
            worker.ask("tool", stage="trying it", node="h1", task={"tool": "ss"})
    assert caught.value.stage == "trying it"


@pytest.fixture
def leftovers(host, fork):
    """What is left when the program and its worker are both killed."""

    def hold_a_network():
        with MininetTestbed().session(PATH) as net:
            net["h2"].run("sleep 1000 >/dev/null 2>&1 &")
            print("ready")
            signal.pause()

    pid, output = fork(hold_a_network)
    assert output.readline() == "ready\n"
    worker = host.worker()
    os.kill(worker, signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)
    wait_for(worker)
    assert len(host.processes()) == 5  # four hosts, and what the last of them was doing
    assert host.parameters()["core/rmem_max"] == "2147483647\n"


def test_the_next_run_puts_back_what_a_killed_one_left(leftovers, testbed, host):
    with testbed.session(PATH):
        assert len(host.processes()) == 5
    # the fixture compares the parameters with those before the killed run


def test_cleanup_puts_back_what_a_killed_run_left(leftovers, host, testbed):
    assert "python -m lab_tools.testbeds.mininet" in testbed.available().reason
    found = cleanup()
    assert found.processes == 5
    assert "net.core.rmem_max" in found.sysctl
    assert str(cleanup()) == "Nothing was left on this host."


def test_only_one_runs_at_a_time(testbed, host):
    with testbed.session(PATH) as net:
        with (
            pytest.raises(RunError, match=rf"another network .* \(process {host.worker()}\)"),
            testbed.session(PATH),
        ):
            pass
        with pytest.raises(RunError, match="another network is running"):
            cleanup()
        assert net["h1"].run("ping -c 1 10.0.3.2").code == 0


def test_nobody_elses_network_is_touched(testbed, host):
    script = "ip link add h1-eth0 type dummy; echo ready; exec sleep 1000"
    other = subprocess.Popen(
        ["unshare", "--net", "sh", "-c", script], stdout=subprocess.PIPE, text=True
    )
    assert other.stdout.readline() == "ready\n"
    theirs = ["nsenter", "--net", f"--target={other.pid}", "ip", "link", "show", "h1-eth0"]
    subprocess.run(["ip", "link", "add", "r1-eth1", "type", "dummy"], check=True)
    try:
        with testbed.session(PATH) as net:
            os.kill(host.worker(), signal.SIGKILL)
            with pytest.raises(RunError):
                net["h1"].run("true")
        cleanup()
        assert other.poll() is None
        subprocess.run(theirs, check=True)
        subprocess.run(["ip", "link", "show", "r1-eth1"], check=True)
    finally:
        subprocess.run(["ip", "link", "delete", "r1-eth1"], check=True)
        other.kill()
        other.communicate()


def test_a_namespace_that_is_gone_is_told_at_the_next_command(testbed, host):
    with testbed.session(PATH) as net:
        (holder,) = host.processes(b"LAB_NODE=r1")
        os.kill(holder, signal.SIGKILL)
        wait_for(holder)
        with pytest.raises(RunError, match=r"namespace of r1 is gone: .* killed by signal 9"):
            run_until_refused(net["h1"])
