"""The job that scores a submission: the course's checks read data, far from the student's code.

It runs in a sandbox too, for a damaged or hostile data file (an archive that unpacks to terabytes,
a fault in a parser) shall harm no more than its own score. No notebook can reach this one.
"""

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from lab_tools.errors import LabError
from lab_tools.grading.files import WORK
from lab_tools.grading.judge import judge
from lab_tools.grading.variant import LAB_FILE
from lab_tools.record import RunRecord

#: More runs than any lab asks for, several times over.
MOST_RECORDS = 400
#: The checks lie beside the submitted folder, in this job's own file system.
_CHECKS = "checks"


def job(about: dict[str, Any], folder: Path) -> tuple[dict[str, Any], bytes]:
    """Score what was handed in.

    Parameters
    ----------
    about : ``lab``, ``student``, ``checks`` (their text), ``lab_file`` (the released one's text),
        ``environment``, ``without`` (ids of experiments whose records do not count).
    folder : what was handed in, writable.

    Returns
    -------
    ``scores`` by task, ``records`` (see `inspect`), ``notes`` on files that were left out,
    ``made_by`` (the student that the data names), ``fault`` (what went wrong in the checks
    themselves, else nothing).
    """
    os.environ.update(about["environment"])
    (folder / LAB_FILE).write_text(about["lab_file"])
    checks = folder.parent / _CHECKS / f"{about['lab']}.py"
    checks.parent.mkdir()
    checks.write_text(about["checks"])
    runs = folder / WORK / "runs"
    records = [] if "without" in about else inspect_all(runs)
    for each in about.get("without", []):
        shutil.rmtree(runs / each[:2] / each, ignore_errors=True)
    for each in records:
        if each["problem"]:
            shutil.rmtree(runs / each["place"], ignore_errors=True)
    answer: dict[str, Any] = {
        "records": records,
        "notes": _drop_broken(folder / WORK),
        "made_by": _made_by(folder),
        "fault": "",
    }
    try:
        answer["scores"] = judge(checks, folder, about["student"])
    except LabError as error:
        answer |= {"scores": {}, "fault": str(error)}
    except Exception as error:  # a check of ours crashed: that is no score at all
        answer |= {"scores": {}, "fault": f"{type(error).__name__}: {error}"}
    return answer, b""


def _drop_broken(work: Path) -> list[str]:
    """Remove the student's files that are no JSON, so that no check stumbles over them."""
    notes = []
    for file in sorted(work.glob("*.json")):
        try:
            json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            file.unlink()
            notes.append(f"{file.name} was left out: it is not JSON ({str(error)[:80]}).")
    return notes


def _made_by(folder: Path) -> str | None:
    try:
        named = json.loads((folder / WORK / "lab.json").read_text())["student"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return named[:100] if isinstance(named, str) else None


def inspect_all(runs: Path) -> list[dict[str, Any]]:
    """Return what `inspect` says of every record below a store's folder."""
    places = sorted(file.parent for file in runs.glob("*/*/*/record.json"))
    return [inspect(place, runs) for place in places[:MOST_RECORDS]]


def inspect(place: Path, runs: Path) -> dict[str, Any]:
    """Look at one record.

    Returns
    -------
    ``place`` (below the store), ``id``, ``experiment`` (plain data), ``fingerprint``, ``versions``,
    and ``problem``: why it cannot be a record of a run, or nothing.
    """
    found: dict[str, Any] = {"place": str(place.relative_to(runs)), "id": place.parent.name}
    try:
        record = RunRecord.load(place)
        problem = impossible(record, place)
    except (LabError, TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
        return found | {"problem": f"it cannot be read ({str(error)[:200]})", "fingerprint": ""}
    return found | {
        "experiment": record.experiment.to_dict(),
        "fingerprint": fingerprint(record),
        "versions": record.versions,
        "problem": problem,
    }


def impossible(record: RunRecord, place: Path) -> str:
    """Say why a record cannot be that of a run, or nothing; a careful forgery passes."""
    if record.experiment.id != place.parent.name:
        return "its experiment is not the one of its name"
    if not record.calibration:
        return "it has no calibration"
    flows = record.flows
    if flows.empty:
        return "its trace is empty"
    numbers = flows[["time_s", "goodput_bps", "bytes_received"]].to_numpy(float)
    if not np.isfinite(numbers).all() or (numbers < 0).any():
        return "its trace holds numbers that nothing measures"
    for _, stream in flows.groupby(["flow", "stream"], sort=False):
        if (np.diff(stream["time_s"].to_numpy()) <= 0).any():
            return "its times do not increase"
        if (np.diff(stream["bytes_received"].to_numpy()) < 0).any():
            return "it received fewer bytes as time went on"
    return ""


def fingerprint(record: RunRecord) -> str:
    """Return a hash of everything in a record that a second run repeats.

    It is of the values, not of the files: another version of the parquet library writes other
    bytes.
    """
    made = hashlib.sha256(record.experiment.id.encode())
    for table in (record.flows, record.queue, record.cross):
        made.update(str(len(table)).encode())
        for name in table.columns:
            made.update(name.encode())
            hashed = pd.util.hash_pandas_object(table[name], index=False)
            made.update(hashed.to_numpy().tobytes())
    about = [
        [check.name, check.requested, check.achieved, check.ok] for check in record.calibration
    ]
    made.update(json.dumps([about, record.counters], sort_keys=True).encode())
    return made.hexdigest()
