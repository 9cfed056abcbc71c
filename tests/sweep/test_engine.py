"""The engine on a fake testbed: every point once, whatever fails or is killed."""

import collections
import os
import select
import signal
import subprocess
import sys

import pytest
from filelock import FileLock

from lab_tools.errors import InputError, RunError
from lab_tools.store import Store
from lab_tools.sweep import Sweep
from lab_tools.sweeping import cluster, run_sweep
from lab_tools.sweeping.journal import read_journal

MEMORY = 4 << 30


@pytest.fixture
def fake():
    import sweep_fake

    return sweep_fake


def counts(folder):
    """Return how often each point was started and kept, by its seed's order in the journal."""
    return collections.Counter(read_journal(folder))


def sweep_on(fake, tmp_path, repeat=6, workers=2, memory=MEMORY, axes=None, **odd):
    told = []
    result = run_sweep(
        Sweep(fake.BASE, repeat=repeat, **(axes or {})),
        testbed=fake.FakeTestbed(str(tmp_path), **odd),
        store=Store(tmp_path / "store"),
        workers=workers,
        memory_bytes=memory,
        on_progress=told.append,
    )
    return result, told


def ids(fake, *seeds):
    return [fake.BASE.replace(seed=seed).id for seed in seeds]


def test_failed_and_killed_points_cost_no_other_point(fake, tmp_path):
    odd = {"fails": (2,), "breaks": (3,), "dies_once": (5,), "dies": (6,)}
    result, told = sweep_on(fake, tmp_path, repeat=8, **odd)
    errors = {experiment.seed: error for experiment, error in result.failures}
    assert sorted(errors) == [2, 3, 6]
    assert "seed 2 is not liked" in errors[2]
    assert "ZeroDivisionError" in errors[3]
    assert "killed" in errors[6]
    assert (told[0].done, told[-1].done, told[-1].failed, told[-1].left_s) == (0, 8, 3, 0)
    table = result.frame()
    assert list(table["seed"][table["done"]]) == [1, 4, 5, 7, 8]
    assert set(table["goodput_bps"].dropna()) == {80e6}

    # What failed runs again; what is kept does not.
    again, told = sweep_on(fake, tmp_path, repeat=8)
    assert (again.progress.kept, again.progress.ran, again.failures) == (5, 3, ())
    seen = counts(tmp_path / "store")
    for name in ids(fake, *range(1, 9)):
        assert seen["kept", name] == 1
    for name in ids(fake, 1, 4, 7, 8):
        # A point that waited on the worker that died may not have been started by it.
        assert seen["started", name] >= 1


def test_a_complete_sweep_starts_nothing(fake, tmp_path):
    store = Store(tmp_path / "store")
    for seed in (1, 2, 3):
        store.put(fake.record_of(fake.BASE.replace(seed=seed)))
    result, told = sweep_on(fake, tmp_path, repeat=3, breaks=(1, 2, 3))
    assert (result.progress.kept, result.progress.ran) == (3, 0)
    assert len(told) == 1


def test_points_that_fit_no_worker_are_failures_of_their_own(fake, tmp_path):
    axes = {"rate_bps": [100e6, 20e9], "rtt_s": [0.01, 1.0]}
    result, _ = sweep_on(fake, tmp_path, repeat=1, memory=MEMORY, axes=axes)
    assert [e.path.bdp_bytes for e, _ in result.failures] == [2.5e9]
    assert "GB of memory" in result.failures[0][1]
    assert result.progress.ran == 3


def test_bad_arguments_are_refused(fake, tmp_path):
    with pytest.raises(InputError, match="workers"):
        sweep_on(fake, tmp_path, workers=0)
    with pytest.raises(InputError, match="memory_bytes"):
        sweep_on(fake, tmp_path, memory=-1)
    for address in ("moon", "http://127.0.0.1:1", "tcp://127.0.0.1"):
        with pytest.raises(InputError, match="tcp://"):
            run_sweep(Sweep(fake.BASE), store=Store(tmp_path), scheduler=address)


