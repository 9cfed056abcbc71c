"""`lab doctor --fix`: what it mends, what it asks first, and what it leaves to an administrator."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from filelock import FileLock

from lab_tools import doctor, doctor_repairs
from lab_tools.cli import main
from lab_tools.doctor_checks import Check
from lab_tools.doctor_repairs import Repair, carry_out, leftovers, repairs, unreachable
from lab_tools.errors import MissingToolError
from lab_tools.flow import CONGESTION_CONTROLS

needs_another_user = pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache, a store and a project without a fault."""
    monkeypatch.setenv("LAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LAB_STORE", str(tmp_path / "store"))
    monkeypatch.setattr(doctor_repairs, "STATE", tmp_path / "mininet.json")
    monkeypatch.setattr(doctor_repairs.tempfile, "gettempdir", lambda: str(tmp_path))
    for folder in ("cache/kernel", "store", "project/labs", "project/scripts"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "project/scripts/install-packages").touch()
    return tmp_path


def bad(mend: str) -> Check:
    return Check("a check", False, "found", "remedy", mend)


def texts(found: list[Repair]) -> list[str]:
    return [each.what for each in found]


def test_a_healthy_machine_has_nothing_to_mend(place: Path) -> None:
    good = Check("network programs", True, "all there", "", "packages")
    assert repairs([good], root=True, project=place / "project") == []


@pytest.mark.parametrize("root", [True, False])
def test_packages_are_installed_by_root_and_named_to_others(place: Path, root: bool) -> None:
    (found,) = repairs([bad("packages")], root=root, project=place / "project")
    assert found.command == "scripts/install-packages base kernel network"
    assert (found.do is not None) is root
    if not root:
        assert "as root, run: scripts/install-packages" in carry_out(found)


def test_packages_come_before_the_kernel_that_needs_them(place: Path) -> None:
    wanted = [bad("kernel"), bad("packages")]
    assert [t.split()[0] for t in texts(repairs(wanted, root=True, project=place / "project"))] == [
        "install",
        "build",
    ]


def test_modules_name_every_congestion_control(place: Path) -> None:
    (found,) = repairs([bad("modules")], root=False, project=place / "project")
    words = found.command.split()
    assert words[:2] == ["modprobe", "--all"]
    # Debian's kernel has CUBIC and Reno built in (CONFIG_TCP_CONG_CUBIC=y; Reno is no option)
    assert {w for w in words if w.startswith("tcp_")} == {
        f"tcp_{name}" for name in CONGESTION_CONTROLS if name not in ("cubic", "reno")
    }


def test_a_killed_build_is_removed_but_not_one_that_goes_on(place: Path) -> None:
    half = place / "cache/kernel/building-x"
    half.mkdir()
    with FileLock(place / "cache/kernel/lock"):
        assert list(leftovers(root=False)) == []
    (found,) = leftovers(root=False)
    assert carry_out(found) == ""
    assert not half.exists()


