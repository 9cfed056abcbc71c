"""`lab report`: what a bug report needs, and nothing that says who somebody is."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from lab_tools import command_report
from lab_tools.cli import main
from lab_tools.command_report import Person, mask

ADA = Person("/home/ada", ("ada", "Ada Lovelace"), ("engine.example.org", "engine"))


@pytest.mark.parametrize(
    ("private", "masked"),
    [
        ("/home/ada/labs/x.ipynb", "~/labs/x.ipynb"),
        ("/home/adam/labs", "/home/USER/labs"),
        ("C:\\x /Users/charles/labs", "C:\\x /Users/USER/labs"),
        ("user ada said, Ada Lovelace too", "user USER said, USER too"),
        ("adapter of the tornado", "adapter of the tornado"),
        ("on engine.example.org: engine is up", "on HOST: HOST is up"),
        ("http://localhost:8888/lab?token=0123abc&x=1", "http://localhost:8888/lab?token=...&x=1"),
        ("JUPYTER_TOKEN=0123abc", "JUPYTER_TOKEN=..."),
        ('"password": "sesame"', '"password": "..."'),
        ("https://ada:sesame@pypi.example.org/simple", "https://*@pypi.example.org/simple"),
        ("mail charles.babbage@example.org now", "mail MAIL now"),
        ("from 192.0.2.17 port 22", "from ADDRESS port 22"),
        ("fe80::1ff:fe23:4567:890a is up", "ADDRESS is up"),
        ("ether 02:42:ac:11:00:02", "ether ADDRESS"),
        ("ping 10.0.3.2 and 127.0.0.1", "ping 10.0.3.2 and 127.0.0.1"),
        ("took 12:31:07, kernel 6.1.192-lab", "took 12:31:07, kernel 6.1.192-lab"),
    ],
)
def test_who_somebody_is_is_masked_and_nothing_else(private: str, masked: str) -> None:
    assert mask(private, ADA) == masked


def test_masking_twice_is_masking_once() -> None:
    text = "/home/ada/x token=abc ada@example.org 192.0.2.1 on engine"
    assert mask(mask(text, ADA), ADA) == mask(text, ADA)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project with a log, on a machine whose only testbed is the recordings."""
    logs = tmp_path / "project" / ".uv" / "logs"
    logs.mkdir(parents=True)
    lines = [f"line {number}" for number in range(100)]
    (logs / "jupyter.log").write_text("\n".join([*lines, "http://x/?token=5e5a3e"]))
    (tmp_path / "project" / ".commit").write_text("0123456789abcdef\n")
    partial = tmp_path / "store" / "partial" / "abc"
    partial.mkdir(parents=True)
    (partial / "record.json").write_text('{"experiment": "the broken one"}')
    monkeypatch.setattr(command_report, "PROJECT", tmp_path / "project")
    monkeypatch.setattr(command_report, "examine", lambda: {})
    monkeypatch.setenv("LAB_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("LAB_STUDENT", "ada.lovelace")
    monkeypatch.setenv("LAB_TESTBED", "replay")
    return tmp_path


def test_the_report_has_what_is_needed_and_names_its_file(project: Path) -> None:
    file = project / "report.txt"
    done = CliRunner().invoke(main, ["report", "--output", str(file)])
    assert done.exit_code == 0, done.output
    assert str(file) in done.output
    text = file.read_text()
    for part in ("machine", "versions", "settings", "lab doctor", "logs", "runs that did not"):
        assert f"== {part}" in text
    assert "commit 0123456789abcdef" in text
    assert re.search(r"numpy +\d", text)
    assert "LAB_TESTBED=replay" in text
    assert "the broken one" in text
    # the end of the log, and only the end
    assert "line 99" in text
    assert "line 9\n" not in text


def test_the_report_has_no_private_data(project: Path) -> None:
    file = project / "report.txt"
    CliRunner().invoke(main, ["report", "--output", str(file)])
    text = file.read_text()
    assert "LAB_STUDENT=(set)" in text
    assert "lovelace" not in text
    assert "5e5a3e" not in text


def test_a_file_that_cannot_be_written_is_refused(project: Path) -> None:
    done = CliRunner().invoke(main, ["report", "--output", str(project / "no" / "x.txt")])
    assert done.exit_code == 2
    assert "--output" in done.output
