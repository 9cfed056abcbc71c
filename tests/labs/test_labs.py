"""Every lab, worked, blank and plausibly wrong, from its release to the exported grades."""

import importlib.util
import json
import os
import shutil
from pathlib import Path

import nbformat
import pytest

from lab_tools.authoring.build import execute_into
from lab_tools.grading.variant import WORKED_STUDENT
from lab_tools.authoring.source import Course, read
from lab_tools.grading.judge import judge
from tests.grading.course import grade

COURSE = Course.here()
NAMES = COURSE.names()


@pytest.fixture(scope="module", autouse=True)
def on_replay():
    before = dict(os.environ)
    os.environ.update(LAB_TESTBED="replay", LAB_RECORDINGS=str(COURSE.root / "recordings"))
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="module", params=NAMES)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def worked(name, tmp_path_factory):
    """Return the folder of the worked copy, run on the course's recordings."""
    folder = tmp_path_factory.mktemp(name)
    execute_into(COURSE, name, read(COURSE.source(name)), folder, WORKED_STUDENT)
    return folder


def wrong_submissions(name):
    """Return the plausible wrong submissions of a lab (`tests/labs/wrong`)."""
    file = Path(__file__).parent / "wrong" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"wrong_{name}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.WRONG


def points(found):
    return {task: result["score"] for task, result in found.items()}


def test_the_worked_copy_gets_full_marks(name, worked):
    found = judge(COURSE.checks(name), worked, WORKED_STUDENT)
    lost = {t: r["message"] for t, r in found.items() if r["score"] != r["points"]}
    assert lost == {}
    assert len(found) >= 4


def test_plausible_mistakes_lose_exactly_what_they_should(name, worked, tmp_path):
    full = points(judge(COURSE.checks(name), worked, WORKED_STUDENT))
    wrong = wrong_submissions(name)
    assert len(wrong) >= 3
    for number, (mistake, lost) in enumerate(wrong):
        folder = tmp_path / str(number)
        shutil.copytree(worked, folder)
        file = folder / "work" / "answers.json"
        file.write_text(json.dumps(mistake(json.loads(file.read_text()))))
        found = points(judge(COURSE.checks(name), folder, WORKED_STUDENT))
        assert found == {**full, **lost}, mistake.__name__


def test_the_shipped_copies_are_those_of_the_source(name):
    """The notebooks in labs/ and solutions/ were built from the source as it is now."""
    source = [c.source for c in read(COURSE.source(name)).cells]
    shipped = nbformat.read(COURSE.worked(name) / f"{name}.ipynb", as_version=4)
    assert [c.source for c in shipped.cells] == source
    blank = nbformat.read(COURSE.student(name) / f"{name}.ipynb", as_version=4)
    assert len(blank.cells) == len(source)
    same = [b.source == s for b, s in zip(blank.cells, source, strict=True)]
    assert sum(same) >= len(same) / 2
    assert "BEGIN SOLUTION" not in json.dumps(blank)
    assert (COURSE.student(name) / "lab.toml").read_bytes() == COURSE.about(name).read_bytes()


def test_the_worked_copy_shows_figures_and_no_error(name):
    shipped = nbformat.read(COURSE.worked(name) / f"{name}.ipynb", as_version=4)
    outputs = [o for c in shipped.cells for o in c.get("outputs", ())]
    assert all(o.output_type != "error" for o in outputs)
    assert all(o.get("name") != "stderr" for o in outputs)


def test_release_submit_autograde_feedback_export(name, worked, tmp_path):
    rows = grade(COURSE, name, tmp_path, {"blank": None, WORKED_STUDENT: worked})
    handed_in = Path(tmp_path, "submitted", WORKED_STUDENT, name)
    auto = sum(r["points"] for r in judge(COURSE.checks(name), handed_in, WORKED_STUDENT).values())
    assert rows["blank"]["score"] == 0
    # what is not autograded is the manual task's
    assert rows[WORKED_STUDENT]["score"] == auto < rows[WORKED_STUDENT]["max_score"]
    text = Path(tmp_path, "feedback", WORKED_STUDENT, name, f"{name}.html").read_text()
    assert "points." in text


@pytest.mark.kernel
@pytest.mark.slow
def test_the_worked_copy_on_the_kernel(name, tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_TESTBED", "virtual")
    execute_into(COURSE, name, read(COURSE.source(name)), tmp_path, "somebody")
    found = judge(COURSE.checks(name), tmp_path, "somebody")
    assert {t: r["message"] for t, r in found.items() if r["score"] != r["points"]} == {}
