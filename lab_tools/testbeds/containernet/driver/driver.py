# mypy: ignore-errors
"""Hold a Mininet network whose end hosts are Docker containers: requests in, events out.

The supervisor of the mininet testbed (`lab_tools.testbeds.worker.real_time`) with another kind of
end host. Where Containernet is installed its ``addDocker`` makes the hosts, and `DockerHost` does
elsewhere.
"""

import contextlib
import ctypes
import json
import math
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "worker"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import containers
import leftovers
import mininet.net
import network
import real_time
import supervisor
from containers import DOCKER_ERRORS
from docker_host import DockerHost
from mininet.net import Mininet
from program import DockerGoneError, Program

Containernet = getattr(mininet.net, "Containernet", None)
#: Where the image has the programs of `lab_tools.host`.
_PROGRAMS = "/opt/lab"
#: Room, in starts of a Python in a container, for the programs of a flow to get ready.
_LEAD_STARTS = 6
_LEAST_LEAD_S = 3
#: Time for Docker to note that a container has ended.
_ENDING_S = 5.0


def kind_of_host():
    """Return which kind of host there is, with its version."""
    if Containernet is None:
        return "DockerHost"
    return f"containernet {getattr(mininet.net, 'CONTAINERNET_VERSION', 'of an unknown version')}"


