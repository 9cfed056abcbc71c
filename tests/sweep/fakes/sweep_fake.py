"""A testbed that boots nothing, and a program that sweeps on it.

    python sweep_fake.py FOLDER POINTS WORKERS [SCHEDULER]

It lives in a folder of its own, which is put on the path, so that worker processes import it too.
"""

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path as FilePath

import pandas as pd

from lab_tools.errors import LabError, RunError
from lab_tools.experiment import Experiment, Path
from lab_tools.record import FLOW_COLUMNS, QUEUE_COLUMNS, Check, RunRecord, frame
from lab_tools.store import Store
from lab_tools.sweep import Sweep
from lab_tools.sweeping import run_sweep
from lab_tools.testbeds.base import Availability, Sample

BASE = Experiment(Path(100e6, 0.01), duration_s=1.0)


@dataclass(frozen=True)
class FakeTestbed:
    """Answers at once; does odd things at the seeds it is told.

    A run at ``gated`` says its process's number on the pipe ``folder/begun`` and then gives samples
    until ``folder/gate`` is there.
    """

    folder: str
    fails: tuple[int, ...] = ()
    breaks: tuple[int, ...] = ()
    dies_once: tuple[int, ...] = ()
    dies: tuple[int, ...] = ()
    gated: tuple[int, ...] = ()
    name: str = "fake"

    def available(self):
        """Say yes."""
        return Availability(True)

    def run(self, experiment, on_sample=None):
        """Return a record: one stream that receives 80 Mbit/s."""
        seed, folder = experiment.seed, FilePath(self.folder)
        if seed in self.fails:
            raise RunError("running the flows", f"seed {seed} is not liked")
        if seed in self.breaks:
            raise ZeroDivisionError("a fault of the testbed")
        marker = folder / f"died-{seed}"
        if seed in self.dies or (seed in self.dies_once and not marker.exists()):
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if seed in self.gated:
            with (folder / "begun").open("w") as begun:
                begun.write(f"{os.getpid()}\n")
            while not (folder / "gate").exists():
                on_sample(Sample(0.1, 0, 80e6, 10, 0.01, 0, 0))
                time.sleep(0.01)  # the fake's own pace of samples
        return record_of(experiment, self.name)


def record_of(experiment, testbed="fake"):
    """Return a small record: one stream that receives 1 MB in every 0.1 s, 80 Mbit/s."""
    row = dict.fromkeys(FLOW_COLUMNS, 0)
    rows = [
        row | {"time_s": k * 0.1, "bytes_received": k * 10**6, "goodput_bps": 80e6, "state": "open"}
        for k in range(11)
    ]
    return RunRecord(
        experiment=experiment,
        testbed=testbed,
        clock="virtual",
        versions={"kernel": "none"},
        flows=frame(rows, FLOW_COLUMNS),
        queue=frame(pd.DataFrame(), QUEUE_COLUMNS),
        calibration=(Check("round-trip time", "10 ms", "10 ms", True),),
        counters={"achieved_rtt_s": 0.01},
        wall_s=1.0,
        virtual_s=2.0,
    )


def main():
    """Sweep, with a gate at the second point."""
    folder, points, workers = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    try:
        result = run_sweep(
            Sweep(BASE, repeat=points),
            testbed=FakeTestbed(folder, gated=(2,)),
            store=Store(FilePath(folder) / "store"),
            workers=workers,
            scheduler=sys.argv[4] if len(sys.argv) > 4 else None,
            memory_bytes=4 << 30,
        )
    except LabError as error:
        print(error)
        return error.exit_code
    print(result.progress.ran, result.progress.kept, result.progress.failed)
    return 0


if __name__ == "__main__":
    # Worker processes know the testbed by its module's name, not as a part of this program.
    from sweep_fake import main as program

    sys.exit(program())
