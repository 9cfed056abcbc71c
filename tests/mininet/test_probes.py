"""What is missing on this host is named, with what to do about it."""

import socket

import pytest

from lab_tools.errors import MissingToolError
from lab_tools.experiment import CONGESTION_CONTROLS
from lab_tools.testbeds.mininet import probes


def works(command):
    return ""


def refuses(word):
    return lambda command: "Operation not supported" if word in command else ""


def test_without_root_the_virtual_testbed_is_recommended():
    says = probes.availability(False, works)
    assert not says.available
    assert "needs root" in says.reason
    assert "LAB_TESTBED=virtual" in says.remedy


@pytest.fixture
def host(monkeypatch, tmp_path):
    """A host that has all that can be looked up in files."""
    for name in ("_MININET", "SYSTEM_PYTHON", "_PARAMETER"):
        (tmp_path / name).touch()
        monkeypatch.setattr(probes, name, tmp_path / name)
    monkeypatch.setattr(probes, "_STATE", tmp_path / "state")
    for name in probes._COMMANDS:
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setattr(probes, "SYSTEM_PATH", str(tmp_path))
    return tmp_path


def test_a_host_with_everything_will_do(host):
    assert probes.availability(True, works).available


@pytest.mark.parametrize(
    ("word", "what", "remedy"),
    [
        ("true", "network namespaces", "LAB_TESTBED=virtual"),
        ("veth", "virtual links", "modprobe veth"),
        ("netem", "the delay queue", "modprobe sch_netem"),
        ("tbf", "the token bucket", "modprobe sch_tbf"),
    ],
)
def test_what_the_kernel_refuses_is_named(host, word, what, remedy):
    says = probes.availability(True, refuses(word))
    assert not says.available
    assert what in says.reason
    assert "Operation not supported" in says.reason
    assert remedy in says.remedy


def test_a_program_that_is_missing_is_named(host):
    (host / "mnexec").unlink()
    says = probes.availability(True, works)
    assert (says.available, says.reason) == (False, "programs are missing: mnexec")
    assert "install-packages network" in says.remedy


def test_without_mininet_it_says_so(host):
    (host / "_MININET").unlink()
    assert "Mininet is missing" in probes.availability(True, works).reason


def test_a_killed_run_is_mentioned(host):
    (host / "state").touch()
    says = probes.availability(True, works)
    assert says.available
    assert "python -m lab_tools.testbeds.mininet" in says.reason


def test_a_missing_congestion_control_is_named_with_its_module():
    with pytest.raises(MissingToolError, match="modprobe -a tcp_htcp tcp_yeah") as caught:
        probes.require_congestion_controls(
            ["cubic", "htcp", "yeah", "htcp"], lambda name: name == "cubic"
        )
    assert "htcp, yeah" in str(caught.value)


def test_the_kernel_itself_says_what_it_has():
    with socket.socket() as sock:
        own = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16)
    assert probes.has_congestion_control(own.split(b"\0")[0].decode())
    assert not probes.has_congestion_control("no-such-thing")
    assert "reno" in CONGESTION_CONTROLS
    probes.require_congestion_controls(["reno"])
