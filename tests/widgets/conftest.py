"""A run that needs no kernel: samples that are known, and a record made of them."""

import threading
from collections.abc import Callable

import pytest

from lab_tools.errors import CancelledError
from lab_tools.experiment import Experiment, Flow, Path
from lab_tools.record import FLOW_COLUMNS, QUEUE_COLUMNS, Check, RunRecord, frame
from lab_tools.testbeds.base import OnSample, Sample

GOODPUT_BPS = 8e6
MSS_BYTES = 1448


@pytest.fixture
def experiment() -> Experiment:
    path = Path(1e9, 0.02, loss=1e-4, mtu_bytes=1500)
    return Experiment(path, flows=(Flow("reno"),), duration_s=5)


def sample(time_s: float) -> Sample:
    return Sample(time_s, 0, GOODPUT_BPS, int(10 + time_s), 0.02, 3, 15_000)


def record_of(experiment: Experiment, times: list[float], *, ok: bool = True) -> RunRecord:
    """A record of one stream at a constant goodput whose queue drops one packet a sample."""
    filled = dict.fromkeys(FLOW_COLUMNS, 0) | {"state": "open", "app_limited": False}
    flows = [
        filled
        | {"time_s": t, "goodput_bps": GOODPUT_BPS, "bytes_received": GOODPUT_BPS * t / 8}
        | {"cwnd_segments": int(10 + t), "rtt_s": 0.02, "mss_bytes": MSS_BYTES}
        for t in times
    ]
    empty = dict.fromkeys(QUEUE_COLUMNS, 0) | {"kind": "tbf"}
    queue = [
        empty | {"time_s": t, "backlog_bytes": 15_000, "drops": n} for n, t in enumerate(times)
    ]
    return RunRecord(
        experiment=experiment,
        testbed="fake",
        clock="virtual",
        versions={},
        flows=frame(flows, FLOW_COLUMNS),
        queue=frame(queue, QUEUE_COLUMNS),
        calibration=(Check("rate", "1", "1", ok),),
        counters={"random_losses": 7},
        wall_s=1.0,
        virtual_s=times[-1],
    )


class FakeRunner:
    """Plays one sample a second of virtual time; waits at ``pause_at`` until it is let on.

    ``paused`` is set when it waits; ``go`` lets it on.
    """

    def __init__(self, pause_at: float | None = None) -> None:
        self.ran: list[Experiment] = []
        self.paused, self.go = threading.Event(), threading.Event()
        self._pause_at = pause_at

    def __call__(self, experiment: Experiment, on_sample: OnSample) -> RunRecord:
        self.ran.append(experiment)
        times = [float(t) for t in range(int(experiment.duration_s) + 1)]
        for number, time_s in enumerate(times):
            if time_s == self._pause_at:
                self.paused.set()
                assert self.go.wait(20)
            try:
                on_sample(sample(time_s))
            except CancelledError as error:
                error.partial = record_of(experiment, times[: number + 1])
                raise
        return record_of(experiment, times)


class FakeTicker:
    """Keeps the functions that want to be called; a test calls them when it likes."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], bool]] = []

    def __call__(self, function: Callable[[], bool]) -> None:
        self.waiting.append(function)

    def tick(self) -> None:
        self.waiting = [function for function in self.waiting if function()]


@pytest.fixture
def ticker() -> FakeTicker:
    return FakeTicker()


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner()


@pytest.fixture
def slow_runner() -> FakeRunner:
    return FakeRunner(pause_at=2.0)


@pytest.fixture
def record(experiment: Experiment) -> RunRecord:
    return record_of(experiment, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
