"""The same dumbbell on the virtual kernel, on ns-3 and on Mininet, side by side.

    .venv/bin/python -m benchmarks.compare [--only TEXT …] [--repeat 3]

Every case runs on each simulator in turn, `repeat` times, so that a busy moment hits all alike. The
columns: virtual over wall time, processor seconds for each million data packets (all processes of
the run together, boot included), peak memory of the largest process, goodput, and goodput over what
headers leave of the rate. Medians, and the range of virtual over wall time.

ns-3 is Debian's (`apt-get install libns3-dev g++`); the program is `benchmarks/ns3/dumbbell.cc`.
A case in which ns-3 would take more than `--limit` seconds runs there for a shorter virtual time,
and not at all if that leaves fewer than ten round trips; at ten times the limit it is stopped.
`--seconds` gives all the same time. After a turn of more than `--patience` seconds there is no
further one of that case.

Mininet runs on this host's own clock, where the host can (root, and a kernel with netem).

The rows are kept in `artefacts/bench`, and `benchmarks.compare_page` makes the pages of them.
"""

import argparse
import dataclasses
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath

from benchmarks import common, compare_page
from lab_tools.errors import RunError
from lab_tools.experiment import Experiment, Flow, Host, Path
from lab_tools.testbeds import MininetTestbed
from lab_tools.units import show_rate

HERE = FilePath(__file__).resolve().parent
MODULES = [
    "core",
    "network",
    "internet",
    "point-to-point",
    "applications",
    "traffic-control",
    "bridge",
    "stats",
]
#: Processor seconds that ns-3 needs for a million data packets, to choose how long it runs.
_NS3_S_PER_MILLION = 60.0
#: What runs a case; nothing comes back if it would take far too long.
Way = Callable[["Case"], "Result | None"]
#: Data packets after which a run on the virtual kernel has shown enough.
_PACKETS = 4e5


@dataclass(frozen=True)
class Case:
    """One path and number of streams."""

    rate_bps: float
    rtt_s: float
    streams: int
    mtu_bytes: int

    @property
    def name(self) -> str:
        """What the table calls it."""
        return f"{show_rate(self.rate_bps)}, {self.path}"

    @property
    def path(self) -> str:
        """Its name without the rate."""
        streams = f"{self.streams} stream" + ("s" if self.streams > 1 else "")
        return f"{1000 * self.rtt_s:g} ms, {streams}, MTU {self.mtu_bytes}"

    @property
    def network_path(self) -> Path:
        """The path itself."""
        return Path(self.rate_bps, self.rtt_s, mtu_bytes=self.mtu_bytes)

    @property
    def packets_per_s(self) -> float:
        """Data packets a second on a full path."""
        return self.rate_bps / 8 / (self.mtu_bytes + 14)

    def seconds(self, packets: float, round_trips: float = 20) -> float:
        """Return a virtual time for about so many packets, and for so many round trips or more."""
        return max(0.5, round_trips * self.rtt_s, min(60.0, packets / self.packets_per_s))


@dataclass(frozen=True)
class Result:
    """What one run took and gave."""

    virtual_s: float
    wall_s: float
    cpu_s: float
    packets: float
    peak_bytes: float
    goodput_bps: float


def cases() -> Iterator[Case]:
    """Yield the grid, after the path that ns-3 was first compared on."""
    yield Case(1e9, 0.02, 1, 1500)
    for rate_bps in (100e6, 1e9, 10e9, 25e9):
        for rtt_s in (0.001, 0.01, 0.1, 0.366):
            for streams in (1, 10):
                for mtu_bytes in (1500, 9000):
                    yield Case(rate_bps, rtt_s, streams, mtu_bytes)


def on_testbed(case: Case, testbed: str, fast: bool, seconds: float | None) -> Result:
    """Run a case in a process of its own, so that its memory is its own."""
    task = json.dumps([dataclasses.astuple(case), testbed, fast, seconds or case.seconds(_PACKETS)])
    words = [sys.executable, "-m", "benchmarks.compare", "--one", task]
    said, _, cpu_s, peak_bytes = common.measured(words)
    virtual_s, wall_s, packets, goodput_bps = json.loads(said)
    # the interpreter's start is no part of the run; its processor time is counted
    return Result(virtual_s, wall_s, cpu_s, packets, peak_bytes, goodput_bps)


def one(text: str) -> None:
    """Run one case on a testbed and print virtual and wall time, packets and goodput."""
    from lab_tools import testbeds

    fields, testbed, fast, seconds = json.loads(text)
    case = Case(*fields)
    experiment = Experiment(
        case.network_path,
        Host(offloads=fast),
        (Flow(streams=case.streams),),
        duration_s=seconds,
        omit_s=seconds / 2,
        sample_interval_s=seconds / 10,
    )
    record = testbeds.get(testbed).run(experiment)
    said = [record.virtual_s, record.wall_s, common.segments(record), record.goodput_bps()]
    print(json.dumps(said))


