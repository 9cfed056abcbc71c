"""One suite for every testbed. `TESTBEDS` says how each is run; a new testbed is a line there.

    pytest tests/contract                       all of them
    pytest tests/contract --testbed virtual     one of them, here, as it is

A testbed that needs root, or a kernel that this machine may not have, runs the suite inside the
project's own kernel, in real time: `test_inside.py` starts it there with ``--testbed``.
"""

import contextlib
import importlib.util
import json
import os
import signal
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path as FilePath

import pytest

from lab_tools import testbeds
from lab_tools.experiment import Experiment, Path
from lab_tools.kernel import build
from lab_tools.store import Store
from lab_tools.testbeds import plan as planning
from lab_tools.testbeds.containernet import image
from lab_tools.testbeds.dtn.testbed import DtnTestbed
from lab_tools.testbeds.replay import ReplayTestbed, session_file
from lab_tools.testbeds.virtual.testbed import VirtualTestbed


def kill(found):
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def kill_the_kernel():
    """Kill the virtual-time kernels that this process has started."""
    kill(pid for pid in descendants() if b"\0lab-channel=" in read(pid, "cmdline"))


def kill_a_holder():
    """Kill the process that holds the network namespace of h1."""
    kill(pid for pid in everything() if b"LAB_NODE=h1\0" in read(pid, "environ") + b"\0")


def kill_the_ssh_servers():
    """Kill the processes of sshd that serve a connection to the stand-in pair's hosts."""
    kill(pid for pid in everything() if read(pid, "cmdline").startswith(b"sshd: root"))


@dataclass(frozen=True)
class Way:
    """How a testbed's suite is run.

    Parameters
    ----------
    clock : what its records say.
    inside : whether it runs inside the kernel, in real time; else directly.
    live : whether a network really runs, which can be stopped and can break.
    planned : whether it builds the network of `lab_tools.testbeds.plan`.
    repeats : whether the same experiment gives the same bytes.
    wreck, wrecked : breaks a running network from outside, and what the error then says.
    more : test folders of the testbed's own that belong to the same run.
    inside_options : for `lab_tools.testbeds.inside.run`.
    prepare : what has to be done on this machine before it runs inside the kernel.
    """

    clock: str
    inside: bool = False
    live: bool = True
    planned: bool = True
    repeats: bool = False
    wreck: Callable[[], None] | None = None
    wrecked: str = ""
    more: tuple[str, ...] = ()
    inside_options: tuple[tuple[str, object], ...] = ()
    prepare: Callable[[], object] | None = None


TESTBEDS = {
    "virtual": Way(
        "virtual", repeats=True, wreck=kill_the_kernel, wrecked="kernel was killed by signal 9"
    ),
    "replay": Way("virtual", live=False, repeats=True),
    "mininet": Way(
        "wall",
        inside=True,
        wreck=kill_a_holder,
        wrecked="namespace of h1 is gone: .* killed by signal 9",
        more=("tests/mininet",),
    ),
    "dtn": Way(
        "wall",
        inside=True,
        planned=False,
        wreck=kill_the_ssh_servers,
        wrecked="the SSH connection to h. was cut",
    ),
    "containernet": Way(
        "wall",
        inside=True,
        wreck=kill_a_holder,
        wrecked=r"container of h1 ended \(exit code 137\)",
        # its conftest starts Docker there
        more=("tests/containernet",),
        inside_options=(
            ("memory_bytes", 4 << 30),
            ("cgroups", True),
            ("tmpfs", ("/etc/docker",)),
            ("environment", {"LAB_CACHE": str(image.file().parents[1])}),
        ),
        prepare=image.build,
    ),
}
#: Slow enough for a busy machine in real time: 833 packets a second.
EXPERIMENT = Experiment(
    Path(rate_bps=10e6, rtt_s=0.02, mtu_bytes=1500), duration_s=4.0, omit_s=1.0, seed=3
)
#: The same, of which `liar` makes something else.
LIED_ABOUT = EXPERIMENT.replace(duration_s=1.0, omit_s=0.0, seed=4)
COMMANDS = ("ping -c 3 -i 0.3 10.0.3.2", "exit 7", "echo one; echo two")
SHARED = ("net.core.rmem_max", "net.core.wmem_max", "net.core.netdev_max_backlog")


def pytest_addoption(parser):
    parser.addoption("--testbed", help="run the contract suite with this testbed, here")


def pytest_ignore_collect(collection_path, config):
    boots = collection_path.name in ("test_inside.py", "test_commands_inside.py")
    return True if boots and config.getoption("--testbed", default=None) else None


def pytest_generate_tests(metafunc):
    chosen = metafunc.config.getoption("--testbed", default=None)
    if "name" in metafunc.fixturenames:
        here = [chosen] if chosen else [name for name, way in TESTBEDS.items() if not way.inside]
        metafunc.parametrize("name", here, scope="session")
    if "name_inside" in metafunc.fixturenames:
        there = [name for name, way in TESTBEDS.items() if way.inside]
        metafunc.parametrize("name_inside", there)


