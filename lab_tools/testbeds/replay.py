"""Recorded runs, looked up by experiment: works on any machine, the grader's too."""

import hashlib
import json
import os
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Self

from lab_tools.errors import MissingToolError
from lab_tools.experiment import Experiment, Path
from lab_tools.plain import to_plain
from lab_tools.record import RunRecord
from lab_tools.store import Store
from lab_tools.testbeds.base import Availability, CommandResult, OnSample, Sample


def default_folder() -> FilePath:
    """Return where the course's recordings are: ``LAB_RECORDINGS``, or beside the package."""
    if chosen := os.environ.get("LAB_RECORDINGS"):
        return FilePath(chosen)
    return FilePath(__file__).resolve().parents[2] / "recordings"


class ReplayTestbed:
    """Answers with the recording of an experiment.

    Parameters
    ----------
    folder : a store of recordings; without one, `default_folder`.
    """

    name = "replay"

    def __init__(self, folder: str | FilePath | None = None) -> None:
        self.recordings = Store(folder if folder is not None else default_folder())

    def available(self) -> Availability:
        """Say whether there are any recordings."""
        if any(self.recordings.folder.glob("??/*/*/record.json")):
            return Availability(True)
        return Availability(
            False,
            f"no recordings in {self.recordings.folder}",
            "set LAB_RECORDINGS to the course's recordings folder",
        )

    def run(self, experiment: Experiment, on_sample: OnSample | None = None) -> RunRecord:
        """Return the recording of an experiment, playing its samples first.

        Raises
        ------
        MissingToolError : there is no such recording; names the nearest ones.
        """
        found = sorted(
            self.recordings.folder.glob(f"{experiment.id[:2]}/{experiment.id}/*/record.json")
        )
        if not found:
            raise MissingToolError(self._nothing(experiment))
        record = RunRecord.load(found[-1].parent)
        if on_sample:
            for row in record.total().to_dict("records"):
                on_sample(
                    Sample(
                        time_s=row["time_s"],
                        flow=0,
                        goodput_bps=row["goodput_bps"],
                        cwnd_segments=row["cwnd_segments"],
                        rtt_s=row["rtt_s"],
                        retransmits=row["retransmits"],
                        queue_bytes=0,
                    )
                )
        return record

    def session(self, path: Path) -> "ReplaySession":
        """Return a recorded session over a path: it knows the commands that were typed in it.

        Raises
        ------
        MissingToolError : no session over this path was recorded.
        """
        file = session_file(self.recordings.folder, path)
        if not file.is_file():
            raise MissingToolError(
                "no live session over this path was recorded. Use the virtual testbed for it: "
                "`lab doctor` says what it needs on this machine."
            )
        return ReplaySession(json.loads(file.read_text(encoding="utf-8")))

    def _nothing(self, experiment: Experiment) -> str:
        text = f"there is no recording of this experiment ({experiment.id[:12]})"
        nearest = sorted(
            ((_differences(experiment, each.experiment), each) for each in self.recordings),
            key=lambda pair: len(pair[0]),
        )[:3]
        if not nearest:
            return f"{text}, nor of any other in {self.recordings.folder}."
        lines = [f"    {each.experiment.id[:12]}: {', '.join(diff)}" for diff, each in nearest]
        return f"{text}. The nearest recordings differ in:\n" + "\n".join(lines)


class ReplaySession:
    """The commands of a live session and what they printed."""

    def __init__(self, commands: list[dict[str, Any]]) -> None:
        self._commands = commands

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing is open."""

    def __getitem__(self, name: str) -> "ReplayHost":
        """Return a host of the recorded network."""
        return ReplayHost(self._commands, name)


class ReplayHost:
    """A host of a recorded session."""

    def __init__(self, commands: list[dict[str, Any]], name: str) -> None:
        self._commands = [each for each in commands if each["host"] == name]

    def run(self, command: str, timeout_s: float = 60.0) -> CommandResult:
        """Return what a command printed when the session was recorded.

        Raises
        ------
        MissingToolError : it was not typed then; names the commands that were.
        """
        for each in self._commands:
            if each["command"] == command:
                return CommandResult(each["output"], each["code"])
        known = "\n".join(f"    {each['command']}" for each in self._commands)
        raise MissingToolError(
            f"{command!r} is not among the recorded commands of this host:\n{known}\n"
            "The virtual testbed runs any command: `lab doctor` says what it needs here."
        )


def session_file(folder: FilePath, path: Path) -> FilePath:
    """Return the file that holds the recorded session over a path."""
    text = json.dumps(to_plain(path), sort_keys=True)
    return folder / "sessions" / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"


def _differences(wanted: Experiment, other: Experiment) -> list[str]:
    """Return the fields in which two experiments differ, with the other's value."""
    mine, theirs = _flat(wanted.to_dict()), _flat(other.to_dict())
    names = sorted(set(mine) | set(theirs))
    return [
        f"{name} = {theirs.get(name, 'default')}"
        for name in names
        if mine.get(name) != theirs.get(name)
    ]


def _flat(data: object, prefix: str = "") -> dict[str, object]:
    if isinstance(data, dict):
        parts = {f"{prefix}.{key}".lstrip("."): value for key, value in data.items()}
    elif isinstance(data, list):
        parts = {f"{prefix}[{index}]": value for index, value in enumerate(data)}
    else:
        return {prefix: data}
    flat: dict[str, object] = {}
    for name, value in parts.items():
        flat.update(_flat(value, name))
    return flat
