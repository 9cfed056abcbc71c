"""Run an experiment's flows on a pair of hosts that are tuned already."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from lab_tools.errors import RunError
from lab_tools.experiment import Experiment
from lab_tools.testbeds import plan as planning
from lab_tools.testbeds.dtn.pair import Pair

#: Times between now and the beginning that are tried: programs must be ready before it.
_LEADS_S = (1.0, 5.0, 20.0)
_CLOCK_READINGS = 8
#: Most silence beyond what the sampling interval explains.
_STALL_S = 60.0

OnLine = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Clock:
    """A host's clock against ours: ``theirs = ours + offset_s``, give or take ``error_s``."""

    offset_s: float
    error_s: float


@dataclass
class Program:
    """A host program that was started."""

    host: str
    what: str
    ready: bool = False
    ended: bool = False


class TooLate(Exception):  # noqa: N818
    """The programs were not ready when the flows should have begun."""


def read_clock(pair: Pair, name: str) -> Clock:
    """Compare a host's clock with ours by questions over SSH.

    The host read its clock at some moment between question and answer: halfway is wrong by at most
    half of the round trip (Cristian, 1989). The shortest round trip of several counts.
    """
    best: Clock | None = None
    for _ in range(_CLOCK_READINGS):
        asked = time.time()
        theirs = pair.ask(name, "clock")
        answered = time.time()
        error_s = (answered - asked) / 2
        if best is None or error_s < best.error_s:
            best = Clock(theirs - (asked + answered) / 2, error_s)
    if best is None:
        raise RunError("reading the clocks", f"{name} gave no answer")
    return best


def run_flows(pair: Pair, experiment: Experiment, on_line: OnLine) -> dict[str, Any]:
    """Run the flows from beginning to end; samples go to ``on_line`` as they come.

    Returns the senders' socket options by flow, the counters of each host over the run, and the
    clocks.

    Raises
    ------
    RunError : a program failed, a connection was cut, or nothing came for too long.
    """
    for lead_s in _LEADS_S:
        try:
            return _Run(pair, experiment, on_line).go(lead_s)
        except TooLate:
            for name in pair.inventory.hosts:
                pair.ask(name, "kill")
            _drop_old_events(pair)
    raise RunError(
        "starting the flows", f"the hosts were not ready within {_LEADS_S[-1]:g} s, three times"
    )


def _drop_old_events(pair: Pair) -> None:
    """Read what programs that were ended had said: their numbers do not come again."""
    for name in pair.inventory.hosts:
        pair.ask(name, "clock")


class _Run:
    """One attempt at running the flows."""

    _number = 0

    def __init__(self, pair: Pair, experiment: Experiment, on_line: OnLine) -> None:
        self.pair, self.experiment, self.on_line = pair, experiment, on_line
        self.programs: dict[int, Program] = {}
        self.readback: dict[int, dict[str, Any]] = {}

    def go(self, lead_s: float) -> dict[str, Any]:
        """Start everything ``lead_s`` before the flows begin, and follow it to its end."""
        names = list(self.pair.inventory.hosts)
        self.pair.stage = "reading the clocks"
        clocks = {name: read_clock(self.pair, name) for name in names}
        before = {name: self.pair.ask(name, "counters") for name in names}
        begin_s = time.time() + lead_s
        begins = {name: begin_s + clocks[name].offset_s for name in names}
        tasks = planning.flows(self.experiment)
        for role, side in (("receive", "to"), ("send", "from")):
            self.pair.stage = f"starting the programs that {role}"
            for task in tasks:
                self._start(task[side], "traffic", self._task(task, role, begins[task[side]]))
            self._wait(lambda: all(each.ready for each in self.programs.values()), begin_s)
        watch = {
            "dev": self.pair.inventory.h1.interface,
            "begin": begins["h1"],
            **self._times(),
        }
        self._start("h1", "queue_sampler", watch)
        if time.time() > begin_s:
            raise TooLate
        self.pair.stage = "running the flows"
        self._wait(lambda: all(each.ended for each in self.programs.values()), None)
        self.pair.stage = "reading the counters"
        after = {name: self.pair.ask(name, "counters") for name in names}
        return {
            "flows": [self.readback[number] for number in range(len(tasks))],
            "before": before,
            "after": after,
            "clocks": {name: asdict(clock) for name, clock in clocks.items()},
        }

    def _times(self) -> dict[str, float]:
        return {
            "duration_s": self.experiment.duration_s,
            "interval_s": self.experiment.sample_interval_s,
        }

    def _task(self, task: dict[str, Any], role: str, begin: float) -> dict[str, Any]:
        """Return a traffic program's task: as on any testbed, with the pair's own address."""
        peer = self.pair.inventory.hosts[task["to"]].data_ip
        return {**task, **self._times(), "role": role, "begin": begin, "peer": peer}

    def _start(self, name: str, program: str, task: dict[str, Any]) -> None:
        _Run._number += 1
        number = _Run._number
        self.programs[number] = Program(name, program, ready=program != "traffic")
        self.pair.ask(name, "start", self._take, program=program, number=number, task=task)

    def _wait(self, done: Callable[[], bool], begin_s: float | None) -> None:
        """Take events until something is so; late at ``begin_s``, failed if all is silent."""
        silence_s = _STALL_S + self.experiment.sample_interval_s
        while not done():
            if begin_s is not None and time.time() > begin_s:
                raise TooLate
            self._take(*self.pair.next_event(silence_s))

    def _take(self, host: str, event: dict[str, Any]) -> None:
        program = self.programs.get(event.get("program", 0))
        if program is None:
            return
        if event["event"] == "ended":
            program.ended = True
            if event["code"] != 0:
                what = f"{program.what} on {host} ended with code {event['code']}"
                raise RunError(self.pair.stage, what, event["said"].splitlines()[-12:])
            return
        line = event["line"]
        if line["event"] == "ready":
            program.ready = True
        elif line["event"] == "flow":
            self.readback[line["flow"]] = line
        elif line["event"] == "error":
            raise RunError(self.pair.stage, f"flow {line['flow']}: {line['what']}")
        elif line["event"] != "end":
            self.on_line(_bottleneck_only(line))


def _bottleneck_only(line: dict[str, Any]) -> dict[str, Any]:
    """Leave netem out of a sample of the queues where a token bucket is the bottleneck.

    What netem holds is on the emulated wire, and what it loses was not lost in a queue.
    """
    queues = line.get("qdiscs", ())
    if any(each["kind"] == "tbf" for each in queues):
        return {**line, "qdiscs": [each for each in queues if each["kind"] != "netem"]}
    return line
