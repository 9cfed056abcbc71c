"""Records against second runs: which are run again, which are known, which are refused."""

import pytest

from lab_tools.course.box.judging import fingerprint, inspect_all
from lab_tools.course.verification import Verifier
from lab_tools.errors import MissingToolError
from lab_tools.experiment import Experiment, Path
from lab_tools.record import RunRecord
from lab_tools.store import Store
from tests.test_cli import record_of

EXPERIMENTS = [Experiment(Path(1e9, 0.01), duration_s=1.0, seed=seed) for seed in range(1, 6)]


class Counted:
    """A testbed that gives the same record every time, and counts."""

    name = "virtual"

    def __init__(self):
        self.ran = []

    def run(self, experiment, on_sample=None):
        self.ran.append(experiment.id)
        return record_of(experiment)


@pytest.fixture
def testbed(monkeypatch):
    made = Counted()
    monkeypatch.setattr("lab_tools.testbeds.get", lambda name=None: made)
    return made


def handed_in(place, change=None):
    """Return what the sandbox says of five records, the first of them changed."""
    store = Store(place / "runs")
    for number, experiment in enumerate(EXPERIMENTS):
        record = record_of(experiment)
        store.put(change(record) if change and number == 0 else record)
    return inspect_all(store.folder)


def tripled(record):
    flows = record.flows.copy()
    flows["bytes_received"] *= 3
    return RunRecord(**{**vars(record), "flows": flows})


def verifier(tmp_path, policy, known=()):
    return Verifier(list(known), Store(tmp_path / "again"), policy, "secret")


def test_all_are_run_again_once_for_the_whole_class(tmp_path, testbed):
    records = handed_in(tmp_path)
    one = verifier(tmp_path, "all")
    assert one.verify("ada", records).counts() == {
        "found": 5,
        "verified": 5,
        "unverified": 0,
        "rejected": 0,
    }
    assert one.verify("bob", records).verified == 5
    # another grader, another day
    assert verifier(tmp_path, "all").verify("eve", records).verified == 5
    assert sorted(testbed.ran) == sorted(e.id for e in EXPERIMENTS)


def test_a_sample_runs_one_of_each_submission(tmp_path, testbed):
    verdict = verifier(tmp_path, "sample").verify("ada", handed_in(tmp_path))
    assert (verdict.verified, verdict.unverified) == (1, 4)
    assert len(testbed.ran) == 1


def test_what_the_course_knows_is_compared_and_not_run(tmp_path, testbed):
    known = Store(tmp_path / "known")
    for experiment in EXPERIMENTS:
        known.put(record_of(experiment))
    one = verifier(tmp_path, "sample", [known])
    verdict = one.verify("ada", handed_in(tmp_path, tripled))
    assert verdict.rejected == [EXPERIMENTS[0].id]
    assert verdict.verified == 4
    assert testbed.ran == []


def test_a_forged_record_is_caught_by_running_it_again(tmp_path, testbed):
    verdict = verifier(tmp_path, "all").verify("ada", handed_in(tmp_path, tripled))
    assert verdict.rejected == [EXPERIMENTS[0].id]
    assert "run again, gives another" in " ".join(verdict.notes)


def test_no_record_is_looked_at_without_a_policy(tmp_path, testbed):
    verdict = verifier(tmp_path, "none").verify("ada", handed_in(tmp_path, tripled))
    assert (verdict.unverified, verdict.rejected, testbed.ran) == (5, [], [])


def test_another_kernel_is_a_doubt_and_no_forgery(tmp_path, testbed):
    def elsewhere(record):
        return RunRecord(**{**vars(tripled(record)), "versions": {"kernel": "another"}})

    verdict = verifier(tmp_path, "all").verify("ada", handed_in(tmp_path, elsewhere))
    assert verdict.rejected == []
    assert verdict.doubtful
    assert "another kernel" in " ".join(verdict.notes)


def test_a_machine_that_cannot_run_again_says_so(tmp_path, monkeypatch):
    def missing(name=None):
        raise MissingToolError("no kernel was built")

    monkeypatch.setattr("lab_tools.testbeds.get", missing)
    verdict = verifier(tmp_path, "sample").verify("ada", handed_in(tmp_path))
    assert (verdict.unverified, verdict.rejected) == (5, [])
    assert "no kernel was built" in " ".join(verdict.notes)


def test_impossible_records_are_refused_without_a_run(tmp_path, testbed):
    def backwards(record):
        return RunRecord(**{**vars(record), "flows": record.flows.iloc[::-1]})

    verdict = verifier(tmp_path, "none").verify("ada", handed_in(tmp_path, backwards))
    assert verdict.rejected == [EXPERIMENTS[0].id]


def test_a_fingerprint_is_of_everything_that_repeats():
    record = record_of(EXPERIMENTS[0])
    same = RunRecord(**{**vars(record), "wall_s": 99.0, "versions": {}})
    assert fingerprint(same) == fingerprint(record)
    other = RunRecord(**{**vars(record), "counters": {"achieved_rtt_s": 0.02}})
    assert fingerprint(other) != fingerprint(record)
    assert fingerprint(tripled(record)) != fingerprint(record)
