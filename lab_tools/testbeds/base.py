"""The protocol that every testbed keeps."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from lab_tools.experiment import Experiment, Path
from lab_tools.record import RunRecord


@dataclass(frozen=True)
class Availability:
    """Whether a testbed can be used here; if not, why, and what to do about it."""

    available: bool
    reason: str = ""
    remedy: str = ""


@dataclass(frozen=True)
class Sample:
    """One flow at one moment of a run, all its streams together."""

    time_s: float
    flow: int
    goodput_bps: float
    cwnd_segments: int
    rtt_s: float
    retransmits: int
    queue_bytes: int


@dataclass(frozen=True)
class CommandResult:
    """What a command on a live host printed, and how it ended."""

    output: str
    code: int
    timed_out: bool = False

    def __str__(self) -> str:
        return self.output


OnSample = Callable[[Sample], None]


class SessionHost(Protocol):
    """A host of a live network."""

    def run(self, command: str, timeout_s: float = 60.0) -> CommandResult:
        """Run a shell command on the host and return what it printed."""


class Session(AbstractContextManager["Session"], Protocol):
    """A live network; ``session["h1"].run("ping -c 3 10.0.3.2")``."""

    def __getitem__(self, name: str) -> SessionHost:
        """Return a host by name."""


class Testbed(Protocol):
    """Runs experiments."""

    name: str

    def available(self) -> Availability:
        """Say whether this testbed can be used here."""

    def run(self, experiment: Experiment, on_sample: OnSample | None = None) -> RunRecord:
        """Run an experiment and return its record; call ``on_sample`` as samples arrive."""

    def session(self, path: Path) -> Session:
        """Return a live network over a path."""
