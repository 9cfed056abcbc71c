"""Whatever happens to a run, one clear error comes out and nothing is left behind."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path as FilePath

import pytest

from lab_tools.errors import MissingToolError, RunError
from lab_tools.experiment import Experiment, Path
from lab_tools.kernel import find
from lab_tools.store import Store
from lab_tools.testbeds.virtual.guest import Guest

pytestmark = pytest.mark.kernel

#: Tells this file's guests from anybody else's on this machine.
SEED = 20260728
LONG = Experiment(Path(rate_bps=1e9, rtt_s=0.05), duration_s=600.0, seed=SEED)


def processes(word):
    """Return the processes with a word in their command line."""
    found = set()
    for entry in FilePath("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if word.encode() in entry.read_bytes():
                found.add(int(entry.parent.name))
    return found - {os.getpid()}


def kernel_pids():
    # A word of its own: the guardian has it too, inside the JSON that it was started with.
    return processes(f"\0rng-seed={SEED}\0")


def folders():
    """Return the folders that runs have made and not removed."""
    made = FilePath(tempfile.gettempdir()).glob("lab-virtual-*")
    return [folder for folder in made if "locks" not in folder.name]


@pytest.fixture(autouse=True)
def nothing_left(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield
    assert (kernel_pids(), folders()) == (set(), [])


def test_kill_9_of_the_kernel_is_told_and_what_was_measured_is_kept(testbed, tmp_path):
    def kill_it(sample):
        if sample.time_s >= 1.0:
            for pid in kernel_pids():
                os.kill(pid, signal.SIGKILL)

    with pytest.raises(RunError, match="killed by signal 9") as caught:
        testbed.run(LONG, kill_it)
    partial = caught.value.partial
    assert partial.flows["time_s"].max() >= 1.0
    assert not partial.calibration
    store = Store(tmp_path)
    store.put_partial(partial)
    assert list(store) == []
    assert store.get(LONG, "virtual") is None


def run_in_a_child(tmp_path, what):
    """Run LONG in a process of its own and signal that process after some samples."""
    code = textwrap.dedent(
        """
        import sys
        from lab_tools import running
        from lab_tools.cli import main
        from lab_tools import command_run
        from contextlib import contextmanager

        @contextmanager
        def tell(experiment):
            yield lambda sample: print("sample", flush=True)

        command_run.progress_bar = tell
        main(["run", "--rate", "1 Gbit/s", "--rtt", "50 ms", "--duration", "600 s",
              "--seed", sys.argv[2],
              "--store", sys.argv[1]])
        """
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "store"), str(SEED)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(5):
        child.stdout.readline()
    child.send_signal(what)
    _, stderr = child.communicate()
    return child.returncode, stderr


def test_ctrl_c_ends_at_once_with_one_message(testbed, tmp_path):
    code, stderr = run_in_a_child(tmp_path, signal.SIGINT)
    assert code == 130
    assert "it was stopped" in stderr
    assert "Traceback" not in stderr
    assert "is kept in" in stderr


def test_kill_9_of_the_program_leaves_no_kernel(testbed, tmp_path):
    code, _ = run_in_a_child(tmp_path, signal.SIGKILL)
    assert code == -signal.SIGKILL
    # the guardian notices by its closed standard input, and is the last to go
    for pid in processes(str(tmp_path)):
        with contextlib.suppress(ProcessLookupError):
            select.select([os.pidfd_open(pid)], [], [])
    assert not list(FilePath(tmp_path, "store").glob("??"))


def test_a_hang_is_told_with_its_stage(kernel):
    with Guest(kernel, 512 << 20, SEED, stall_s=3.0) as guest:
        os.kill(guest.kernel_pid, signal.SIGSTOP)
        with pytest.raises(RunError, match="no progress in 3 s") as caught:
            guest.ask("build", plan={}, stage="building the network")
    assert caught.value.stage == "building the network"


def test_what_the_guest_refuses_names_its_stage(kernel):
    with (
        Guest(kernel, 512 << 20, SEED) as guest,
        pytest.raises(RunError, match="building the network"),
    ):
        guest.ask("build", plan={"sysctl": {"no.such": 1}}, stage="building the network")


def test_a_missing_kernel_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("LAB_KERNEL", str(tmp_path))
    with pytest.raises(MissingToolError, match="lab kernel build"):
        find()


def test_the_host_cannot_be_written_from_the_guest(testbed):
    victim = FilePath("/var/lib")
    with testbed.session(Path(1e9, 0.01)) as net:
        result = net["h1"].run(f"touch {victim}/made-by-a-guest")
        assert result.code != 0
        assert "Read-only file system" in result.output
        assert net["h1"].run("touch /tmp/mine && ls /tmp").output.strip() == "mine"
    assert not (victim / "made-by-a-guest").exists()
