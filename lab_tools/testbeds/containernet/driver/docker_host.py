# mypy: ignore-errors
"""A Docker container as a Mininet host, where Containernet is not installed.

`DockerHost` takes the keywords of Containernet's ``Docker`` that the testbed uses and has the same
``did`` (the container), ``dimage`` and ``dcli`` (Docker's interface): one driver serves both.
"""

import os

import containers
from mininet.node import Node
from program import Program


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
        self.dimage, self.dcli = dimage, containers.interface()
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
            name=f"{containers.LABEL}-{os.getpid()}-{name}",
            hostname=name,
            environment=environment or {},
            labels=[containers.LABEL],
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
        containers.end(self)
