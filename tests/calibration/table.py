"""The calibration table: ``python -m tests.calibration.table`` writes docs/calibration.md."""

import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path as FilePath

from tests.calibration import measure
from tests.calibration.measure import Cell

RATES_BPS = (1e6, 10e6, 100e6, 1e9, 10e9, 25e9)
RTTS_S = (0.0004, 0.0118, 0.0456, 0.0916, 0.183, 0.366)
Job = Callable[[], Cell | list[Cell]]

#: Rows of a few seconds: what continuous integration runs.
SAMPLE: dict[str, Job] = {
    "rtt 25G 0.4 ms": partial(measure.rtt, 25e9, 0.0004),
    "rtt 1M 366 ms": partial(measure.rtt, 1e6, 0.366),
    "rate 100M": partial(measure.rate, 100e6, 0.0118, 1500),
    "rate 10G": partial(measure.rate, 10e9, 0.0004, 9000),
    "loss 1 %": partial(measure.losses, 0.01, 20.0),
    "jitter 5 ms": partial(measure.jitter, 0.005, 0.05, 500),
    "reorder 10 %": partial(measure.reordering, 0.1, 0.04, 500),
    "buffer 100 kB": partial(measure.buffer, 100_000),
    "codel": partial(measure.discipline, "codel", 0.001, 0.010),
}


def jobs() -> dict[str, Job]:
    """Return every row of the table."""
    found: dict[str, Job] = {}
    for rtt_s in RTTS_S:
        for rate_bps in (1e6, 1e9, 25e9):
            found[f"rtt {rate_bps:g} {rtt_s:g}"] = partial(measure.rtt, rate_bps, rtt_s)
    for rate_bps in RATES_BPS:
        mtus = (1500,) if rate_bps < 1e9 else (9000,) if rate_bps > 1e9 else (1500, 9000)
        for mtu in mtus:
            found[f"rate {rate_bps:g} {mtu}"] = partial(measure.rate, rate_bps, 0.0118, mtu)
    for rtt_s in (0.0004, 0.0916, 0.366):
        found[f"rate 100M {rtt_s:g}"] = partial(measure.rate, 100e6, rtt_s, 1500)
    found["rate fast"] = partial(measure.rate, 10e9, 0.0118, 9000, offloads=True)
    for loss in (0.0001, 0.001, 0.01, 0.1):
        found[f"loss {loss}"] = partial(measure.losses, loss)
    for jitter_s in (0.001, 0.005, 0.01):
        found[f"jitter {jitter_s}"] = partial(measure.jitter, jitter_s)
    for share in (0.01, 0.1, 0.25):
        found[f"reorder {share}"] = partial(measure.reordering, share)
    for share in (0.001, 0.01):
        found[f"duplicate {share}"] = partial(measure.duplication, share)
    for size in (20_000, 100_000, 1_000_000):
        found[f"buffer {size}"] = partial(measure.buffer, size)
    for qdisc, low_s, high_s in (
        ("codel", 0.001, 0.010),
        ("fq_codel", 0.001, 0.010),
        ("pie", 0.002, 0.020),
        ("red", 0.004, 0.040),
    ):
        found[f"qdisc {qdisc}"] = partial(measure.discipline, qdisc, low_s, high_s)
    return found


def measured(rows: dict[str, Job]) -> list[Cell]:
    """Run every row, two at a time, and return the cells in their order."""

    def as_list(result: Cell | list[Cell]) -> list[Cell]:
        return result if isinstance(result, list) else [result]

    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda job: as_list(job()), rows.values())
        return [cell for cells in results for cell in cells]


def markdown(cells: Iterable[Cell]) -> str:
    """Return the table as a page of the documentation."""
    lines = [
        "# Calibration of the virtual testbed",
        "",
        "Requested against measured, made by `python -m tests.calibration.table`. The clock is",
        "virtual, so the numbers are the same to the last digit on every machine; every cell is",
        "within its tolerance, or the tests fail. The last column gives the tolerance's reason.",
        "",
        "| what | setting | requested | measured | tolerance | unit | reason of the tolerance |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {c.quantity} | {c.setting} | {c.requested:.6g} | {c.measured:.6g} "
        f"| ± {c.tolerance:.3g} | {c.unit} | {c.why} |"
        for c in cells
    ]
    lines += [
        "",
        "The standing queues are compared with the disciplines' own targets: CoDel and FQ-CoDel",
        "aim at 5 ms (RFC 8289, RFC 8290), PIE at 15 ms (RFC 8033), and RED keeps its average",
        "between its two thresholds, a twelfth and a quarter of the buffer.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    target = FilePath(sys.argv[1] if len(sys.argv) > 1 else "docs/calibration.md")
    table = measured(jobs())
    target.write_text(markdown(table), encoding="utf-8")
    for cell in table:
        if not cell.ok:
            print("outside its tolerance:", cell)
    sys.exit(any(not cell.ok for cell in table))
