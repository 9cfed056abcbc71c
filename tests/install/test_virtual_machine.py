"""The workshop's machine, without a hypervisor: its description and its set-up script."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lab_tools.flow import CONGESTION_CONTROLS
from lab_tools.path import HOST_QDISCS, QUEUE_DISCIPLINES

PROJECT = Path(__file__).resolve().parents[2]
VM = PROJECT / "instructor" / "vm"
VAGRANTFILE = PROJECT / "Vagrantfile"
PROVISION = VM / "provision.sh"


def has(*programs: str) -> bool:
    return all(shutil.which(program) for program in programs)


def provision(*words: str, **settings: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-s", "--", *words],
        input=PROVISION.read_text(),
        capture_output=True,
        text=True,
        **settings,
    )


@pytest.mark.skipif(not has("ruby"), reason="ruby is not installed")
def test_ruby_reads_the_vagrantfile() -> None:
    done = subprocess.run(["ruby", "-wc", VAGRANTFILE], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clean clone of the project, with the Vagrantfile as it is now."""
    source = f"file://{PROJECT}"
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", source, tmp_path / "c"], check=True)
    shutil.copy(VAGRANTFILE, tmp_path / "c")
    return tmp_path / "c"


def vagrant(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["vagrant", "validate", "--ignore-provider"],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "VAGRANT_HOME": str(folder.parent / "home"), **settings},
    )


needs_vagrant = pytest.mark.skipif(not has("vagrant"), reason="vagrant is not installed")


@needs_vagrant
@pytest.mark.slow
def test_vagrant_takes_it_and_packs_the_project(clone: Path) -> None:
    done = vagrant(clone)
    assert done.returncode == 0, done.stdout + done.stderr
    (archive,) = (clone / ".vagrant").glob("course-*.tar.gz")
    head = subprocess.check_output(["git", "-C", clone, "rev-parse", "HEAD"], text=True).strip()
    assert archive.name == f"course-{head}.tar.gz"
    names = subprocess.check_output(["tar", "-tzf", archive], text=True).splitlines()
    assert {"scripts/setup", "instructor/vm/provision.sh", "labs/"} <= set(names)


@needs_vagrant
@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["x", "-1", "80"])
def test_a_wrong_port_is_refused_with_what_is_allowed(clone: Path, wrong: str) -> None:
    done = vagrant(clone, LAB_VM_PORT=wrong)
    assert done.returncode != 0
    assert f"LAB_VM_PORT={wrong} is not allowed" in done.stderr


def test_boxes_are_pinned_and_only_this_computer_reaches_jupyter() -> None:
    text = VAGRANTFILE.read_text()
    assert re.search(r'"bento/debian-12", "\d{6}\.\d{2}\.\d"', text)
    assert re.search(r'"debian/bookworm64", "12\.\d{8}\.\d"', text)
    ports = [line for line in text.splitlines() if "forwarded_port" in line]
    assert len(ports) == 1
    assert 'host_ip: "127.0.0.1"' in ports[0]
    assert "guest: 8888" in ports[0]
    for provider in ("virtualbox", "libvirt", "parallels", "vmware_desktop"):
        assert f'config.vm.provider("{provider}")' in text


def test_the_modules_are_those_that_experiments_can_ask_for() -> None:
    lines = (VM / "modules.conf").read_text().splitlines()
    modules = {line for line in lines if line and not line.startswith("#")}
    # What Debian's kernel has built in: CUBIC, Reno, the plain queues (pfifo, noqueue). Droptail is
    # the token bucket's own queue.
    controls = {f"tcp_{name}" for name in CONGESTION_CONTROLS} - {"tcp_cubic", "tcp_reno"}
    queues = {*QUEUE_DISCIPLINES, *HOST_QDISCS} - {"droptail", "noqueue", "pfifo"}
    assert modules == controls | {f"sch_{name}" for name in queues} | {
        "veth",
        "sch_netem",
        "sch_tbf",
    }


@pytest.mark.skipif(not has("shellcheck"), reason="shellcheck is not installed")
def test_shellcheck_finds_nothing() -> None:
    files = [PROVISION, VM / "lab-address"]
    done = subprocess.run(["shellcheck", *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_jupyter_is_an_ordinary_users() -> None:
    unit = (VM / "data-over-distance.service").read_text()
    assert "\nUser=@user@\n" in unit
    assert "scripts/start_lab.py --headless" in unit
    assert "token" not in unit.lower()


@pytest.mark.skipif(os.getuid() != 0, reason="what comes after being root")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--achive", "x"], "--achive"),
        (["--user"], "--user needs a value"),
        (["--user", "root", "--archive", "/dev/null"], "'root' is not allowed"),
        (["--user", "a b", "--archive", "/dev/null"], "'a b' is not allowed"),
        (["--port", "x", "--archive", "/dev/null"], "The port 'x'"),
        (["--archive", "/none"], "/none cannot be read"),
        ([], "--archive FILE, or --project FOLDER"),
    ],
)
def test_wrong_words_change_nothing(words: list[str], said: str) -> None:
    done = provision(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
def test_an_ordinary_user_is_refused() -> None:
    done = provision("--archive", "/dev/null", user=65534, group=65534, extra_groups=[], cwd="/")
    assert done.returncode == 2
    assert "as root" in done.stderr
