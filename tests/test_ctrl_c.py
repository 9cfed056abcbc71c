"""Ctrl-C: every command that takes long ends with one message and code 130, and leaves nothing."""

import os
import select
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lab_tools.kernel.build import SOURCE

LAB = Path(__file__).resolve().parents[1] / ".venv" / "bin" / "lab"
SWEEP = """
repeat = 8
[base]
duration_s = "600 s"
[base.path]
rate_bps = "100 Mbit/s"
rtt_s = "100 ms"
"""
#: What a command is given, and the temporary files by which it is seen to work.
PATH = ["--rate", "100 Mbit/s", "--rtt", "100 ms"]
BEGUN, BOOTED = "lab-virtual-*", "lab-virtual-*/*"
KERNEL_COMMANDS = {
    "run": (["run", *PATH, "--duration", "3000 s"], BOOTED),
    "run, at its beginning": (["run", *PATH, "--duration", "3000 s"], BEGUN),
    "sweep": (["sweep", "sweep.toml", "--workers", "1"], BOOTED),
    "shell, asking": (["shell", "--rtt", "100 ms"], BOOTED),
    "shell, with a command": (["shell", "--", "ping", "10.0.3.2"], BOOTED),
    "shell, at its beginning": (["shell", "--", "ping", "10.0.3.2"], BEGUN),
    "doctor": (["doctor", "--testbed", "virtual"], BOOTED),
    "report": (["report"], BEGUN),
}
#: Time for a command to begin, and to end: only a hang takes it.
LIMIT_S = 500.0


class Command:
    """A command in a session of its own, as a terminal would start it."""

    def __init__(self, folder: Path, words: list[str], **settings: str) -> None:
        (folder / "sweep.toml").write_text(SWEEP)
        self.folder = folder
        self.process = subprocess.Popen(
            [LAB, *words],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={
                **os.environ,
                "TMPDIR": str(folder),
                "LAB_STORE": str(folder / "store"),
                "LAB_TESTBED": "virtual",
                **settings,
            },
        )
        self.pid = os.pidfd_open(self.process.pid)

    def ended(self, wait_s: float) -> bool:
        return bool(select.select([self.pid], [], [], wait_s)[0])

    def wait_until(self, works: Callable[[], bool]) -> None:
        """Wait until the command is in the middle of its work."""
        for _ in range(int(LIMIT_S / 0.1)):
            if works():
                return
            if self.ended(0.1):
                break
        said = "".join(self.end())
        raise AssertionError(f"it did not come so far: {said}")

    def end(self) -> tuple[str, str]:
        if not self.ended(0):
            os.killpg(self.process.pid, signal.SIGKILL)
        out, err = self.process.communicate(timeout=LIMIT_S)
        os.close(self.pid)
        return out, err

    def ctrl_c(self) -> tuple[int, str]:
        """Press Ctrl-C: the whole foreground group gets the signal; return code and words."""
        os.killpg(self.process.pid, signal.SIGINT)
        assert self.ended(LIMIT_S), "it goes on after Ctrl-C"
        out, err = self.end()
        return self.process.returncode, out + err

    def guests(self, sign: str) -> list[Path]:
        """Files of guests: of all that have begun, or of those that have booted."""
        return [each for each in self.folder.glob(sign) if "lab-virtual-locks" not in str(each)]

    def left(self) -> list[str]:
        """Command lines of processes that still work in the command's folder."""
        found = []
        for entry in Path("/proc").glob("[0-9]*/environ"):
            try:
                if f"TMPDIR={self.folder}".encode() in entry.read_bytes():
                    found.append((entry.parent / "cmdline").read_bytes().decode())
            except OSError:
                continue
        return found


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Command]]:
    begun: list[Command] = []

    def begin(words: list[str], **settings: str) -> Command:
        begun.append(Command(tmp_path, words, **settings))
        return begun[-1]

    yield begin
    for each in begun:
        if each.process.poll() is None:
            each.end()


def check_end(command: Command) -> None:
    code, said = command.ctrl_c()
    assert code == 130, said
    assert "Traceback" not in said
    assert "lab: " in said
    # the guardian of a guest is the last to go
    command_left = command.left()
    for _ in range(int(LIMIT_S / 0.1)):
        if not command_left:
            break
        select.select([], [], [], 0.1)
        command_left = command.left()
    assert command_left == []
    assert command.guests(BEGUN) == []


@pytest.mark.kernel
@pytest.mark.parametrize("name", KERNEL_COMMANDS)
def test_a_command_with_a_guest_ends_cleanly(name: str, start: Callable[..., Command]) -> None:
    words, sign = KERNEL_COMMANDS[name]
    command = start(words)
    command.wait_until(lambda: command.guests(sign) != [])
    check_end(command)
    assert not list(command.folder.glob("store/??/*/*/record.json"))


def test_checking_a_lab_ends_cleanly(start: Callable[..., Command]) -> None:
    command = start(["author", "check", "02_mathis_science_dmz"], LAB_TESTBED="replay")
    # what the notebook's cells write
    command.wait_until(lambda: any(command.folder.rglob("work/*")))
    check_end(command)


needs_source = pytest.mark.skipif(
    not SOURCE.is_file() or shutil.which("flex") is None, reason="the kernel cannot be built here"
)


@needs_source
def test_unpacking_the_kernel_ends_cleanly(start: Callable[..., Command]) -> None:
    command = start(["kernel", "build"], LAB_CACHE="cache")
    command.wait_until(lambda: any(command.folder.glob("cache/kernel/building-*/tree/*")))
    check_end(command)
    assert not list(command.folder.glob("cache/kernel/building-*"))


@needs_source
@pytest.mark.slow
def test_compiling_the_kernel_ends_cleanly(start: Callable[..., Command]) -> None:
    command = start(["kernel", "build"], LAB_CACHE="cache")
    command.wait_until(lambda: any(command.folder.glob("cache/kernel/building-*/tree/init/*.o")))
    check_end(command)
    assert not list(command.folder.glob("cache/kernel/building-*"))
