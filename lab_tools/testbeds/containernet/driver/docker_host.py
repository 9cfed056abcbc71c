# mypy: ignore-errors
"""A Docker container as a Mininet host, where Containernet is not installed.

`DockerHost` takes the keywords of Containernet's ``Docker`` that the testbed uses and has the same
``did`` (the container) and ``dcli`` (Docker's interface), so that one driver serves both.
"""

import contextlib
import os
import select
import signal

import docker
from mininet.node import Node
from program import Program
from requests.exceptions import RequestException

#: What Docker's interface raises when Docker refuses, or is not there.
DOCKER_ERRORS = (docker.errors.DockerException, RequestException)
LABEL = "data-over-distance"
#: In the environment of every container of a network, by either kind of host.
MARK = "DATA_OVER_DISTANCE_CONTAINER"
_CONTAINERNET_LABEL = "com.containernet"
#: Starting a container on a slow machine, with others starting at the same time.
_PATIENCE_S = 120
_END_S = 10.0


def interface(timeout_s=_PATIENCE_S):
    """Return Docker's interface, at ``DOCKER_HOST`` or its usual socket."""
    return docker.from_env(timeout=timeout_s).api


class DockerHost(Node):
    """A host whose processes run in a container, and whose links end in the container's network.

    Parameters
    ----------
    name : the host's name.
    dimage : the image.
    dcmd : the container's first program; without one, the image's.
    cpu_period, cpu_quota : microseconds, as in ``docker run --cpu-period --cpu-quota``.
    mem_limit : bytes, or text such as ``"256m"``.
    volumes : ``"/on/the/host:/in/the/container:ro"``, and so on.
    environment : more variables for the container's programs.
    """

    def __init__(
        self,
        name,
        dimage,
        dcmd=None,
        cpu_period=None,
        cpu_quota=None,
        mem_limit=None,
        volumes=(),
        environment=None,
        **params,
    ):
        self.dcli = interface()
        limits = {"cpu_period": cpu_period, "cpu_quota": cpu_quota, "mem_limit": mem_limit}
        config = self.dcli.create_host_config(
            # As in Containernet: what runs on a host may set up the network there.
            privileged=True,
            network_mode="none",
            binds=list(volumes),
            **{key: value for key, value in limits.items() if value is not None},
        )
        container = self.dcli.create_container(
            dimage,
            dcmd,
            name=f"{LABEL}-{os.getpid()}-{name}",
            hostname=name,
            environment=environment or {},
            labels=[LABEL],
            host_config=config,
            # sleep, as the first process, ignores SIGTERM, and Docker would wait for it
            stop_signal="SIGKILL",
        )
        self.did = container["Id"]
        try:
            super().__init__(name, **params)
        except BaseException:
            self.terminate()
            raise

    def startShell(self, mnopts=None):
        """Start the container; its first process holds the network namespace."""
        self.dcli.start(self.did)
        self.pid = self.dcli.inspect_container(self.did)["State"]["Pid"]
        if not self.pid:
            said = self.dcli.logs(self.did).decode(errors="replace").strip()
            raise RuntimeError(f"the container of {self.name} ended at once: {said[-400:]}")

    def popen(self, *args, **_ignored):
        """Start a program in the container."""
        argv = args[0] if isinstance(args[0], list) else " ".join(args).split()
        return Program(self.dcli, self.did, argv)

    def cmd(self, *args, **_ignored):
        """Run a shell command in the container and return what it printed."""
        words = args[0] if len(args) == 1 and isinstance(args[0], list) else args
        program = Program(self.dcli, self.did, ["bash", "-c", " ".join(map(str, words))])
        output, _ = program.communicate()
        return output.decode(errors="replace")

    def terminate(self):
        """Remove the container."""
        end(self)


def end(node):
    """Remove a node's container; without Docker's help, end at least its processes."""
    # Containernet's own attribute; it is None until the container has started
    container = node.did
    try:
        node.dcli.timeout = _END_S
        node.dcli.remove_container(container, force=True, v=True)
    except docker.errors.NotFound:
        pass
    except DOCKER_ERRORS:
        pid = getattr(node, "pid", None)
        with contextlib.suppress(ProcessLookupError):
            if pid:
                # The first process of a process namespace takes all others of it along.
                fd = os.pidfd_open(pid)
                signal.pidfd_send_signal(fd, signal.SIGKILL)
                select.select([fd], [], [], _END_S)
                os.close(fd)


def remove_marked(api):
    """Remove the containers of networks of this project, nobody else's; return their names."""
    removed = []
    for label in (LABEL, _CONTAINERNET_LABEL):
        for each in api.containers(all=True, filters={"label": label}):
            about = api.inspect_container(each["Id"])
            if any(word.startswith(f"{MARK}=") for word in about["Config"]["Env"] or ()):
                with contextlib.suppress(docker.errors.NotFound):
                    api.remove_container(each["Id"], force=True, v=True)
                removed.append(about["Name"].lstrip("/"))
    return removed
