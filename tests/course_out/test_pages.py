"""Statistics and reports: what they say, and that they read well offline, dark and on paper."""

import json
import re
import shutil
import zlib

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from lab_tools.cli import main
from lab_tools.course import report, standings, statistics, statistics_page
from lab_tools.course.items import analyse
from lab_tools.course.results import CRASHED, FAILED, SUSPECT
from lab_tools.course.roster import Person
from lab_tools.course.statistics import Predicted, Statistics
from lab_tools.errors import GradingError
from tests.course_out.graded import hand_in, write
from tests.grading.toy import NAME

CHROMIUM = shutil.which("chromium")


def run(*words):
    return CliRunner().invoke(main, ["course", *map(str, words)])


def fill(folder):
    """Ada has all, Bob half, Eve one task; Uma crashed, Gus handed in a blank copy."""
    write(folder, "ada", 3.0, written=2.0, comment="Well said.", submitted="2026-11-19T16:20:00Z")
    write(folder, "bob", 1.5, written=1.0)
    write(folder, "eve", 0.0, written=0.0)
    write(folder, "uma", 0.0, 0.0, status=CRASHED, notes=("It took too long.",))
    write(folder, "gus", 0.0, 0.0, written=0.0)
    for student, found in {"ada": 4.0, "bob": 2.0, "eve": None}.items():
        answers = {"runs": ["x"]} | ({} if found is None else {"scaled": found})
        hand_in(folder, student, answers=answers, predictions={"scaled": {"value": 2.0}})


def predict_what_is_answered(folder):
    """Let the toy lab ask for a prediction of its task ``scaled``."""
    for file in folder.root.rglob("lab.toml"):
        file.write_text(file.read_text().replace('["guess"]', '["scaled"]'))


def test_the_numbers_of_a_class(folder):
    fill(folder)
    predict_what_is_answered(folder)
    found = statistics.gather(folder, NAME)
    assert dict(found.counts) == {"counted": 3, "crashed": 1, "blank": 1}
    items = {item.name: item for item in found.analysis.items}
    assert items["scaled"].difficulty == pytest.approx((3 + 1.5 + 0) / 9)
    assert items["runs"].difficulty == 1
    assert items["words"].mean == 1
    assert sorted(found.analysis.totals) == [1, 3.5, 6]
    assert found.unanswered == {"scaled": 1, "runs": 0}
    assert found.predicted == (Predicted("scaled", "bit/s", (2.0, 2.0), (4.0, 2.0)),)
    assert statistics.ratios(found.predicted[0]).tolist() == [2.0, 1.0]


def test_the_statistics_command(folder, tmp_path):
    fill(folder)
    out, table = tmp_path / "page.html", tmp_path / "table.csv"
    done = run("statistics", "90", "--out", out, "--csv", table)
    assert done.exit_code == 0, done.output
    assert "3 submissions" in done.output
    rows = pd.read_csv(table, encoding="utf-8-sig").set_index("task")
    assert rows.loc["scaled", "difficulty_p"] == 0.5
    assert rows.loc["scaled", "points"] == 3
    text = out.read_text()
    assert "1 crashed" in text
    assert not {"ada", "bob", "eve"} & set(re.findall(r"\w+", text.split("<script")[0]))


def test_too_few_graded_is_said(folder):
    write(folder, "ada", 3.0)
    with pytest.raises(GradingError, match="two or more"):
        statistics.gather(folder, NAME)


def test_a_report_says_points_words_and_predictions(folder, tmp_path):
    fill(folder)
    predict_what_is_answered(folder)
    roster = tmp_path / "class.csv"
    roster.write_text("username,name\nada,Ada <b>Lovelace</b>\n")
    done = run("report", "ada", "--roster", roster, "--out", tmp_path / "ada.html")
    assert done.exit_code == 0, done.output
    text = (tmp_path / "ada.html").read_text()
    assert "Ada &lt;b&gt;Lovelace&lt;/b&gt; (ada)" in text
    assert "6 of 6 points" in text
    assert "<td>words</td><td class='n'>2 of 2</td><td>Well said.</td>" in text
    # predicted 2, found 4
    assert re.search(r"<td>scaled</td><td class='n'>2</td><td class='n'>4</td>", text)
    assert "handed in 19 November 2026, 16:20 UTC" in text
    assert (tmp_path / "ada.html").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("status", "says", "silent"),
    [
        (CRASHED, "What happened here.", "fault"),
        (SUSPECT, "A person will look at it.", "What happened here."),
        (FAILED, "not your fault", "What happened here."),
    ],
)
def test_a_report_tells_no_suspicion(folder, status, says, silent):
    write(folder, "ada", 1.0, status=status, notes=("What happened here.",))
    made = report.for_class(folder, [NAME], ["ada"])["ada"]
    text = report.write(Person("ada"), made)
    assert says in text
    assert silent not in text