class DockerSupervisor(real_time.RealTimeSupervisor):
    """Holds a network with containers on this host."""

    def __init__(self, channel):
        super().__init__(channel)
        self.containers = {}
        self.start_s = 0.0
        self.holders = selectors.DefaultSelector()
        self.watcher = threading.Thread(target=self.watch, daemon=True)

    def do_build(self, plan, hosts, docker):
        """Build the network, with these hosts in containers of this kind."""
        leftovers.save(plan["sysctl"])
        self.fill(plan, hosts, docker)
        for node in self.net.hosts:
            self.holders.register(os.pidfd_open(node.pid), selectors.EVENT_READ, node)
        self.watcher.start()
        self.start_s = max(self.introduce(each, plan) for each in self.containers.values())
        self.drops_before = real_time.backlog_drops()
        return {
            "mininet": mininet.net.VERSION,
            "docker": self.containers[hosts[0]].dcli.version()["Version"],
            "docker_host": kind_of_host(),
        }

    def fill(self, plan, hosts, docker):
        """Make the network; what there is of it when this fails is taken down in `end`."""
        for name, value in plan["sysctl"].items():
            network.write_sysctl(name, value)
        Mininet.inited = True
        self.net = (Containernet or Mininet)(topo=None, controller=None, build=False)
        for name in plan["nodes"]:
            if name not in hosts:
                self.net.addHost(name, cls=network.PlanNode, ip=None)
                continue
            environment = {containers.MARK: str(os.getpid()), "LAB_NODE": name}
            options = {**docker, "ip": None, "environment": environment}
            if Containernet:
                self.containers[name] = self.net.addDocker(name, **options)
            else:
                self.containers[name] = self.net.addHost(name, cls=DockerHost, **options)
        for link in plan["links"]:
            one, two = link["ends"]
            self.net.addLink(
                self.net[one["node"]],
                self.net[two["node"]],
                cls=network.PathLink,
                addr1=one["mac"],
                addr2=two["mac"],
                params1=one["params"],
                params2=two["params"],
            )
        network.ip(None, [link.ip_line for link in self.net.links])
        for name, node in plan["nodes"].items():
            network.configure(self.net[name], node)

    def introduce(self, node, plan):
        """Tell a container the hosts' names; return how long a Python takes to start in it.

        GridFTP looks its own name up, and the host programs need these modules.
        """
        ends = [end for link in plan["links"] for end in link["ends"]]
        addresses = {end["node"]: end["params"]["address"].split("/")[0] for end in ends}
        lines = "".join(f"{addresses[name]} {name}\n" for name in self.containers)
        code = (
            "import ctypes, json, mmap, socket, threading\n"
            f"open('/etc/hosts', 'a').write({lines!r})"
        )
        began = time.monotonic()
        program = Program(node.dcli, node.did, ["python3", "-I", "-c", code])
        output, _ = program.communicate()
        if program.returncode != 0:
            said = output.decode(errors="replace").strip()
            raise RuntimeError(f"the image {node.dimage} cannot run Python programs: {said}")
        return time.monotonic() - began

    def do_measure(self, flows, **request):
        """Run the flows."""
        lead_s = _LEAST_LEAD_S + _LEAD_STARTS * self.start_s * len(flows)
        self.lead_s = math.ceil(lead_s)
        return supervisor.Supervisor.do_measure(self, flows=flows, **request)

    def do_tool(self, node, task):
        """Run a real tool on a node and return what it says as data."""
        if node not in self.containers:
            return super().do_tool(node, task)
        self.stage = f"running {task.get('tool')} on {node}"
        program = self.program(node, "tools", task, stderr=None)
        output, errors = program.communicate()
        if program.returncode != 0:
            raise RuntimeError(errors.decode(errors="replace").strip()[-400:])
        return {"result": json.loads(output)}

    def do_shell(self, node, command, timeout_s):
        """Run a command on a node and return what it printed."""
        if node not in self.containers:
            return super().do_shell(node, command, timeout_s)
        host = self.node(node)
        # Docker takes a while to start it: its time begins when it does, with this byte.
        first = "printf '\\0'; exec bash -c \"$1\""
        program = Program(host.dcli, host.did, ["bash", "-c", first, "bash", command])
        if program.stdout.read(1) != b"\0":
            raise RuntimeError(f"no shell starts in the container of {node}")
        try:
            output, _ = program.communicate(timeout=timeout_s)
            timed_out = False
        except subprocess.TimeoutExpired:
            program.kill()
            output, _ = program.communicate()
            timed_out = True
        text = output.decode(errors="replace")
        return {"output": text, "code": program.returncode, "timed_out": timed_out}

    def start(self, node, program, **task):
        """Start one of the host programs on a node."""
        if node not in self.containers:
            return super().start(node, program, **task)
        started = self.program(node, program.__module__, task, stderr=None)
        relay = real_time.Relay(started, self.channel)
        self.relays.append(relay)
        return relay

    def program(self, node, name, task, stderr):
        """Start a program of `lab_tools.host` in a container."""
        host = self.node(node)
        argv = ["python3", f"{_PROGRAMS}/{name}.py", json.dumps(task)]
        return Program(host.dcli, host.did, argv, stderr)

    def watch(self):
        """See whether a process that holds a node's namespace ends."""
        (key, _), *_ = self.holders.select()
        self.broken = real_time.NetworkError(self.how_it_ended(key.data))
        for relay in self.relays:
            relay.lines.put(self.broken)

    def how_it_ended(self, node):
        """Say how the process ended that held a node's namespace."""
        if node.name not in self.containers:
            return f"the network namespace of {node.name} is gone"
        deadline = time.monotonic() + _ENDING_S
        try:
            # Docker hears of the end a little later.
            while (state := node.dcli.inspect_container(node.did)["State"])["Running"]:
                if time.monotonic() > deadline:
                    break
                time.sleep(0.05)
        except DOCKER_ERRORS:
            return f"the container of {node.name} is gone, and Docker does not answer any more"
        why = " for want of memory" if state.get("OOMKilled") else ""
        return f"the container of {node.name} ended{why} (exit code {state.get('ExitCode')})"

    def wait_for(self, process, wanted):
        """Read a host program's events until the wanted one."""
        with self.telling_why():
            return super().wait_for(process, wanted)

    def finish(self, process):
        """Read a host program's last events."""
        with self.telling_why():
            super().finish(process)

    @contextlib.contextmanager
    def telling_why(self):
        """Say that a container is gone rather than that a program in it is."""
        try:
            yield
        except (RuntimeError, DockerGoneError):
            if self.holders.select(0):
                self.watcher.join(2 * _ENDING_S)
            if self.broken:
                raise self.broken from None
            raise

    def end(self):
        """Remove the containers, with Docker's help or without."""
        for node in self.net.hosts if self.net else ():
            if node.name in self.containers:
                containers.end(node)
        with contextlib.suppress(*DOCKER_ERRORS):
            containers.remove_marked(containers.interface(timeout_s=20))


def main():
    """Serve standard input; then, whatever happened, leave the host as it was."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit())
    ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER
    channel = real_time.Channel(0, os.dup(1))
    os.dup2(2, 1)
    try:
        lock = leftovers.take_lock()
    except leftovers.BusyError as error:
        channel.say(event="failed", stage="starting", problem=str(error))
        return
    held = DockerSupervisor(channel)
    try:
        leftovers.end()
        leftovers.put_back()
        containers.remove_marked(containers.interface())
        threading.Thread(target=channel.read, daemon=True).start()
        channel.say(event="booted", clock_s=supervisor.now())
        held.serve()
    except DOCKER_ERRORS as error:
        channel.say(event="failed", stage="starting", problem=f"Docker does not answer: {error}")
    except (SystemExit, BrokenPipeError):
        pass
    finally:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        held.end()
        leftovers.end()
        leftovers.put_back()
        lock.close()
    # Threads may still sit in a system call: leave without waiting for them.
    os._exit(0)


if __name__ == "__main__":
    main()
