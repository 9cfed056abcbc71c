"""Run experiments on a pair of physical hosts over SSH."""

import platform
import time
from importlib import metadata
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Self

from lab_tools.errors import CancelledError, InputError, RunError
from lab_tools.experiment import Experiment, Path
from lab_tools.record import RunRecord
from lab_tools.testbeds.base import Availability, CommandResult, OnSample
from lab_tools.testbeds.collect import Collector
from lab_tools.testbeds.dtn import inventory as inventories
from lab_tools.testbeds.dtn import plan as planning
from lab_tools.testbeds.dtn import preflight
from lab_tools.testbeds.dtn.calibration import judge
from lab_tools.testbeds.dtn.limits import refuse
from lab_tools.testbeds.dtn.measure import run_flows
from lab_tools.testbeds.dtn.pair import Pair
from lab_tools.testbeds.dtn.problems import PairError
from lab_tools.units import show_time


class DtnTestbed:
    """A pair of physical hosts.

    Parameters
    ----------
    inventory : the file that describes the pair; without one, `inventory.default_file`.
    """

    name = "dtn"

    def __init__(self, inventory: str | FilePath | None = None) -> None:
        self._file = FilePath(inventory) if inventory is not None else None

    def available(self) -> Availability:
        """Connect to both hosts and look; nothing is changed, and nobody is kept waiting."""
        try:
            inventory = inventories.load(self._file)
            with Pair(inventory, look=True) as pair:
                preflight.facts(pair)
                preflight.routes(pair)
                if pair.busy:
                    return Availability(False, pair.busy, "wait for them, or ask them")
        except PairError as error:
            return Availability(False, error.reason, error.remedy)
        except InputError as error:
            return Availability(False, str(error), "put the inventory right; see docs/dtn.md")
        except RunError as error:
            return Availability(False, str(error), "try again; see docs/dtn.md")
        return Availability(True)

    def run(self, experiment: Experiment, on_sample: OnSample | None = None) -> RunRecord:
        """Run an experiment and return its record; see `lab_tools.testbeds.base.Testbed`.

        Raises
        ------
        InputError : the pair cannot do this experiment, or its inventory is wrong.
        PairError : something is missing on the pair, or somebody else uses it.
        RunError : the run did not complete; ``error.partial`` holds the record so far.
        """
        began = time.monotonic()
        inventory = inventories.load(self._file)
        refuse(experiment, inventory)
        collector = Collector(experiment, on_sample)
        try:
            with Pair(inventory) as pair:
                tuned = Tuned(pair, experiment)
                done = run_flows(pair, experiment, collector.take)
                return self._record(tuned, collector, done, began)
        except KeyboardInterrupt:
            stopped = CancelledError("running the experiment", "it was stopped")
            stopped.partial = self._partial(experiment, collector, began)
            raise stopped from None
        except RunError as error:
            error.partial = self._partial(experiment, collector, began)
            raise

    def session(self, path: Path) -> "DtnSession":
        """Return the live pair, tuned for a path."""
        return DtnSession(path, self._file)

    def _record(
        self, tuned: "Tuned", collector: Collector, done: dict[str, Any], began: float
    ) -> RunRecord:
        flows = collector.flows()
        if flows.empty:
            raise RunError("running the flows", "no samples came back")
        experiment, inventory = tuned.experiment, tuned.pair.inventory
        checks, counters = judge(
            experiment, inventory, tuned.facts, tuned.plan, tuned.rtt_s, flows, done
        )
        counters |= {"real_rtt_s": min(tuned.real_rtt_s), "tuning": tuned.changes}
        counters["notes"] += tuned.pair.notes
        return RunRecord(
            experiment=experiment,
            testbed=self.name,
            clock="wall",
            versions={**_versions(), **_host_versions(tuned.facts)},
            flows=flows,
            queue=collector.queue(),
            calibration=checks,
            counters=counters,
            wall_s=time.monotonic() - began,
            virtual_s=collector.time_s,
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


class Tuned:
    """A pair that is checked and tuned for an experiment."""

    def __init__(self, pair: Pair, experiment: Experiment) -> None:
        self.pair, self.experiment = pair, experiment
        path = experiment.path
        pair.stage = "looking at the hosts"
        self.facts = preflight.facts(pair)
        preflight.congestion_controls(experiment, self.facts)
        preflight.routes(pair)
        pair.stage = "measuring the real path"
        self.real_rtt_s = preflight.idle_rtt_s(pair, path)
        self.plan = planning.make(experiment, pair.inventory, self.facts, min(self.real_rtt_s))
        pair.stage = "tuning the hosts"
        self.changes = {name: self._tune(name) for name in pair.inventory.hosts}
        pair.stage = "checking the path"
        preflight.full_packets(pair, path)
        self.rtt_s = preflight.idle_rtt_s(pair, path)
        self._check_rtt()

    def _tune(self, name: str) -> list[dict[str, Any]]:
        try:
            changes: list[dict[str, Any]] = self.pair.ask(name, "tune", steps=self.plan.steps[name])
        except RunError as error:
            if "qdisc kind is unknown" in error.problem:
                raise PairError(
                    f"{name}'s kernel lacks a queue discipline: {error.problem}",
                    f"as root on {name}, run: modprobe sch_netem sch_tbf sch_fq (the Debian kernel "
                    "has them; others keep them in a package such as kernel-modules-extra)",
                ) from error
            raise
        return changes

    def _check_rtt(self) -> None:
        wanted_s, got_s = self.experiment.path.rtt_s, min(self.rtt_s)
        allowed_s = planning.rtt_allowance_s(self.experiment.path, self.pair.inventory)
        allowed_s += 4 * self.experiment.path.jitter_s
        if abs(got_s - wanted_s) > allowed_s:
            raise RunError(
                self.pair.stage,
                f"the round-trip time is {show_time(got_s)} and not {show_time(wanted_s)}, give or "
                f"take {show_time(allowed_s)} (rtt_tolerance in the inventory)",
            )


class DtnHost:
    """A host of a live pair."""

    def __init__(self, pair: Pair, name: str) -> None:
        self._pair, self._name = pair, name

    def run(self, command: str, timeout_s: float = 60.0) -> CommandResult:
        """Run a shell command on the host, as the account that SSH logs in to.

        Parameters
        ----------
        command : what a person would type.
        timeout_s : seconds after which the command is ended.

        Raises
        ------
        RunError : the connection is gone.
        """
        self._pair.stage = f"running {command!r} on {self._name}"
        done = self._pair.ask(
            self._name, "shell", timeout_s=timeout_s + 60, command=command, limit_s=timeout_s
        )
        return CommandResult(done["output"], done["code"], done["timed_out"])

    def tool(self, name: str, **options: Any) -> dict[str, Any]:
        """Run ``ping``, ``iperf3``, ``ss`` or ``tc`` and return what it says as data.

        The options are those of the function of that name in `lab_tools.host.tools`.

        Raises
        ------
        RunError : the tool is missing or failed; shows what it printed.
        """
        self._pair.stage = f"running {name} on {self._name}"
        task = {"tool": name, **options}
        result: dict[str, Any] = self._pair.ask(self._name, "tool", timeout_s=3600, task=task)
        return result


class DtnSession:
    """The live pair, for a ``with`` block; see `DtnTestbed.session`."""

    def __init__(self, path: Path, file: FilePath | None) -> None:
        self._experiment = Experiment(path)
        self._inventory = inventories.load(file)
        refuse(self._experiment, self._inventory)
        self._pair: Pair | None = None

    def __enter__(self) -> Self:
        pair = Pair(self._inventory).__enter__()
        try:
            Tuned(pair, self._experiment)
        except BaseException as error:
            pair.__exit__(type(error), error, error.__traceback__)
            raise
        self._pair = pair
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pair, self._pair = self._pair, None
        if pair:
            pair.__exit__(kind, error, trace)

    def __getitem__(self, name: str) -> DtnHost:
        """Return a host: ``h1`` or ``h2``."""
        if self._pair is None:
            raise RunError("opening a host", "the session is not open; use it in a with block")
        if name not in self._inventory.hosts:
            raise RunError("opening a host", f"there is no host {name}; there are h1, h2")
        return DtnHost(self._pair, name)

    def address(self, name: str) -> str:
        """Return a host's address on the data network."""
        return self._inventory.hosts[name].data_ip


def _versions() -> dict[str, str]:
    return {
        "lab_tools": metadata.version("data-over-distance"),
        "python": platform.python_version(),
    }


def _host_versions(facts: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return what ran on the hosts; ``kernel`` is the sender's, as on the other testbeds."""
    found = {"kernel": facts["h1"]["kernel"]}
    for name, each in facts.items():
        found[f"{name}_kernel"] = f"{each['kernel']} {each['machine']}"
        found[f"{name}_python"] = each["python"]
    return found
