"""The scripts' form, the Makefile's promises, and how JupyterLab is started."""

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted(
    file
    for file in [*(PROJECT / "scripts").iterdir(), PROJECT / ".ci" / "run"]
    if file.is_file() and file.read_bytes().startswith((b"#!/usr/bin/env bash", b"# shellcheck"))
)


def start_lab() -> ModuleType:
    spec = importlib.util.spec_from_file_location("start_lab", PROJECT / "scripts" / "start_lab.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def a_project(folder: Path, *notebooks: str) -> Path:
    first = folder / "labs" / "00_start_here"
    first.mkdir(parents=True)
    for name in notebooks:
        (first / name).write_text("{}")
    return folder


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda file: file.name)
def test_the_shell_reads_it(script: Path) -> None:
    subprocess.run(["bash", "-n", script], check=True)


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_shellcheck_finds_nothing() -> None:
    done = subprocess.run(["shellcheck", *SCRIPTS], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_no_script_names_an_index() -> None:
    text = "".join(file.read_text() for file in [*SCRIPTS, PROJECT / "Makefile"])
    assert not re.search(r"https?://", text)
    assert "--index-url" not in text


def test_make_alone_prints_help() -> None:
    make = ["make", "-C", PROJECT, "--no-print-directory"]
    alone = subprocess.run(make, capture_output=True, text=True, check=True)
    for target in (
        "make lab ",
        "make lab HEADLESS=1",
        "make test ",
        "make test-full",
        "make check",
    ):
        assert target in alone.stdout


def test_an_unknown_purpose_is_refused() -> None:
    done = subprocess.run([PROJECT / "scripts" / "setup", "lap"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "lap" in done.stderr


def test_the_only_notebook_of_the_first_lab_is_opened(tmp_path: Path) -> None:
    folder, page = start_lab().folder_and_page(a_project(tmp_path, "start here.ipynb"))
    assert folder == tmp_path / "labs"
    assert page == "/lab/tree/00_start_here/start%20here.ipynb"


def test_the_folder_is_opened_when_there_are_several(tmp_path: Path) -> None:
    _, page = start_lab().folder_and_page(a_project(tmp_path, "a.ipynb", "b.ipynb"))
    assert page == "/lab/tree/00_start_here"


def test_the_project_is_opened_while_no_lab_is_built(tmp_path: Path) -> None:
    assert start_lab().folder_and_page(tmp_path) == (tmp_path, "/lab")


def test_headless_opens_no_browser(tmp_path: Path) -> None:
    words = start_lab().command(tmp_path, headless=True, ip="localhost", port=8888)
    assert "--no-browser" in words
    assert "--no-browser" not in start_lab().command(tmp_path, headless=False, ip="", port=1)


def test_the_token_is_not_on_the_command_line(tmp_path: Path) -> None:
    module = start_lab()
    assert module.environment(tmp_path, "secret")["JUPYTER_TOKEN"] == "secret"
    words = module.command(tmp_path, headless=True, ip="localhost", port=8888)
    assert not any("secret" in word for word in words)


def test_news_are_switched_off() -> None:
    file = PROJECT / "scripts/jupyter/labconfig/default_setting_overrides.json"
    settings = json.loads(file.read_text())
    assert settings["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"
