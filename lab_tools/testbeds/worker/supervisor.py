"""Do what the host asks for over a channel: build a network, run flows, run commands.

One JSON object a line each way. Every request is answered by events, the last of which is
``{"event": "done", …}`` or ``{"event": "failed", "stage": …, "problem": …}``:

    {"do": "build", "plan": {…}}
    {"do": "measure", "flows": [{…}], …}      samples, then the counters
    {"do": "tool", "node": "h1", "task": {"tool": "ping", "target": "10.0.3.2"}}
    {"do": "shell", "node": "h1", "command": "ping -c 3 10.0.3.2", "timeout_s": 60}
    {"do": "stop"}

The channel is a device of the virtual-time kernel, or the standard input and output of this
process where it runs on a host of its own.
"""

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "host"))

import datagrams  # noqa: F401 - now, and not at a moment of the run
import namespaces
import network
import queue_sampler
import tools
import traffic

TC_COUNTERS = ["tc", "-s", "-j", "qdisc", "show"]


class Channel:
    """Requests in, events out, one JSON object a line."""

    def __init__(self, read_fd, write_fd, path):
        self.read_fd, self.write_fd, self.path = read_fd, write_fd, path
        self.rest = b""

    def requests(self):
        """Yield the host's requests until it closes the channel."""
        while True:
            while b"\n" in self.rest:
                line, self.rest = self.rest.split(b"\n", 1)
                yield json.loads(line)
            data = os.read(self.read_fd, 1 << 16)
            if not data:
                return
            self.rest += data

    def say(self, **event):
        """Send one event."""
        data = json.dumps(event, separators=(",", ":")).encode() + b"\n"
        while data:
            data = data[os.write(self.write_fd, data) :]


class Supervisor:
    """Holds the network between requests."""

    def __init__(self, channel):
        self.channel = channel
        self.net = None
        self.stage = "starting"
        #: Time that the programs of a run get to start in.
        self.lead_s = 2

    def serve(self):
        """Answer requests until the host asks to stop."""
        for request in self.channel.requests():
            self.stage = request["do"]
            try:
                result = getattr(self, "do_" + request.pop("do"))(**request)
            except Exception as error:
                self.channel.say(event="failed", stage=self.stage, problem=str(error)[-4000:])
                continue
            self.channel.say(event="done", clock_s=now(), **(result or {}))
            if self.stage == "stop":
                return

    def do_build(self, plan):
        """Build the network."""
        self.net = network.build(plan)
        return {"kernel": os.uname().release, "machine": os.uname().machine}

    def do_stop(self):
        """Take the network down where it would outlive this process."""
        if self.net and not self.channel.path:
            self.net.stop()

    def do_tool(self, node, task):
        """Run a real tool on a node and return what it says as data."""
        self.stage = f"running {task.get('tool')} on {node}"
        with namespaces.inside(self.node(node).pid):
            return {"result": tools.main(task)}

    def do_measure(self, flows, queue, duration_s, interval_s, events=()):
        """Run the flows from beginning to end while samples stream to the host."""
        common = {"interval_s": interval_s, "duration_s": duration_s, "out": self.channel.path}
        self.stage = "starting the receivers"
        # On a whole second: how long the set-up took, which depends on the machine's files, shifts
        # nothing of what follows.
        begin = float(math.floor(now()) + self.lead_s)
        receivers = [
            self.start(flow["to"], traffic.main, role="receive", begin=begin, **common, **flow)
            for flow in flows
        ]
        for process in receivers:
            self.wait_for(process, "ready")
        self.stage = "starting the senders"
        senders = [
            self.start(flow["from"], traffic.main, role="send", begin=begin, **common, **flow)
            for flow in flows
        ]
        for process in senders:
            self.wait_for(process, "ready")
        watcher = self.start(
            queue["node"], queue_sampler.main, begin=begin, dev=queue["dev"], **common
        )
        changes = [namespaces.call(None, self.change, begin, events)] if events else []
        late = now() - begin
        if late > 0:
            raise RuntimeError(f"the flows were not ready in time ({late:.3f} s late)")
        self.stage = "running the flows"
        readback = [self.wait_for(process, "flow") for process in senders]
        for process in [*senders, *receivers, watcher, *changes]:
            self.finish(process)
        self.stage = "reading the counters"
        return {"begin_s": begin, "flows": readback, **self.counters()}

    def change(self, begin, events):
        """Cut, mend and reroute, each at its time."""
        for event in events:
            traffic.sleep_until(begin + event["at_s"])
            for node, commands in event["nodes"].items():
                for program in ("tc", "ip"):
                    if commands[program]:
                        text = "\n".join(commands[program]) + "\n"
                        namespaces.command(self.net[node].pid, [program, "-batch", "-"], text)

    def do_shell(self, node, command, timeout_s):
        """Run a command on a node and return what it printed."""
        process = self.node(node).popen(
            ["bash", "-c", command], stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT
        )
        try:
            output, _ = process.communicate(timeout=timeout_s)
            timed_out = False
        except subprocess.TimeoutExpired:
            # what the shell has started, too: it would keep the pipe open
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            output, _ = process.communicate()
            timed_out = True
        text = output.decode(errors="replace")
        return {"output": text, "code": process.returncode, "timed_out": timed_out}

    def node(self, name):
        """Return a node of the network by name."""
        if self.net is None or name not in self.net:
            known = ", ".join(self.net.keys()) if self.net else "none yet"
            raise RuntimeError(f"there is no host {name}; there are {known}")
        return self.net[name]

    def start(self, node, program, **task):
        """Start one of the host programs on a node."""
        return namespaces.call(self.net[node].pid, program, task)

    def wait_for(self, process, wanted):
        """Read a host program's events until the wanted one; pass samples on."""
        while line := process.stdout.readline():
            event = json.loads(line)
            if event["event"] == wanted:
                return event
            if event["event"] == "error":
                raise RuntimeError(f"flow {event['flow']}: {event['what']}")
            self.channel.say(**event)
        raise RuntimeError(f"a traffic program ended early (exit code {process.wait()})")

    def finish(self, process):
        """Pass a host program's last events on and see that it ended well."""
        while line := process.stdout.readline():
            event = json.loads(line)
            if event["event"] != "end":
                self.channel.say(**event)
        if process.wait() != 0:
            raise RuntimeError(f"a host program failed (exit code {process.returncode})")

    def counters(self):
        """Return every interface's and queue's counters, and the kernel's drops."""
        links, queues = {}, {}
        for node in self.net.hosts:
            links[node.name] = namespaces.interface_counters(node.pid)
            if any(interface.tc_lines for interface in node.intfList()):
                queues[node.name] = json.loads(namespaces.command(node.pid, TC_COUNTERS))
        softnet = Path("/proc/net/softnet_stat").read_text(encoding="ascii").split()
        return {"links": links, "queues": queues, "backlog_drops": int(softnet[1], 16)}


def now():
    """Return the real-time clock in seconds; the guest's own in the virtual-time kernel."""
    return time.clock_gettime(time.CLOCK_REALTIME)


def main(path=None):
    """Serve the channel: the device at ``path``, or standard input and output."""
    if path:
        fd = os.open(path, os.O_RDWR)
        channel = Channel(fd, fd, path)
    else:
        channel = Channel(0, os.dup(1), None)
        os.dup2(2, 1)
    channel.say(event="booted", clock_s=now())
    Supervisor(channel).serve()


if __name__ == "__main__":
    main()
