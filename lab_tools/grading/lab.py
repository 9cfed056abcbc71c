"""What a notebook calls: the student's variant, predictions, runs and answers."""

import datetime
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Self

from lab_tools import running, testbeds
from lab_tools.errors import GradingError, UnknownNameError
from lab_tools.experiment import Experiment, Path
from lab_tools.grading.files import WORK, read_json, write_json
from lab_tools.grading.show import Progress, ProgressOfMany
from lab_tools.grading.variant import (
    LAB_FILE,
    LabFile,
    course_seed,
    draw,
    only_recordings,
    student_name,
)
from lab_tools.plain import to_plain
from lab_tools.record import RunRecord
from lab_tools.store import Store
from lab_tools.testbeds.base import CommandResult, Session, SessionHost

_RECORDED = (
    "Recorded runs: every run here was made before by the course's own kernel, with the parameters "
    "that you see. Change them, and there may be no recording. Live runs need Linux on x86-64, or "
    "the workshop's virtual machine."
)


class Lab:
    """One lab in one student's hands.

    Everything the student makes lies in the folder ``work`` beside the notebook: predictions,
    answers, the records of all runs, and the commands typed on live hosts.

    Parameters
    ----------
    name : the lab's name, such as ``"02_mathis_science_dmz"``.
    folder : the notebook's folder; without one, the current folder.

    Raises
    ------
    GradingError : the folder is not that of a lab.
    """

    def __init__(self, name: str, folder: str | FilePath = ".") -> None:
        self.name = name
        self.folder = FilePath(folder).resolve()
        self.about = LabFile.read(self.folder / LAB_FILE)
        self.student = student_name()
        self.variant = draw(name, self.student, self.about.variant, course_seed())
        self.store = Store(self.folder / WORK / "runs")
        write_json(self._file("lab"), {"lab": name, "student": self.student})
        if only_recordings():
            print(_RECORDED)

    def predict(self, name: str, value: Any) -> None:
        """Lock a prediction: it is stored with its hash and time, and cannot be changed later.

        Until the first run it may be changed; after it, only the same value is accepted.

        Raises
        ------
        GradingError : a run was made already and the value is another one.
        """
        known = read_json(self._file("predictions"), {})
        if name in known and known[name]["value"] == value:
            print(f"{name}: your prediction {value!r} is locked ({known[name]['sha256'][:12]}).")
            return
        if self._has_run():
            was = f"{known[name]['value']!r}" if name in known else "none"
            raise GradingError(
                f"the prediction {name} cannot be {value!r} any more: a run was made, and your "
                f"prediction was {was}. A wrong prediction costs nothing: explain it."
            )
        entry = {"value": value, "time": datetime.datetime.now(datetime.UTC).isoformat()}
        text = json.dumps([self.name, self.student, name, entry], sort_keys=True)
        entry["sha256"] = hashlib.sha256(text.encode()).hexdigest()
        write_json(self._file("predictions"), {**known, name: entry})
        print(f"{name}: your prediction {value!r} is locked ({entry['sha256'][:12]}).")

    def run(self, experiment: Experiment, *, fresh: bool = False) -> RunRecord:
        """Run an experiment and keep its record; refuse before every prediction is locked.

        Raises
        ------
        GradingError : a prediction is missing.
        LabError : the run failed.
        """
        self._require_predictions()
        with Progress(experiment) as progress:
            record = running.run(
                experiment, store=self.store, fresh=fresh, on_sample=progress.on_sample
            )
            progress.done(record)
        return record

    def run_all(self, experiments: Sequence[Experiment]) -> list[RunRecord]:
        """Run several experiments, one on every core, and keep their records, in their order.

        Raises
        ------
        GradingError : a prediction is missing.
        LabError : a run failed; the others are kept.
        """
        self._require_predictions()
        with ProgressOfMany(len({each.id for each in experiments})) as progress:
            return running.run_all(experiments, store=self.store, on_done=progress.on_done)

    def session(self, path: Path) -> "RecordedSession":
        """Open a live network; its commands and their outputs are kept with the answers.

        Raises
        ------
        GradingError : a prediction is missing.
        """
        self._require_predictions()
        return RecordedSession(testbeds.get().session(path), self._file("commands"), path)

    def answer(self, task: str, value: Any) -> None:
        """Hand in the answer to a task: plain data, stored beside the notebook.

        Raises
        ------
        GradingError : the value is not plain data.
        UnknownNameError : the lab has no such task.
        """
        if task not in self.about.tasks:
            raise UnknownNameError("task", task, self.about.tasks)
        if hasattr(value, "tolist"):  # a number of numpy's, or an array
            value = value.tolist()
        answers = read_json(self._file("answers"), {})
        write_json(self._file("answers"), {**answers, task: value})
        print(f"{task}: {_shown(value)} is your answer.")

    def check(self, task: str) -> None:
        """Say whether a task has an answer of the right kind. This counts for nothing.

        The points are given later, by checks that look at your answer and your own records.
        """
        answers = read_json(self._file("answers"), {})
        if task not in answers:
            print(f'{task}: there is no answer yet. Hand it in with lab.answer("{task}", …).')
            return
        problem = implausible(answers[task], self.about.tasks.get(task, {}))
        if problem:
            print(f"{task}: {_shown(answers[task])} {problem}.")
        else:
            unit = self.about.tasks[task].get("unit", "")
            print(f"{task}: {_shown(answers[task])} {unit}".rstrip() + " can be graded.")

    def _require_predictions(self) -> None:
        missing = set(self.about.predictions) - set(read_json(self._file("predictions"), {}))
        if missing:
            names = ", ".join(sorted(missing))
            raise GradingError(
                f"predict first: {names}. The question is what you expect before you measure; "
                'lock it with lab.predict("name", value).'
            )

    def _has_run(self) -> bool:
        return any(True for _ in self.store) or self._file("commands").exists()

    def _file(self, name: str) -> FilePath:
        return self.folder / WORK / f"{name}.json"


