"""Release, submit, autograde, feedback, export: nbgrader itself, on the toy lab."""

import json
import os
import shutil

import nbformat
import pytest

from lab_tools.authoring.build import build
from lab_tools.authoring.check import check
from lab_tools.authoring.source import read
from lab_tools.errors import GradingError, InputError, RunError
from tests.grading.course import grade
from tests.grading.toy import CHECKS, NAME, SOURCE, make_course


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    made = make_course(tmp_path_factory.mktemp("project"))
    before = dict(os.environ)
    os.environ.update(LAB_RECORDINGS=str(made.root / "recordings"), LAB_TESTBED="replay")
    os.environ["LAB_AUTOGRADE"] = "plain"  # a machine for `make check` may have no bubblewrap
    yield made
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="module")
def built(course):
    build(course, NAME)
    return course


def cells(file):
    return nbformat.read(file, as_version=4).cells


def test_the_students_copy_has_no_solution(built):
    file = built.student(NAME) / f"{NAME}.ipynb"
    text = file.read_text()
    assert "lab.answer" not in text
    assert "The goodput is what it is" not in text
    assert "YOUR CODE HERE" in text
    assert "YOUR ANSWER HERE" in text
    assert (built.student(NAME) / "lab.toml").is_file()
    assert [c.id for c in cells(file)] == [f"90-{n:02d}" for n in range(6)]


def test_the_worked_copy_is_executed_and_carries_no_work(built):
    shown = cells(built.worked(NAME) / f"{NAME}.ipynb")
    assert any("can be graded" in str(c.get("outputs")) for c in shown)
    assert not (built.worked(NAME) / "work").exists()


def test_building_again_gives_the_same_and_keeps_what_a_student_made(built):
    folder = built.student(NAME)
    before = (folder / f"{NAME}.ipynb").read_bytes()
    (folder / "work").mkdir()
    (folder / "work" / "answers.json").write_text('{"scaled": 1}')
    build(built, NAME, execute=False)
    assert (folder / f"{NAME}.ipynb").read_bytes() == before
    assert (folder / "work" / "answers.json").read_text() == '{"scaled": 1}'
    shutil.rmtree(folder / "work")


def test_release_check(built):
    scores = check(built, NAME)
    assert (scores.blank, scores.worked, scores.points) == (0, 4, 4)


def answer_one(folder):
    file = folder / "work" / "answers.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "scaled": 1.0}))


@pytest.fixture(scope="module")
def graded(built, tmp_path_factory):
    root = tmp_path_factory.mktemp("course")
    submissions = {"worked": lambda folder: None, "blank": None, "partly": answer_one}
    return root, grade(built, NAME, root, submissions)


def test_scores_reach_the_export(graded):
    _, rows = graded
    assert rows == {
        "worked": {"score": 4.0, "max_score": 6.0},
        "blank": {"score": 0.0, "max_score": 6.0},
        "partly": {"score": 1.0, "max_score": 6.0},
    }


def test_feedback_has_our_words_and_no_check(graded):
    root, _ = graded
    text = (root / "feedback" / "partly" / NAME / f"{NAME}.html").read_text()
    assert "Not what your record says." in text
    assert "0 of 3 points" in text
    assert "s.number" not in text
    assert "wanted = record" not in text


def broken(tmp_path, source=SOURCE, checks=CHECKS):
    course = make_course(tmp_path)
    course.source(NAME).write_text(source)
    course.checks(NAME).write_text(checks)
    return course


def test_a_lab_whose_worked_copy_loses_points_is_not_released(course, tmp_path):
    made = broken(tmp_path, SOURCE.replace('lab.variant["factor"]', "1"))
    with pytest.raises(GradingError, match="Your own factor is missing"):
        check(made, NAME)


def test_a_lab_whose_blank_copy_scores_is_not_released(course, tmp_path):
    made = broken(tmp_path, checks=CHECKS.replace('    s.record((s.answers.get("runs") or [None])[0])\n    return Result(1', "    return Result(1"))  # fmt: skip  # noqa: E501
    with pytest.raises(GradingError, match="blank copy scores runs: 1"):
        check(made, NAME)


def test_a_graded_cell_without_a_check_is_not_released(course, tmp_path):
    made = broken(tmp_path, checks=CHECKS.replace("points=1", "points=2"))
    with pytest.raises(GradingError, match="are not the checks'"):
        check(made, NAME)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s + "\n\n# %%\n" + "\n".join(f"x{n} = {n}" for n in range(11)), "at most 10"),
        (lambda s: s + "\n\n# %% [markdown]\n# text\n" * 60, "at most 60"),
        (lambda s: s.replace('"grade_id": "runs"', '"grade_id": "scaled"'), "used only once"),
        (lambda s: s.replace('"grade_id": "runs"', '"grade_id": "Run s"'), "lower case"),
    ],
)
def test_sources_that_break_the_rules_are_refused(tmp_path, change, message):
    made = broken(tmp_path, change(SOURCE))
    with pytest.raises(InputError, match=message):
        read(made.source(NAME))


def test_a_worked_copy_that_fails_shows_where(course, tmp_path):
    made = broken(tmp_path, SOURCE.replace("lab.predict(", "lab.foresee("))
    with pytest.raises(RunError, match="foresee"):
        build(made, NAME)


def test_a_worked_copy_that_writes_to_standard_error_is_refused(course, tmp_path):
    made = broken(tmp_path, SOURCE.replace("lab.predict", "import sys; print(1, file=sys.stderr)\nlab.predict"))  # fmt: skip  # noqa: E501
    with pytest.raises(RunError, match="standard error"):
        build(made, NAME)
