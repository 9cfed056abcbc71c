"""Run experiments on the Linux kernel in virtual time: no root, and the same bytes every time."""

import platform
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Self

from lab_tools.errors import CancelledError, MissingToolError, RunError
from lab_tools.experiment import Experiment, Path
from lab_tools.kernel import Kernel, find
from lab_tools.record import RunRecord
from lab_tools.testbeds import plan as planning
from lab_tools.testbeds.base import Availability, CommandResult, OnSample
from lab_tools.testbeds.calibration import calibrate
from lab_tools.testbeds.collect import Collector
from lab_tools.testbeds.virtual.guest import EPOCH_S, SYSTEM_PYTHON, Guest

#: Relative error of the round-trip time; its only error is the clock's 256 ns step.
RTT_TOLERANCE = 1e-3
_PING = {"tool": "ping", "count": 3, "interval_s": 0.2}


class VirtualTestbed:
    """The default testbed.

    Parameters
    ----------
    kernel : the kernel to boot; without one, the one that `lab kernel build` made.
    boot_options : more words for the kernel's command line, such as ``tcp_vegas.alpha=20``. They
        are no part of an experiment's identity: keep such records apart.
    """

    name = "virtual"

    def __init__(self, kernel: Kernel | None = None, boot_options: Sequence[str] = ()) -> None:
        self._kernel = kernel
        self._boot_options = tuple(boot_options)

    def available(self) -> Availability:
        """Say whether the kernel and the guest's programs are there."""
        if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
            found = f"{platform.system()} on {platform.machine()}"
            return Availability(
                False,
                f"it needs Linux on x86-64, this is {found}",
                "use the workshop's virtual machine, or LAB_TESTBED=replay",
            )
        try:
            find() if self._kernel is None else None
        except MissingToolError as error:
            return Availability(False, str(error), "lab kernel build")
        if not FilePath("/usr/lib/python3/dist-packages/mininet").exists():
            return Availability(False, "Debian's Mininet is missing", "apt-get install mininet")
        if not SYSTEM_PYTHON.exists():
            return Availability(False, f"{SYSTEM_PYTHON} is missing", "apt-get install python3")
        return Availability(True)

    def run(self, experiment: Experiment, on_sample: OnSample | None = None) -> RunRecord:
        """Run an experiment and return its record; see `lab_tools.testbeds.base.Testbed`.

        Raises
        ------
        MissingToolError : the kernel or Mininet is missing.
        RunError : the run did not complete; ``error.partial`` holds the record so far.
        """
        began = time.monotonic()
        kernel = self._kernel or find()
        collector = Collector(experiment, on_sample)
        memory_bytes = planning.guest_memory_bytes(experiment)
        try:
            with Guest(
                kernel, memory_bytes, experiment.seed, boot_options=self._boot_options
            ) as guest:
                guest.ask("build", plan=planning.plan(experiment), stage="building the network")
                stage = "measuring the round-trip time"
                rtt_s = []
                for ping in planning.pings(experiment):
                    task = {**_PING, "target": ping["address"]}
                    idle = guest.ask("tool", stage=stage, node=ping["source"], task=task)
                    rtt_s.append(idle["result"]["rtt_s"])
                request = planning.measurement(experiment)
                done = guest.ask("measure", collector.take, stage="running the flows", **request)
                return self._record(experiment, kernel, collector, rtt_s, done, began)
        except KeyboardInterrupt:
            stopped = CancelledError("running the experiment", "it was stopped")
            stopped.partial = self._partial(experiment, kernel, collector, began)
            raise stopped from None
        except RunError as error:
            error.partial = self._partial(experiment, kernel, collector, began)
            raise

    def session(self, path: Path) -> "VirtualSession":
        """Return a live network over a path; its clock stands still between commands."""
        return VirtualSession(path, self._kernel or find())

    def _record(
        self,
        experiment: Experiment,
        kernel: Kernel,
        collector: Collector,
        rtt_s: list[list[float]],
        done: dict[str, Any],
        began: float,
    ) -> RunRecord:
        flows = collector.flows()
        if flows.empty:
            raise RunError("running the flows", "no samples came back")
        checks, counters = calibrate(
            experiment,
            rtt_s[0],
            flows,
            done,
            rtt_tolerance=RTT_TOLERANCE,
            more_rtt_s=rtt_s[1:],
        )
        return RunRecord(
            experiment=experiment,
            testbed=self.name,
            clock="virtual",
            versions=self._versions(kernel),
            flows=flows,
            queue=collector.queue(),
            calibration=checks,
            counters=counters,
            wall_s=time.monotonic() - began,
            virtual_s=done["clock_s"] - EPOCH_S,
            cross=collector.cross(),
        )

    def _partial(
        self, experiment: Experiment, kernel: Kernel, collector: Collector, began: float
    ) -> RunRecord | None:
        """Return what was measured before a run ended early; it has no calibration."""
        if collector.time_s == 0:
            return None
        return RunRecord(
            experiment=experiment,
            testbed=self.name,
            clock="virtual",
            versions=self._versions(kernel),
            flows=collector.flows(),
            queue=collector.queue(),
            calibration=(),
            counters={"partial": True},
            wall_s=time.monotonic() - began,
            virtual_s=collector.time_s,
            cross=collector.cross(),
        )

    def _versions(self, kernel: Kernel) -> dict[str, str]:
        options = {"boot_options": " ".join(self._boot_options)} if self._boot_options else {}
        return {
            "kernel": kernel.version,
            "kernel_recipe": kernel.recipe,
            "kernel_source": kernel.source,
            "lab_tools": metadata.version("data-over-distance"),
            "python": platform.python_version(),
            **options,
        }


class VirtualHost:
    """A host of a live virtual network."""

    def __init__(self, guest: Guest, name: str) -> None:
        self._guest, self._name = guest, name

    def run(self, command: str, timeout_s: float = 60.0) -> CommandResult:
        """Run a shell command on the host and return what it printed.

        Parameters
        ----------
        command : what a person would type.
        timeout_s : virtual seconds after which the command is ended.

        Raises
        ------
        RunError : the network is gone.
        """
        done = self._guest.ask(
            "shell",
            stage=f"running {command!r} on {self._name}",
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
        task = {"tool": name, **options}
        done = self._guest.ask("tool", stage=stage, node=self._name, task=task)
        result: dict[str, Any] = done["result"]
        return result


class VirtualSession:
    """A live network in virtual time, for a ``with`` block; see `VirtualTestbed.session`."""

    def __init__(self, path: Path, kernel: Kernel, seed: int = 1) -> None:
        self._experiment = Experiment(path, seed=seed)
        self._kernel = kernel
        self._guest: Guest | None = None

    def __enter__(self) -> Self:
        self._guest = Guest(
            self._kernel,
            planning.guest_memory_bytes(self._experiment),
            self._experiment.seed,
        ).__enter__()
        try:
            plan = planning.plan(self._experiment)
            self._guest.ask("build", plan=plan, stage="building the network")
        except BaseException:
            self._guest.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._guest:
            self._guest.close()
            self._guest = None

    def __getitem__(self, name: str) -> VirtualHost:
        """Return a host: ``h1``, ``r1``, ``r2`` or ``h2``."""
        if self._guest is None:
            raise RunError("opening a host", "the session is not open; use it in a with block")
        return VirtualHost(self._guest, name)
