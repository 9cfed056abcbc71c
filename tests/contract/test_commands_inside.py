"""A command inside the kernel: what it sees, what it may do, and that it ends."""

import pytest

from lab_tools.errors import InputError, RunError
from lab_tools.testbeds import inside

pytestmark = pytest.mark.kernel


class Output:
    """What a command printed, by stream."""

    def __init__(self):
        self.stdout = self.stderr = b""

    def __call__(self, stream, data):
        setattr(self, stream, getattr(self, stream) + data)

    def lines(self):
        return self.stdout.decode().splitlines()


@pytest.fixture
def output():
    return Output()


def test_it_is_root_in_a_kernel_with_netem(kernel, output, tmp_path, monkeypatch):
    (tmp_path / "here").touch()
    (tmp_path / "results").mkdir()
    monkeypatch.chdir(tmp_path)
    script = """
        uname -r; id -u; echo $LAB_INSIDE $WORD; ls -d here results; echo done > results/file
        tc qdisc add dev lo root netem delay 10ms && ping -c 1 127.0.0.1 | grep -c 'time='
        touch here/there 2>&1 | grep -c . ; touch /etc/mine; ls /sys/fs/cgroup
        date +%s.%N; sleep 0.5; date +%s.%N
        (sleep 1000 &) ; exit 7
    """
    code = inside.run(
        ["bash", "-c", script],
        output,
        memory_bytes=256 << 20,
        writable=[tmp_path / "results"],
        environment={"WORD": "word"},
        cgroups=True,
        kernel=kernel,
    )
    found = output.lines()
    assert code == 7
    assert found[:6] == [kernel.version, "0", "wall word", "here", "results", "1"]
    assert "memory" in found
    before, after = (float(line) for line in found[-2:])
    assert after - before >= 0.5
    assert b"Read-only file system" in output.stderr
    assert (tmp_path / "results" / "file").read_text() == "done\n"


def test_a_virtual_clock_moves_when_the_guest_is_idle(kernel, output):
    argv = ["bash", "-c", "date +%s; sleep 100000; date +%s"]
    assert inside.run(argv, output, clock="virtual", kernel=kernel) == 0
    before, after = (int(line) for line in output.lines())
    assert after - before in (100_000, 100_001)


def test_a_command_that_takes_too_long_is_ended(kernel, output):
    code = inside.run(["sleep", "1000"], output, timeout_s=8.0, kernel=kernel)
    assert code == inside.TIMED_OUT
    assert b"sleep was ended after 8 s" in output.stderr


def test_a_command_that_is_not_there_is_told(kernel, output):
    with pytest.raises(RunError, match="No such file or directory: 'no-such-program'"):
        inside.run(["no-such-program"], output, kernel=kernel)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"argv": []}, "command"),
        ({"memory_bytes": 1}, "memory"),
        ({"clock": "sundial"}, "clock"),
        ({"timeout_s": 0}, "timeout"),
        ({"writable": ["/no/such/folder"]}, "writable"),
    ],
)
def test_bad_input_is_refused_before_anything_starts(output, change, field):
    asked = {"argv": ["true"], **change}
    with pytest.raises(InputError) as caught:
        inside.run(asked.pop("argv"), output, **asked)
    assert caught.value.field == field
