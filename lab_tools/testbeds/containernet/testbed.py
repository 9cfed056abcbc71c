"""Run experiments with Mininet and Docker containers on this host, in real time."""

import dataclasses
import os
import platform
import time
from collections.abc import Sequence
from importlib import metadata
from types import TracebackType
from typing import Any, Self

from lab_tools.errors import CancelledError, MissingToolError, RunError
from lab_tools.experiment import Experiment, Path
from lab_tools.record import RunRecord
from lab_tools.testbeds import plan as planning
from lab_tools.testbeds.base import Availability, OnSample
from lab_tools.testbeds.calibration import calibrate
from lab_tools.testbeds.collect import Collector
from lab_tools.testbeds.containernet import hosts
from lab_tools.testbeds.containernet import image as hosts_image
from lab_tools.testbeds.containernet.worker import DockerWorker, import_image, order
from lab_tools.testbeds.layout import lay_out
from lab_tools.testbeds.mininet import probes
from lab_tools.testbeds.mininet.testbed import RTT_TOLERANCE, RTT_TOLERANCE_S, MininetHost

_PING = {"tool": "ping", "count": 10, "interval_s": 0.2}
#: What the worker says of the network it has built.
_VERSIONS = ("mininet", "docker", "docker_host")
#: Time without a word that the start of a program in a container may take.
_START_S = 30.0


class ContainernetTestbed:
    """Real time, the kernel and the processors of this host, end hosts in containers.

    Parameters
    ----------
    image, cpu_period, cpu_quota, mem_limit, volumes : what a host's container is made of and
        limited to, in Docker's names and units; see `lab_tools.testbeds.containernet.hosts`.

    Raises
    ------
    InputError : a value that Docker or the kernel would refuse.
    """

    name = "containernet"

    def __init__(
        self,
        image: str | None = None,
        *,
        cpu_period: int | None = None,
        cpu_quota: int | None = None,
        mem_limit: int | str | None = None,
        volumes: Sequence[str] = (),
    ) -> None:
        self.container = hosts.Container(image, cpu_period, cpu_quota, mem_limit, volumes)
        self._ready = False

    def available(self) -> Availability:
        """Say whether this host can hold a network, and Docker its hosts."""
        return self._look()[0]

    def run(self, experiment: Experiment, on_sample: OnSample | None = None) -> RunRecord:
        """Run an experiment and return its record; see `lab_tools.testbeds.base.Testbed`.

        Raises
        ------
        MissingToolError : this host cannot hold a network, Docker is missing, or so is the image.
        RunError : the run did not complete; ``error.partial`` holds the record so far.
        """
        began = time.monotonic()
        request = planning.measurement(experiment)
        probes.require_congestion_controls(flow["cc"] for flow in request["flows"])
        self._get_ready()
        collector = Collector(experiment, on_sample)
        built: dict[str, Any] = {}
        try:
            with DockerWorker() as worker:
                built = build(worker, experiment, self.container)
                rtt_s = _idle_rtts(worker, experiment)
                done = worker.ask(
                    "measure",
                    collector.take,
                    stage="running the flows",
                    silence_s=2 * experiment.sample_interval_s + _START_S * len(request["flows"]),
                    **request,
                )
                virtual_s = done["clock_s"] - worker.booted_s
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
            counters["containers"] = self.container.options()
            return dataclasses.replace(
                self._so_far(experiment, collector, built, began),
                calibration=checks,
                counters=counters,
                virtual_s=virtual_s,
            )
        except KeyboardInterrupt:
            stopped = CancelledError("running the experiment", "it was stopped")
            stopped.partial = self._partial(experiment, collector, built, began)
            raise stopped from None
        except RunError as error:
            error.partial = self._partial(experiment, collector, built, began)
            raise

    def session(self, path: Path) -> "ContainernetSession":
        """Return a live network over a path.

        Raises
        ------
        MissingToolError : this host cannot hold a network, Docker is missing, or so is the image.
        """
        self._get_ready()
        return ContainernetSession(path, self.container)

    def _look(self) -> tuple[Availability, bool]:
        """Say whether a network can be held here, and whether Docker has the image already."""
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        here = probes.availability(root, probes.in_a_namespace)
        if not here.available:
            return here, False
        said = order("--probe", self.container.image_name)
        return hosts.availability(self.container, said), bool(said.get("image"))

    def _get_ready(self) -> None:
        """See, once, that everything is there; give Docker the hosts' image if it lacks it."""
        if self._ready:
            return
        says, has_image = self._look()
        if not says.available:
            raise MissingToolError(
                f"the containernet testbed cannot run here: {says.reason}. "
                f"What to do: {says.remedy}."
            )
        if not has_image:
            name = self.container.image_name
            import_image(name, hosts_image.build(), hosts_image.CHANGES)
        self._ready = True

    def _partial(
        self, experiment: Experiment, collector: Collector, built: dict[str, Any], began: float
    ) -> RunRecord | None:
        """Return what was measured before a run ended early; it has no calibration."""
        if collector.time_s == 0:
            return None
        return self._so_far(experiment, collector, built, began)

    def _so_far(
        self, experiment: Experiment, collector: Collector, built: dict[str, Any], began: float
    ) -> RunRecord:
        """Return a record of the traces."""
        return RunRecord(
            experiment=experiment,
            testbed=self.name,
            clock="wall",
            versions={
                "kernel": platform.release(),
                "lab_tools": metadata.version("data-over-distance"),
                "python": platform.python_version(),
                "image": self.container.image_name,
                **{name: built[name] for name in _VERSIONS if name in built},
            },
            flows=collector.flows(),
            queue=collector.queue(),
            calibration=(),
            counters={"partial": True},
            wall_s=time.monotonic() - began,
            virtual_s=collector.time_s,
            cross=collector.cross(),
        )


class ContainernetSession:
    """A live network on this host, for a ``with`` block; see `ContainernetTestbed.session`.

    ``versions`` says what the network is made with: Mininet, Docker, and which kind of host.
    """

    def __init__(self, path: Path, container: hosts.Container) -> None:
        self._experiment = Experiment(path)
        self._container = container
        self._worker: DockerWorker | None = None
        self.versions: dict[str, str] = {}

    def __enter__(self) -> Self:
        worker = DockerWorker()
        worker.__enter__()
        try:
            built = build(worker, self._experiment, self._container)
        except BaseException:
            worker.close()
            raise
        self._worker = worker
        self.versions = {name: built[name] for name in _VERSIONS}
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
        """Return a host: the containers ``h1`` and ``h2``, the routers ``r1`` and ``r2``."""
        if self._worker is None:
            raise RunError("opening a host", "the session is not open; use it in a with block")
        return MininetHost(self._worker, name)


def build(
    worker: DockerWorker, experiment: Experiment, container: hosts.Container
) -> dict[str, Any]:
    """Build an experiment's network, its end hosts in containers; return what it is made with."""
    return worker.ask(
        "build",
        stage="building the network",
        plan=planning.plan(experiment),
        hosts=sorted(lay_out(experiment).hosts),
        docker=container.options(),
    )


def _idle_rtts(worker: DockerWorker, experiment: Experiment) -> list[list[float]]:
    """Return the round-trip times of the idle network, between each pair of hosts that is used."""
    found = []
    for ping in planning.pings(experiment):
        done = worker.ask(
            "tool",
            stage="measuring the round-trip time",
            silence_s=_START_S,
            node=ping["source"],
            task={**_PING, "target": ping["address"]},
        )
        found.append(done["result"]["rtt_s"])
    return found