def test_the_folder_of_a_killed_guest_is_removed_but_not_one_in_use(place: Path) -> None:
    used, dead = place / "lab-virtual-used", place / "lab-virtual-dead"
    for folder in (used, dead, place / "lab-virtual-locks-0"):
        folder.mkdir()
    user = subprocess.Popen(
        [sys.executable, "-c", "print(flush=True); input()", str(used)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert user.stdout is not None
    user.stdout.readline()  # a program that has only just begun has no command line yet
    try:
        (found,) = leftovers(root=False)
        assert carry_out(found) == ""
    finally:
        user.communicate("\n")
    assert not dead.exists()
    assert used.exists()
    assert (place / "lab-virtual-locks-0").exists()


def test_changed_kernel_parameters_are_put_back_by_root_alone(place: Path) -> None:
    (place / "mininet.json").write_text("{}")
    (as_root,) = leftovers(root=True)
    (as_user,) = leftovers(root=False)
    assert as_root.do is not None
    assert as_user.do is None
    assert as_user.command.endswith("python -m lab_tools.testbeds.mininet")


PERMISSIONS = """
import os, sys
from pathlib import Path
from lab_tools.doctor_repairs import carry_out, unreachable
os.setgroups([]), os.setgid(65534), os.setuid(65534)
for each in unreachable([Path(sys.argv[1])]):
    print(each.what, "|", carry_out(each))
"""


@pytest.fixture
def visible(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that every user can reach."""
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def as_another(folder: Path) -> str:
    """What another user is told about a folder."""
    done = subprocess.run(
        [sys.executable, "-c", PERMISSIONS, str(folder)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_another_user
def test_ones_own_closed_folders_are_opened(visible: Path) -> None:
    inner = visible / "store" / "inner"
    inner.mkdir(parents=True)
    for each in (visible / "store", inner):
        os.chown(each, 65534, 65534)
    inner.chmod(0o500)
    assert "make" in as_another(visible / "store")
    assert inner.stat().st_mode & 0o700 == 0o700
    assert as_another(visible / "store") == ""


@needs_another_user
def test_what_root_made_takes_an_administrator(visible: Path) -> None:
    (visible / "store").mkdir()
    (visible / "store" / "record").touch(0o600)
    said = as_another(visible / "store")
    assert f"as root, run: chown -R 65534:65534 '{visible / 'store'}'" in said


def test_a_folder_that_is_not_there_is_no_fault(tmp_path: Path) -> None:
    assert list(unreachable([tmp_path / "none"])) == []


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with one fault, which making a file mends."""
    file = tmp_path / "mended"
    monkeypatch.setenv("LAB_TESTBED", "replay")

    def examine(names: object) -> dict[str, tuple[Check, ...]]:
        return {"replay": (Check("a file", file.exists(), "", "make it", "x"),)}

    def wanted(checks: tuple[Check, ...], *, root: bool) -> list[Repair]:
        return [] if file.exists() else [Repair("make the file", file.touch)]

    monkeypatch.setattr(doctor, "examine", examine)
    monkeypatch.setattr(doctor, "repairs", wanted)
    return file


def test_yes_mends_and_looks_again(broken: Path) -> None:
    done = CliRunner().invoke(main, ["doctor", "--fix", "--yes"])
    assert done.exit_code == 0, done.output
    assert "does not work here" in done.output
    assert "done: make the file" in done.output
    assert done.output.rstrip().endswith("ok  a file")


@pytest.mark.parametrize("words", [["doctor"], ["doctor", "--fix"]])
def test_without_yes_and_a_terminal_nothing_changes(broken: Path, words: list[str]) -> None:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert not broken.exists()
    assert ("--yes does it" in done.output) == ("--fix" in words)


@pytest.mark.parametrize(("answer", "mended"), [("y\n", True), ("n\n", False)])
def test_it_asks_first(
    broken: Path, monkeypatch: pytest.MonkeyPatch, answer: str, mended: bool
) -> None:
    monkeypatch.setattr(doctor, "a_person_is_there", lambda: True)
    done = CliRunner().invoke(main, ["doctor", "--fix"], input=answer)
    assert "Shall I make the file?" in done.output
    assert broken.exists() is mended
    assert done.exit_code == (0 if mended else 2)


def test_a_repair_that_fails_says_why_and_the_others_go_on(
    broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise MissingToolError("flex is missing")

    both = [Repair("build it", fail), Repair("make the file", broken.touch)]
    monkeypatch.setattr(doctor, "repairs", lambda checks, root: both)
    done = CliRunner().invoke(main, ["doctor", "--fix", "--yes"])
    assert "not mended: build it\n  flex is missing" in done.output
    assert broken.exists()


@pytest.mark.parametrize("words", [["--yes"], ["--fix", "--json"]])
def test_options_that_do_not_go_together_are_refused(words: list[str]) -> None:
    done = CliRunner().invoke(main, ["doctor", *words])
    assert done.exit_code == 2
    assert "is not allowed" in done.output


def test_building_is_told_when_its_tools_are_missing(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["lab_tools.kernel.build"], "SOURCE", place / "no-source.tar.xz")
    (found,) = repairs([bad("kernel")], root=False, project=place / "project")
    assert "no-source.tar.xz" in carry_out(found)