class RecordedSession:
    """A live network that remembers what was typed; see `Lab.session`."""

    def __init__(self, session: Session, file: FilePath, path: Path) -> None:
        self._session, self._file = session, file
        self._about = to_plain(path)

    def __enter__(self) -> Self:
        self._session.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._session.__exit__(kind, error, trace)

    def __getitem__(self, name: str) -> "RecordedHost":
        """Return a host of the network."""
        return RecordedHost(self._session[name], name, self._file, self._about)


class RecordedHost:
    """A host of a `RecordedSession`."""

    def __init__(self, host: SessionHost, name: str, file: FilePath, about: dict[str, Any]) -> None:
        self._host, self._name, self._file, self._about = host, name, file, about

    def run(self, command: str, timeout_s: float = 60.0) -> CommandResult:
        """Run a command on the host, and keep it with what it printed."""
        result = self._host.run(command, timeout_s)
        entry = {
            "host": self._name,
            "command": command,
            "output": result.output,
            "code": result.code,
            "path": self._about,
        }
        write_json(self._file, [*read_json(self._file, []), entry])
        return result


def implausible(value: Any, wanted: dict[str, Any]) -> str:
    """Say what is wrong with an answer's kind, in words; nothing if it can be graded."""
    kind = wanted.get("kind", "number")
    kinds = {"number": (int, float), "text": (str,), "list": (list,), "dict": (dict,)}
    if not isinstance(value, kinds.get(kind, (object,))) or isinstance(value, bool):
        return f"is not a {kind}"
    given = value if isinstance(value, dict) else {}
    if missing := [key for key in wanted.get("keys", ()) if key not in given]:
        return f"has no {', '.join(map(repr, missing))}: it needs {', '.join(wanted['keys'])}"
    if kind != "number":
        return ""
    unit = f" {wanted['unit']}" if "unit" in wanted else ""
    if value < wanted.get("low", -float("inf")) or value > wanted.get("high", float("inf")):
        return (
            f"is outside {wanted.get('low', '-∞')} to {wanted.get('high', '∞')}{unit}: look at its "
            "unit and sign"
        )
    return ""


def _shown(value: Any) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False)
    return text if len(text) < 80 else text[:76] + " …"
