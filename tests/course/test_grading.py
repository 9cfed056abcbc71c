"""Grading a class: scores, what a person entered, grading again, and a grader that is killed."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from lab_tools.course import feedback, gradebook, results
from lab_tools.course.bubblewrap import program
from lab_tools.course.limits import Limits
from lab_tools.course.sandbox import Sandbox
from lab_tools.errors import GradingError, MissingToolError
from tests.course import toy_class
from tests.course.toy_class import hand_in, hand_in_blank, needs_bubblewrap, new_course, right
from tests.grading.toy import NAME

pytestmark = needs_bubblewrap


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    return new_course(tmp_path_factory.mktemp("released"))


@pytest.fixture
def folder(released, tmp_path):
    """Return a fresh course with the toy lab released."""
    shutil.copytree(released.root.parent, tmp_path, dirs_exist_ok=True)
    return type(released)(tmp_path / "course", type(released.project)(tmp_path / "project"))


@pytest.fixture(scope="module")
def sandbox(released):
    with Sandbox(released.project.root / "recordings") as started:
        yield started


@pytest.fixture
def grade(sandbox):
    """Return what grades a class in a sandbox that is warm already."""

    def run(folder, **settings):
        return toy_class.grade(folder, sandbox=sandbox, **settings)

    return run


def book_of(folder):
    return Gradebook(folder.gradebook_url, course_id=gradebook.COURSE_ID)


def scores_in(folder):
    with book_of(folder) as book:
        return {s.student.id: s.score for s in book.assignment_submissions(NAME)}


def test_right_wrong_and_blank_reach_gradebook_and_table(folder, grade):
    hand_in(folder, "ada")
    hand_in(folder, "bob", 1.0)
    hand_in_blank(folder, "eve")
    hand_in(folder, "uma", right("uma") / 1.5)
    grade(folder)
    assert scores_in(folder) == {"ada": 4.0, "bob": 1.0, "eve": 0.0, "uma": 1.0}
    rows = {row["student"]: row for row in results.read_table(folder)}
    assert rows["ada"]["tasks"]["scaled"] == {"score": 3.0, "points": 3.0, "message": "Right."}
    assert rows["ada"]["records"] == {"found": 1, "verified": 1, "unverified": 0, "rejected": 0}
    assert all(row["status"] == "graded" for row in rows.values())


def test_partial_credit(folder, grade):
    hand_in(folder, "ada", 80e6)
    assert grade(folder)["ada"].tasks["scaled"]["score"] == 1.5
    assert scores_in(folder) == {"ada": 2.5}


def test_a_notebook_without_data_is_scored_by_its_run(folder, grade):
    place = hand_in(folder, "ada")
    shutil.rmtree(place / "work")
    result = grade(folder)["ada"]
    assert result.score == 4.0
    assert any("its own run was scored" in note for note in result.notes)


def test_what_did_not_change_is_not_graded_again(folder, grade):
    hand_in(folder, "ada")
    place = hand_in(folder, "bob", 1.0)
    assert set(grade(folder)) == {"ada", "bob"}
    assert grade(folder) == {}
    answers = json.loads((place / "work" / "answers.json").read_text())
    (place / "work" / "answers.json").write_text(json.dumps(answers | {"scaled": right("bob")}))
    assert set(grade(folder)) == {"bob"}
    assert scores_in(folder) == {"ada": 4.0, "bob": 4.0}
    assert set(grade(folder, force=True)) == {"ada", "bob"}


def test_other_checks_or_points_grade_everybody_again(folder, grade):
    hand_in(folder, "ada", 80e6)
    grade(folder)
    checks = folder.project.checks(NAME)
    checks.write_text(checks.read_text().replace("Result(1.5,", "Result(2,"))
    assert grade(folder)["ada"].score == 3.0


def test_a_grade_given_by_hand_survives(folder, grade):
    place = hand_in(folder, "ada", 1.0)
    grade(folder)
    with book_of(folder) as book:
        words = book.find_grade("words", NAME, NAME, "ada")
        assert words.needs_manual_grade
        words.manual_score, words.needs_manual_grade = 1.5, False
        book.find_grade("scaled", NAME, NAME, "ada").manual_score = 2.0
        book.find_comment("words", NAME, NAME, "ada").manual_comment = "Good."
        book.db.commit()
    grade(folder, force=True)
    with book_of(folder) as book:
        assert book.find_submission(NAME, "ada").score == 1.5 + 2.0 + 1.0
        assert not book.find_grade("words", NAME, NAME, "ada").needs_manual_grade
        assert book.find_comment("words", NAME, NAME, "ada").comment == "Good."
    (place / "more.txt").write_text("another submission")
    grade(folder)
    with book_of(folder) as book:
        assert book.find_grade("words", NAME, NAME, "ada").manual_score == 1.5
        assert book.find_grade("words", NAME, NAME, "ada").needs_manual_grade


def test_a_check_that_crashes_is_the_courses_fault_and_no_score(folder, grade):
    hand_in(folder, "ada")
    checks = folder.project.checks(NAME)
    good = checks.read_text()
    checks.write_text(good.replace('    return Result(1, "Found.")', "    raise SystemError(s)"))
    result = grade(folder)["ada"]
    assert (result.status, result.score) == ("failed", None)
    assert "SystemError" in " ".join(result.notes)
    with book_of(folder) as book:
        grades = book.find_submission_notebook(NAME, NAME, "ada").grades
        assert all(each.auto_score is None and each.needs_manual_grade for each in grades)
    # a failed one is tried again without being asked
    checks.write_text(good)
    assert grade(folder)["ada"].score == 4.0


def test_checks_that_disagree_with_the_release_are_told(folder, grade):
    hand_in(folder, "ada")
    checks = folder.project.checks(NAME)
    checks.write_text(checks.read_text().replace("points=1", "points=2"))
    result = grade(folder)["ada"]
    assert result.status == "failed"
    assert "release the lab again" in " ".join(result.notes)


def test_grading_without_running(folder, grade):
    hand_in(folder, "ada", None, "raise SystemExit(1)\n# a cell\nprint('ran')")
    assert grade(folder, run=False)["ada"].score == 4.0
    notebook = nbformat.read(folder.autograded("ada", NAME) / f"{NAME}.ipynb", as_version=4)
    assert notebook.cells[0].outputs == []


def test_the_time_of_submission_is_nbgraders(folder, grade):
    place = hand_in(folder, "ada")
    (place / "timestamp.txt").write_text("2026-11-02 10:00:00.000000 UTC")
    assert grade(folder)["ada"].submitted == "2026-11-02T10:00:00"
    (hand_in(folder, "bob") / "timestamp.txt").write_text("yesterday, honestly")
    assert grade(folder)["bob"].submitted is None
    with book_of(folder) as book:
        assert book.find_submission(NAME, "ada").timestamp.isoformat() == "2026-11-02T10:00:00"


def test_feedback_says_what_was_wrong_and_shows_no_check(folder, grade):
    hand_in(folder, "ada", 1.0)
    hand_in(folder, "bob", None, "import os\nos._exit(0)")
    grade(folder)
    with book_of(folder) as book:
        words = book.find_grade("words", NAME, NAME, "ada")
        words.manual_score, words.needs_manual_grade = 2.0, False
        book.find_comment("words", NAME, NAME, "ada").manual_comment = "<b>Well</b> said."
        book.db.commit()
        assert feedback.write(folder, book, NAME, ["ada", "bob", "nobody"]) == ["ada", "bob"]
    page = (folder.feedback("ada", NAME) / f"{NAME}.html").read_text()
    for wanted in ("3 of 6 points", "0 of 3", "Not what your record says.", "&lt;b&gt;Well"):
        assert wanted in page
    assert "wanted = record" not in page
    assert "s.number" not in page
    text = (folder.feedback("bob", NAME) / f"{NAME}.md").read_text()
    assert "did not run to its end" in text
    assert "This has not been graded yet." in text


def test_a_machine_without_bubblewrap_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingToolError, match="apt-get install bubblewrap"):
        program()


def test_a_machine_that_forbids_namespaces_is_told(monkeypatch, tmp_path):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with (
        pytest.raises(MissingToolError, match="No permissions to create new namespace"),
        Sandbox(tmp_path),
    ):
        pass


def test_a_lab_that_was_not_released_is_told(folder, grade):
    shutil.rmtree(folder.release(NAME))
    with pytest.raises(GradingError, match=f"lab course release {NAME}"):
        grade(folder)


KILLED = """
import sys
from pathlib import Path
from lab_tools.authoring.source import Course
from lab_tools.course.folder import CourseFolder
from tests.course.toy_class import grade
grade(CourseFolder(Path(sys.argv[1]), Course(Path(sys.argv[2]))))
print("all done")
"""


def start(folder):
    root = Path(__file__).resolve().parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", KILLED, str(folder.root), str(folder.project.root)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def test_a_killed_grader_loses_no_grade_and_repeats_none(folder):
    chance = random.Random(7)
    expected = {}
    for number in range(16):
        student = f"student{number:02}"
        hand_in(folder, student, None if number % 3 else 1.0)
        expected[student] = 4.0 if number % 3 else 1.0
    killed = 0
    graded_at: dict[str, str] = {}
    while killed < 4:
        before = len(results.load_all(folder))
        grader = start(folder)
        # die at a random moment after the first result of this turn
        wanted = before + 1
        while len(results.load_all(folder)) < wanted and grader.poll() is None:
            time.sleep(0.01)
        time.sleep(chance.random() * 0.2)
        if grader.poll() is not None:
            break
        os.kill(grader.pid, signal.SIGKILL)
        grader.communicate()
        killed += 1
        for mark in (folder.root / "results" / NAME).glob(".*.written"):
            name = mark.name.split(".")[1]
            found = results.load(folder, name, NAME)
            # whoever is marked as written is in the gradebook, and is never graded again
            assert scores_in(folder)[name] == expected[name]
            assert graded_at.setdefault(name, found.digest + found.graded) == (
                found.digest + found.graded
            )
    assert killed
    last = start(folder)
    said, _ = last.communicate(timeout=120)
    assert said.strip() == b"all done"
    assert scores_in(folder) == expected
    table = {row["student"]: row["score"] for row in results.read_table(folder)}
    assert table == expected
    for name, known in graded_at.items():
        found = results.load(folder, name, NAME)
        assert found.digest + found.graded == known
    with book_of(folder) as book:
        assert len(book.assignment_submissions(NAME)) == len(expected)


@pytest.mark.kernel
def test_a_notebook_can_run_its_experiments_on_the_kernel(folder):
    place = hand_in(folder, "ada")
    shutil.rmtree(place / "work")
    limits = Limits(wall_s=120, cell_s=100)
    with Sandbox(folder.project.root / "recordings", testbed="virtual") as sandbox:
        result = toy_class.grade(folder, sandbox=sandbox, policy="none", limits=limits)["ada"]
    assert (result.status, result.score) == ("graded", 4.0), result
    assert result.records["found"] == 1
    shown = (folder.autograded("ada", NAME) / f"{NAME}.ipynb").read_text()
    # the recording of this experiment holds 80 Mbit/s, and the path carries nearly 1 Gbit/s
    assert f"{right('ada'):.6g} is your answer" not in shown
