"""environment.yml and pyproject.toml describe one environment."""

import re
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

PROJECT = Path(__file__).resolve().parent.parent
TOP_LEVEL = {"jupyterlab", "ipywidgets", "plotly", "numpy", "scipy", "nbgrader"}


def project() -> dict[str, object]:
    return tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def conda() -> dict[str, object]:
    return yaml.safe_load((PROJECT / "environment.yml").read_text(encoding="utf-8"))


def conda_packages() -> dict[str, SpecifierSet]:
    """Names and versions, conda's own packages and pip's alike."""
    found = {}
    for entry in conda()["dependencies"]:
        lines = entry["pip"] if isinstance(entry, dict) else [entry]
        for line in lines:
            if not line.startswith("--"):
                name, version = re.fullmatch(r"([\w-]+)\s*(.*)", line).groups()
                found[name] = SpecifierSet(version)
    return found


def test_the_same_packages_at_the_same_versions() -> None:
    wanted = {each.name: each.specifier for each in map(Requirement, project()["dependencies"])}
    listed = conda_packages()
    assert listed.pop("python") == SpecifierSet(project()["requires-python"])
    assert listed.pop("pip") == SpecifierSet("")
    assert listed == wanted


def test_what_the_course_is_made_of_is_listed() -> None:
    assert set(conda_packages()) >= TOP_LEVEL


def test_the_package_itself_is_installed() -> None:
    (pip,) = [entry["pip"] for entry in conda()["dependencies"] if isinstance(entry, dict)]
    assert "--editable ." in pip
    assert conda()["name"] == project()["name"]


def test_the_two_that_conda_does_not_have_are_explained() -> None:
    text = (PROJECT / "environment.yml").read_text(encoding="utf-8")
    for name in ("mininet", "containernet"):
        assert re.search(rf"^# - {name} ", text, re.MULTILINE)


def test_the_lock_was_made_from_these_dependencies() -> None:
    lock = tomllib.loads((PROJECT / "uv.lock").read_text(encoding="utf-8"))
    (ours,) = [each for each in lock["package"] if each["name"] == project()["name"]]
    locked = {
        each["name"]: SpecifierSet(each.get("specifier", ""))
        for each in ours["metadata"]["requires-dist"]
    }
    assert locked == {
        each.name: each.specifier for each in map(Requirement, project()["dependencies"])
    }


def test_the_lock_holds_the_groups_of_packages_for_development() -> None:
    told = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    lock = tomllib.loads((PROJECT / "uv.lock").read_text(encoding="utf-8"))
    (ours,) = [each for each in lock["package"] if each["name"] == project()["name"]]
    locked = {
        group: {each["name"]: SpecifierSet(each.get("specifier", "")) for each in wanted}
        for group, wanted in ours["metadata"]["requires-dev"].items()
    }
    assert locked == {
        group: {each.name: each.specifier for each in map(Requirement, wanted)}
        for group, wanted in told["dependency-groups"].items()
    }
    # what `make test` installs
    assert set(told["tool"]["uv"]["default-groups"]) >= {"dev", "docs"}


def test_conda_is_not_asked_for_the_tools_of_development() -> None:
    told = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    tools = {
        Requirement(each).name for group in told["dependency-groups"].values() for each in group
    }
    assert not tools & set(conda_packages())
