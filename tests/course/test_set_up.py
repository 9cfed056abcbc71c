"""Making a course, releasing into it, and collecting from what learning systems give."""

import io
import json
import os
import stat
import zipfile

import pytest
from click.testing import CliRunner
from nbgrader.api import Gradebook

from lab_tools.cli import main
from lab_tools.course.collecting import collect_from
from lab_tools.course.folder import CourseFolder
from lab_tools.course.release import init, release
from lab_tools.errors import GradingError, InputError
from tests.course.toy_class import new_course
from tests.grading.toy import NAME, make_course


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return new_course(tmp_path_factory.mktemp("course"))


def lab(*words, **env):
    return CliRunner().invoke(main, ["course", *words], env=env)


@pytest.mark.parametrize(
    "words", [[], ["init"], ["release"], ["collect"], ["grade"], ["feedback"], ["status"]]
)
def test_every_command_has_help(words):
    result = lab(*words, "--help")
    assert result.exit_code == 0
    assert "Usage:" in result.stdout


@pytest.mark.parametrize(
    "words", [["status"], ["grade", "02"], ["collect", "02"], ["release", "02"]]
)
def test_without_a_course_the_way_to_one_is_told(words, tmp_path):
    result = lab(*words, LAB_COURSE=str(tmp_path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"lab: there is no course in {tmp_path}")
    assert "lab course init" in result.stderr


def test_init_makes_a_course_and_keeps_what_is_there(tmp_path):
    names = tmp_path / "names"
    names.write_text("# our class\nada\nbob, Bob\n\n")
    place = tmp_path / "course"
    result = lab("init", "--students", str(names), LAB_COURSE=str(place))
    assert result.exit_code == 0, result.output
    assert "2 students" in result.stdout
    names.write_text("eve\n")
    again = lab("init", "--students", str(names), LAB_COURSE=str(place))
    assert "3 students" in again.stdout
    # students share the machine: the gradebook and the submissions are none of their business
    for private in ("gradebook.db", "submitted", "autograded", "source", "results"):
        assert stat.S_IMODE((place / private).stat().st_mode) & 0o077 == 0
    assert "no lab" in lab("status", LAB_COURSE=str(place)).stdout.lower()
    result = lab("grade", "02", LAB_COURSE=str(place))
    assert "has not been released" in result.stderr
    assert "lab course release 02" in result.stderr


@pytest.mark.parametrize("name", ["../ada", "a b", "", ".hidden", "x" * 101])
def test_a_name_that_is_no_folder_is_refused(tmp_path, name):
    with pytest.raises(InputError, match="student"):
        init(CourseFolder(tmp_path, make_course(tmp_path / "project")), [name])


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(GradingError, match="LAB_COURSE"):
        init(CourseFolder(tmp_path / "file" / "x", make_course(tmp_path / "project")), [])


def test_a_lab_is_not_released_twice_by_accident(folder):
    with pytest.raises(GradingError, match="--force"):
        release(folder, NAME)
    assert "BEGIN SOLUTION" not in (folder.release(NAME) / f"{NAME}.ipynb").read_text()
    with Gradebook(folder.gradebook_url, course_id="data_over_distance") as book:
        assert book.find_assignment(NAME).max_score == 6.0


def zipped(files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


NOTEBOOK = json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
HANDED = {f"{NAME}.ipynb": NOTEBOOK, "work/answers.json": '{"scaled": 1}'}
INSIDE = {f"{NAME}/{name}": content for name, content in HANDED.items()}


def collected(folder, student):
    place = folder.submitted(student, NAME)
    return sorted(str(f.relative_to(place)) for f in place.rglob("*") if f.is_file())


WANTED = sorted([*HANDED, "lab.toml", "timestamp.txt"])


def test_canvas_gives_a_zip_file_of_zip_files(folder, tmp_path):
    file = tmp_path / "submissions.zip"
    files = {"canvas1_77_1234_lab.zip": zipped(HANDED), "canvas2_LATE_78_1_x.zip": zipped(INSIDE)}
    file.write_bytes(zipped(files))
    assert collect_from(folder, NAME, file) == {"canvas1": [], "canvas2": []}
    assert collected(folder, "canvas1") == collected(folder, "canvas2") == WANTED


def test_moodle_gives_a_folder_for_each_student(folder, tmp_path):
    for student in ("moodle1", "moodle2"):
        place = tmp_path / "all" / f"{student}_4711_assignsubmission_file_"
        place.mkdir(parents=True)
        (place / "lab.zip").write_bytes(zipped(INSIDE))
    collect_from(folder, NAME, tmp_path / "all")
    assert collected(folder, "moodle1") == collected(folder, "moodle2") == WANTED


def test_a_notebook_alone_and_names_of_ones_own(folder, tmp_path):
    (tmp_path / "lab2-lone.ipynb").write_text(NOTEBOOK)
    collect_from(folder, NAME, tmp_path, r"lab2-(?P<student>\w+)")
    assert collected(folder, "lone") == [f"{NAME}.ipynb", "lab.toml", "timestamp.txt"]


def test_what_is_collected_again_replaces_what_was(folder, tmp_path):
    (tmp_path / "again.zip").write_bytes(zipped({**HANDED, "old.txt": "old"}))
    collect_from(folder, NAME, tmp_path)
    (tmp_path / "again.zip").write_bytes(zipped(HANDED))
    collect_from(folder, NAME, tmp_path)
    assert collected(folder, "again") == WANTED


def test_a_zip_file_writes_nowhere_else(folder, tmp_path):
    evil = {"../../evil.txt": "x", "/tmp/evil.txt": "x", **HANDED}
    (tmp_path / "climber.zip").write_bytes(zipped(evil))
    collect_from(folder, NAME, tmp_path)
    assert collected(folder, "climber") == WANTED
    assert not list(folder.root.rglob("evil.txt"))


def test_a_link_in_a_zip_file_is_left_out(folder, tmp_path):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(f"{NAME}.ipynb", NOTEBOOK)
        link = zipfile.ZipInfo("passwords")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    (tmp_path / "linker.zip").write_bytes(made.getvalue())
    collect_from(folder, NAME, tmp_path)
    assert collected(folder, "linker") == [f"{NAME}.ipynb", "lab.toml", "timestamp.txt"]


def test_the_time_is_that_of_the_file_and_not_what_the_student_says(folder, tmp_path):
    (tmp_path / "late.zip").write_bytes(zipped({**HANDED, "timestamp.txt": "1999-01-01 00:00:00"}))
    os.utime(tmp_path / "late.zip", (1.8e9, 1.8e9))
    collect_from(folder, NAME, tmp_path)
    text = (folder.submitted("late", NAME) / "timestamp.txt").read_text()
    assert text == "2027-01-15 08:00:00 UTC\n"


def test_what_cannot_be_collected_is_told(folder, tmp_path):
    with pytest.raises(InputError, match="--from"):
        collect_from(folder, NAME, tmp_path / "nowhere")
    with pytest.raises(InputError, match="group"):
        collect_from(folder, NAME, tmp_path, "x")
    with pytest.raises(InputError, match="regular expression"):
        collect_from(folder, NAME, tmp_path, "(")
    (tmp_path / "ada.zip").write_text("no zip file")
    with pytest.raises(GradingError, match=r"ada\.zip"):
        collect_from(folder, NAME, tmp_path)
    (tmp_path / "ada.zip").write_bytes(zipped(HANDED))
    (tmp_path / "ada_2.zip").write_bytes(zipped(HANDED))
    with pytest.raises(InputError, match="ada has two"):
        collect_from(folder, NAME, tmp_path)
