"""Run experiments with Mininet on this host, in real time."""

import os
import platform
import time
from importlib import metadata
from types import TracebackType
from typing import Any, Self

from lab_tools.errors import CancelledError, MissingToolError, RunError
from lab_tools.experiment import Experiment, Path
from lab_tools.record import RunRecord
from lab_tools.testbeds import plan as planning
from lab_tools.testbeds.base import Availability, CommandResult, OnSample
from lab_tools.testbeds.calibration import calibrate
from lab_tools.testbeds.collect import Collector
from lab_tools.testbeds.mininet import probes
from lab_tools.testbeds.mininet.worker import Worker

#: Error of the smallest of the idle round-trip times that is allowed: a share of it, and the time
#: that a host takes to wake up six programs and timers on the way.
RTT_TOLERANCE = 0.02
RTT_TOLERANCE_S = 1e-3
_PING = {"tool": "ping", "count": 10, "interval_s": 0.2}
_PING_SILENCE_S = 60.0


class MininetTestbed:
    """Real time, the kernel and the processors of this host: see the package.

    Unlike in virtual time, the hosts' own costs are in the numbers, no two runs are the same, and a
    machine that is too slow or too busy for a rate does not reach it.
    """

    name = "mininet"

    def available(self) -> Availability:
        """Say whether this host can hold a network."""
        return probes.availability(_is_root(), probes.in_a_namespace)

    def run(self, experiment: Experiment, on_sample: OnSample | None = None) -> RunRecord:
        """Run an experiment and return its record; see `lab_tools.testbeds.base.Testbed`.

        Raises
        ------
        MissingToolError : this host cannot hold a network, or lacks a congestion control.
        RunError : the run did not complete; ``error.partial`` holds the record so far.
        """
        began = time.monotonic()
        self._require()
        request = planning.measurement(experiment)
        probes.require_congestion_controls(flow["cc"] for flow in request["flows"])
        collector = Collector(experiment, on_sample)
        try:
            with Worker() as worker:
                plan = planning.plan(experiment)
                built = worker.ask("build", plan=plan, stage="building the network")
                rtt_s = _idle_rtts(worker, experiment)
                done = worker.ask(
                    "measure",
                    collector.take,
                    stage="running the flows",
                    silence_s=2 * experiment.sample_interval_s + len(request["flows"]),
                    **request,
                )
                virtual_s = done["clock_s"] - worker.booted_s
            return self._record(experiment, collector, built, rtt_s, done, virtual_s, began)
        except KeyboardInterrupt:
            stopped = CancelledError("running the experiment", "it was stopped")
            stopped.partial = self._partial(experiment, collector, began)
            raise stopped from None
        except RunError as error:
            error.partial = self._partial(experiment, collector, began)
            raise

    def session(self, path: Path) -> "MininetSession":
        """Return a live network over a path.

        Raises
        ------
        MissingToolError : this host cannot hold a network.
        """
        self._require()
        return MininetSession(path)

    def _require(self) -> None:
        says = self.available()
        if not says.available:
            raise MissingToolError(
                f"the mininet testbed cannot run here: {says.reason}. What to do: {says.remedy}."
            )

    def _record(
        self,
        experiment: Experiment,
        collector: Collector,
        built: dict[str, Any],
        rtt_s: list[list[float]],
        done: dict[str, Any],
        virtual_s: float,
        began: float,
    ) -> RunRecord:
        flows = collector.flows()
        if flows.empty:
            raise RunError("running the flows", "no samples came back")
        shortest_s = min(ping["rtt_s"] for ping in planning.pings(experiment))
        checks, counters = calibrate(
            experiment,
            rtt_s[0],
            flows,
            done,
            rtt_tolerance=RTT_TOLERANCE + RTT_TOLERANCE_S / shortest_s,
            more_rtt_s=rtt_s[1:],
        )
        return RunRecord(
            experiment=experiment,
            testbed=self.name,
            clock="wall",
            versions={**_versions(), "mininet": built["mininet"]},
            flows=flows,
            queue=collector.queue(),
            calibration=checks,
            counters=counters,
            wall_s=time.monotonic() - began,
            virtual_s=virtual_s,
            cross=collector.cross(),
        )

    def _partial(
        self, experiment: Experiment, collector: Collector, began: float
    ) -> RunRecord | None:
        """Return what was measured before a run ended early; it has no calibration."""
        if collector.time_s == 0:
            return None
        return RunRecord(
            experiment=experiment,
            testbed=self.name,
            clock="wall",
            versions=_versions(),
            flows=collector.flows(),
            queue=collector.queue(),
            calibration=(),
            counters={"partial": True},
            wall_s=time.monotonic() - began,
            virtual_s=collector.time_s,
            cross=collector.cross(),
        )


class MininetHost:
    """A host of a live network."""

    def __init__(self, worker: Worker, name: str) -> None:
        self._worker, self._name = worker, name

    def run(self, command: str, timeout_s: float = 60.0) -> CommandResult:
        """Run a shell command on the host and return what it printed.

        Parameters
        ----------
        command : what a person would type.
        timeout_s : seconds after which the command, and what it has started, is ended.

        Raises
        ------
        RunError : the network is gone.
        """
        done = self._worker.ask(
            "shell",
            stage=f"running {command!r} on {self._name}",
            silence_s=timeout_s,
            node=self._name,
            command=command,
            timeout_s=timeout_s,
        )
        return CommandResult(done["output"], done["code"], done["timed_out"])

    def tool(self, name: str, **options: Any) -> dict[str, Any]:
        """Run ``ping``, ``iperf3``, ``ss`` or ``tc`` and return what it says as data.

        The options are those of the function of that name in `lab_tools.host.tools`.

        Raises
        ------
        RunError : the tool is missing or failed; shows what it printed.
        """
        stage = f"running {name} on {self._name}"
        silence_s = float(options.get("duration_s", 0)) + _PING_SILENCE_S
        silence_s += float(options.get("count", 0)) * float(options.get("interval_s", 1))
        task = {"tool": name, **options}
        done = self._worker.ask(
            "tool", stage=stage, silence_s=silence_s, node=self._name, task=task
        )
        result: dict[str, Any] = done["result"]
        return result


class MininetSession:
    """A live network on this host, for a ``with`` block; see `MininetTestbed.session`."""

    def __init__(self, path: Path) -> None:
        self._experiment = Experiment(path)
        self._worker: Worker | None = None

    def __enter__(self) -> Self:
        worker = Worker().__enter__()
        try:
            worker.ask("build", plan=planning.plan(self._experiment), stage="building the network")
        except BaseException:
            worker.close()
            raise
        self._worker = worker
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._worker:
            self._worker.close()
            self._worker = None

    def __getitem__(self, name: str) -> MininetHost:
        """Return a host: ``h1``, ``r1``, ``r2`` or ``h2``."""
        if self._worker is None:
            raise RunError("opening a host", "the session is not open; use it in a with block")
        return MininetHost(self._worker, name)


def _idle_rtts(worker: Worker, experiment: Experiment) -> list[list[float]]:
    """Return the round-trip times of the idle network, between each pair of hosts that is used."""
    found = []
    for ping in planning.pings(experiment):
        task = {**_PING, "target": ping["address"]}
        done = worker.ask(
            "tool",
            stage="measuring the round-trip time",
            silence_s=_PING_SILENCE_S,
            node=ping["source"],
            task=task,
        )
        found.append(done["result"]["rtt_s"])
    return found


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _versions() -> dict[str, str]:
    return {
        "kernel": platform.release(),
        "lab_tools": metadata.version("data-over-distance"),
        "python": platform.python_version(),
    }
