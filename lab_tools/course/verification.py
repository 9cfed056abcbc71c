"""Is a record what its experiment gives? Known runs are compared, others are run again.

The virtual testbed repeats: the same experiment gives the same record, to the last byte. So a
forged record differs from a second run. What was run once, by the course or to check somebody,
is known for everybody.
"""

import json
import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock

from lab_tools import testbeds
from lab_tools.course.box.judging import fingerprint
from lab_tools.errors import LabError, StoreError
from lab_tools.experiment import Experiment
from lab_tools.record import RunRecord
from lab_tools.store import Store

NONE, SAMPLE, ALL = "none", "sample", "all"
POLICIES = (NONE, SAMPLE, ALL)
#: The testbed whose runs repeat; records of others can only be looked at.
_REPEATS = "virtual"


@dataclass
class Verdict:
    """What is known of a submission's records.

    Parameters
    ----------
    verified, unverified : how many equal a second run, and how many were not run again.
    rejected : ids of experiments whose records are not what their experiments give.
    doubtful : a record that counts differs from a second run, on another kernel as it says.
    notes : sentences for the instructor.
    """

    verified: int = 0
    unverified: int = 0
    rejected: list[str] = field(default_factory=list)
    doubtful: bool = False
    notes: list[str] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """Return how many records there are of each kind."""
        rejected = len(self.rejected)
        return {
            "found": self.verified + self.unverified + rejected,
            "verified": self.verified,
            "unverified": self.unverified,
            "rejected": rejected,
        }


class Verifier:
    """Compares records with known ones, and runs experiments again.

    Parameters
    ----------
    known : stores of runs that the course itself made.
    again : where second runs are kept.
    policy : ``"none"``: look at no record; ``"sample"``: compare all with the known ones, and run
        one of the others again; ``"all"``: run every other one again.
    secret : what the sample is drawn from; a student who knew it could forge the other records.
    testbed : who runs again.
    """

    def __init__(
        self,
        known: Sequence[Store],
        again: Store,
        policy: str,
        secret: str,
        testbed: str = _REPEATS,
    ) -> None:
        self._known, self._again = list(known), again
        self.policy, self._secret, self._testbed = policy, secret, testbed
        self._prints: dict[str, str] = {}
        self._kernels: dict[str, dict[str, str]] = {}
        self._lock = threading.Lock()

    def verify(self, student: str, records: Sequence[dict[str, Any]]) -> Verdict:
        """Judge the records that the sandbox described.

        Parameters
        ----------
        student : whose they are.
        records : see `lab_tools.course.box.judging.inspect`; data that nobody has checked.
        """
        verdict = Verdict()
        unknown: list[tuple[str, Experiment, dict[str, Any]]] = []
        for each in records:
            name = str(each.get("id", ""))[:64]
            if each.get("problem"):
                verdict.rejected.append(name)
                verdict.notes.append(
                    f"The record {name[:12]} does not count: {str(each['problem'])[:300]}."
                )
                continue
            if self.policy == NONE:
                verdict.unverified += 1
                continue
            try:
                experiment = Experiment.from_dict(each["experiment"])
            except (LabError, LookupError, TypeError, ValueError) as error:
                verdict.rejected.append(name)
                verdict.notes.append(f"The record {name[:12]} does not count: {error}")
                continue
            expected = self._find(experiment)
            if expected:
                self._compare(verdict, name, each, expected)
            else:
                unknown.append((name, experiment, each))
        self._run_again(verdict, student, unknown)
        return verdict

    def _run_again(
        self, verdict: Verdict, student: str, unknown: list[tuple[str, Experiment, dict[str, Any]]]
    ) -> None:
        chosen = unknown
        if self.policy == SAMPLE and unknown:
            order = sorted(unknown, key=lambda each: each[0])
            chosen = [random.Random(f"{self._secret} {student}").choice(order)]
        verdict.unverified += len(unknown) - len(chosen)
        for name, experiment, each in chosen:
            try:
                expected = self._make(experiment)
            except LabError as error:
                verdict.unverified += 1
                reason = str(error).splitlines()[0]
                verdict.notes.append(f"The record {name[:12]} could not be run again: {reason}")
                continue
            self._compare(verdict, name, each, expected)

    def _compare(self, verdict: Verdict, name: str, each: dict[str, Any], expected: str) -> None:
        if each.get("fingerprint") == expected:
            verdict.verified += 1
        elif _kernel(each.get("versions")) != self._kernels.get(name):
            verdict.unverified += 1
            verdict.doubtful = True
            verdict.notes.append(
                f"The record {name[:12]} differs from a second run, and it names another kernel: "
                "it may be honest."
            )
        else:
            verdict.rejected.append(name)
            verdict.notes.append(
                f"The record {name[:12]} does not count: its experiment, run again, gives another."
            )

    def _find(self, experiment: Experiment) -> str:
        """Return the fingerprint of a known run, or nothing."""
        with self._lock:
            if experiment.id in self._prints:
                return self._prints[experiment.id]
            for store in [*self._known, self._again]:
                try:
                    record = store.get(experiment, _REPEATS)
                except StoreError:
                    continue
                if record is not None:
                    return self._remember(record)
        return ""

    def _make(self, experiment: Experiment) -> str:
        """Run an experiment; of two graders that want the same one, one runs it."""
        folder = self._again.folder
        folder.mkdir(parents=True, exist_ok=True)
        # the machine has few cores, and a second run wants one for itself
        with FileLock(folder / ".running"):
            if found := self._find(experiment):
                return found
            record = testbeds.get(self._testbed).run(experiment)
            self._again.put(record)
            with self._lock:
                return self._remember(record)

    def _remember(self, record: RunRecord) -> str:
        made = fingerprint(record)
        self._prints[record.experiment.id] = made
        self._kernels[record.experiment.id] = _kernel(record.versions)
        return made


def _kernel(versions: Any) -> dict[str, str]:
    """Return the part of a record's versions that its numbers depend on."""
    about = versions if isinstance(versions, dict) else {}
    return {name: str(about.get(name)) for name in ("kernel", "kernel_recipe", "kernel_source")}


def secret_of(file: Path) -> str:
    """Return the course's secret, made when it is first asked for."""
    from lab_tools.course.results import write_text

    try:
        return str(json.loads(file.read_text())["secret"])
    except (OSError, ValueError, LookupError):
        made = random.SystemRandom().randbytes(16).hex()
        write_text(file, json.dumps({"secret": made}) + "\n")
        file.chmod(0o600)
        return made
