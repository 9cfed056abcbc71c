"""The job that runs a notebook: one process runs the cells, this one collects and bounds.

What comes out is data for a person to look at. No score depends on it, unless the student handed
in a notebook and nothing else (`lab_tools.course.grade`).
"""

import contextlib
import json
import os
import select
import signal
import time
from pathlib import Path
from typing import Any

from lab_tools.course.box import keeper
from lab_tools.course.box.notebook import Outputs, UnreadableError, join_streams, read_cells

_AFTER_INTERRUPT_S = 5.0
_LOOK_EVERY_S = 0.5
_GONE = "the notebook ended its own Python"
_READ_BYTES = 1 << 18
#: A line longer than this cannot be a cell's output that anybody will read.
_LONGEST_LINE_BYTES = 64 << 20


class _StopError(Exception):
    """The notebook must stop here; says why."""


class _Runner:
    """The process that runs the cells, and the pipes to it."""

    def __init__(self, folder: Path) -> None:
        commands, self._commands = os.pipe()
        self._results, results = os.pipe()
        self._raw, raw = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _become_runner(folder, commands, results, raw)
        for handle in (commands, results, raw):
            os.close(handle)
        self._waiting = b""

    def run(self, source: str, outputs: Outputs, timeout_s: float, ends_at: float) -> None:
        """Run a cell; an interrupted one is an error of the student's, and the next one runs.

        Raises
        ------
        _StopError : the process is gone, or does not heed the interrupt.
        """
        try:
            os.write(self._commands, json.dumps(source).encode() + b"\n")
        except OSError as error:
            raise _StopError(_GONE) from error
        deadline, interrupted = time.monotonic() + timeout_s, False
        while not self._read(outputs, min(deadline, ends_at) - time.monotonic()):
            now = time.monotonic()
            if now >= ends_at:
                raise _StopError("the notebook took too long in all")
            if now >= deadline and interrupted:
                raise _StopError(f"a cell ran for more than {timeout_s:g} s and heeds no interrupt")
            if now >= deadline:
                interrupted = True
                outputs.note(f"A cell was interrupted after {timeout_s:g} s.")
                os.kill(self.pid, signal.SIGINT)
                deadline = now + _AFTER_INTERRUPT_S

    def _read(self, outputs: Outputs, wait_s: float) -> bool:
        """Take what has arrived; return whether the cell is done."""
        wait_s = min(max(wait_s, 0.0), _LOOK_EVERY_S)
        ready, _, _ = select.select([self._results, self._raw], [], [], wait_s)
        if not ready:
            self._require_alive()
        if self._raw in ready and (text := os.read(self._raw, _READ_BYTES)):
            outputs.add({"type": "stream", "name": "stdout", "text": text.decode(errors="replace")})
        if self._results not in ready:
            return False
        piece = os.read(self._results, _READ_BYTES)
        if not piece:
            raise _StopError(_GONE)
        *lines, self._waiting = (self._waiting + piece).split(b"\n")
        if len(self._waiting) > _LONGEST_LINE_BYTES:
            raise _StopError("a cell showed something far too large")
        for line in lines:
            try:
                message = json.loads(line)
                if message["type"] == "done":
                    return True
                outputs.add(message)
            except (ValueError, LookupError, TypeError, RecursionError) as error:
                raise _StopError("the notebook broke the channel to its outputs") from error
        return False

    def _require_alive(self) -> None:
        # orphans may hold the pipes open, so their end is not enough
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            raise _StopError(_GONE) from None

    def close(self) -> None:
        """End every process of the notebook."""
        # process 1 reaches every process of its namespace, and only those
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)
        for handle in (self._commands, self._results, self._raw):
            os.close(handle)


def _become_runner(folder: Path, commands: int, results: int, raw: int) -> None:
    from lab_tools.course.box.cells import serve

    for number in keeper.STOP.values():
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(raw, 1)
    os.dup2(raw, 2)
    os.setsid()
    for handle in range(3, 64):
        if handle not in (commands, results):
            with contextlib.suppress(OSError):
                os.close(handle)
    os.chdir(folder)
    serve(commands, results)


def job(about: dict[str, Any], folder: Path) -> tuple[dict[str, Any], bytes]:
    """Run the notebook in a folder.

    Parameters
    ----------
    about : ``notebook`` (file name), ``run`` (else it is only read), ``student``, ``environment``,
        ``cell_s``, ``wall_s``, ``output_bytes``, ``work_bytes`` (0: send no ``work`` back).
    folder : what was handed in, writable.

    Returns
    -------
    The cells with their outputs, how the run ended, and the folder ``work`` as an archive.
    """
    from lab_tools.course.box.jobs import pack_folder

    try:
        cells = read_cells(folder / about["notebook"])
    except UnreadableError as error:
        return {"unreadable": str(error), "cells": [], "stopped": "", "notes": []}, b""
    stopped, notes = "", []
    if about["run"]:
        os.environ.update(about["environment"])
        outputs = Outputs(about["output_bytes"])
        stopped = _run_all(cells, about, folder, outputs)
        notes = outputs.notes
    work = b""
    if about["work_bytes"] and (folder / "work").is_dir():
        work = pack_folder(folder, about["work_bytes"])
    return {"cells": cells, "stopped": stopped, "notes": notes, "unreadable": ""}, work


def _reap(_number: int, _frame: object) -> None:
    """Remove ended processes: process 1 inherits every orphan."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _run_all(
    cells: list[dict[str, Any]], about: dict[str, Any], folder: Path, outputs: Outputs
) -> str:
    """Run the cells in order; return why it stopped before the end, or nothing."""

    def told(number: int, _frame: object) -> None:
        raise _StopError(
            {
                keeper.STOP["memory"]: "the notebook used too much memory",
                keeper.STOP["processes"]: "the notebook started too many processes",
            }.get(signal.Signals(number), "the notebook took too long in all")
        )

    signal.signal(signal.SIGCHLD, _reap)
    runner = _Runner(folder)
    ends_at = time.monotonic() + about["wall_s"]
    try:
        for number in keeper.STOP.values():
            signal.signal(number, told)
        for cell in cells:
            if cell["type"] == "code" and cell["source"].strip():
                cell["outputs"] = outputs.begin()
                runner.run(cell["source"], outputs, about["cell_s"], ends_at)
    except _StopError as why:
        return str(why)
    finally:
        for number in keeper.STOP.values():
            signal.signal(number, signal.SIG_IGN)
        runner.close()
        for cell in cells:
            join_streams(cell["outputs"])
    return ""
