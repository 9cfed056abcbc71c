"""The checks that count: they read data, and run nothing of the student's."""

import json
import shutil
import subprocess
import sys

import pytest

from lab_tools.errors import GradingError
from lab_tools.grading.judge import Submission, judge
from lab_tools.grading.scores import outputs
from lab_tools.grading.variant import DEFAULT_COURSE_SEED, draw
from lab_tools.store import Store
from tests.grading.toy import EXPERIMENT, NAME, lab_folder, make_course
from tests.test_cli import record_of

FACTORS = {"factor": [2, 3, 5, 7]}


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path / "project")


def handed_in(folder, **answers):
    """Make a submission with one record and these answers."""
    lab_folder(folder)
    Store(folder / "work" / "runs").put(record_of(EXPERIMENT))
    (folder / "work" / "answers.json").write_text(json.dumps(answers))
    return folder


def scores(course, folder, student="ada"):
    return {t: r["score"] for t, r in judge(course.checks(NAME), folder, student).items()}


def factor(student="ada"):
    return draw(NAME, student, FACTORS, DEFAULT_COURSE_SEED)["factor"]


def test_right_partly_right_and_wrong(course, tmp_path):
    goodput = record_of(EXPERIMENT).goodput_bps()
    for value, wanted in ((goodput * factor(), 3), (goodput, 1.5), (1.0, 0), ("x", 0), (None, 0)):
        folder = handed_in(tmp_path / str(value), runs=[EXPERIMENT.id], scaled=value)
        assert scores(course, folder) == {"scaled": wanted, "runs": 1}


def test_a_blank_submission_scores_nothing(course, tmp_path):
    assert scores(course, lab_folder(tmp_path / "blank")) == {"scaled": 0, "runs": 0}


def test_the_variant_is_drawn_again_for_the_one_who_hands_in(course, tmp_path):
    other = next(f"student{n}" for n in range(50) if factor(f"student{n}") != factor())
    goodput = record_of(EXPERIMENT).goodput_bps()
    folder = handed_in(tmp_path / "a", runs=[EXPERIMENT.id], scaled=goodput * factor())
    assert scores(course, folder)["scaled"] == 3
    assert scores(course, folder, other)["scaled"] < 3


def test_a_record_that_is_not_there_or_not_calibrated_counts_for_nothing(course, tmp_path):
    folder = handed_in(tmp_path / "a", runs=["0" * 64], scaled=1.0)
    assert scores(course, folder) == {"scaled": 0, "runs": 0}
    folder = handed_in(tmp_path / "b", runs=[EXPERIMENT.id], scaled=1.0)
    file = next(folder.glob("work/runs/*/*/*/record.json"))
    about = json.loads(file.read_text())
    about["calibration"][0]["ok"] = False
    file.write_text(json.dumps(about))
    assert scores(course, folder)["runs"] == 0


@pytest.mark.parametrize("text", ["{", "[]", '{"scaled": {"a": 1}, "runs": 3}', "null"])
def test_answers_of_any_shape_are_scored_without_a_crash(course, tmp_path, text):
    folder = handed_in(tmp_path / "a")
    (folder / "work" / "answers.json").write_text(text)
    assert scores(course, folder) == {"scaled": 0, "runs": 0}


def test_records_are_found_by_their_fields(tmp_path):
    folder = handed_in(tmp_path / "a")
    submission = Submission(NAME, folder, "ada")
    assert len(submission.find(rate_bps=1e9, cc="cubic", seed=1)) == 1
    assert submission.find(rtt_s=0.02) == []
    assert submission.find(colour="red") == []


def test_the_judge_as_a_process_of_its_own(course, tmp_path):
    folder = handed_in(tmp_path / "a", runs=[EXPERIMENT.id])
    argv = [sys.executable, "-m", "lab_tools.grading", str(course.checks(NAME)), str(folder)]
    done = subprocess.run([*argv, "--student", "ada"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["runs"] == {"score": 1.0, "points": 1, "message": "Found."}
    assert done.stderr == ""
    shutil.rmtree(course.checks(NAME).parent)
    done = subprocess.run([*argv, "--student", "ada"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "no checks" in done.stderr


def test_a_cell_and_its_check_must_agree():
    found = {"a": {"score": 1.0, "points": 2, "message": "Half."}}
    message, score = outputs("a", 2.0, found)
    assert message.text == "1 of 2 points. Half.\n"
    assert score.data == {"text/plain": "1.0"}
    with pytest.raises(GradingError, match="no check"):
        outputs("b", 2.0, found)
    with pytest.raises(GradingError, match="3 points"):
        outputs("a", 3.0, found)
