"""A class on a hub: real accounts, real servers, a browser each; from the release to the feedback.

The tests of this file build on each other in the order in which they stand: they are one term.
"""

import json
import shutil
import sqlite3
import sys
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import sync_playwright

from lab_tools.grading.variant import draw
from lab_tools.kernel.installed import find
from tests.grading.toy import NAME
from tests.hub.machine import PROJECT
from tests.hub.people import Instructor, Student

CHROMIUM = "/usr/bin/chromium"
SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PICTURES = PROJECT / "artefacts" / "hub"
#: The right answer, and a display that tries to act in the page of whoever looks at it.
CODE = """\
lab.predict("guess", 80e6)
record = lab.run(Experiment(Path(1e9, 0.01), duration_s=1.0))
lab.answer("runs", [record.experiment.id])
lab.answer("scaled", record.goodput_bps() * lab.variant["factor"])
from IPython.display import HTML
HTML("<b>mine</b><script>document.title='taken'</script><img src=x onerror=document.title='taken'>")
"""


@pytest.fixture(scope="module")
def people(classroom):
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        ada = Instructor(browser, classroom.url, classroom.ada, PICTURES)
        bob = Student(browser, classroom.url, classroom.bob, PICTURES)
        eve = Student(browser, classroom.url, classroom.eve, PICTURES)
        for person in (ada, bob, eve):
            person.log_in()
        for person in (ada, bob, eve):
            person.see_lab()
        yield ada, bob, eve
        browser.close()


def server_of(account):
    """The process of an account's server."""
    ours = [
        each
        for each in psutil.process_iter(["uids", "cmdline"])
        if each.info["uids"].real == account.entry.pw_uid
        and any("jupyterhub-singleuser" in word for word in each.info["cmdline"])
    ]
    (server,) = ours
    return server


def test_a_wrong_password_and_an_account_outside_the_class_do_not_get_in(classroom, people):
    ada, bob, _ = people
    for name, password in ((bob.account.name, "x"), ("root", "")):
        page = bob.page.context.browser.new_page()
        page.goto(f"{classroom.url}/hub/login")
        page.fill("#username_input", name)
        page.fill("#password_input", password)
        page.click("#login_submit")
        page.get_by_text("Invalid username or password").wait_for()
        page.close()
    assert ada.status(f"{ada.server}/api/status") == 200


def test_each_server_is_its_students_own_process(people):
    for person in people:
        assert set(server_of(person.account).uids()) == {person.account.entry.pw_uid}
        assert person.account.home.stat().st_mode & 0o777 == 0o700


def test_formgrader_is_offered_to_the_instructor_alone(people):
    ada, bob, _ = people
    assert {"Assignment List", "Formgrader", "Create assignment"} <= set(ada.nbgrader_menu())
    assert bob.nbgrader_menu() == ["Assignment List"]
    assert bob.status(f"{bob.server}/formgrader/api/assignments") == 404
    assert ada.status(f"{ada.server}/formgrader/api/assignments") == 200


def test_the_instructor_releases_the_lab(people):
    ada, _, _ = people
    ada.open("Formgrader")
    assert ada.click("assign").startswith("Success")
    assert ada.click("release").startswith("Success")
    ada.picture("1-released")


def test_students_fetch_solve_and_submit(classroom, people):
    _, bob, eve = people
    bob.fetch()
    bob.picture("2-fetched")
    bob.solve(CODE)
    bob.picture("3-solved")
    bob.submit()
    bob.picture("4-submitted")
    eve.fetch()
    eve.submit()
    assert len(list((classroom.exchange / "inbound").iterdir())) == 2


def test_the_variant_is_drawn_from_the_courses_seed(classroom, people):
    """Bob's own factor is in his answer: 80 Mbit/s, as in the record, times the factor."""
    choices = {"factor": [2, 3, 5, 7]}
    wanted = draw(NAME, classroom.bob.name, choices, "a course of its own")["factor"]
    answers = json.loads((classroom.bob.home / NAME / "work" / "answers.json").read_text())
    assert answers["scaled"] == pytest.approx(80e6 * wanted)


def test_what_lies_in_the_exchange_beside_submissions(classroom, people):
    """Eve hands in as Bob, puts a link to the gradebook into her own, and looks around."""
    _, bob, eve = people
    inbound = classroom.exchange / "inbound"
    (bobs,) = inbound.glob(f"{bob.account.name}+*")
    forged = inbound / f"{bob.account.name}+{NAME}+2099-01-01 00:00:00.000000 UTC+x"
    gradebook = classroom.course / "gradebook.db"
    work = eve.account.home / NAME / "work"
    for command, allowed in (
        (["ls", inbound], False),
        (["ls", bobs], False),
        (["mv", bobs, inbound / "mine"], False),
        (["rm", "-r", bobs], False),
        (["touch", classroom.exchange / "outbound" / NAME / "lab.toml"], False),
        (["mkdir", "-p", work], True),
        (["ln", "-s", gradebook, work / "link"], True),
        (["mkfifo", work / "pipe"], True),
        (["cp", "-a", eve.account.home / NAME, forged], True),
    ):
        assert (eve.account.run(*command).returncode == 0) == allowed, command


