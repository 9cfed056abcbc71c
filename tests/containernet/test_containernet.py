"""The driver asks Containernet for its hosts where it is installed.

Containernet cannot be installed here, so its public interface is played by a class of the tests'
own, in an environment made like the real one: a package named ``mininet`` with ``Containernet`` in
it. The containers are real.
"""

import shutil
import sys
from pathlib import Path as FilePath

import pytest

from lab_tools.experiment import Path
from lab_tools.testbeds.containernet import ContainernetTestbed, cleanup, image

pytestmark = [pytest.mark.kernel, pytest.mark.usefixtures("daemon")]

#: What Containernet 3.1 adds to Mininet's ``net`` module, as far as the driver uses it.
ADDED = """
import docker
from mininet.node import Node

CONTAINERNET_VERSION = "3.1"


class Docker(Node):
    def __init__(self, name, dimage, dcmd=None, **kwargs):
        known = {"cpu_quota": -1, "cpu_period": None, "mem_limit": None, "volumes": [],
                 "environment": {}, **kwargs}
        self.dcli = docker.from_env().api
        config = self.dcli.create_host_config(
            privileged=True, network_mode="none", binds=known["volumes"],
            cpu_quota=known["cpu_quota"], mem_limit=known["mem_limit"])
        made = self.dcli.create_container(
            name=f"mn.{name}", image=dimage, command=dcmd, stdin_open=True, tty=True,
            environment=known["environment"], host_config=config, labels=["com.containernet"],
            hostname=name)
        self.dcli.start(made)
        self.dcinfo = self.dcli.inspect_container(made)
        self.did = self.dcinfo["Id"]
        Node.__init__(self, name, **kwargs)

    def startShell(self, *args, **kwargs):
        self.pid = self.dcinfo["State"]["Pid"]


class Containernet(Mininet):
    def addDocker(self, name, cls=Docker, **params):
        return self.addHost(name, cls=cls, **params)
"""


@pytest.fixture
def containernet(tmp_path, monkeypatch):
    """An environment of its own, which sees the system's packages."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").symlink_to("/usr/bin/python3")
    (tmp_path / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = true\n")
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    package = tmp_path / "lib" / version / "site-packages" / "mininet"
    shutil.copytree("/usr/lib/python3/dist-packages/mininet", package)
    module = FilePath(package, "net.py")
    module.write_text(module.read_text() + ADDED)
    monkeypatch.setenv("LAB_CONTAINERNET", str(tmp_path))


def test_containernet_makes_the_hosts_where_it_is_installed(containernet, docker):
    testbed = ContainernetTestbed(mem_limit="64m")
    with testbed.session(Path(rate_bps=10e6, rtt_s=0.02, mtu_bytes=1500)) as net:
        assert set(docker("ps", "--format", "{{.Names}}").split()) == {"mn.h1", "mn.h2"}
        assert net.versions["docker_host"] == "containernet 3.1"
        assert net["h1"].tool("ping", target="10.0.3.2", count=1)["received"] == 1
    assert docker("ps", "--all", "--quiet") == ""


def test_what_containernet_has_left_is_found_by_the_mark(docker):
    words = ("create", "--label", "com.containernet")
    docker(*words, "--name", "mn.theirs", image.name())
    mark = ("--env", "DATA_OVER_DISTANCE_CONTAINER=1")
    docker(*words, *mark, "--name", "mn.ours", image.name())
    try:
        assert "mn.ours" in cleanup()
        assert docker("ps", "--all", "--format", "{{.Names}}").split() == ["mn.theirs"]
    finally:
        docker("rm", "--force", "mn.theirs")
