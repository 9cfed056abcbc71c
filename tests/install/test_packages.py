"""The list of Debian packages and the script that installs them, with programs that stand in
for dpkg-query and apt-get."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lab_tools.kernel.build import PACKAGES

PROJECT = Path(__file__).resolve().parents[2]
SCRIPTS = PROJECT / "scripts"
LIST = SCRIPTS / "debian-packages.txt"
NOBODY = 65534


def entries() -> list[tuple[str, str, str]]:
    """Package, group and reason of every line."""
    found = []
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            words, reason = line.split("#", 1)
            package, group = words.split()
            found.append((package, group, reason.strip()))
    return found


class Machine:
    """A machine with some packages installed, and a log of what apt-get was asked."""

    def __init__(self, folder: Path) -> None:
        # A copy of the scripts, so that another user may read them wherever the project is.
        self.folder = folder
        shutil.copytree(SCRIPTS, folder / "scripts")
        self.has(*(package for package, _, _ in entries()))
        self.program("dpkg-query", 'grep -qx "$4" "{here}/has" && echo installed')
        self.program("apt-get", 'echo "$*" >>"{here}/asked"')
        for each in (folder, *folder.rglob("*")):
            each.chmod(0o755 if each.is_dir() or os.access(each, os.X_OK) else 0o644)

    def has(self, *packages: str) -> None:
        (self.folder / "has").write_text("".join(f"{each}\n" for each in packages))

    def program(self, name: str, text: str) -> None:
        file = self.folder / name
        file.write_text("#!/bin/sh\n" + text.replace("{here}", str(self.folder)) + "\n")
        file.chmod(0o755)

    @property
    def asked(self) -> list[str]:
        file = self.folder / "asked"
        return file.read_text().splitlines() if file.exists() else []

    def install(self, *groups: str, **settings: object) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "DPKG_QUERY": str(self.folder / "dpkg-query"),
            "APT_GET": str(self.folder / "apt-get"),
        }
        command = [str(self.folder / "scripts" / "install-packages"), *groups]
        return subprocess.run(
            command, env=environment, cwd="/", capture_output=True, text=True, **settings
        )

    def install_as_user(self, *groups: str) -> subprocess.CompletedProcess[str]:
        if os.getuid() != 0:
            return self.install(*groups)
        return self.install(*groups, user=NOBODY, group=NOBODY, extra_groups=[])


@pytest.fixture
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    folder = tmp_path_factory.mktemp("machine")
    # pytest's folders are closed to other users
    if os.getuid() == 0:
        for each in (folder, folder.parent, folder.parent.parent):
            each.chmod(0o755)
    return Machine(folder)


needs_root = pytest.mark.skipif(os.getuid() != 0, reason="apt-get is only asked as root")


def test_every_package_has_a_group_and_a_reason() -> None:
    assert len({package for package, _, _ in entries()}) == len(entries())
    assert {group for _, group, _ in entries()} == {"base", "kernel", "network", "test", "bench"}
    assert all(reason for _, _, reason in entries())


def test_the_list_holds_all_that_the_kernel_asks_for() -> None:
    assert set(PACKAGES.split()) <= {
        package for package, group, _ in entries() if group == "kernel"
    }


def test_nothing_is_asked_of_apt_when_all_is_there(machine: Machine) -> None:
    done = machine.install("base", "kernel", "network", "test", "bench")
    assert done.returncode == 0, done.stderr
    assert f"all {len(entries())} are there" in done.stdout
    assert machine.asked == []


def test_an_ordinary_user_goes_on_when_all_is_there(machine: Machine) -> None:
    assert machine.install_as_user("base", "kernel").returncode == 0


def test_an_ordinary_user_gets_the_list_and_one_command(machine: Machine) -> None:
    machine.has("gcc", "make", "python3-venv", "ca-certificates")
    done = machine.install_as_user("base", "network")
    assert done.returncode == 2
    commands = [line.strip() for line in done.stderr.splitlines() if "sudo sh -c" in line]
    missing = " ".join(package for package, group, _ in entries() if group == "network")
    assert len(commands) == 1
    assert commands[0].endswith(f"install --yes --no-install-recommends {missing}'")
    assert "apt-get update &&" in commands[0]
    assert "builds the emulated network" in done.stderr
    assert "gcc" not in done.stderr
    assert machine.asked == []


@needs_root
def test_root_installs_only_what_is_missing(machine: Machine) -> None:
    machine.has(*(package for package, _, _ in entries() if package not in ("mininet", "bc")))
    done = machine.install("base", "kernel", "network")
    assert done.returncode == 0, done.stderr
    update, install = machine.asked
    assert update.endswith("update")
    assert install.endswith(" bc mininet")
    assert "--no-install-recommends" in install


@needs_root
def test_the_end_of_apts_output_is_shown_when_it_fails(machine: Machine) -> None:
    machine.has()
    machine.program("apt-get", 'echo "E: Unable to locate package $9" >&2; exit 100')
    done = machine.install("base")
    assert done.returncode == 1
    assert "E: Unable to locate package" in done.stderr
    assert "Debian" in done.stderr


def test_a_system_without_dpkg_is_told_about_recorded_runs(machine: Machine) -> None:
    (machine.folder / "dpkg-query").unlink()
    done = machine.install("base")
    assert done.returncode == 2
    assert "LAB_TESTBED=replay" in done.stderr


def test_an_unknown_group_is_refused(machine: Machine) -> None:
    done = machine.install("kernal")
    assert done.returncode == 2
    assert "kernal" in done.stderr