def test_what_a_student_cannot_read(classroom, people):
    _, bob, eve = people
    files = [
        bob.account.home / NAME / f"{NAME}.ipynb",
        classroom.course / "gradebook.db",
        classroom.course / "source" / NAME / f"{NAME}.ipynb",
        classroom.folder / "project" / "instructor" / "checks" / f"{NAME}.py",
        classroom.folder / "project" / "instructor" / "source" / f"{NAME}.py",
        classroom.folder / "state" / "hub.sqlite",
        classroom.folder / "state" / "cookie_secret",
        f"/proc/{server_of(bob.account).pid}/environ",
    ]
    for file in files:
        assert Path(file).read_bytes()
        done = eve.account.run("cat", file)
        assert "Permission denied" in done.stderr, file
        assert done.stdout == ""


def test_what_a_student_cannot_open_in_the_browser(classroom, people):
    ada, bob, eve = people
    for address, status in (
        (f"{ada.server}/lab", 403),
        (f"{ada.server}/formgrader/api/assignments", 403),
        (f"{ada.server}/files/course/gradebook.db", 403),
        (f"{bob.server}/lab", 403),
        (f"{bob.server}/files/{NAME}/{NAME}.ipynb", 403),
        (f"{classroom.url}/hub/admin", 403),
        (f"{classroom.url}/hub/api/users", 403),
        (f"{classroom.url}/hub/api/users/{bob.account.name}", 404),
        (f"{eve.server}/formgrader/gradebook", 404),
    ):
        assert eve.status(address) == status, address


def test_the_instructor_collects_and_grades(classroom, people):
    ada, bob, eve = people
    said = ada.click("collect")
    assert said.startswith("Success")
    assert f"was handed in by {eve.account.name}" in said
    submitted = classroom.course / "submitted"
    answers = json.loads((submitted / bob.account.name / NAME / "work/answers.json").read_text())
    assert "scaled" in answers
    assert list((submitted / eve.account.name / NAME / "work").iterdir()) == []
    ada.formgrader.locator(".num-submissions a").click()
    assert ada.autograde(bob.account).startswith("Success")
    assert ada.autograde(eve.account).startswith("Success")
    ada.picture("5-autograded")


def test_what_a_student_displays_does_nothing_to_the_grader(people):
    ada, bob, _ = people
    page = ada.page.context.new_page()
    page.goto(f"{ada.server}/formgrader/manage_students/{bob.account.name}/{NAME}")
    page.locator("td.name a").click()
    page.get_by_text("IPython.core.display.HTML object").wait_for()
    assert page.locator("b", has_text="mine").count() == 0
    page.screenshot(path=PICTURES / "6-manual-grading.png", full_page=True)
    assert page.title() == NAME
    with page.expect_response(lambda got: got.request.method == "PUT"):
        page.locator("#words").fill("2")
        page.locator("#words").press("Tab")
    page.close()


def test_feedback_reaches_the_student(classroom, people):
    ada, bob, eve = people
    ada.formgrader.get_by_text("Manage Assignments").first.click()
    assert ada.click("generate-feedback").startswith("Success")
    assert ada.click("release-feedback").startswith("Success")
    shown = bob.feedback()
    bob.picture("7-feedback")
    assert "Score: 6.0 / 6.0" in shown
    assert "3 of 3 points. Right." in shown
    done = eve.account.run("ls", classroom.exchange / "feedback")
    assert "Permission denied" in done.stderr


def test_a_grader_works_in_the_instructors_server_and_in_no_other(classroom, people):
    ada, bob, _ = people
    tom = Instructor(ada.page.context.browser, classroom.url, classroom.tom, PICTURES)
    tom.log_in(then="/hub/home")
    tom.page.wait_for_url("**/hub/home")
    tom.page.goto(f"{ada.server}/formgrader/gradebook")
    tom.page.get_by_role("button", name="Authorize").click()
    tom.page.get_by_role("link", name=NAME).wait_for()
    tom.picture("8-grader")
    assert tom.status(f"{bob.server}/lab") == 403


def test_the_gradebook_holds_the_grades_and_is_the_instructors(classroom, people):
    ada, bob, eve = people
    gradebook = classroom.course / "gradebook.db"
    assert gradebook.stat().st_uid == ada.account.entry.pw_uid
    assert classroom.course.stat().st_mode & 0o777 == 0o700
    with sqlite3.connect(gradebook) as database:
        rows = database.execute(
            "select s.student_id, sum(coalesce(g.manual_score, g.auto_score, 0)) from grade g "
            "join submitted_notebook n on g.notebook_id = n.id "
            "join submitted_assignment s on n.assignment_id = s.id group by s.student_id"
        ).fetchall()
    assert dict(rows) == {bob.account.name: 6.0, eve.account.name: 0.0}


@pytest.mark.kernel
def test_the_virtual_testbed_works_in_a_students_server(classroom, people):
    """With the server's own environment, and a kernel that everybody may read."""
    _, bob, _ = people
    kernel = find().program.parent
    place = classroom.folder / "cache" / "kernel" / kernel.name
    shutil.copytree(kernel, place)
    environment = {**server_of(bob.account).environ(), "LAB_TESTBED": "virtual"}
    lab = Path(sys.prefix) / "bin" / "lab"
    done = bob.account.run(lab, "doctor", "--testbed", "virtual", "--json", **environment)
    checks = json.loads(done.stdout)["testbeds"]["virtual"]["checks"]
    assert done.returncode == 0, checks
    assert "ping over 100 ms: 100 ms" in [each["found"] for each in checks]
