"""Grades for Canvas, Moodle and a spreadsheet, as those read them."""

import csv
import io

import pandas as pd
import pytest
from click.testing import CliRunner
from nbgrader.api import Gradebook

from lab_tools.cli import main
from lab_tools.course import standings
from lab_tools.course.canvas import canvas
from lab_tools.course.export import Book, Choices, gather, plain
from lab_tools.course.moodle import moodle
from lab_tools.course.results import CRASHED, FAILED, SUSPECT
from lab_tools.course.roster import Person
from lab_tools.course.standings import MISSING, Standing
from lab_tools.errors import InputError
from tests.course_out.graded import TOTAL, write
from tests.grading.toy import NAME

LAB = "02_mathis_science_dmz"


def book(*people, **given):
    """Return a book of lab 02: name to score, or to a standing."""
    made = {
        name: each if isinstance(each, Standing) else Standing(LAB, name, "graded", 22.0, each)
        for name, each in given.items()
    }
    return gather(people or None, {LAB: made})


def table(export, separator=","):
    return list(csv.reader(io.StringIO(export.text, newline=""), delimiter=separator))


ADA = Person("ada", "Lovelace, Ada", "U1", "Ada@example.org", "Group A", "901")
BOB = Person("bob", "=HYPERLINK(1)", "U2", "bob@example.org")


def test_the_columns_of_canvas():
    made = canvas(book(ADA, BOB, ada=21.5, bob=3.0), Choices(titles={LAB: "Lab 2 (4711)"}))
    assert not made.text.startswith("\ufeff")
    assert table(made) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab 2 (4711)"],
        ["    Points Possible", "", "", "", "", "22"],
        ["Lovelace, Ada", "901", "U1", "ada", "Group A", "21.5"],
        ["'=HYPERLINK(1)", "", "U2", "bob", "", "3"],
    ]


def canvas_reads(text):
    """Find titles, points and grades as Canvas's GradebookImporter does, by its own steps."""
    lines = text.splitlines()[:3]
    fields = {s: {len(next(csv.reader([x], delimiter=s))) for x in lines} for s in ";,"}
    counts = {s: n.pop() if len(n) == 1 else 0 for s, n in fields.items()}
    separator = ";" if counts[";"] > counts[","] else ","
    rows = [
        [cell.replace(",", ".") if cell.replace(",", "").isdecimal() else cell for cell in row]
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    ]
    header = rows[0]
    assert len(header) > 3
    assert "Student" in header[0]
    assert "ID" in header[1]
    assert "SIS User ID" in header[2]
    assert "SIS Login ID" in header[3]
    assert "Section" in header[4]
    points = next(row for row in rows if "Points Possible" in row[0])
    people = {row[3]: dict(zip(header[5:], row[5:], strict=True)) for row in rows[2:]}
    return dict(zip(header[5:], points[5:], strict=True)), people


@pytest.mark.parametrize("semicolon", [False, True])
def test_canvas_finds_separator_points_and_grades(semicolon):
    made = canvas(book(ADA, BOB, ada=21.25, bob=3.0), Choices(semicolon=semicolon))
    assert canvas_reads(made.text) == (
        {LAB: "22"},
        {"ada": {LAB: "21.25"}, "bob": {LAB: "3"}},
    )


def test_canvas_gets_no_empty_row_that_would_remove_a_grade():
    made = canvas(book(ADA, BOB, ada=5.0), Choices())
    assert made.people == 1
    assert any("1 handed in nothing: bob" in each for each in made.problems)
    assert table(canvas(book(ADA, BOB, ada=5.0), Choices(missing="zero")))[3][5] == "0"


@pytest.mark.parametrize("title", ["Lab Final Score", "ID", "=1+1", "", "two\nlines"])
def test_canvas_titles_that_mean_something_else_are_refused(title):
    with pytest.raises(InputError, match="--title"):
        canvas(book(ADA, ada=5.0), Choices(titles={LAB: title}))


def test_a_name_that_canvas_would_take_for_another_is_left_out():
    made = canvas(book(Person("-1+1"), **{"-1+1": 5.0}), Choices())
    assert len(table(made)) == 2
    assert "it is left out" in made.problems[-1]
    with pytest.raises(InputError, match="canvas_id"):
        canvas(book(Person("ada", canvas_id="U1"), ada=5.0), Choices())


