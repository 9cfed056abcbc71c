"""Every lab in JupyterLab: the worked copy run from top to bottom on the course's recordings."""

import shutil

import pytest

from lab_tools.authoring.source import Course
from lab_tools.grading.variant import WORKED_STUDENT
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import jupyterlab

COURSE = Course.here()
#: In `make test`; the others are slow tests.
FIRST = ("00_start_here", "16_defense_games")
NAMES = [
    name if name in FIRST else pytest.param(name, marks=pytest.mark.slow) for name in COURSE.names()
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("worked")
    for name in COURSE.names():
        shutil.copytree(COURSE.worked(name), folder / name, ignore=shutil.ignore_patterns("work"))
    with jupyterlab(folder, LAB_TESTBED="replay", LAB_STUDENT=WORKED_STUDENT) as running:
        yield running


@pytest.mark.parametrize("name", NAMES)
def test_the_worked_copy_runs_without_an_error(page, server, name):
    lab = NotebookPage(page, server, f"{name}/{name}.ipynb")
    lab.run_all()
    assert lab.flaws() == []
    ran = [cell for cell in lab.cells() if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in ran if "".join(cell["source"]).strip())
    figures = [
        number
        for number, cell in enumerate(lab.cells())
        for output in cell.get("outputs", ())
        if "application/vnd.plotly.v1+json" in output.get("data", {})
        or "application/vnd.jupyter.widget-view+json" in output.get("data", {})
    ]
    assert len(figures) >= 2
    cut = []
    for look in ("light", "dark"):
        lab.theme(look)
        for place, number in enumerate(dict.fromkeys(figures)):
            lab.show(number)
            lab.picture(f"{name}_{place:02}_{look}")
            cut += lab.cut_words()
    assert sorted(set(cut)) == []
