"""What a run costs as it grows: in rate, distance, streams, hops and hosts; and where it ends.

    .venv/bin/python -m benchmarks.scale [--page docs/scale.md] [--only TEXT] [--seconds 5]

Each experiment runs in a process of its own. Wall and processor time include boot, set-up and
collection, as a student waits for them; memory is that of the largest process, the guest's or the
Python that asked for the run.
Calibration (goodput, round trip, counters) is checked in every run; "the best" is the rate less
what headers take.
"""

import argparse
import itertools
import json
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from benchmarks import common
from lab_tools.experiment import Experiment, Flow, Host, Link, Network, Path, Site
from lab_tools.testbeds.plan import guest_memory_bytes
from lab_tools.units import show_rate

MARK = "<!-- made by benchmarks.scale -->\n"
MEMORY_BYTES = 24 * 2**30
HEAD = (
    "| | virtual s | wall s | virtual/wall | CPU s for 10⁶ packets | memory | of the best | kept |"
)
RULE = "|---|---|---|---|---|---|---|---|"


@dataclass(frozen=True)
class Case:
    """One experiment of a table."""

    table: str
    name: str
    experiment: Experiment


@dataclass(frozen=True)
class Row:
    """What came of it."""

    case: Case
    virtual_s: float
    wall_s: float
    cpu_s: float
    packets: float
    memory_bytes: float
    of_the_best: float
    calibrated: bool

    def text(self) -> str:
        """Return the row of the page."""
        cells = [
            self.case.name,
            f"{self.virtual_s:.1f}",
            f"{self.wall_s:.2f}",
            f"{self.virtual_s / self.wall_s:.2f}",
            f"{1e6 * self.cpu_s / self.packets:.1f}",
            f"{self.memory_bytes / 2**20:.0f} MiB",
            f"{self.of_the_best:.1%}",
            "yes" if self.calibrated else "**no**",
        ]
        return "| " + " | ".join(cells) + " |"


def experiment(path: Path, seconds: float, **more: Any) -> Experiment:
    """Return an experiment of which the second half counts."""
    shape = {"duration_s": seconds, "omit_s": seconds / 2, "sample_interval_s": seconds / 10}
    return Experiment(path, **shape, **more)


def dumbbells(seconds: float) -> Iterator[Case]:
    """Yield the tables of one flow between two hosts."""

    def one(rate_bps: float, rtt_s: float, streams: int = 1, mtu: int = 1500, fast: bool = False):
        path = Path(rate_bps, rtt_s, mtu_bytes=mtu)
        more = {"host": Host(offloads=fast), "flows": (Flow(streams=streams),)}
        return experiment(path, max(seconds, 30 * rtt_s), **more)

    table = "Rate (20 ms, one stream)"
    for rate_bps in (10e6, 100e6, 1e9, 10e9, 25e9):
        mtu = 9000 if rate_bps > 1e9 else 1500
        name = f"{show_rate(rate_bps)}, MTU {mtu}"
        yield Case(table, name, one(rate_bps, 0.02, mtu=mtu))
        if rate_bps >= 1e9:
            yield Case(table, f"{name}, fast mode", one(rate_bps, 0.02, mtu=mtu, fast=True))
    table = "Distance (10 Gbit/s, MTU 9000)"
    for rtt_s in (0.0004, 0.01, 0.1, 0.366):
        yield Case(table, f"{1000 * rtt_s:g} ms", one(10e9, rtt_s, mtu=9000))
    for streams in (1, 10, 100, 300, 1000):
        yield Case("Streams (1 Gbit/s, 20 ms)", f"{streams}", one(1e9, 0.02, streams))


def networks(seconds: float) -> Iterator[Case]:
    """Yield the tables of more hops and more hosts."""
    for hops in (2, 5, 10, 24):
        network = Network.parking_lot(hops)
        flows = (Flow(source=network.hosts[0], target=network.hosts[-1]),)
        path = Path(100e6, 0.002, mtu_bytes=1500)
        case = experiment(path, seconds, flows=flows, network=network)
        yield Case("Hops (100 Mbit/s, 2 ms each)", f"{hops}", case)
    for hosts in (2, 10, 30, 100):
        network = Network((Site("a", hosts), Site("b", hosts)), (Link("a", "b"),))
        flows = tuple(Flow(source=f"a{n}", target=f"b{n}") for n in range(1, hosts + 1))
        path = Path(100e6, 0.02, mtu_bytes=1500)
        case = experiment(path, seconds, flows=flows, network=network)
        yield Case("Pairs of hosts (100 Mbit/s, 20 ms, a flow each)", f"{hosts}", case)


def run(case: Case) -> Row:
    """Run one experiment in a process of its own."""
    words = [sys.executable, "-m", "benchmarks.scale", "--one", case.experiment.to_json()]
    said, _, cpu_s, memory_bytes = common.measured(words)
    virtual_s, wall_s, packets, goodput_bps, calibrated = json.loads(said)
    share = goodput_bps / common.best_bps(case.experiment.path)
    return Row(case, virtual_s, wall_s, cpu_s, packets, memory_bytes, share, calibrated)


def one(text: str) -> None:
    """Run an experiment; print its times, its goodput, and whether it kept its assumptions."""
    from lab_tools.testbeds.virtual.testbed import VirtualTestbed

    record = VirtualTestbed().run(Experiment.from_json(text))
    flows = range(len(record.experiment.flows))
    goodput_bps = sum(record.goodput_bps(flow) for flow in flows)
    said = [
        record.virtual_s,
        record.wall_s,
        common.segments(record),
        goodput_bps,
        record.calibrated,
    ]
    print(json.dumps(said))


def how_many(rows: list[Row]) -> list[str]:
    """Say how many kernels fit into the memory, by what they are given and by what they took."""
    lines = ["| | given | taken | fit, as given | fit, as taken |", "|---|---|---|---|---|"]
    for row in rows:
        if not row.case.table.startswith(("Rate", "Distance")):
            continue
        given = guest_memory_bytes(row.case.experiment)
        lines.append(
            f"| {row.case.name} | {given / 2**20:.0f} MiB | {row.memory_bytes / 2**20:.0f} MiB "
            f"| {MEMORY_BYTES // given} | {int(MEMORY_BYTES / row.memory_bytes)} |"
        )
    return lines


def page(rows: list[Row]) -> str:
    """Return the page's tables."""
    lines = [common.measured_on(), ""]
    for table in dict.fromkeys(row.case.table for row in rows):
        chosen = [row for row in rows if row.case.table == table]
        lines += [f"### {table}", "", HEAD, RULE, *(row.text() for row in chosen), ""]
    lines += ["### Kernels in 24 GiB", "", *how_many(rows), ""]
    empty_s = statistics.median(row.wall_s for row in rows if row.case.name.startswith("10 Mbit"))
    lines += [f"The smallest run (10 Mbit/s) takes {empty_s:.1f} s of wall time in all.", ""]
    return "\n".join(lines)


def main() -> None:
    """Run the tables and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", type=FilePath, help="page whose part after its mark is replaced")
    parser.add_argument("--only", default="", help="run the rows with this text in their names")
    parser.add_argument("--seconds", type=float, default=5.0, help="virtual time of each run")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        one(asked.one)
        return
    rows = []
    for case in itertools.chain(dumbbells(asked.seconds), networks(asked.seconds)):
        if asked.only in f"{case.table} {case.name}":
            rows.append(run(case))
            print(case.table, rows[-1].text(), flush=True)
    if asked.page:
        common.replace_after(asked.page, MARK, page(rows))


if __name__ == "__main__":
    main()
