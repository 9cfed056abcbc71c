"""What the benchmarks share: programs measured, a path's best, a run's packets, parts of pages."""

import datetime
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path as FilePath

from lab_tools.errors import RunError
from lab_tools.experiment import Path
from lab_tools.record import RunRecord

#: Headers of IP and TCP, with the timestamps that every segment carries.
HEADER_BYTES = 52


#: Starts a program from a small process, whose memory counts in its peak.
_LAUNCHER = """
import json, os, sys
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
status, used = os.wait4(pid, 0)[1:]
found = [status, used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss]
json.dump(found, open(sys.argv[1], "w"))
"""


def measured(words: list[str], at_most_s: float = 3600) -> tuple[str, float, float, float]:
    """Run a program; return what it printed, wall and processor seconds, and peak memory in bytes.

    Processor time is that of the program and of everything it started, memory that of the largest.

    Raises
    ------
    RunError : it failed, or took longer than it may.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = FilePath(folder) / "used"
        launch = [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(file), *words]
        began = time.perf_counter()
        process = subprocess.Popen(launch, stdout=subprocess.PIPE, start_new_session=True)
        try:
            said = process.communicate(timeout=at_most_s)[0].decode()
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise RunError("a benchmark", f"not at its end after {at_most_s:g} s") from None
        wall_s = time.perf_counter() - began
        status, cpu_s, peak_bytes = json.loads(file.read_text())
    if status:
        raise RunError("a benchmark", f"{words[0]} ended with status {status}")
    return said, wall_s, cpu_s, peak_bytes


def best_bps(path: Path) -> float:
    """Return what headers leave of a path's rate."""
    # here, since the models would count in the memory and time of a measured run
    from lab_tools.models import link_efficiency

    mss_bytes = path.mtu_bytes - HEADER_BYTES
    return path.rate_bps * float(link_efficiency(mss_bytes, path.frame_bytes - path.mtu_bytes))


def segments(record: RunRecord) -> float:
    """Return how many full segments of a run were acknowledged, over all its streams."""
    acked = record.flows.groupby(["flow", "stream"])["bytes_acked"].max().sum()
    return float(acked) / (record.experiment.path.mtu_bytes - HEADER_BYTES)


def measured_on() -> str:
    """Say when and on what."""
    today = datetime.date.today().isoformat()
    return f"Measured on {today}, each run on one of {os.cpu_count()} processors."


def replace_after(page: FilePath, mark: str, text: str) -> None:
    """Replace what follows a page's mark."""
    kept = page.read_text(encoding="utf-8").split(mark)[0]
    page.write_text(f"{kept}{mark}\n{text}", encoding="utf-8")
