"""What each change for speed gains: the testbed with one of them taken back, side by side.

    .venv/bin/python -m benchmarks.faster [--page docs/faster.md] [--repeat 3] [--only TEXT]

For each change that concerns the kernel a kernel is built without it (five minutes each; they are
kept in the cache), for each other one a copy of the package is made without it. Then each
experiment runs on all of them in turn. The columns are processor time (of the whole run, boot
included) without the change over that with it, medians and ranges of the turns; and whether every
sample of the run is the same to the last bit.
"""

import argparse
import hashlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath

from benchmarks import common
from lab_tools.experiment import Experiment, Host, Path
from lab_tools.kernel.build import build
from lab_tools.kernel.recipe import Recipe

PACKAGE = FilePath(__file__).resolve().parents[1] / "lab_tools"
MARK = "<!-- made by benchmarks.faster -->\n"


@dataclass(frozen=True)
class Change:
    """A change for speed, and how to take it back.

    Parameters
    ----------
    name : what the change is.
    patch : the number of the patch to the kernel that makes it.
    config : lines of the kernel's configuration that make it.
    edits : file of the package, the line that makes it, and what was there before.
    """

    name: str
    patch: str = ""
    config: tuple[str, ...] = ()
    edits: tuple[tuple[str, str, str], ...] = ()

    def kernel(self, folder: FilePath) -> FilePath:
        """Build the kernel without this change, and return its folder."""
        ours = Recipe.ours()
        kept = [line for line in ours.config.read_text().splitlines() if line not in self.config]
        if len(kept) + len(self.config) != len(ours.config.read_text().splitlines()):
            raise SystemExit(f"{self.name}: the configuration has other lines")
        config = folder / "config.fragment"
        config.write_text("\n".join(kept) + "\n")
        patches = [p for p in ours.patches if not (self.patch and p.name.startswith(self.patch))]
        if len(patches) + bool(self.patch) != len(ours.patches):
            raise SystemExit(f"{self.name}: there is no patch {self.patch}")
        recipe = ours if not (self.config or self.patch) else Recipe(config, tuple(patches))
        return build(recipe).program.parent

    def package(self, folder: FilePath) -> FilePath:
        """Copy the package without this change, and return the folder to import it from."""
        shutil.copytree(PACKAGE, folder / "lab_tools")
        for name, now, before in self.edits:
            file = folder / "lab_tools" / name
            text = file.read_text(encoding="utf-8")
            if text.count(now) != 1:
                raise SystemExit(f"{self.name}: {name} has no single {now!r}")
            file.write_text(text.replace(now, before), encoding="utf-8")
        return folder


NOTHING = Change("nothing taken back")
CHANGES = (
    Change("saved registers, no `ptrace`, at a context switch (patch 2)", patch="0002"),
    Change("no host calls for virtual timers and idle loops (patch 9)", patch="0009"),
    Change("the pages around a page fault at once (patch 11)", patch="0011"),
    Change(
        "optimised for speed; no frame pointers, no debug checks",
        config=(
            "CONFIG_CC_OPTIMIZE_FOR_PERFORMANCE=y",
            "# CONFIG_FRAME_POINTER is not set",
            "# CONFIG_DEBUG_KERNEL is not set",
        ),
    ),
    Change(
        "kernel and guest on one processor",
        edits=(("testbeds/virtual/guardian.py", "sched_setaffinity(0, [cpu])", "getpid()"),),
    ),
    Change(
        "compiled modules of the system in the guest",
        edits=(("testbeds/virtual/guest_init.py", "module in SYSTEM_MODULES:", "module in ():"),),
    ),
    Change(
        "senders hand over a file's pages",
        edits=(
            (
                "host/traffic.py",
                "os.sendfile(sock.fileno(), source, 0, left)",
                "sock.send(bytes(left))",
            ),
        ),
    ),
    Change(
        "receivers wait for much, and throw it away uncopied",
        edits=(("host/traffic.py", "socket.MSG_WAITALL | socket.MSG_TRUNC", "0"),),
    ),
)


