"""Feed points to a Dask cluster, a bounded number at a time, until all have ended."""

import queue
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence

from distributed import Client, Future

from lab_tools.errors import RunError
from lab_tools.experiment import Experiment
from lab_tools.store import Store
from lab_tools.sweeping.cluster import kernels
from lab_tools.sweeping.point import CLAIMED, FAILED, RAN, Outcome, is_kept, run_point
from lab_tools.testbeds.base import Testbed
from lab_tools.testbeds.plan import guest_memory_bytes

#: Points handed to Dask for each worker: one runs, one waits.
_PER_WORKER = 2
#: Time between two looks at how many workers there are, and at points that others run.
_LOOK_S = 2.0
_KILLED = "its worker was killed each time; is there enough memory?"


class _Window:
    """Points that wait, points that Dask has, points that somebody else runs.

    When a worker is killed Dask blames every point that it held. So a point that Dask gives up is a
    suspect: it runs again at the end, with nothing beside it, and only then has it failed.
    """

    def __init__(
        self, client: Client, points: Sequence[Experiment], testbed: str | Testbed, store: Store
    ) -> None:
        self._client, self._testbed, self._store = client, testbed, store
        self._folder = str(store.folder.resolve())
        self._waiting = deque(points)
        self._elsewhere: list[Experiment] = []
        self._suspects: deque[Experiment] = deque()
        self._alone = ""
        self._running: dict[str, tuple[Experiment, Future[Outcome]]] = {}
        self._ended: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._looked_at = -_LOOK_S
        self._size = 0

    def __bool__(self) -> bool:
        return bool(self._waiting or self._elsewhere or self._running or self._suspects)

    def look(self) -> None:
        """Every now and then: adapt to the number of workers, try what others ran again."""
        now = time.monotonic()
        if now - self._looked_at < _LOOK_S:
            return
        self._looked_at = now
        if self._client.status != "running":
            raise RunError("running the sweep", "the scheduler is gone; what is complete is kept")
        self._size = max(1, _PER_WORKER * kernels(self._client))
        self._waiting.extend(self._elsewhere)
        self._elsewhere.clear()

    def fill(self) -> None:
        """Hand points to Dask up to the window's size."""
        while self._waiting and len(self._running) < self._size:
            self._submit(self._waiting.popleft())
        if self._suspects and not self._running and not self._elsewhere:
            self._alone = self._submit(self._suspects.popleft())

    def _submit(self, experiment: Experiment) -> str:
        # A key of its own for every try: Dask must not answer with an earlier try's result.
        key = f"point-{experiment.id[:12]}-{uuid.uuid4().hex[:8]}"
        future = self._client.submit(
            run_point,
            experiment.to_dict(),
            self._testbed,
            self._folder,
            key=key,
            pure=False,
            resources={"kernel": 1, "memory": guest_memory_bytes(experiment)},
        )
        self._running[key] = (experiment, future)
        future.add_done_callback(  # type: ignore[no-untyped-call]
            lambda done: self._ended.put(done.key)
        )
        return key

    def next_ended(self) -> tuple[Experiment, Outcome] | None:
        """Return a point that ended; None if none did for a moment, or if another runs it."""
        try:
            key = self._ended.get(timeout=0.5)
        except queue.Empty:
            return None
        experiment, future = self._running.pop(key)
        outcome = _outcome(future)
        if outcome.error == _KILLED and key != self._alone:
            self._suspects.append(experiment)
            return None
        if outcome.state == CLAIMED:
            self._elsewhere.append(experiment)
            return None
        testbed = self._testbed if isinstance(self._testbed, str) else self._testbed.name
        if outcome.state == RAN and not is_kept(self._store, experiment, testbed):
            said = f"its worker does not see the store {self._folder}: share it, or use another one"
            outcome = Outcome(FAILED, said)
        return experiment, outcome

    def give_up(self) -> None:
        """Take back what Dask has not begun; what runs is stopped where it runs."""
        if self._client.status == "running":
            begun = [future for _, future in self._running.values()]
            self._client.cancel(begun, force=True)  # type: ignore[no-untyped-call]


def run_window(
    client: Client,
    points: Sequence[Experiment],
    testbed: str | Testbed,
    store: Store,
    take: Callable[[Experiment, Outcome], None],
) -> None:
    """Run points on a cluster; each ends in one call of ``take``.

    Parameters
    ----------
    client : the cluster.
    points : what to run, in this order.
    testbed, store : who runs it, and where records are kept.
    take : called with each point and what became of it.

    Raises
    ------
    RunError : the scheduler is gone.
    """
    window = _Window(client, points, testbed, store)
    try:
        while window:
            window.look()
            window.fill()
            ended = window.next_ended()
            if ended is not None:
                take(*ended)
    except BaseException:
        window.give_up()
        raise


def _outcome(future: "Future[Outcome]") -> Outcome:
    """Return what a point's task came to; a worker that dies again and again is a failure."""
    if future.status == "finished":
        outcome: Outcome = future.result()
        return outcome
    if future.status == "error":
        error = future.exception()  # type: ignore[no-untyped-call]
        if type(error).__name__ == "KilledWorker":
            return Outcome(FAILED, _KILLED)
        return Outcome(FAILED, f"{type(error).__name__}: {error}")
    raise RunError("running the sweep", "the scheduler is gone; what is complete is kept")