def test_the_columns_of_moodle():
    crashed = Standing(LAB, "bob", CRASHED, 22.0, 0.0, waiting=True, notes=("It took too long.",))
    made = moodle(book(ADA, BOB, ada=21.5, bob=crashed), Choices(match="email", missing="zero"))
    assert table(made) == [
        ["Email address", "Full name", f"{LAB} (Real)", f"{LAB} (Feedback)"],
        ["Ada@example.org", "Lovelace, Ada", "21.5", ""],
    ]
    made = moodle(book(ADA, BOB, ada=21.5, bob=crashed), Choices(doubtful="score"))
    assert table(made)[2][:3] == ["bob", "'=HYPERLINK(1)", "0"]
    assert "It took too long." in table(made)[2][3]


def test_moodle_never_gives_a_grade_to_the_row_before():
    # Moodle keeps the user of the row before when the name is empty, or "0"
    nobody, zero = Person("eve"), Person("uma", sis_id="0")
    made = moodle(book(ADA, nobody, zero, ada=1.0, eve=2.0, uma=3.0), Choices(match="idnumber"))
    assert [row[0] for row in table(made)] == ["ID number", "U1"]
    assert len([each for each in made.problems if "is left out" in each]) == 2


def test_moodle_has_a_dash_for_no_grade_and_small_letters_for_a_user():
    other = {"ada": Standing("03", "ada", MISSING, 10.0)}
    both = gather([Person("Ada")], {LAB: {"Ada": Standing(LAB, "Ada", "graded", 22.0, 5.0)}})
    filled = Book(both.people, (LAB, "03"), {**both.standings, "03": {"Ada": other["ada"]}})
    assert table(moodle(filled, Choices()))[1] == [
        "ada",
        "",
        "5",
        "",
        "-",
        "Nothing was handed in.",
    ]


def test_moodle_students_read_nothing_that_is_for_the_instructor():
    suspect = Standing(LAB, "ada", SUSPECT, 22.0, 9.0, waiting=True, notes=("A forged record.",))
    made = moodle(book(ADA, ada=suspect), Choices(doubtful="score"))
    assert "forged" not in made.text
    assert any("forged" in each for each in made.problems)


def test_crashed_is_not_zero(folder):
    write(folder, "ada", 3.0, written=2.0)
    write(folder, "bob", 0.0, 0.0, status=CRASHED, notes=("It took too long.",))
    write(folder, "eve", 0.0, 0.0, written=0.0)
    write(folder, "uma", 0.0, 0.0, status=FAILED)
    found = standings.read(folder, NAME)
    grades = {name: Choices().grade(each) for name, each in found.items()}
    assert grades == {"ada": 6.0, "bob": None, "eve": 0.0, "uma": None}
    kept = {name: Choices(doubtful="score").grade(each) for name, each in found.items()}
    assert kept == {"ada": 6.0, "bob": 0.0, "eve": 0.0, "uma": None}


def test_what_a_person_has_looked_at_counts(folder):
    write(folder, "bob", 1.0, status=CRASHED, written=1.5)
    assert Choices().grade(standings.read(folder, NAME)["bob"]) == 3.5


def test_without_results_a_submission_without_scores_has_crashed(folder):
    write(folder, "ada", 3.0)
    write(folder, "bob", 0.0)
    for student in ("ada", "bob"):
        folder.result(student, NAME).unlink()
    with Gradebook(folder.gradebook_url) as gradebook:
        for grade in gradebook.find_submission_notebook(NAME, NAME, "bob").grades:
            grade.auto_score = None
        gradebook.db.commit()
    found = standings.read(folder, NAME)
    assert {name: each.status for name, each in found.items()} == {"ada": "graded", "bob": CRASHED}


LATE = """
from nbgrader.plugins import BasePlugin

class Hourly(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return total_seconds_late / 3600

c = get_config()
c.AssignLatePenalties.plugin_class = Hourly
"""


def due(folder, when, stored=None):
    with Gradebook(folder.gradebook_url) as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate=when)
        if stored is not None:
            found = gradebook.find_submission_notebook(NAME, NAME, "ada")
            found.late_submission_penalty = stored
            gradebook.db.commit()


