"""How fast the virtual-time testbed is, boot included, and whether the goodput is right.

    .venv/bin/python -m benchmarks.bench_virtual [--repeat 3]

Prints virtual over wall time of a few experiments, one after the other on one processor: the
median and the range of the repeats, and the goodput after the start beside what headers leave.
"""

import argparse
import statistics
from dataclasses import dataclass

from benchmarks import common
from lab_tools.experiment import Experiment, Host, Path
from lab_tools.testbeds.virtual.testbed import VirtualTestbed
from lab_tools.units import show_rate


@dataclass(frozen=True)
class Case:
    """One experiment of the table."""

    name: str
    experiment: Experiment


def case(name: str, rate_bps: float, rtt_s: float, mtu: int, duration_s: float, fast: bool) -> Case:
    """Describe one CUBIC flow over a path with a buffer of one BDP."""
    path = Path(rate_bps, rtt_s, mtu_bytes=mtu)
    host = Host(offloads=fast)
    return Case(name, Experiment(path, host, duration_s=duration_s, omit_s=duration_s / 2))


CASES = (
    case("10 Gbit/s, 100 ms, exact", 10e9, 0.1, 9000, 20, False),
    case("10 Gbit/s, 100 ms, fast", 10e9, 0.1, 9000, 20, True),
    case("1 Gbit/s, 20 ms, 1500 B, exact", 1e9, 0.02, 1500, 20, False),
    case("1 Gbit/s, 20 ms, 1500 B, fast", 1e9, 0.02, 1500, 20, True),
    case("100 Mbit/s, 100 ms, 1500 B", 100e6, 0.1, 1500, 60, False),
)


def main() -> None:
    """Run every case and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3, help="runs of each case (default: 3)")
    repeat = parser.parse_args().repeat
    testbed = VirtualTestbed()
    print(f"{'experiment':<34}{'virtual/wall':>13}{'range':>15}{'goodput':>16}{'of the best':>12}")
    for each in CASES:
        records = [testbed.run(each.experiment).require_calibrated() for _ in range(repeat)]
        ratios = sorted(record.virtual_s / record.wall_s for record in records)
        best = common.best_bps(each.experiment.path)
        goodput = records[0].goodput_bps()
        spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        print(
            f"{each.name:<34}{statistics.median(ratios):>13.2f}{spread:>15}"
            f"{show_rate(goodput):>16}{goodput / best:>11.1%}"
        )


if __name__ == "__main__":
    main()
