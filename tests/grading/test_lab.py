"""A student's notebook: predictions before runs, answers as data, nothing lost."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_tools.errors import GradingError, UnknownNameError
from lab_tools.grading import Lab
from lab_tools.grading.files import read_json, write_json
from lab_tools.grading.lab import implausible
from lab_tools.grading.variant import LabFile, course_seed, draw
from tests.grading.toy import EXPERIMENT, NAME, lab_folder, make_course


@pytest.fixture
def lab(tmp_path, monkeypatch):
    make_course(tmp_path)
    monkeypatch.setenv("LAB_RECORDINGS", str(tmp_path / "recordings"))
    monkeypatch.setenv("LAB_TESTBED", "replay")
    monkeypatch.setenv("LAB_STUDENT", "ada")
    return Lab(NAME, lab_folder(tmp_path / "mine"))


def test_no_run_before_the_prediction(lab):
    with pytest.raises(GradingError, match="predict first: guess"):
        lab.run(EXPERIMENT)
    with pytest.raises(GradingError, match="predict first: guess"):
        lab.session(EXPERIMENT.path)
    lab.predict("guess", 1.0)
    assert lab.run(EXPERIMENT).experiment == EXPERIMENT


def test_a_prediction_may_change_before_the_first_run_and_not_after(lab, capsys):
    lab.predict("guess", 1.0)
    lab.predict("guess", 2.0)
    lab.run(EXPERIMENT)
    lab.predict("guess", 2.0)
    with pytest.raises(GradingError, match=r"prediction was 2\.0"):
        lab.predict("guess", 3.0)
    stored = json.loads((lab.folder / "work" / "predictions.json").read_text())
    assert stored["guess"]["value"] == 2.0
    assert len(stored["guess"]["sha256"]) == 64


def test_answers_are_plain_data_that_survive(lab, capsys):
    lab.answer("scaled", np.float64(3.5))
    lab.answer("runs", ["a"])
    assert json.loads((lab.folder / "work" / "answers.json").read_text()) == {
        "scaled": 3.5,
        "runs": ["a"],
    }
    for bad in (object(), float("nan"), {1, 2}):
        with pytest.raises(GradingError, match="cannot be handed in"):
            lab.answer("scaled", bad)
    assert read_json(lab.folder / "work" / "answers.json", {})["scaled"] == 3.5
    with pytest.raises(UnknownNameError, match="scaled, runs"):
        lab.answer("scale", 1)


def test_the_visible_check_speaks_of_kind_and_range_only(lab, capsys):
    lab.check("scaled")
    lab.answer("scaled", -1.0)
    lab.check("scaled")
    lab.answer("scaled", "much")
    lab.check("scaled")
    lab.answer("scaled", 5.0)
    lab.check("scaled")
    said = capsys.readouterr().out
    assert "no answer yet" in said
    assert "outside 0 to ∞ bit/s" in said
    assert "is not a number" in said
    assert "can be graded" in said


def test_a_damaged_file_is_told_and_kept(lab):
    file = lab.folder / "work" / "answers.json"
    file.write_text("{")
    with pytest.raises(GradingError, match="cannot be read"):
        lab.answer("scaled", 1.0)
    assert file.read_text() == "{"


def test_a_notebook_elsewhere_is_told(tmp_path):
    with pytest.raises(GradingError, match="in its own folder"):
        Lab(NAME, tmp_path)


def test_a_lab_file_with_an_unknown_table_is_refused(tmp_path):
    file = tmp_path / "lab.toml"
    file.write_text("[surprise]\n")
    with pytest.raises(UnknownNameError, match="surprise"):
        LabFile.read(file)


@given(st.text(min_size=1), st.text(), st.lists(st.integers(), min_size=1, max_size=9))
def test_a_variant_is_always_the_same_and_one_of_the_choices(student, seed, choices):
    table = {"a": choices}
    first = draw("02", student, table, seed)
    assert first == draw("02", student, table, seed)
    assert first["a"] in choices
    assert draw("02", student, {**table, "b": [1, 2]}, seed)["a"] == first["a"]


def test_variants_spread_over_the_choices():
    table = {"x": [0, 1, 2, 3]}
    drawn = [draw("02", f"student{n}", table, "s")["x"] for n in range(4000)]
    counts = np.bincount(drawn)
    # a fair draw of 4000 into 4 has a standard deviation of 27 in each
    assert np.abs(counts - 1000).max() < 5 * 27.4


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    file = tmp_path / "a.json"
    write_json(file, {"a": 1})
    with pytest.raises(GradingError):
        write_json(file, {"a": object()})
    assert read_json(file, None) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    with pytest.raises(GradingError, match="cannot be written"):
        write_json(tmp_path / "a.json" / "b.json", 1)


@pytest.mark.parametrize(
    ("value", "wanted", "problem"),
    [
        (1, {}, ""),
        (True, {}, "is not a number"),
        ([1], {"kind": "list"}, ""),
        ("a", {"kind": "list"}, "is not a list"),
        (3, {"low": 0, "high": 2}, "outside 0 to 2"),
    ],
)
def test_plausibility(value, wanted, problem):
    said = implausible(value, wanted)
    assert said.startswith(("", "is")[bool(problem)])
    assert problem in said
    assert bool(said) == bool(problem)


def test_without_a_kernel_and_a_name_one_works_with_the_recordings_parameters(
    lab, tmp_path, monkeypatch, capsys
):
    monkeypatch.delenv("LAB_STUDENT")
    monkeypatch.delenv("LAB_TESTBED")
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    capsys.readouterr()
    other = Lab(NAME, lab_folder(tmp_path / "other"))
    assert capsys.readouterr().out.startswith("Recorded runs: ")
    assert other.variant == draw(NAME, "worked", other.about.variant, course_seed())
    other.predict("guess", 1.0)
    assert other.run(EXPERIMENT).testbed == "virtual"


def test_a_named_student_keeps_the_own_parameters_on_recordings(lab, capsys):
    assert lab.student == "ada"
    assert "Recorded runs" not in capsys.readouterr().out
