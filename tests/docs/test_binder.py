"""The start in a BinderHub: the same Python and the same locked packages."""

import re
import subprocess
import tomllib
from pathlib import Path

from packaging.specifiers import SpecifierSet

from lab_tools.grading.variant import WORKED_STUDENT

ROOT = Path(__file__).resolve().parents[2]


def test_its_python_suits_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = (ROOT / "binder" / "runtime.txt").read_text().strip().removeprefix("python-")
    assert f"{version}.0" in SpecifierSet(project["requires-python"])


def test_it_installs_the_projects_own_uv():
    script = (ROOT / "binder" / "postBuild").read_text(encoding="utf-8")
    command = re.search(r"\$\((sed [^)]*)\)", script)[1]
    found = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True).stdout
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", found)


def test_it_starts_on_recorded_runs():
    ask = "printenv LAB_TESTBED LAB_STUDENT"
    said = subprocess.run(
        [ROOT / "binder" / "start", "sh", "-c", f"{ask}; ls $JUPYTER_CONFIG_PATH"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.splitlines() == ["replay", WORKED_STUDENT, "labconfig"]