def test_late_penalties_are_those_of_nbgraders_plugin(folder):
    (folder.project.root / "instructor" / "nbgrader_config.py").write_text(LATE)
    write(folder, "ada", 3.0, written=2.0, submitted="2026-11-20T14:00:00+00:00")
    write(folder, "bob", 3.0, written=2.0, submitted="2026-11-20T11:00:00+00:00")
    write(folder, "eve", 1.0, written=0.0, submitted="2026-11-29T11:00:00+00:00")
    due(folder, "2026-11-20 12:00:00 UTC")
    found = standings.read(folder, NAME)
    assert {name: each.penalty for name, each in found.items()} == {"ada": 2, "bob": 0, "eve": 2}
    assert {name: each.final for name, each in found.items()} == {"ada": 4.0, "bob": 6.0, "eve": 0}


def test_a_stored_penalty_comes_first_and_the_usual_one_is_none(folder):
    write(folder, "ada", 3.0, written=2.0, submitted="2026-11-20T14:00:00+00:00")
    due(folder, "2026-11-20 12:00:00 UTC")
    assert standings.read(folder, NAME)["ada"].penalty == 0
    due(folder, "2026-11-20 12:00:00 UTC", stored=1.5)
    assert standings.read(folder, NAME)["ada"].final == 4.5


def test_the_plain_table_is_read_by_pandas():
    late = Standing(LAB, "bob", "graded", 22.0, 10.0, penalty=2.0, late_s=7200)
    made = plain(book(ADA, BOB, Person("eve"), ada=5.0, bob=late), Choices())
    found = pd.read_csv(io.BytesIO(made.text.encode()), encoding="utf-8-sig", dtype={"sis_id": str})
    rows = found.set_index("username")
    assert rows.loc["bob", ["grade", "late_penalty", "hours_late"]].tolist() == [8.0, 2.0, 2.0]
    assert pd.isna(rows.loc["eve", "grade"])
    assert rows.loc["eve", "note"] == "Nothing was handed in."


def run(*words):
    return CliRunner().invoke(main, ["course", *map(str, words)])


def test_export_as_an_instructor_does_it(folder, tmp_path):
    write(folder, "ada", 3.0, written=2.0)
    write(folder, "bob", 1.5)
    write(folder, "stranger", 1.0)
    roster, out = tmp_path / "class.csv", tmp_path / "canvas.csv"
    roster.write_text("username;name;sis_id\nada;Ada;U1\nbob;Bob;U2\neve;Eve;U3\n")
    done = run(
        "export", "90", "--to", "canvas", "--roster", roster, "--out", out, "--title", "90=Toy (7)"
    )
    assert done.exit_code == 0, done.output
    assert canvas_reads(out.read_bytes().decode()) == (
        {"Toy (7)": f"{TOTAL:g}"},
        {"ada": {"Toy (7)": "6"}, "bob": {"Toy (7)": "2.5"}},
    )
    assert out.stat().st_mode & 0o077 == 0
    assert "stranger" in done.output
    assert "handed in nothing: eve" in done.output
    assert "the written part of 1 waits for a person" in done.output


def test_export_by_task(folder, tmp_path):
    write(folder, "ada", 3.0, written=2.0, comment="Well said.", words="=1+1")
    done = run("export", "--to", "tasks", "--out", tmp_path / "tasks.csv")
    assert done.exit_code == 0, done.output
    rows = pd.read_csv(tmp_path / "tasks.csv", encoding="utf-8-sig").set_index("task")
    assert rows["score"].to_dict() == {"scaled": 3.0, "runs": 1.0, "words": 2.0}
    assert rows.loc["words", "words"] == "Well said."
    assert rows.loc["scaled", "words"] == "'=1+1"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["export", "--to", "csv", "--title", "Lab 2"], "of the form"),
        (["export", "77", "--to", "csv"], "77"),
        (["export", "--to", "csv", "--out", "/proc/none/grades.csv"], "a place to write to"),
        (["variant", "90"], "STUDENT"),
    ],
)
def test_what_is_wrong_is_said(folder, words, says):
    done = run(*words)
    assert done.exit_code == 2
    assert says in done.output
    assert "Traceback" not in done.output


def test_variants_can_be_looked_up(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_COURSE_SEED", "autumn")
    one = run("variant", "90", "ada", "--json")
    roster = tmp_path / "class.csv"
    roster.write_text("username\nada\nbob\n")
    everybody = run("variant", "90", "--all", "--roster", roster, "--csv")
    rows = pd.read_csv(io.StringIO(everybody.output)).set_index("username")
    assert rows["factor"].isin([2, 3, 5, 7]).all()
    assert f'"factor": {rows.loc["ada", "factor"]}' in one.output
    assert "factor" in run("variant", "90", "ada").output
