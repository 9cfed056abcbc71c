"""Make the table of lab 09 again: ``.venv/bin/python scripts/profile_table.py [STORE]``.

About 270 runs of 10 s at 10 Gbit/s: ten minutes on two cores. What is there is not run again.
"""

import sys

import pandas as pd

from lab_tools.experiment import Experiment, Host, Path
from lab_tools.store import Store
from lab_tools.sweep import Sweep
from lab_tools.sweeping import run_sweep
from lab_tools.testbeds.replay import default_folder

RTTS_S = (0.0004, 0.0118, 0.0226, 0.0456, 0.0916, 0.183, 0.366)
CCS = ("cubic", "htcp", "scalable")
#: Buffer in bytes to the streams and RTTs that are measured with it.
PARTS = {
    250_000: ((1, 4, 10), RTTS_S),
    250_000_000: ((1, 4, 10), RTTS_S),
    1_000_000_000: ((10,), RTTS_S[4:]),
}


def sweep(buffer_bytes: int) -> Sweep:
    """Return the sweep of one buffer: the same experiments as the lab's, with other seeds."""
    streams, rtts_s = PARTS[buffer_bytes]
    base = Experiment(
        Path(10e9, 0.1, loss=5e-6, buffer_bytes=25_000_000),
        Host(sndbuf_bytes=buffer_bytes, rcvbuf_bytes=buffer_bytes, offloads=True),
        duration_s=10.0,
        sample_interval_s=0.5,
    )
    return Sweep(base, cc=CCS, streams=streams, rtt_s=rtts_s, repeat=2)


def main() -> None:
    """Run what is missing and write the table."""
    store = Store(sys.argv[1]) if len(sys.argv) > 1 else Store()
    parts = []
    for buffer_bytes in PARTS:
        result = run_sweep(sweep(buffer_bytes), testbed="virtual", store=store, on_progress=print)
        parts.append(result.frame().assign(rcvbuf_bytes=buffer_bytes))
    table = pd.concat(parts).drop(columns=["done", "wall_s"]).reset_index(drop=True)
    target = default_folder() / "tables" / "09_throughput_profiles.parquet"
    target.parent.mkdir(exist_ok=True)
    table.to_parquet(target, index=False)
    print(f"{len(table)} points in {target}")


if __name__ == "__main__":
    main()
