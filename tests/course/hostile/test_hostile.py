"""Hostile submissions: contained, scored fairly, told of, and no harm to their neighbours."""

import json
import socket

import nbformat
import psutil
import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from nbgrader.api import Gradebook

from tests.course.hostile.attacks import ATTACKS, LOOT
from tests.course.toy_class import (
    LIMITS,
    grade,
    hand_in,
    hand_in_blank,
    needs_bubblewrap,
    new_course,
)
from tests.grading.toy import NAME

pytestmark = needs_bubblewrap
NEIGHBOURS = {"neighbour_right": 4.0, "neighbour_wrong": 1.0, "neighbour_blank": 0.0}


@pytest.fixture(scope="module")
def server():
    """Return two listening sockets of this machine that nobody may reach."""
    with socket.create_server(("127.0.0.1", 0)) as network, socket.socket(socket.AF_UNIX) as local:
        local.bind(f"\0lab-hostile-{network.getsockname()[1]}")
        local.listen()
        network.setblocking(False)
        local.setblocking(False)
        yield network, local


@pytest.fixture(scope="module")
def batch(tmp_path_factory, server):
    """Grade every attack and its neighbours in one batch."""
    place = tmp_path_factory.mktemp("hostile")
    folder = new_course(place)
    known = {
        "{course}": str(folder.root),
        "{project}": str(folder.project.root),
        "{port}": str(server[0].getsockname()[1]),
        "{abstract}": server[1].getsockname()[1:].decode(),
    }
    hand_in(folder, "neighbour_right")
    hand_in(folder, "neighbour_wrong", 1.0)
    hand_in_blank(folder, "neighbour_blank")
    for name, attack in ATTACKS.items():
        code = attack.code
        for word, value in known.items():
            code = code.replace(word, value)
        cells = [code] if code else []
        hand_in(folder, name, 1.0 if attack.wrong else None, *cells, change=attack.change)
    return folder, grade(folder)


@pytest.fixture(scope="module")
def book(batch):
    with Gradebook(batch[0].gradebook_url, course_id="data_over_distance") as opened:
        yield opened


def shown(folder, student):
    """Return what the notebook of a student showed when it ran."""
    notebook = nbformat.read(folder.autograded(student, NAME) / f"{NAME}.ipynb", as_version=4)
    nbformat.validate(notebook)
    return json.dumps([cell.get("outputs", []) for cell in notebook.cells])


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_contained_scored_fairly_and_told(batch, book, name):
    folder, found = batch
    attack, result = ATTACKS[name], found[name]
    assert result.status in (attack.status, attack.or_status), result
    assert result.score == attack.expected, result
    assert attack.told in " ".join(result.notes)
    assert LOOT not in shown(folder, name)
    assert attack.shows in shown(folder, name)
    submission = book.find_submission(NAME, name)
    assert (submission.score, submission.max_score) == (attack.expected, 6.0)
    assert submission.needs_manual_grade


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_a_neighbour_is_graded_as_usual(batch, book, name):
    _, found = batch
    assert (found[name].status, found[name].score) == ("graded", NEIGHBOURS[name])
    assert book.find_submission(NAME, name).score == NEIGHBOURS[name]


def test_nobody_reached_a_socket_of_this_machine(batch, server):
    for listening in server:
        with pytest.raises(BlockingIOError):
            listening.accept()


def test_no_process_is_left(batch):
    left = [
        p.info for p in psutil.process_iter(["cmdline"]) if "987654" in (p.info["cmdline"] or [])
    ]
    assert left == []


def test_what_is_kept_of_an_output_is_bounded(batch):
    folder, _ = batch
    sizes = {
        name: (folder.autograded(name, NAME) / f"{NAME}.ipynb").stat().st_size for name in ATTACKS
    }
    assert max(sizes.values()) < LIMITS.output_bytes + LIMITS.notebook_bytes


def test_no_script_reaches_the_instructors_browser(batch):
    folder, _ = batch
    file = folder.autograded("script_for_the_instructor", NAME) / f"{NAME}.ipynb"
    # the template that Formgrader's is made of
    page, _ = HTMLExporter(template_name="classic").from_filename(str(file))
    body = BeautifulSoup(page, "html.parser").body
    scripts = [each.get_text() for each in body.find_all("script")]
    assert not any("steal" in each for each in scripts)
    for tag in body.find_all(True):
        assert not any("steal" in str(v) for k, v in tag.attrs.items() if k.startswith("on"))
        assert "steal" not in str(tag.get("href")) + str(tag.get("src"))
    assert "My answer" in body.get_text()


def test_a_crashed_submission_is_told_from_a_wrong_one_in_the_gradebook(batch, book):
    def comment(student):
        return book.find_comment("words", NAME, NAME, student).auto_comment or ""

    assert "did not run to its end" in comment("kill_own_kernel")
    assert comment("neighbour_wrong") == ""
    grades = book.find_submission_notebook(NAME, NAME, "kill_own_kernel").grades
    assert all(grade.needs_manual_grade for grade in grades)
    grades = book.find_submission_notebook(NAME, NAME, "neighbour_wrong").grades
    assert [g.name for g in grades if g.needs_manual_grade] == ["words"]


def test_the_points_are_those_of_the_release(batch, book):
    folder, _ = batch
    for name in ("changed_points", "duplicate_test_cells", "delete_test_cells"):
        notebook = nbformat.read(folder.autograded(name, NAME) / f"{NAME}.ipynb", as_version=4)
        marks = [cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata]
        points = {mark.grade_id: mark.points for mark in marks if mark.grade}
        assert points == {"scaled": 3, "runs": 1, "words": 2}
        assert len(marks) == len({mark.grade_id for mark in marks})
