"""Two files of lines beside the records: what happened to which point, and each record's numbers.

Lines are only ever added, each in one write, so those of several processes never mix. Neither file
decides whether a point is done: that is what the records are for.
"""

import contextlib
import json
import os
import socket
import time
from pathlib import Path
from typing import Any

from lab_tools.experiment import Experiment
from lab_tools.record import RunRecord
from lab_tools.store import Store

JOURNAL = "sweep-journal.txt"
NUMBERS = "sweep-numbers.jsonl"
#: What a sweep's table says of each record.
RESULT_COLUMNS = {
    "goodput_bps": "float64",
    "retransmits": "Int64",
    "bottleneck_drops": "Int64",
    "achieved_rtt_s": "float64",
    "calibrated": "boolean",
    "wall_s": "float64",
    "virtual_s": "float64",
}


def write_journal(store: Store, what: str, experiment: Experiment, testbed: str) -> None:
    """Add a line to the store's journal: time, process, what happened, which point."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    who = f"{socket.gethostname()}:{os.getpid()}"
    _add_line(store.folder / JOURNAL, f"{now} {who} {what} {experiment.id} {testbed}")


def read_journal(folder: str | Path) -> list[tuple[str, str]]:
    """Return what the journal of a store says: what happened, and the point's identity."""
    file = Path(folder) / JOURNAL
    if not file.exists():
        return []
    lines = (line.split() for line in file.read_text(encoding="utf-8").splitlines())
    return [(words[2], words[3]) for words in lines]


def results(record: RunRecord) -> dict[str, Any]:
    """Return the numbers of a record that a sweep's table shows."""
    return {
        "goodput_bps": record.goodput_bps(),
        "retransmits": record.retransmits,
        "bottleneck_drops": record.bottleneck_drops,
        "achieved_rtt_s": record.counters.get("achieved_rtt_s"),
        "calibrated": record.calibrated,
        "wall_s": record.wall_s,
        "virtual_s": record.virtual_s,
    }


class Numbers:
    """The numbers of records that were read once: reading ten thousand records takes minutes.

    Numbers count as long as the record's file has the time that it had when they were taken.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, dict[str, Any]] = {}
        with contextlib.suppress(OSError):
            text = (store.folder / NUMBERS).read_text(encoding="utf-8")
            for line in text.splitlines():
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    entry = json.loads(line)
                    self._known[entry["record"]] = entry

    def of(self, place: Path, experiment: Experiment) -> dict[str, Any] | None:
        """Return the numbers of the record in a folder of the store; None if there is none."""
        stamp = _stamp(place)
        if stamp is None:
            return None
        known = self._known.get(_name(place))
        if known is None or known["stamp"] != stamp:
            record = self._store.get(experiment, place.name)
            return None if record is None else remember(self._store, record)
        return {column: known.get(column) for column in RESULT_COLUMNS}


def remember(store: Store, record: RunRecord) -> dict[str, Any]:
    """Keep the numbers of a record that is in the store, and return them."""
    place = store.place(record.experiment, record.testbed)
    numbers = results(record)
    entry = {"record": _name(place), "stamp": _stamp(place), **numbers}
    # A store that can only be read has no such file; its records are read again each time.
    with contextlib.suppress(OSError):
        _add_line(store.folder / NUMBERS, json.dumps(entry))
    return numbers


def _name(place: Path) -> str:
    return f"{place.parent.name}/{place.name}"


def _stamp(place: Path) -> int | None:
    try:
        return (place / "record.json").stat().st_mtime_ns
    except OSError:
        return None


def _add_line(file: Path, line: str) -> None:
    number = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        os.write(number, f"{line}\n".encode())
    finally:
        os.close(number)
