"""The workshop's machine, without a hypervisor: its description, and its set-up in a Debian."""

import os
import re
import select
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab_tools.flow import CONGESTION_CONTROLS
from lab_tools.path import HOST_QDISCS, QUEUE_DISCIPLINES

PROJECT = Path(__file__).resolve().parents[2]
VM = PROJECT / "instructor" / "vm"
VAGRANTFILE = PROJECT / "Vagrantfile"
PROVISION = VM / "provision.sh"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
LAB = "02_mathis_science_dmz"
#: Kept in the root's environment: how this machine reaches the package registries.
PASSED = re.compile(r"(?i)^(pip_.*|.*_proxy|ssl_cert_file)$")


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
        archive = ["git", "-C", PROJECT, "archive", "--format=tar.gz", "HEAD"]
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


needs_a_root = pytest.mark.skipif(
    os.getuid() != 0 or not has("mmdebstrap", "unshare", "chroot"),
    reason="making a Debian in a folder takes root and mmdebstrap",
)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    made = Machine(tmp_path_factory.mktemp("machine") / "root")
    for folder in (made.root, *made.root.parents[:3]):
        folder.chmod(0o755)
    print(made.provision())
    return made


pytest_slow = [pytest.mark.slow, pytest.mark.kernel, pytest.mark.timeout(5400), needs_a_root]


def slow(test: object) -> object:
    for mark in pytest_slow:
        test = mark(test)
    return test


@slow
def test_the_default_testbed_works_for_the_student(machine: Machine) -> None:
    said = machine.lab("doctor", "--testbed", "virtual")
    assert "virtual, the default: works" in said
    assert "--  " not in said


@slow
def test_a_second_run_changes_neither_notebooks_nor_the_token(machine: Machine) -> None:
    notebook = machine.project / "labs" / LAB / f"{LAB}.ipynb"
    settings = machine.root / "etc/data-over-distance/jupyter"
    notebook.write_text("mine")
    before = settings.read_text()
    said = machine.provision()
    assert "Python environment: up to date" in said
    assert notebook.read_text() == "mine"
    assert settings.read_text() == before


@slow
@pytest.mark.parametrize("testbed", ["virtual", "replay"])
def test_lab_02_gets_full_marks(machine: Machine, testbed: str) -> None:
    said = machine.lab("author", "check", LAB, LAB_TESTBED=testbed)
    blank, worked, most = re.search(r"blank (\d+), worked (\d+) of (\d+)", said).groups()
    assert blank == "0"
    assert worked == most


@slow
def test_its_service_and_its_message_are_in_place(machine: Machine) -> None:
    service = "/etc/systemd/system/data-over-distance.service"
    assert machine.run("systemd-analyze", "verify", service) == ""
    assert machine.run("systemctl", "is-enabled", "data-over-distance").strip() == "enabled"
    address = machine.run("lab-address").strip()
    assert re.fullmatch(r"http://localhost:8899/\?token=[0-9a-f]{48}", address)
    assert address in (machine.root / "etc/motd").read_text()
    head = subprocess.check_output(["git", "-C", PROJECT, "rev-parse", "HEAD"], text=True)
    assert (machine.project / ".commit").read_text() == head


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
    try:
        for _ in range(1200):
            select.select([], [], [], 0.1)
            assert started.poll() is None
            if inside := _processes("scripts/start_lab.py", machine.project):
                break
        yield inside[0]
    finally:
        started.kill()
        started.wait()


def _processes(word: str, project: Path) -> list[int]:
    """Processes with a word in their command line that work in a machine's project."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if word.encode() in (entry / "cmdline").read_bytes():
                folder = (entry / "root").resolve() / "home/student/data-over-distance"
                if folder.samefile(project):
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


@slow
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
