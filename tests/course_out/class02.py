"""A class that has worked through lab 02: the worked notebook's code, on made-up runs.

Nothing is booted: a run's goodput is the law of Mathis et al. with a few per cent of noise that
depends on the experiment alone, as with the real testbed; the wall time is each run's own.
"""

import itertools
import json
import math
import os
import random
import shutil
from pathlib import Path

import pandas as pd

from lab_tools import running
from lab_tools.authoring.source import Course, read
from lab_tools.course import results
from lab_tools.course.folder import CourseFolder
from lab_tools.course.results import GRADED, Result
from lab_tools.grading.judge import judge
from lab_tools.record import FLOW_COLUMNS, QUEUE_COLUMNS, Check, RunRecord, frame

LAB = "02_mathis_science_dmz"
PROJECT = Course.here()
_WALL_S = itertools.count(1)


def made_up(experiment, store=None, **_):
    """Return a record as the law has it, and keep it."""
    path, flow = experiment.path, experiment.flows[0]
    mss_bytes = path.mtu_bytes - 52
    noise = random.Random(experiment.id).uniform(0.97, 1.03)
    rate_bps = (0.2 if path.buffer_bytes else 0.8) * path.rate_bps * noise
    if path.loss:
        rate_bps = min(rate_bps, 1.2 * noise * 8 * mss_bytes / path.rtt_s / math.sqrt(path.loss))
    rows = [
        dict.fromkeys(FLOW_COLUMNS, 0)
        | {
            "time_s": float(time_s),
            "stream": stream,
            "bytes_received": int(time_s * rate_bps / 8),
            "goodput_bps": rate_bps,
            "mss_bytes": mss_bytes,
            "rtt_s": path.rtt_s,
            "state": "open",
        }
        for time_s in range(0, int(experiment.duration_s) + 1, 2)
        for stream in range(flow.streams)
    ]
    queue = dict.fromkeys(QUEUE_COLUMNS, 0) | {"kind": "tbf", "sent_packets": 1000}
    record = RunRecord(
        experiment=experiment,
        testbed="virtual",
        clock="virtual",
        versions={"kernel": "made up"},
        flows=frame(rows, FLOW_COLUMNS),
        queue=frame(pd.DataFrame([queue]), QUEUE_COLUMNS),
        calibration=(Check("round-trip time", "x", "x", True),),
        counters={"achieved_rtt_s": path.rtt_s},
        wall_s=5 + next(_WALL_S) / 1000,
        virtual_s=42.0,
    )
    if store is not None:
        store.put(record)
    return record


def work(student: str, place: Path) -> Path:
    """Work through the lab as a student, in a folder of one's own."""
    place.mkdir(parents=True)
    shutil.copy(PROJECT.about(LAB), place / "lab.toml")
    cells = read(PROJECT.source(LAB)).cells
    before, here, real = dict(os.environ), Path.cwd(), running.run
    os.environ.update(LAB_STUDENT=student, LAB_WIDGETS="off", LAB_TESTBED="replay")
    os.chdir(place)
    running.run = made_up
    names = {"display": lambda *_: None}
    try:
        for cell in cells:
            if cell.cell_type == "code" and not cell.source.startswith("explore("):
                exec(cell.source, names)
    finally:
        running.run = real
        os.chdir(here)
        os.environ.clear()
        os.environ.update(before)
    shutil.copy(PROJECT.student(LAB) / f"{LAB}.ipynb", place)
    return place


def change(folder: CourseFolder, student: str, **answers: object) -> None:
    """Hand in other answers."""
    file = folder.submitted(student, LAB) / "work" / "answers.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | answers))


def grade(folder: CourseFolder, student: str) -> dict[str, dict[str, object]]:
    """Score a submission by the lab's checks, without the sandbox, and keep the result."""
    tasks = judge(PROJECT.checks(LAB), folder.submitted(student, LAB), student)
    result = Result(LAB, student, GRADED, tasks, (), "", graded="2026-11-20T10:00:00+00:00")
    results.save(folder, result)
    return tasks
