"""Collusion shows, and honest work, honest mistakes and coincidences do not."""

import json
import math
import shutil
from itertools import combinations

import pytest
from click.testing import CliRunner

from lab_tools.cli import main
from lab_tools.course import chance, collusion, foreign, handed_in, results, swapped, variants
from lab_tools.course.folder import CourseFolder
from lab_tools.course.handed_in import HandedIn, Seen
from lab_tools.course.release import init
from lab_tools.experiment import Experiment, Path
from lab_tools.store import Store
from tests.course.toy_class import factor, hand_in, right
from tests.course_out import graded
from tests.course_out.class02 import LAB, PROJECT, change, grade, made_up, work
from tests.grading.toy import NAME

HONEST = ("cai", "dee", "fay", "gus")


@pytest.fixture(scope="module")
def class02(tmp_path_factory):
    """A class of lab 02: bob gives ada's answers, eve hands in ada's folder."""
    root = tmp_path_factory.mktemp("class02")
    folder = CourseFolder(root, PROJECT)
    init(folder, [])
    folder.release(LAB).mkdir(parents=True)
    for name in (f"{LAB}.ipynb", "lab.toml"):
        shutil.copy(PROJECT.student(LAB) / name, folder.release(LAB))
    for student in ("ada", "bob", *HONEST):
        work(student, folder.submitted(student, LAB))
    given = folder.submitted("ada", LAB)
    shutil.copytree(given, folder.submitted("eve", LAB))
    (folder.submitted("eve", LAB) / "work" / "lab.json").write_text(
        json.dumps({"lab": LAB, "student": "eve"})
    )
    change(folder, "bob", **json.loads((given / "work" / "answers.json").read_text()))
    # honest mistakes, and a number that somebody typed from the text book
    answers = json.loads((folder.submitted("cai", LAB) / "work" / "answers.json").read_text())
    change(folder, "cai", loss_exponent=-answers["loss_exponent"])
    change(folder, "dee", kept_percent=0.016, deck_percent=1 / 22000, rtt_exponent=-0.9)
    change(folder, "gus", deck_percent=1 / 22000, rtt_exponent=-0.9, loss_exponent=-0.5)
    # somebody tried another distance, which the explorer invites them to do
    own = variants.variant(folder, LAB, "fay")["rtt_ms"]
    other_s = next(each for each in (16, 20, 24) if each != own) / 1000
    seen = made_up(Experiment(Path(10e9, other_s, loss=0.001), duration_s=20))
    Store(folder.submitted("fay", LAB) / "work" / "runs").put(seen)
    for student in folder.students(LAB):
        grade(folder, student)
    return folder


def inputs(folder, lab=LAB):
    class_ = [handed_in.read(folder, student, lab) for student in folder.students(lab)]
    scores = {each.student: each.tasks for each in results.load_all(folder, lab)}
    return class_, scores, variants.variants(folder, lab, [each.student for each in class_])


def test_the_class_differs_in_its_parameters(class02):
    drawn = inputs(class02)[2]
    assert all(drawn[a] != drawn[b] for a, b in combinations(drawn, 2))


def test_who_shares_what_in_lab_02(class02, monkeypatch):
    monkeypatch.setenv("LAB_COURSE", str(class02.root))
    done = CliRunner().invoke(
        main, ["course", "collusion", "02", "--json", "--quiet", "--chance", "0.05"]
    )
    assert done.exit_code == 0, done.output
    flags = json.loads(done.stdout)
    found = {(each["student"], each["other"], each["kind"]): each for each in flags}
    assert ("bob", "ada", "answers") in found
    assert ("eve", "ada", "same run") in found
    assert ("eve", "ada", "parameters") in found
    copied = found["bob", "ada", "answers"]["what"]
    for task in ("constant", "mss_gain", "kept_percent", "loss_budget"):
        assert task in copied
    # the same for everybody, so no sign of anything
    assert "deck_percent" not in copied
    assert found["bob", "ada", "answers"]["chance"] < 1e-3
    assert found["eve", "ada", "parameters"]["chance"] < 0.05
    named = {name for each in flags for name in (each["student"], each["other"])}
    assert named == {"ada", "bob", "eve"}


def test_equal_wrong_answers_without_the_sandbox(class02):
    class_, scores, drawn = inputs(class02)
    found = swapped.equal(class_, scores, drawn)
    pairs = {pair for pair, matches in found.items() if len(matches) > 2}
    assert ("bob", "ada") in pairs
    assert ("bob", "eve") in pairs
    assert not {name for pair in pairs for name in pair} & set(HONEST)


def test_the_rules_of_lab_02_are_found_out(class02):
    class_, _, drawn = inputs(class02)
    rules = foreign.learn(class_, drawn).rules
    assert {("rtt_ms", 0.001), ("rtt_ms", 0.0005), ("rtt_ms", 0.002)} <= rules["path.rtt_s"]
    assert ("wan_ms", 0.001) in rules["path.rtt_s"]
    assert ("loss", 16.0) in rules["path.loss"]
    assert ("seed", 0.0) in rules["seed"]
    assert rules["path.buffer_bytes"] == {("firewall_kb", 1000.0)}
    # what is the same for everybody follows from nobody's parameters
    assert not {"duration_s", "omit_s", "path.rate_bps", "path.mtu_bytes"} & set(rules)