@pytest.fixture
def program(fakes_on_path, tmp_path):
    """Start the fake sweep as a program; it stands still in its second point until the gate."""
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    started = []

    def start(points, workers, *more):
        words = [str(tmp_path), str(points), str(workers), *more]
        process = subprocess.Popen(
            [sys.executable, str(fakes_on_path / "sweep_fake.py"), *words],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(fakes_on_path)},
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def wait_for_worker(tmp_path):
    """Return a handle of the worker process that stands in the second point."""
    # Open for both ends: a sweep that never comes so far ends this test, instead of a hang.
    begun = os.open(tmp_path / "begun", os.O_RDWR)
    ready, _, _ = select.select([begun], [], [], 90)
    assert ready, "no worker came to the second point"
    pid = int(os.read(begun, 100).split()[0])
    os.close(begun)
    return os.pidfd_open(pid)


def assert_ends(handle):
    ready, _, _ = select.select([handle], [], [], 30)
    os.close(handle)
    assert ready, "a worker outlived its sweep"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_a_sweep_that_is_stopped_leaves_nothing_and_goes_on(fake, program, tmp_path, number, code):
    first = program(5, 1)
    worker = wait_for_worker(tmp_path)
    first.send_signal(number)
    assert first.wait(60) == code
    assert_ends(worker)
    if number == signal.SIGINT:
        assert "1 of 5 points are kept" in first.stdout.read()
    (tmp_path / "gate").touch()
    second = program(5, 1)
    wait = wait_for_worker(tmp_path)
    os.close(wait)
    assert second.wait(60) == 0
    assert second.stdout.read().split() == ["4", "1", "0"]
    seen = counts(tmp_path / "store")
    for seed, name in enumerate(ids(fake, 1, 2, 3, 4, 5), start=1):
        assert seen["kept", name] == 1
        assert seen["started", name] == (2 if seed == 2 else 1)


def test_two_sweeps_on_one_store_run_no_point_twice(fake, program, tmp_path):
    both = [program(6, 1), program(6, 1)]
    os.close(wait_for_worker(tmp_path))
    (tmp_path / "gate").touch()
    assert [each.wait(60) for each in both] == [0, 0]
    done = [[int(word) for word in each.stdout.read().split()] for each in both]
    assert sum(ran for ran, _, _ in done) == 6
    assert all(ran + kept == 6 and failed == 0 for ran, kept, failed in done)
    assert set(counts(tmp_path / "store").values()) == {1}


@pytest.fixture
def scheduler(fakes_on_path):
    """Return the address of a Dask scheduler."""
    text = (
        "import asyncio\nfrom distributed import Scheduler\n"
        "async def main():\n"
        "    async with Scheduler(host='127.0.0.1', port=0, dashboard=False,\n"
        "                         dashboard_address='127.0.0.1:0') as scheduler:\n"
        "        print(scheduler.address, flush=True)\n"
        "        await scheduler.finished()\n"
        "asyncio.run(main())\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", text],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONPATH": str(fakes_on_path)},
    )
    yield process.stdout.readline().strip()
    process.kill()
    process.communicate()


def start_workers(address, fakes):
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from lab_tools.cli import main; main()",
            *("sweep", "worker", address, "--workers", "2", "--memory", "4 GB"),
        ],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(fakes)},
    )


def test_a_cluster_by_its_address(fake, program, scheduler, fakes_on_path, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_WORKERS_S", 0.5)
    with pytest.raises(RunError, match="lab sweep worker"):
        run_sweep(Sweep(fake.BASE), store=Store(tmp_path), scheduler=scheduler)
    workers = start_workers(scheduler, fakes_on_path)
    try:
        assert "2 workers with 2 GB each" in workers.stderr.readline()
        killed = program(5, 1, scheduler)
        os.close(wait_for_worker(tmp_path))
        killed.kill()
        killed.wait()
        # Its worker serves on, and gives up the point that stood still: its claim comes free.
        place = Store(tmp_path / "store").place(fake.BASE.replace(seed=2), "fake")
        with FileLock(place.parent / ".fake.claim", timeout=60):
            assert not place.exists()
        (tmp_path / "gate").touch()
        second = program(5, 1, scheduler)
        os.close(wait_for_worker(tmp_path))
        assert second.wait(60) == 0
        seen = counts(tmp_path / "store")
        assert all(seen["kept", name] == 1 for name in ids(fake, 1, 2, 3, 4, 5))
        workers.send_signal(signal.SIGINT)
        assert workers.wait(30) == 130
    finally:
        workers.kill()
        workers.communicate()


def test_nobody_at_the_address_is_told(fake, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_CONNECT_S", 0.5)
    with pytest.raises(RunError, match="nothing answers at tcp"):
        run_sweep(Sweep(fake.BASE), store=Store(tmp_path), scheduler="tcp://127.0.0.1:9")