def test_reports_of_everybody(folder, tmp_path):
    write(folder, "ada", 3.0, written=2.0)
    roster = tmp_path / "class.csv"
    roster.write_text("username,name\nada,Ada\neve,Eve\n")
    done = run("report", "--all", "--roster", roster, "--out", tmp_path / "reports")
    assert done.exit_code == 0, done.output
    assert {file.name for file in (tmp_path / "reports").iterdir()} == {"ada.html", "eve.html"}
    assert "Nothing was handed in." in (tmp_path / "reports" / "eve.html").read_text()
    assert run("report", "nobody").exit_code == 2


def test_a_penalty_is_a_line_of_the_report(folder):
    standing = standings.Standing(NAME, "ada", "graded", 6.0, 5.0, penalty=1.5, late_s=7200)
    tasks = (standings.Task("scaled", 6.0, 5.0, False, "right."),)
    made = report.gather(folder, "ada", standings.replace(standing, tasks=tasks))
    text = report.write(Person("ada"), [made])
    assert "3.5 of 6 points" in text
    assert "<td>late</td><td class='n'>−1.5</td><td>2.0 hours late.</td>" in text


def a_lab_of_statistics():
    rng = np.random.default_rng(5)
    names = [f"question_{k}" for k in range(10)]
    skill = rng.normal(size=60)[:, None] + rng.normal(size=(60, 10)) + np.linspace(-1, 1, 10)
    scores = pd.DataFrame((skill > 0) * 2.0, columns=names)
    shares = tuple(rng.lognormal(size=40))
    return Statistics(
        "02_toy</script><b>",
        analyse(scores, dict.fromkeys(names, 2.0)),
        {"counted": 60, "blank": 2},
        dict.fromkeys(names, 1),
        (Predicted("kept_percent", "%", shares, shares[::-1]),),
    )


@pytest.fixture
def open_page(tmp_path):
    """Return what opens a page without a network and hands it over with what it complained of."""
    if CHROMIUM is None:
        pytest.skip("needs chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )

        def opened(text, scheme):
            file = tmp_path / "page.html"
            file.write_text(text)
            context = browser.new_context(color_scheme=scheme, offline=True)
            tab, trouble = context.new_page(), []
            tab.on("console", lambda message: trouble.append(message.text))
            tab.on("pageerror", lambda error: trouble.append(str(error)))
            tab.on("requestfailed", lambda request: trouble.append(request.url))
            tab.goto(file.as_uri())
            return tab, trouble

        yield opened
        browser.close()


PAPER = "document.querySelectorAll('.js-plotly-plot')[{0}]._fullLayout.paper_bgcolor"


@pytest.mark.parametrize(("scheme", "paper"), [("light", "#ffffff"), ("dark", "#16181c")])
def test_the_statistics_page_stands_alone_in_both_looks(open_page, scheme, paper):
    tab, trouble = open_page(statistics_page.make(a_lab_of_statistics()), scheme)
    tab.wait_for_function("document.querySelectorAll('.main-svg').length >= 4")
    for index in range(4):
        tab.wait_for_function(f"{PAPER.format(index)}.toLowerCase() === '{paper}'")
    body = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert body == f"rgb{tuple(bytes.fromhex(paper[1:]))}"
    assert trouble == []
    assert tab.locator("tbody tr").count() == 10
    assert "</script><b>" in tab.locator("h1").inner_text()
    # nothing is wider than the window, not even on a telephone
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.wait_for_function("document.documentElement.scrollWidth === 390")


def pages_of(pdf):
    """Count the pages of a PDF file, compressed objects included."""
    parts = [pdf]
    for found in re.finditer(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        try:
            parts.append(zlib.decompress(found[1]))
        except zlib.error:
            continue
    return sum(len(re.findall(rb"/Type\s*/Page\b(?!s)", part)) for part in parts)


def test_a_report_prints_a_page_for_each_lab(open_page, folder):
    words = "This is not the ratio of your two runs, the other way round is the ratio. " * 2
    tasks = tuple(standings.Task(f"task_{k}", 3.0, 2.0, False, words) for k in range(12))
    standing = standings.Standing(NAME, "ada", "graded", 36.0, 24.0, tasks=tasks)
    one = report.LabReport(
        "A lab", standing, None, None, {"factor": 2}, [("scaled", 2.0, 4.0)] * 5, ["A remark."]
    )
    tab, trouble = open_page(report.write(Person("ada"), [one, one, one]), "dark")
    assert pages_of(tab.pdf(prefer_css_page_size=True)) == 3
    tab.emulate_media(media="print")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert trouble == []


def test_what_students_wrote_is_never_markup(folder):
    write(folder, "ada", 3.0, written=2.0, comment="<script>alert(1)</script>")
    predict_what_is_answered(folder)
    attack = "<img src=x onerror=alert(1)>"
    hand_in(folder, "ada", answers={"scaled": attack}, predictions={"scaled": {"value": attack}})
    made = report.for_class(folder, [NAME], ["ada"])["ada"]
    text = report.write(Person("ada", attack), made)
    assert "<img" not in text
    assert "<script" not in text
    assert json.dumps(attack)[1:10] not in text
