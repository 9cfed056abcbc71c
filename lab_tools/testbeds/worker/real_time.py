"""The supervisor on a host of its own, in real time: requests on standard input, events on output.

Time goes on whatever the supervisor does, so samples are passed on as they come; and the host is
others' too, so when the requests end, however they end, everything is taken down and put back.
"""

import ctypes
import io
import os
import queue
import selectors
import signal
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import leftovers
import supervisor
from mininet.net import VERSION

_PR_SET_CHILD_SUBREAPER = 36
_ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
#: Events that go to the host at once, as they stand.
_SAMPLES = (b'{"event":"sample"', b'{"event":"queue"')
#: Time to start the programs of a run: so much, and so much for each flow.
_LEAD_S = 3
_LEAD_PER_FLOW_S = 0.5


class NetworkError(Exception):
    """The network is not whole any more."""


class Channel(supervisor.Channel):
    """Several threads speak; requests wait in a queue."""

    def __init__(self, read_fd, write_fd):
        super().__init__(read_fd, write_fd, None)
        self.lock = threading.Lock()
        self.waiting = queue.SimpleQueue()

    def requests(self):
        """Yield the requests until the host has no more."""
        while (request := self.waiting.get()) is not None:
            yield request

    def read(self):
        """Queue the requests as they come; at their end, end the process."""
        for request in super().requests():
            self.waiting.put(request)
        self.waiting.put(None)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)

    def say(self, **event):
        """Send one event."""
        with self.lock:
            super().say(**event)

    def pass_on(self, line):
        """Send an event that is a line already."""
        with self.lock:
            while line:
                line = line[os.write(self.write_fd, line) :]


class Relay:
    """A host program whose samples go to the host at once; looks like the program itself."""

    def __init__(self, process, channel):
        self.process, self.channel, self.stdout = process, channel, self
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        """Pass samples on and keep the other lines, until the program's end."""
        with io.BufferedReader(self.process.stdout) as lines:
            for line in lines:
                if not line.startswith(_SAMPLES):
                    self.lines.put(line)
                    continue
                try:
                    self.channel.pass_on(line)
                except BrokenPipeError:
                    return
        self.lines.put(b"")

    def readline(self):
        """Return the next line that is not a sample; nothing at the end.

        Raises
        ------
        NetworkError : the network broke meanwhile.
        """
        line = self.lines.get()
        if isinstance(line, Exception):
            raise line
        return line

    def wait(self):
        """Wait for the end and return the exit code."""
        return self.process.wait()

    @property
    def returncode(self):
        """The exit code, once it has ended."""
        return self.process.returncode


class RealTimeSupervisor(supervisor.Supervisor):
    """Holds a network on this host."""

    def __init__(self, channel):
        super().__init__(channel)
        self.relays = []
        self.broken = None
        self.drops_before = 0

    def do_build(self, plan):
        """Build the network, and note what is to be put back."""
        leftovers.save(plan["sysctl"])
        result = super().do_build(plan)
        threading.Thread(target=self.watch, daemon=True).start()
        self.drops_before = backlog_drops()
        return {**result, "mininet": VERSION}

    def do_measure(self, flows, **request):
        """Run the flows."""
        self.lead_s = round(_LEAD_S + _LEAD_PER_FLOW_S * len(flows))
        return super().do_measure(flows=flows, **request)

    def do_stop(self):
        """Nothing is left to do: what ends the process takes the network down."""

    def node(self, name):
        """Return a node of the network by name, if the network is whole."""
        if self.broken:
            raise self.broken
        return super().node(name)

    def start(self, node, program, **task):
        """Start one of the host programs on a node."""
        if self.broken:
            raise self.broken
        relay = Relay(super().start(node, program, **task), self.channel)
        self.relays.append(relay)
        return relay

    def watch(self):
        """See whether a process that holds a node's namespace ends."""
        with selectors.DefaultSelector() as selector:
            for node in self.net.hosts:
                selector.register(os.pidfd_open(node.holder.pid), selectors.EVENT_READ, node)
            (key, _), *_ = selector.select()
        code = key.data.holder.wait()
        how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
        self.broken = NetworkError(
            f"the network namespace of {key.data.name} is gone: the process that held it {how}"
        )
        for relay in self.relays:
            relay.lines.put(self.broken)

    def counters(self):
        """Return the counters; this host has had drops before the run."""
        return {**super().counters(), "backlog_drops": backlog_drops() - self.drops_before}


def backlog_drops():
    """Return the packets that all of this host's processors had no room for, since it started."""
    lines = Path("/proc/net/softnet_stat").read_text(encoding="ascii").splitlines()
    return sum(int(line.split()[1], 16) for line in lines)


def main():
    """Serve standard input; then, whatever happened, leave the host as it was."""
    for number in _ENDINGS:
        signal.signal(number, lambda *_: sys.exit())
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    channel = Channel(0, os.dup(1))
    os.dup2(2, 1)
    try:
        lock = leftovers.take_lock()
    except leftovers.BusyError as error:
        channel.say(event="failed", stage="starting", problem=str(error))
        return
    try:
        leftovers.end()
        leftovers.put_back()
        threading.Thread(target=channel.read, daemon=True).start()
        channel.say(event="booted", clock_s=supervisor.now())
        RealTimeSupervisor(channel).serve()
    except (SystemExit, BrokenPipeError):
        pass
    finally:
        for number in _ENDINGS:
            signal.signal(number, signal.SIG_IGN)
        leftovers.end()
        leftovers.put_back()
        lock.close()
    # Threads may still sit in a system call: leave without waiting for them.
    os._exit(0)


if __name__ == "__main__":
    main()
