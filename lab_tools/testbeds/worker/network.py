"""Build the Mininet network that a plan describes.

A plan is data: nodes, links with their addresses and ``tc`` commands, routes, kernel parameters
(`lab_tools.testbeds.plan` writes it). Mininet's ``TCLink`` ignores rates above 1 Gbit/s, fixes the
burst and leaves netem's limit at 1000 packets, so the links here take their queue disciplines as
they stand in the plan. Mininet starts a shell for every node and several programs for every link;
here a node's shell starts when it is first used, and the commands of all links go out in batches.
"""

from pathlib import Path

import namespaces
from mininet.link import Link, TCIntf
from mininet.log import setLogLevel
from mininet.net import Mininet
from mininet.node import Node


class PlanNode(Node):
    """A node whose network namespace exists at once and whose shell starts at its first use."""

    def startShell(self, mnopts=None):
        """Make the namespace only; `cmd` starts the shell in it."""
        if self.pid is None:
            self.holder = namespaces.new(self.name)
            self.pid = self.holder.pid
            return
        super().startShell(mnopts=f"-cda {self.holder.pid}")
        self.pid = self.holder.pid

    def cmd(self, *args, **kwargs):
        """Run a command in the node's shell."""
        if self.shell is None and self.pid is not None and args:
            self.startShell()
        return super().cmd(*args, **kwargs)

    def terminate(self):
        """End the shell and the process that holds the namespace."""
        super().terminate()
        self.holder.kill()
        self.holder.wait()


class PathIntf(TCIntf):
    """An interface whose address, MTU, offloads and queue disciplines stand in the plan."""

    def config(self, address=None, mtu=1500, offloads=True, tc=(), **_ignored):
        """Note the commands; `build` sends them all at once."""
        self.ip, self.prefixLen = address.split("/")
        self.offloads = offloads
        self.ip_lines = [
            f"link set dev {self.name} mtu {mtu} up",
            f"address add {address} dev {self.name}",
        ]
        self.tc_lines = [f"qdisc add dev {self.name} {line}" for line in tc]


class PathLink(Link):
    """A veth pair between two nodes of the plan; `build` makes them all at once."""

    def __init__(self, node1, node2, **params):
        super().__init__(node1, node2, cls1=PathIntf, cls2=PathIntf, **params)

    def makeIntfPair(self, name1, name2, addr1, addr2, node1, node2, deleteIntfs=False):
        """Note the command that makes the pair in its two namespaces."""
        self.ip_line = (
            f"link add name {name1} address {addr1} netns {node1.pid} "
            f"type veth peer name {name2} address {addr2} netns {node2.pid}"
        )


def build(plan):
    """Create the plan's network and return the `Mininet`.

    Raises
    ------
    CommandError : a command of the plan failed; says which, and what it printed.
    """
    setLogLevel("error")
    for name, value in plan["sysctl"].items():
        write_sysctl(name, value)
    # Mininet's own limits are set by eight more programs, and lower than the plan's.
    Mininet.inited = True
    net = Mininet(topo=None, controller=None, build=False)
    for name in plan["nodes"]:
        net.addHost(name, cls=PlanNode, ip=None)
    for link in plan["links"]:
        one, two = link["ends"]
        net.addLink(
            net[one["node"]],
            net[two["node"]],
            cls=PathLink,
            addr1=one["mac"],
            addr2=two["mac"],
            params1=one["params"],
            params2=two["params"],
        )
    # From a node's namespace: this host may have an interface of the same name.
    ip(net.hosts[0].pid, [link.ip_line for link in net.links])
    for name, node in plan["nodes"].items():
        configure(net[name], node)
    return net


def configure(node, plan):
    """Configure a node's interfaces, parameters, routes and neighbours."""
    interfaces = node.intfList()
    lines = [line for interface in interfaces for line in interface.ip_lines]
    lines += [f"route add {route}" for route in plan["routes"]]
    lines += [f"neighbour replace {entry} nud permanent" for entry in plan["neighbours"]]
    ip(node.pid, ["link set dev lo up", *lines])
    exact = [interface.name for interface in interfaces if not interface.offloads]
    if exact:
        namespaces.offloads_off(node.pid, exact)
    shaping = [line for interface in interfaces for line in interface.tc_lines]
    if shaping:
        namespaces.command(node.pid, ["tc", "-batch", "-"], "\n".join(shaping) + "\n")
    with namespaces.inside(node.pid):
        for name, value in plan["sysctl"].items():
            write_sysctl(name, value)


def ip(pid, lines):
    """Run a batch of ``ip`` commands in a namespace."""
    namespaces.command(pid, ["ip", "-batch", "-"], "\n".join(lines) + "\n")


def write_sysctl(name, value):
    """Write one kernel parameter."""
    Path("/proc/sys", name.replace(".", "/")).write_text(str(value), encoding="ascii")