def experiments(seconds: float) -> Iterator[tuple[str, Experiment]]:
    """Yield the experiments: one CUBIC flow each; the first one is hardly more than the start."""
    start = Experiment(Path(10e6, 0.02), duration_s=2, omit_s=1)
    yield "10 Mbit/s for 2 s", start
    for name, rate_bps, rtt_s, mtu_bytes, fast in (
        ("1 Gbit/s, exact", 1e9, 0.02, 1500, False),
        ("1 Gbit/s, fast", 1e9, 0.02, 1500, True),
        ("10 Gbit/s, exact", 10e9, 0.1, 9000, False),
        ("10 Gbit/s, fast", 10e9, 0.1, 9000, True),
    ):
        path = Path(rate_bps, rtt_s, mtu_bytes=mtu_bytes)
        yield name, Experiment(path, Host(offloads=fast), duration_s=seconds, omit_s=seconds / 2)


def one(text: str) -> None:
    """Run an experiment; print wall and processor seconds, and a digest of every sample."""
    from lab_tools.testbeds.virtual.testbed import VirtualTestbed

    record = VirtualTestbed().run(Experiment.from_json(text))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    samples = record.flows.to_json() + record.queue.to_json()
    digest = hashlib.sha256(samples.encode()).hexdigest()
    print(json.dumps([record.wall_s, used.ru_utime + used.ru_stime, digest]))


def run(experiment: Experiment, kernel: FilePath, package: FilePath) -> tuple[float, float, str]:
    """Run an experiment with a kernel and a copy of the package."""
    words = [sys.executable, "-m", "benchmarks.faster", "--one", experiment.to_json()]
    more = {
        "LAB_KERNEL": str(kernel),
        "PYTHONPATH": f"{package}:{PACKAGE.parent}",
        "PYTHONSAFEPATH": "1",
    }
    done = subprocess.run(words, env={**os.environ, **more}, stdout=subprocess.PIPE, check=True)
    wall_s, cpu_s, digest = json.loads(done.stdout)
    return wall_s, cpu_s, digest


def turn(
    experiment: Experiment, places: dict[Change, tuple[FilePath, FilePath]], first: int
) -> dict[Change, tuple[float, float, str]]:
    """Run an experiment without each change in turn, beginning at another one each time."""
    order = list(places)
    at = first % len(order)
    return {change: run(experiment, *places[change]) for change in order[at:] + order[:at]}


def compare(changes: list[Change], seconds: float, repeat: int) -> Iterator[list[str]]:
    """Yield a row for each change and experiment."""
    with tempfile.TemporaryDirectory() as work:
        places = {}
        for number, change in enumerate([NOTHING, *changes]):
            folder = FilePath(work) / str(number)
            folder.mkdir()
            print(f"making: {change.name}", file=sys.stderr, flush=True)
            places[change] = change.kernel(folder), change.package(folder)
        for name, experiment in experiments(seconds):
            turns = [turn(experiment, places, first) for first in range(repeat)]
            ours_s = statistics.median(each[NOTHING][1] for each in turns)
            yield [NOTHING.name, name, f"{ours_s:.2f} s", "", ""]
            for change in changes:
                cpu = sorted(each[change][1] / each[NOTHING][1] for each in turns)
                wall = statistics.median(each[change][0] / each[NOTHING][0] for each in turns)
                same = len({each[c][2] for each in turns for c in (change, NOTHING)}) == 1
                times = f"{statistics.median(cpu):.2f} ({cpu[0]:.2f}–{cpu[-1]:.2f})"
                yield [change.name, name, times, f"{wall:.2f}", "yes" if same else "no"]


def page(rows: list[list[str]], seconds: float) -> str:
    """Return the page's table: a row a change, a column an experiment."""
    names = list(dict.fromkeys(row[1] for row in rows))
    lines = [
        f"{common.measured_on()} {seconds:g} virtual seconds where no other time stands.",
        "",
        f"| without | {' | '.join(names)} | same samples |",
        f"|---|{'---|' * len(names)}---|",
    ]
    for change in dict.fromkeys(row[0] for row in rows):
        found = {row[1]: row for row in rows if row[0] == change}
        same = {row[4] for row in found.values()} - {""}
        cells = [change, *(found[name][2] for name in names), " and ".join(sorted(same))]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Make the variants, run them in turn, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", type=FilePath, help="page whose part after its mark is replaced")
    parser.add_argument("--only", default="", help="the changes with this text in their names")
    parser.add_argument("--seconds", type=float, default=10.0, help="virtual time of each run")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        one(asked.one)
        return
    chosen = [change for change in CHANGES if asked.only in change.name]
    rows = []
    for row in compare(chosen, asked.seconds, asked.repeat):
        rows.append(row)
        print(" | ".join(row), flush=True)
    if asked.page:
        common.replace_after(asked.page, MARK, page(rows, asked.seconds))


if __name__ == "__main__":
    main()
