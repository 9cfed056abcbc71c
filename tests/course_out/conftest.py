"""One released toy course for all tests here; each test gets a copy."""

import shutil

import pytest

from lab_tools.authoring.source import Course
from lab_tools.course.folder import CourseFolder
from tests.course_out.graded import make


@pytest.fixture(scope="session")
def released(tmp_path_factory):
    return make(tmp_path_factory.mktemp("released"))


@pytest.fixture
def folder(released, tmp_path, monkeypatch):
    """Return a fresh course with the toy lab released; the commands find it too."""
    shutil.copytree(released.root.parent, tmp_path / "made")
    made = CourseFolder(tmp_path / "made" / "course", Course(tmp_path / "made" / "project"))
    monkeypatch.setenv("LAB_COURSE", str(made.root))
    monkeypatch.setattr(Course, "here", classmethod(lambda cls: made.project))
    return made
