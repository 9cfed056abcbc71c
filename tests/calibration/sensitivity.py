"""What results depend on besides the experiment: ``python -m tests.calibration.sensitivity``.

Each row changes one thing about the testbed and shows what becomes of four results. Two rows need
kernels of their own, which are built first (about five minutes each) and kept in the cache.
"""

import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path as FilePath

from lab_tools.experiment import Experiment, Flow, Host, Path
from lab_tools.kernel import Kernel
from lab_tools.kernel.build import build
from lab_tools.kernel.recipe import Recipe
from lab_tools.testbeds.virtual.testbed import VirtualTestbed

SEEDS = (1, 2, 3)
RENO = Experiment(
    Path(1e9, 0.02, loss=0.001, mtu_bytes=1500),
    flows=(Flow("reno", streams=4),),
    duration_s=30,
    omit_s=5,
)
#: One experiment a result, and what is read from its record.
RESULTS = {
    "Reno, 0.1 % loss, 20 ms (Mbit/s a stream)": RENO,
    "CUBIC, 100 Mbit/s, 50 ms, 0.3 BDP (Mbit/s)": Experiment(
        Path(100e6, 0.05, buffer_bdp=0.3, mtu_bytes=1500), duration_s=30, omit_s=5
    ),
    "H-TCP, 100 Mbit/s, 100 ms, 0.3 BDP (Mbit/s)": Experiment(
        Path(100e6, 0.1, buffer_bdp=0.3, mtu_bytes=1500),
        flows=(Flow("htcp"),),
        duration_s=30,
        omit_s=5,
    ),
    "BBR, 100 Mbit/s, 50 ms, 1 % loss (Mbit/s)": Experiment(
        Path(100e6, 0.05, loss=0.01, mtu_bytes=1500), flows=(Flow("bbr"),), duration_s=30, omit_s=5
    ),
}
#: Name of a row to the fields that it changes in every experiment.
CHANGES: dict[str, dict[str, object]] = {
    "as shipped": {},
    "sampled every 10 ms": {"sample_interval_s": 0.01},
    "sampled every 5 s": {"sample_interval_s": 5.0},
    "super-packets (fast mode)": {"host": Host(offloads=True)},
}
#: Name of a row to a text in the patches and what stands in its place.
KERNELS = {
    "HZ 250 instead of 1000": ("+\tdefault 1000", "+\tdefault 250"),
    "HZ 100, as UML has it": ("+\tdefault 1000", "+\tdefault 100"),
    "a system call costs 10 µs, not 1": (
        "+\t\t} else if (time_travel_mode == TT_MODE_INFCPU) {\n+\t\t\tum_udelay(1);",
        "+\t\t} else if (time_travel_mode == TT_MODE_INFCPU) {\n+\t\t\tum_udelay(10);",
    ),
}


def other_kernel(old: str, new: str) -> Kernel:
    """Return the kernel with this text changed in its patches, built if need be."""
    folder = FilePath(tempfile.mkdtemp(prefix="lab-recipe-"))
    ours, patches, found = Recipe.ours(), [], 0
    for patch in ours.patches:
        text = patch.read_text(encoding="utf-8")
        found += text.count(old)
        copy = folder / patch.name
        copy.write_text(text.replace(old, new), encoding="utf-8")
        patches.append(copy)
    if found != 1:
        raise SystemExit(f"{old!r} stands {found} times in the patches")
    return build(Recipe(ours.config, tuple(patches)))


def results(testbed: VirtualTestbed, changes: dict[str, object]) -> list[list[float]]:
    """Return the goodput of a stream in Mbit/s, for every result and seed."""

    def one(experiment: Experiment) -> float:
        record = testbed.run(experiment)
        return record.goodput_bps() / record.experiment.streams / 1e6

    with ThreadPoolExecutor(2) as pool:
        return [
            list(pool.map(one, [base.replace(seed=seed, **changes) for seed in SEEDS]))
            for base in RESULTS.values()
        ]


def rows() -> Iterable[tuple[str, list[list[float]]]]:
    """Yield every row of the table."""
    for name, changes in CHANGES.items():
        yield name, results(VirtualTestbed(), changes)
    for name, (old, new) in KERNELS.items():
        yield name, results(VirtualTestbed(other_kernel(old, new)), {})


def markdown(table: Iterable[tuple[str, list[list[float]]]]) -> str:
    """Return the table as a page of the documentation."""
    lines = [
        "# What results depend on besides the experiment",
        "",
        "Made by `python -m tests.calibration.sensitivity`. Each row changes one thing about the",
        f"testbed; a cell is the mean over {len(SEEDS)} seeds and, in brackets, the range. Results",
        "without a range do not depend on the seed: nothing in them is drawn at random.",
        "",
        "| testbed | " + " | ".join(RESULTS) + " |",
        "|---|" + "---|" * len(RESULTS),
    ]
    for name, columns in table:
        cells = []
        for values in columns:
            mean, low, high = sum(values) / len(values), min(values), max(values)
            spread = f" ({low:.2f} to {high:.2f})" if high - low > 0.005 else ""
            cells.append(f"{mean:.2f}{spread}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    target = FilePath(sys.argv[1] if len(sys.argv) > 1 else "docs/sensitivity.md")
    target.write_text(markdown(rows()), encoding="utf-8")