def build_ns3(folder: FilePath) -> FilePath:
    """Compile the program; say what is missing."""
    if not (shutil.which("g++") and FilePath("/usr/include/ns3/core-module.h").is_file()):
        raise SystemExit("ns-3 is missing. As root, run: apt-get install libns3-dev g++")
    libraries = [f"-lns3-{name}" for name in MODULES]
    program = folder / "dumbbell"
    words = ["g++", "-std=c++17", "-O2", "-o", str(program)]
    subprocess.run([*words, str(HERE / "ns3" / "dumbbell.cc"), *libraries], check=True)
    return program


def on_ns3(case: Case, program: FilePath, limit_s: float, seconds: float | None) -> Result | None:
    """Run a case on ns-3's TcpCubic; None if it would take far too long."""
    packets = 1e6 * limit_s / _NS3_S_PER_MILLION
    if seconds is None:
        seconds = case.seconds(min(_PACKETS, packets), round_trips=10)
        if seconds * case.packets_per_s > 4 * packets:
            return None
    words = [case.rate_bps, case.rtt_s, case.mtu_bytes, case.streams, seconds, seconds / 2]
    argv = [str(program), *map(str, words), "ns3::TcpCubic"]
    said, wall_s, cpu_s, peak_bytes = common.measured(argv, 10 * limit_s)
    found = json.loads(said)
    return Result(seconds, wall_s, cpu_s, found["packets"], peak_bytes, found["goodput_bps"])


def summary(case: Case, name: str, runs: list[Result]) -> dict[str, object]:
    """Return a row of the table: medians of the runs."""
    speeds = sorted(run.virtual_s / run.wall_s for run in runs)
    best = common.best_bps(case.network_path)
    middle = statistics.median
    return {
        "case": case.name,
        "rate": show_rate(case.rate_bps),
        "path": case.path,
        "on": name,
        "runs": len(runs),
        "virtual/wall": round(middle(speeds), 3),
        "from": round(speeds[0], 3),
        "to": round(speeds[-1], 3),
        "cpu s/million packets": round(middle(1e6 * r.cpu_s / r.packets for r in runs), 2),
        "peak MB": round(middle(r.peak_bytes for r in runs) / 1e6),
        "goodput": show_rate(middle(r.goodput_bps for r in runs)),
        "of the best": round(middle(r.goodput_bps for r in runs) / best, 4),
    }


def ways(folder: FilePath, asked: argparse.Namespace) -> tuple[dict[str, Way], list[str]]:
    """Return what can run a case here, by name, and why something cannot."""
    found: dict[str, Way] = {
        "kernel, exact": lambda case: on_testbed(case, "virtual", False, asked.seconds),
        "kernel, fast": lambda case: on_testbed(case, "virtual", True, asked.seconds),
    }
    notes = []
    if not asked.no_ns3:
        program = build_ns3(folder)
        found["ns-3"] = lambda case: on_ns3(case, program, asked.limit, asked.seconds)
    mininet = MininetTestbed().available()
    if mininet.available:
        found["Mininet"] = lambda case: on_testbed(case, "mininet", False, asked.seconds)
    else:
        notes.append(f"Mininet did not run here: {mininet.reason.rstrip('.')}.")
    return found, notes


def repeat(
    case: Case, chosen: dict[str, Way], times: int, patience_s: float, notes: list[str]
) -> dict[str, list[Result]]:
    """Run a case on everything in turn, so often, or until a turn takes too long."""
    found: dict[str, list[Result]] = {}
    for _ in range(times):
        began = time.perf_counter()
        for name, way in chosen.items():
            try:
                run = way(case)
            except RunError as error:
                notes.append(f"{case.name}, on {name}: {error.problem}.")
                print(notes[-1], flush=True)
                continue
            if run is not None:
                found.setdefault(name, []).append(run)
        if time.perf_counter() - began > patience_s:
            break
    return found


def main() -> None:
    """Run the grid and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[""], help="the cases with one of these names")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=float, default=15, help="ns-3's processor seconds a case")
    parser.add_argument("--patience", type=float, default=60, help="wall seconds of the last turn")
    parser.add_argument("--seconds", type=float, help="virtual time of every run")
    parser.add_argument("--no-ns3", action="store_true", help="leave ns-3 out")
    parser.add_argument("--out", type=FilePath, default=HERE.parent / "artefacts" / "bench")
    parser.add_argument("--name", default="compare.json", help="file of the rows in that folder")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        one(asked.one)
        return
    chosen = [case for case in cases() if any(text in case.name for text in asked.only)]
    if not chosen:
        parser.error(f"no case has {asked.only!r} in its name")
    asked.out.mkdir(parents=True, exist_ok=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        chosen_ways, notes = ways(FilePath(folder), asked)
        print("\n".join(notes))
        for case in chosen:
            found = repeat(case, chosen_ways, asked.repeat, asked.patience, notes)
            for name, runs in found.items():
                rows.append(summary(case, name, runs))
                print("  ".join(str(value) for value in rows[-1].values()), flush=True)
            kept = {"measured": common.measured_on(), "notes": notes, "rows": rows}
            (asked.out / asked.name).write_text(json.dumps(kept, indent=1) + "\n")
            compare_page.html(rows, [kept["measured"], *notes], asked.out / "compare.html")


if __name__ == "__main__":
    main()
