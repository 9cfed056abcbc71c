"""The workshop's machine, set up in a clean Debian in a folder, and started there."""

import os
import re
import select
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PROVISION = PROJECT / "instructor" / "vm" / "provision.sh"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
LAB = "02_mathis_science_dmz"
#: Kept in the machine's environment: how this one reaches the package registries.
PASSED = re.compile(r"(?i)^(pip_.*|.*_proxy|ssl_cert_file)$")


def has(*programs: str) -> bool:
    return all(shutil.which(program) for program in programs)


pytestmark = [
    pytest.mark.slow,
    pytest.mark.kernel,
    pytest.mark.timeout(5400),
    pytest.mark.skipif(
        os.getuid() != 0 or not has("mmdebstrap", "unshare", "chroot"),
        reason="making a Debian in a folder takes root and mmdebstrap",
    ),
]


class Machine:
    """A clean Debian 12 in a folder, as the boxes have it; commands run in it as root."""

    PREPARE = """
        mount --bind "$1" "$1"; mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"; mount -t tmpfs tmpfs "$1/run"
        root=$1; shift; exec chroot "$root" /usr/bin/env "$@"
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        packages = "systemd,systemd-sysv,kmod,sudo,openssh-server,ca-certificates"
        make = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={packages}"]
        subprocess.run([*make, "bookworm", root], check=True)
        for file in (Path("/etc/resolv.conf"), Path("/etc/hosts"), CERTIFICATES):
            shutil.copy(file, root / file.relative_to("/"))
        head = ["git", "-C", PROJECT, "rev-parse", "HEAD"]
        self.commit = subprocess.check_output(head, text=True).strip()
        archive = ["git", "-C", PROJECT, "archive", "--format=tar.gz", self.commit]
        (root / "root" / "course.tar.gz").write_bytes(subprocess.check_output(archive))
        shutil.copy(PROVISION, root / "root")
        self.project = root / "home/student/data-over-distance"

    def run(self, *words: str) -> str:
        """Run a command and return what it prints; nothing it starts or mounts outlives it."""
        passed = [f"{name}={value}" for name, value in os.environ.items() if PASSED.match(name)]
        alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
        done = subprocess.run(
            [*alone, "sh", "-euc", self.PREPARE, "sh", self.root, *passed, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def provision(self) -> str:
        words = ("--archive", "/root/course.tar.gz", "--user", "student", "--port", "8899")
        return self.run("bash", "/root/provision.sh", *words)

    def lab(self, *words: str, **settings: str) -> str:
        more = [f"{name}={value}" for name, value in settings.items()]
        student = [
            "runuser",
            "-u",
            "student",
            "--",
            "env",
            "-C",
            "/home/student/data-over-distance",
        ]
        return self.run(*student, "HOME=/home/student", *more, "lab", *words)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    made = Machine(tmp_path_factory.mktemp("machine") / "root")
    for folder in (made.root, *made.root.parents[:3]):
        folder.chmod(0o755)
    print(made.provision())
    return made


def test_the_default_testbed_works_for_the_student(machine: Machine) -> None:
    said = machine.lab("doctor", "--testbed", "virtual")
    assert "virtual, the default: works" in said
    assert "--  " not in said


def test_a_second_run_changes_neither_notebooks_nor_the_token(machine: Machine) -> None:
    notebook = machine.project / "labs" / LAB / f"{LAB}.ipynb"
    settings = machine.root / "etc/data-over-distance/jupyter"
    notebook.write_text("mine")
    before = settings.read_text()
    said = machine.provision()
    assert "Python environment: up to date" in said
    assert notebook.read_text() == "mine"
    assert settings.read_text() == before


@pytest.mark.parametrize("testbed", ["virtual", "replay"])
def test_lab_02_gets_full_marks(machine: Machine, testbed: str) -> None:
    said = machine.lab("author", "check", LAB, LAB_TESTBED=testbed)
    blank, worked, most = re.search(r"blank (\d+), worked (\d+) of (\d+)", said).groups()
    assert blank == "0"
    assert worked == most


def test_its_service_and_its_message_are_in_place(machine: Machine) -> None:
    service = "/etc/systemd/system/data-over-distance.service"
    assert machine.run("systemd-analyze", "verify", service) == ""
    assert machine.run("systemctl", "is-enabled", "data-over-distance").strip() == "enabled"
    address = machine.run("lab-address").strip()
    assert re.fullmatch(r"http://localhost:8899/\?token=[0-9a-f]{48}", address)
    assert address in (machine.root / "etc/motd").read_text()
    assert (machine.project / ".commit").read_text().strip() == machine.commit


@pytest.fixture
def booted(machine: Machine) -> Iterator[int]:
    """The machine, started with systemd in namespaces of its own; a process in it."""
    nspawn = ["systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit"]
    started = subprocess.Popen(
        [*nspawn, "--private-network", "--console=pipe", "-D", machine.root],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    inside: list[int] = []
    try:
        for _ in range(1200):
            select.select([], [], [], 0.1)
            assert started.poll() is None
            if inside := processes(machine.project):
                break
        yield inside[0]
    finally:
        # The end of the first process of a machine is the end of all of them.
        for first in (each for each in lineage(started.pid) if status(each, "NSpid")[-1] == "1"):
            os.kill(int(first), signal.SIGKILL)
        started.kill()
        started.wait()


def status(pid: str, field: str) -> list[str]:
    """A field of what the kernel says of a process."""
    found = re.search(rf"^{field}:(.*)$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return found.group(1).split()


def lineage(pid: int) -> list[str]:
    """Processes that a process has started, and those that these have started, first ones first."""
    found = [str(pid)]
    for each in found:
        found += Path(f"/proc/{each}/task/{each}/children").read_text().split()
    return found[1:]


def processes(project: Path) -> list[int]:
    """Processes of JupyterLab's service whose root is that of a machine, by its project."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            folder = entry / "root/home/student/data-over-distance"
            if b"start_lab.py" in (entry / "cmdline").read_bytes() and folder.samefile(project):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


FETCH = """
import sys, time, urllib.error, urllib.request
for _ in range(600):
    try:
        print(urllib.request.urlopen(f"http://127.0.0.1:8888/api/status?token={sys.argv[1]}").status)
        break
    except ConnectionError:
        time.sleep(0.1)
    except urllib.error.HTTPError as error:
        print(error.code)
        break
    except urllib.error.URLError:
        time.sleep(0.1)
"""


@pytest.mark.skipif(not has("systemd-nspawn", "nsenter"), reason="systemd-nspawn is not installed")
def test_jupyter_runs_when_the_machine_has_started(machine: Machine, booted: int) -> None:
    def inside(*words: str) -> str:
        enter = ["nsenter", "-t", str(booted), "-m", "-n", "-p", "-u", "-i", *words]
        return subprocess.run(enter, capture_output=True, text=True).stdout.strip()

    token = inside("lab-address").split("token=")[1]
    python = "/home/student/data-over-distance/.venv/bin/python"
    assert inside(python, "-c", FETCH, token) == "200"
    assert inside(python, "-c", FETCH, "wrong") == "403"
    assert inside("systemctl", "is-system-running", "--wait") == "running"
    assert "User=student" in inside("systemctl", "show", "data-over-distance")
