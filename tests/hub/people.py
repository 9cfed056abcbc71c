"""People at their browsers: students in the Assignment List, an instructor in Formgrader."""

from pathlib import Path

from playwright.sync_api import Browser, FrameLocator, Locator

from tests.grading.toy import NAME
from tests.hub.machine import Account

LIMIT_MS = 90_000


class Person:
    """Somebody who logged in and sees JupyterLab.

    Parameters
    ----------
    browser : shared by all; each person has cookies of their own.
    url : the hub's address.
    account : who it is.
    pictures : folder for screenshots.
    """

    def __init__(self, browser: Browser, url: str, account: Account, pictures: Path) -> None:
        self.account, self.url, self._pictures = account, url, pictures
        self.server = f"{url}/user/{account.name}"
        self._context = browser.new_context(viewport={"width": 1400, "height": 900})
        self._context.set_default_timeout(LIMIT_MS)
        self.page = self._context.new_page()

    def log_in(self, then: str = "") -> None:
        """Log in and go on to a page of the hub, or else to the own server, which this starts."""
        self.page.goto(f"{self.url}/hub/login?next={then}")
        self.page.fill("#username_input", self.account.name)
        self.page.fill("#password_input", self.account.password)
        self.page.click("#login_submit")

    def see_lab(self) -> None:
        """Wait for JupyterLab."""
        self.page.wait_for_url(f"{self.server}/lab**")
        self.page.locator(".jp-Launcher").wait_for()

    def status(self, address: str) -> int:
        """Return the status of a page, asked for with this person's cookies."""
        return self._context.request.get(address).status

    def nbgrader_menu(self) -> list[str]:
        """Return what nbgrader's menu offers."""
        self.page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader").click()
        items = self.page.locator(".lm-Menu-item:visible .lm-Menu-itemLabel")
        items.first.wait_for()
        found = items.all_inner_texts()
        self.page.keyboard.press("Escape")
        return [each for each in found if each]

    def open(self, what: str) -> None:
        """Choose something in nbgrader's menu."""
        self.page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader").click()
        self.page.locator(".lm-Menu-itemLabel").get_by_text(what, exact=True).click()

    def picture(self, name: str) -> None:
        """Keep what this person sees now."""
        self.page.screenshot(path=self._pictures / f"{name}.png")


class Student(Person):
    """A student: fetch, solve, submit, read the feedback."""

    def fetch(self) -> None:
        """Fetch the lab from the Assignment List."""
        self.open("Assignment List")
        self.page.locator("#released_assignments_list button", has_text="Fetch").click()
        self._downloaded.wait_for()

    def solve(self, code: str) -> None:
        """Open the notebook, write into the cell that asks for it, run everything, save."""
        self._downloaded.locator("a", has_text=NAME).first.click()
        self.page.locator("#fetched_assignments_list .nested_list_item a").click()
        cell = self.page.locator(".jp-CodeCell", has_text="YOUR CODE HERE").locator(".cm-content")
        cell.click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(code)
        # what is run before the kernel has started is lost
        self.page.get_by_text("(ipykernel) | Idle").wait_for()
        self.page.locator(".lm-MenuBar-itemLabel").get_by_text("Run", exact=True).click()
        self.page.locator(".lm-Menu-itemLabel").get_by_text("Run All Cells", exact=True).click()
        self.page.get_by_text("can be graded").nth(1).wait_for()
        self.page.keyboard.press("Escape")
        with self.page.expect_response(
            lambda got: got.request.method == "PUT" and "/api/contents/" in got.url
        ):
            self.page.keyboard.press("Control+S")

    def submit(self) -> None:
        """Hand the lab in from the Assignment List."""
        self.page.locator(".lm-TabBar-tabLabel", has_text="Assignments").click()
        self._downloaded.locator("button", has_text="Submit").click()
        self.page.locator("#submitted_assignments_list .list_item", has_text=NAME).first.wait_for()

    def feedback(self) -> str:
        """Fetch the feedback and return its text as JupyterLab shows it."""
        self.page.locator(".lm-TabBar-tabLabel", has_text="Assignments").click()
        self.page.locator("#refresh_assignments_list").click()
        submitted = self.page.locator("#submitted_assignments_list")
        submitted.get_by_text("feedback available to fetch").wait_for()
        submitted.locator("button", has_text="Fetch Feedback").click()
        submitted.get_by_text("view feedback").click()
        self.page.locator(".jp-DirListing-item", has_text=f"{NAME}.html").dblclick()
        page = self.page.frame_locator("iframe").locator("body")
        page.get_by_text("Score:").first.wait_for()
        return page.inner_text()

    @property
    def _downloaded(self) -> Locator:
        return self.page.locator("#fetched_assignments_list .list_item", has_text=NAME).first


class Instructor(Person):
    """An instructor, who does everything in Formgrader."""

    @property
    def formgrader(self) -> FrameLocator:
        """Formgrader's page inside JupyterLab."""
        return self.page.frame_locator("iframe")

    def click(self, column: str) -> str:
        """Click a symbol in the lab's row and return what Formgrader says of it."""
        self.formgrader.locator("tr", has_text=NAME).locator(f".{column} a").click()
        return self._said()

    def autograde(self, account: Account) -> str:
        """Autograde a student's submission, from the page of submissions."""
        self.formgrader.locator("tr", has_text=account.name).locator(".autograde a").click()
        return self._said()

    def _said(self) -> str:
        window = self.formgrader.locator(".modal.in")
        title = window.locator(".modal-title").inner_text()
        text = window.locator(".modal-body").inner_text()
        window.locator(".modal-footer button").click()
        window.wait_for(state="hidden")
        return f"{title}: {text}"