@pytest.fixture(scope="session")
def way(name):
    return TESTBEDS[name]


@pytest.fixture(scope="session")
def ways():
    return TESTBEDS


@pytest.fixture(scope="session")
def kernel():
    return build()


@pytest.fixture(scope="session")
def experiment():
    return EXPERIMENT


@pytest.fixture(scope="session")
def liar():
    """Have every network built with three times the round-trip time and half the rate."""
    truth = planning.plan

    def lie(asked):
        path = asked.path
        return truth(asked.replace(rtt_s=3 * path.rtt_s, rate_bps=path.rate_bps / 2))

    @contextlib.contextmanager
    def lying():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(planning, "plan", lie)
            yield LIED_ABOUT

    return lying


@pytest.fixture(scope="session")
def testbed(name, request):
    if name == "virtual":
        return VirtualTestbed(request.getfixturevalue("kernel"))
    if name == "replay":
        return request.getfixturevalue("replay")
    if name == "dtn":
        return request.getfixturevalue("pair_of_hosts")
    chosen = testbeds.get(name)
    says = chosen.available()
    assert says.available, f"{says.reason}; {says.remedy}"
    return chosen


@pytest.fixture(scope="session")
def pair_of_hosts():
    """Return the testbed of a stand-in pair, which hands over when sshd has done with it, too."""
    file = FilePath(__file__).parents[1] / "dtn" / "pair.py"
    spec = importlib.util.spec_from_file_location("dtn_standin", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    class QuietAfterwards(DtnTestbed):
        def run(self, *arguments):
            try:
                return super().run(*arguments)
            finally:
                pair.wait_until_quiet()

    with module.StandIn() as pair, pytest.MonkeyPatch.context() as patch:
        inventory = pair.inventory(silence_s=10)
        patch.setenv("LAB_INVENTORY", str(inventory))
        yield QuietAfterwards(inventory)


@pytest.fixture(scope="session")
def replay(kernel, liar, tmp_path_factory):
    """Return a testbed that replays runs and commands recorded in virtual time."""
    store = Store(tmp_path_factory.mktemp("recordings"))
    live = VirtualTestbed(kernel)
    store.put(live.run(EXPERIMENT))
    with liar() as asked:
        store.put(live.run(asked))
    with live.session(EXPERIMENT.path) as net:
        results = [(command, net["h1"].run(command)) for command in COMMANDS]
    said = [
        {"host": "h1", "command": command, "output": result.output, "code": result.code}
        for command, result in results
    ]
    file = session_file(store.folder, EXPERIMENT.path)
    file.parent.mkdir()
    file.write_text(json.dumps(said), encoding="utf-8")
    return ReplayTestbed(store.folder)


@pytest.fixture(scope="session")
def measured(name, testbed, request):
    """Return the record of `EXPERIMENT` and its samples."""
    samples = []
    record = testbed.run(EXPERIMENT, samples.append)
    return record, samples


def read(pid, file):
    try:
        return FilePath(f"/proc/{pid}/{file}").read_bytes()
    except OSError:
        return b""


def everything():
    """Return every process that is a program, but for this one."""
    found = (int(entry.name) for entry in FilePath("/proc").glob("[0-9]*"))
    return {pid for pid in found if pid != os.getpid() and read(pid, "cmdline")}


def descendants():
    """Return the processes that this one has started, and theirs."""
    # a process may end while it is looked at
    stats = {pid: read(pid, "stat").rpartition(b")")[2].split() for pid in everything()}
    parents = {pid: int(words[1]) for pid, words in stats.items() if words}
    found, before = {os.getpid()}, set()
    while found != before:
        before = set(found)
        found |= {pid for pid, parent in parents.items() if parent in found}
    return found - {os.getpid()}


def footprint():
    """Return all that a run could leave on this host: inside the kernel nobody else is there."""
    pids = everything() if os.environ.get("LAB_INSIDE") else descendants()
    namespaces = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            namespaces.add(FilePath(f"/proc/{pid}/ns/net").readlink())
    parameters = [FilePath("/proc/sys", name.replace(".", "/")) for name in SHARED]
    return {
        "processes": pids,
        "namespaces": namespaces,
        "interfaces": {entry.name for entry in FilePath("/sys/class/net").iterdir()},
        "parameters": [file.read_text() for file in parameters if file.exists()],
        "folders": sorted(FilePath(tempfile.gettempdir()).glob("lab-*")),
        "state": FilePath("/run/data-over-distance/mininet.json").exists(),
    }


@pytest.fixture(autouse=True)
def nothing_left(request, tmp_path, monkeypatch):
    if "name_inside" in request.fixturenames:
        yield
        return
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    before = footprint()
    yield
    after = footprint()
    after["folders"] = [folder for folder in after["folders"] if "locks" not in folder.name]
    assert after == before
