"""Mininet on this host with Docker containers for end hosts, in real time.

The routers and the links are those of the mininet testbed; each end host is a container with files,
processes and limits of its own, and the traffic programs run inside it. It needs what the mininet
testbed needs, and Docker. The hosts are Containernet's where ``scripts/install-containernet`` has
put it, and `driver.docker_host.DockerHost` elsewhere; the record says which (``docker_host``).

If a run is killed so hard that it cannot clean up, the next one does, or:

    python -m lab_tools.testbeds.containernet        says what was left and removes it
"""

from lab_tools.testbeds.containernet.testbed import ContainernetTestbed
from lab_tools.testbeds.containernet.worker import cleanup

__all__ = ["ContainernetTestbed", "cleanup"]
