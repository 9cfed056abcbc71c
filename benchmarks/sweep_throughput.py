"""How fast a sweep runs on one worker and on two, and whether kills lose or repeat a point.

    python benchmarks/sweep_throughput.py [--points 1000] [--kills 2] [--setups one,two,cluster]

Runs the same sweep, each point 100 Mbit/s for 10 virtual seconds with a seed of its own, with the
command `lab sweep run`: on one worker, on two, and on a Dask cluster of two workers given by its
address. On the way it kills the whole sweep with SIGKILL, at even parts of its points, waits until
nothing of it is left, and starts the same command again.

A point is complete when its record is in the store. Every process that runs a point says so in the
store's journal before and after. So a point is lost if it has no record in the end; it ran twice
if it was started after its record was there. A point that a kill interrupted has no record: it
counts as not run, and is started once more.

Prints the points a second of each setup, restarts and start-up included, and the ratio of two
workers to one. Ends with code 1 if a point was lost, ran twice, or is not calibrated.
"""

import argparse
import collections
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path as FilePath

import psutil

from lab_tools.store import Store
from lab_tools.sweep import Sweep
from lab_tools.sweeping import sweep_frame
from lab_tools.sweeping.journal import read_journal

SWEEP = """repeat = {points}
[base]
duration_s = "10 s"
[base.path]
rate_bps = "100 Mbit/s"
rtt_s = "20 ms"
mtu_bytes = 1500
"""
LAB = [sys.executable, "-c", "from lab_tools.cli import main; main()", "sweep"]


class SweepError(Exception):
    """A point was lost or ran twice, or a process outlived its sweep."""


def kept(store: FilePath) -> int:
    """Return how many points the journal calls kept."""
    return sum(what == "kept" for what, _ in read_journal(store))


def kill_all(process: subprocess.Popen[bytes], whole_tree: bool) -> None:
    """Kill the sweep, and wait until everything of it, kernels too, is gone.

    The guardians of the kernels are left alone: to end their kernels is what they are for.
    """
    family = psutil.Process(process.pid).children(recursive=True)
    if whole_tree:
        for each in family:
            with contextlib.suppress(psutil.Error):
                words = " ".join(each.cmdline())
                if "lab_tools.sweeping.worker" in words or "spawn_main" in words:
                    each.kill()
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(family, timeout=60)
    if alive:
        raise SweepError(f"{len(alive)} processes outlived a killed sweep: {alive[:3]}")


def sweep_with_kills(file: FilePath, store: FilePath, points: int, kills: int, *more: str) -> float:
    """Run the sweep, killing it on the way; return the wall time of all of it, in seconds."""
    left = [points * (k + 1) // (kills + 1) for k in range(kills)]
    words = [*LAB, "run", str(file), "--store", str(store), "--quiet", *more]
    began = time.monotonic()
    while True:
        process = subprocess.Popen(words)
        while process.poll() is None:
            if left and kept(store) >= left[0]:
                left.pop(0)
                # Once the command alone, once all of its Python processes at the same time.
                kill_all(process, whole_tree=len(left) % 2 == 0)
                break
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.2)
        if process.returncode != -signal.SIGKILL:
            break
    if process.returncode:
        raise SweepError(f"the sweep ended with code {process.returncode}")
    if left:
        raise SweepError("the sweep ended before it could be killed; take more points")
    return time.monotonic() - began


def check(file: FilePath, store: FilePath, at_most_interrupted: int) -> int:
    """See that every point has one calibrated record and ran once; return what was interrupted."""
    sweep = Sweep.from_toml(file)
    table = sweep_frame(sweep, Store(store))
    lost = int((~table["done"]).sum())
    if lost or not table["calibrated"].all():
        raise SweepError(f"{lost} points were lost, {(~table['calibrated']).sum()} not calibrated")
    events: dict[str, list[str]] = collections.defaultdict(list)
    for what, name in read_journal(store):
        events[name].append(what)
    if set(events) != set(table["id"]):
        raise SweepError("the journal names other points than the sweep")
    for name, seen in events.items():
        after = seen[seen.index("kept") + 1 :] if "kept" in seen else []
        if after:
            raise SweepError(f"point {name} ran twice: {seen}")
    interrupted = sum(seen.count("started") - 1 for seen in events.values())
    if interrupted > at_most_interrupted:
        raise SweepError(f"{interrupted} points began again, more than the kills explain")
    return interrupted


@contextlib.contextmanager
def cluster(folder: FilePath, workers: int):
    """Start a Dask scheduler and workers for it; the value is the scheduler's address."""
    file = folder / "scheduler.json"
    words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
    words += ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"]
    words += ["--scheduler-file", str(file)]
    scheduler = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    serving = None
    try:
        while not file.exists() or not file.read_text().strip():
            if scheduler.poll() is not None:
                raise SweepError("the scheduler did not start")
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        serving = subprocess.Popen(
            [*LAB, "worker", address, "--workers", str(workers)], stderr=subprocess.PIPE
        )
        if serving.stderr is None or b"serve" not in serving.stderr.readline():
            raise SweepError("the workers did not start")
        yield address
    finally:
        if serving is not None:
            serving.send_signal(signal.SIGINT)
            serving.communicate()
        scheduler.terminate()
        scheduler.wait()


def main() -> int:
    """Run every setup and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=2, help="kills of each setup's sweep")
    parser.add_argument("--setups", default="one,two,cluster", help="some of: one, two, cluster")
    options = parser.parse_args()
    setups = options.setups.split(",")
    speeds = {}
    print(f"{options.points} points, {options.kills} kills, load {os.getloadavg()[0]:.1f}")
    print(f"{'setup':<10}{'wall s':>9}{'points/s':>10}{'interrupted':>13}", flush=True)
    with tempfile.TemporaryDirectory(prefix="lab-sweep-benchmark-") as folder:
        file = FilePath(folder) / "sweep.toml"
        file.write_text(SWEEP.format(points=options.points))
        for setup in setups:
            store = FilePath(folder) / setup
            workers = 1 if setup == "one" else 2
            with contextlib.ExitStack() as stack:
                more = ["--workers", str(workers)]
                if setup == "cluster":
                    more = ["--scheduler", stack.enter_context(cluster(FilePath(folder), 2))]
                wall_s = sweep_with_kills(file, store, options.points, options.kills, *more)
            interrupted = check(file, store, options.kills * workers)
            speeds[setup] = options.points / wall_s
            print(f"{setup:<10}{wall_s:>9.1f}{speeds[setup]:>10.3f}{interrupted:>13}", flush=True)
    print("no point was lost, and none ran twice")
    if {"one", "two"} <= speeds.keys():
        print(f"two workers are {speeds['two'] / speeds['one']:.2f} times as fast as one")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SweepError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
