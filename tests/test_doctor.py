"""What `lab doctor` says, on machines made up of real files and programs."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from lab_tools import doctor_checks as doctor
from lab_tools.cli import main
from lab_tools.doctor_checks import Check
from lab_tools.errors import MissingToolError, RunError
from lab_tools.kernel import Kernel
from lab_tools.testbeds import TESTBEDS
from lab_tools.testbeds.base import CommandResult


def program(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def a_kernel(file: Path) -> Kernel:
    return Kernel(
        program=file, version="6.1.0-lab", recipe="r", source="s", patches=(), size_bytes=1
    )


@pytest.mark.parametrize(
    ("system", "machine", "ok"),
    [("Linux", "x86_64", True), ("Linux", "aarch64", False), ("Darwin", "arm64", False)],
)
def test_only_linux_on_x86_64_boots_the_kernel(system: str, machine: str, ok: bool) -> None:
    check = doctor.check_machine(system, machine)
    assert check.ok is ok
    assert machine in check.found


@pytest.mark.parametrize(("kilobytes", "ok"), [(1_000_000, False), (4_000_000, True)])
def test_memory_is_what_is_available(kilobytes: int, ok: bool) -> None:
    text = f"MemTotal: 99999999 kB\nMemAvailable: {kilobytes} kB\n"
    assert doctor.check_memory(text).ok is ok


def test_no_meminfo_is_no_memory() -> None:
    assert not doctor.check_memory("").ok


def test_the_disk_must_hold_the_build_only_until_it_is_done() -> None:
    assert doctor.check_disk(2e9, to_build=False).ok
    assert not doctor.check_disk(2e9, to_build=True).ok


def test_missing_programs_are_named(tmp_path: Path) -> None:
    program(tmp_path, "ip", "exit 0")
    check = doctor.check_commands(["ip", "tc", "ss"], str(tmp_path))
    assert not check.ok
    assert "tc, ss" in check.found
    assert "install-packages" in check.remedy
    assert doctor.check_commands(["ip"], str(tmp_path)).ok


def test_the_system_python_must_import_mininet(tmp_path: Path) -> None:
    bare = program(
        tmp_path, "bare", "echo \"ModuleNotFoundError: No module named 'mininet'\" >&2; exit 1"
    )
    full = program(tmp_path, "full", "echo 3.11.2 2.3.0")
    assert "No module named" in doctor.check_python(str(bare)).found
    assert doctor.check_python(str(full)).ok
    assert not doctor.check_python(str(tmp_path / "none")).ok


def test_refused_tracing_names_the_setting() -> None:
    refused = doctor.check_tracing("3\n", [sys.executable, "-c", "raise SystemExit(1)"])
    assert not refused.ok
    assert "ptrace_scope is 3" in refused.found
    assert doctor.check_tracing("", [sys.executable, "-c", "pass"]).ok


def test_a_kernel_must_be_there_and_start(tmp_path: Path) -> None:
    def nothing() -> Kernel:
        raise MissingToolError("the virtual-time kernel is missing")

    assert doctor.check_kernel(nothing).remedy == "run: lab kernel build"
    good = program(tmp_path, "good", "echo 6.1.0-lab")
    crash = program(tmp_path, "crash", "kill -ILL $$")
    assert doctor.check_kernel(lambda: a_kernel(good)).ok
    assert not doctor.check_kernel(lambda: a_kernel(crash)).ok
    assert not doctor.check_kernel(lambda: a_kernel(tmp_path / "none")).ok


def test_missing_build_tools_are_passed_on() -> None:
    def missing() -> None:
        raise MissingToolError("flex missing")

    assert doctor.check_build_tools(missing).found == "flex missing"
    assert doctor.check_build_tools(lambda: None).ok


class FakeNetwork:
    """A testbed whose only command answers as it was told."""

    name = "fake"

    def __init__(self, output: str | Exception) -> None:
        self.output = output

    def session(self, path: object) -> "FakeNetwork":
        if isinstance(self.output, Exception):
            raise self.output
        return self

    def __enter__(self) -> "FakeNetwork":
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def __getitem__(self, name: str) -> "FakeNetwork":
        return self

    def run(self, command: str, timeout_s: float = 60.0) -> CommandResult:
        return CommandResult(str(self.output), 0)


def test_a_network_that_answers_and_two_that_do_not() -> None:
    answer = FakeNetwork("64 bytes from 10.0.3.2: icmp_seq=1 ttl=62 time=100 ms\n")
    assert doctor.check_network(answer) == Check(
        "a network boots", True, "ping over 100 ms: 100 ms", doctor.check_network(answer).remedy
    )
    assert not doctor.check_network(FakeNetwork("Network is unreachable")).ok
    dead = doctor.check_network(FakeNetwork(RunError("booting", "it ended", ["panic: no init"])))
    assert not dead.ok
    assert "panic: no init" in dead.found


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_the_exit_code_tells_if_the_default_testbed_works(
    words: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LAB_TESTBED", "replay")
    monkeypatch.setenv("LAB_RECORDINGS", str(tmp_path))
    result = CliRunner().invoke(main, ["doctor", "--testbed", "replay", *words])
    assert result.exit_code == 2
    assert "no recordings" in result.output
    if words:
        report = json.loads(result.output)
        assert report["default"] == "replay"
        assert report["testbeds"]["replay"]["works"] is False


@pytest.mark.kernel
def test_this_machine_passes_and_every_testbed_is_listed() -> None:
    report = doctor.examine()
    assert set(report) == set(TESTBEDS)
    assert [check for check in report["virtual"] if not check.ok] == []