def test_text_is_careful_and_the_table_is_private(class02, monkeypatch, tmp_path):
    monkeypatch.setenv("LAB_COURSE", str(class02.root))
    table = tmp_path / "flags.csv"
    words = ["course", "collusion", "02", "--no-judge", "--csv", str(table)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "not a verdict" in done.stdout
    assert "eve / ada (same run; not by chance)" in done.stdout
    assert table.stat().st_mode & 0o077 == 0
    assert "bob" in table.read_text("utf-8-sig")


def test_the_toy_lab_in_the_sandbox(folder, monkeypatch):
    """Names are chosen so that factors differ; the wrong answer fits exactly one of them."""
    names = {}
    for number in range(100):
        names.setdefault(factor(f"s{number}"), f"s{number}")
    victim, copier, *others = names.values()
    for student in (victim, *others):
        hand_in(folder, student)
        graded.write(folder, student, 3.0)
    hand_in(folder, copier, right(victim))
    graded.write(folder, copier, 0.0)
    monkeypatch.setenv("LAB_RECORDINGS", str(folder.project.root / "recordings"))
    words = ["course", "collusion", "90", "--json", "--quiet", "--chance", "1"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    flags = json.loads(done.stdout)
    assert [(each["student"], each["other"], each["kind"]) for each in flags] == [
        (copier, victim, "answers")
    ]
    assert "scaled" in flags[0]["what"]
    # nine pairs of right answers in another's place, none of them fits: Laplace's rule
    assert flags[0]["chance"] == pytest.approx(1 - (1 - 1 / 11) ** 3)


def test_data_that_breaks_the_checks_is_named(folder, monkeypatch):
    checks = folder.project.checks(NAME)
    odd = "    if s.student == 'eve':\n        raise SystemExit\n    record = s.record("
    checks.write_text(checks.read_text().replace("    record = s.record(", odd, 1))
    for student in ("ada", "eve"):
        hand_in(folder, student, 1.0)
        graded.write(folder, student, 0.0)
    monkeypatch.setenv("LAB_RECORDINGS", str(folder.project.root / "recordings"))
    done = CliRunner().invoke(main, ["course", "collusion", "90", "--quiet", "--json"])
    assert done.exit_code == 0, done.output
    assert "in the place of eve" in done.stderr
    assert json.loads(done.stdout) == []


def test_a_run_that_ships_with_the_course_is_no_copy(tmp_path):
    experiment = Experiment(Path(1e9, 0.01), duration_s=1.0)
    Store(tmp_path / "recordings").put(made_up(experiment))
    file = next((tmp_path / "recordings").glob("*/*/*/record.json"))
    digest = handed_in.hashlib.sha256(file.read_bytes()).hexdigest()
    seen = (Seen(experiment.id, experiment.to_dict(), digest),)
    class_ = [HandedIn(name, {}, {}, name, seen) for name in ("ada", "bob")]
    assert collusion.shared_runs(class_, tmp_path / "recordings") == []
    flags = collusion.shared_runs(class_, tmp_path / "none")
    assert {(each.student, each.other) for each in flags} == {("ada", "bob"), ("bob", "ada")}


def test_two_runs_of_one_experiment_are_no_copy(tmp_path):
    experiment = Experiment(Path(1e9, 0.01), duration_s=1.0)
    for name in ("ada", "bob"):
        Store(tmp_path / name).put(made_up(experiment))
    digests = {
        handed_in.hashlib.sha256(file.read_bytes()).hexdigest()
        for file in tmp_path.glob("*/*/*/*/record.json")
    }
    assert len(digests) == 2


def test_data_that_names_somebody_else():
    class_ = [HandedIn("bob", {}, {}, "ada", ()), HandedIn("ada", {}, {}, "ada", ())]
    (flag,) = collusion.borrowed_names(class_)
    assert (flag.student, flag.other, flag.kind) == ("bob", "ada", "name")


def test_a_small_class_teaches_no_rules():
    class_ = [HandedIn(name, {}, {}, name, ()) for name in ("ada", "bob", "cai")]
    assert foreign.learn(class_, {each.student: {"rtt_ms": 16} for each in class_}).rules == {}


def test_chances():
    # the birthday problem, where 23 people suffice for one half (von Mises 1939), has this form
    pairs = 23 * 22 // 2
    assert chance.once_in([1 / 365], pairs) == pytest.approx(0.5005, abs=1e-4)
    assert chance.once_in([], 0) == 0
    # Laplace: after the sun has risen n times, the chance that it will not is 1 in n + 2
    assert chance.rate(0, 1_826_213) == pytest.approx(1 / 1_826_215)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a": NaN}',
        "[1, 2]",
        "\x00",
        '{"experiment": 3}',
        '{"experiment": {"a": 1e999}}',
    ],
)
def test_hostile_data_is_no_trouble(folder, text):
    place = graded.hand_in(folder, "eve", answers={"scaled": 1e400})
    record = place / "work" / "runs" / "ab" / "abc" / "virtual" / "record.json"
    record.parent.mkdir(parents=True)
    for file in (record, *(place / "work" / f"{n}.json" for n in ("lab", "predictions"))):
        file.write_text(text)
    found = handed_in.read(folder, "eve", NAME)
    assert found.made_by is None
    assert found.predictions == {}
    rules = foreign.learn([found] * foreign.FEWEST, {"eve": {"factor": 2}})
    assert all(
        math.isfinite(v) for seen in found.records for _, v in foreign.leaves(seen.experiment)
    )
    assert rules.rules == {}


def test_an_ungraded_lab_is_said(folder):
    done = CliRunner().invoke(main, ["course", "collusion", "90"])
    assert done.exit_code == 1
    assert "Grade first" in done.output
