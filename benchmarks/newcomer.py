"""A newcomer's first ten minutes, step by step, with times and pictures.

    .venv/bin/python -m benchmarks.newcomer [--cache FOLDER]

Clones the project into an empty folder and an empty home, so that everything is set up and the
kernel is built; starts `make lab`, opens the address that it prints in Chromium, and goes through
the first lab with the keyboard and the mouse until a run of one's own is on the screen. Debian's
packages are there already on a machine that could run this. Nobody reads in between: what is left
of ten minutes is for that. ``--cache`` gives a folder with a built kernel, to try the pages alone.
"""

import argparse
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "artefacts" / "newcomer"
ACTIVE = ".jp-Notebook .jp-Cell.jp-mod-active"
PREDICTIONS = 'lab.predict("window_mbit", 80)\nlab.predict("loaded_rtt_ms", 60)'
MOST_S = 1800.0


class Walk:
    """Steps and how long each took."""

    def __init__(self) -> None:
        self._began = self._last = time.monotonic()
        self._rows: list[str] = []
        PICTURES.mkdir(parents=True, exist_ok=True)

    def step(self, name: str, page: Page | None = None) -> None:
        """End a step; with a page, keep a picture of it."""
        now = time.monotonic()
        row = f"| {name} | {now - self._last:.1f} | {now - self._began:.1f} |"
        self._rows.append(row)
        print(row, flush=True)
        if page is not None:
            page.screenshot(path=PICTURES / f"{len(self._rows):02d}.png")
        self._last = time.monotonic()

    def write(self) -> None:
        """Keep the log beside the pictures."""
        head = ["| step | s | since the start, s |", "|---|---|---|"]
        (PICTURES / "walk.md").write_text("\n".join([*head, *self._rows]) + "\n")


def start(project: Path, home: Path, cache: Path) -> tuple["subprocess.Popen[str]", str]:
    """Start `make lab` and return it with the address that it prints."""
    known = ("PATH", "LANG", "TERM")
    server = subprocess.Popen(
        ["make", "lab", "HEADLESS=1", "PORT=0"],
        cwd=project,
        env={name: os.environ[name] for name in known if name in os.environ}
        | settings()
        | {"HOME": str(home), "LAB_CACHE": str(cache)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    said = server.stdout or ()
    for line in said:
        print("   ", line.rstrip(), flush=True)
        for word in line.split():
            if word.startswith("http://") and "token=" in word:
                return server, word
    raise SystemExit("make lab ended without an address.")


def settings() -> dict[str, str]:
    """Return where this machine gets packages from, if it says so."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.lower().endswith("_proxy")
        or name.startswith(("UV_", "PIP_", "NPM_", "npm_", "SSL"))
    }


def run_until(page: Page, there: Callable[[], bool]) -> None:
    """Press Shift+Enter, cell by cell, until something is there."""
    for _ in range(40):
        if there():
            return
        page.keyboard.press("Shift+Enter")
        page.wait_for_timeout(150)
    raise SystemExit("the notebook ended before its first result.")


def solve(page: Page, walk: Walk) -> None:
    """Go through the first cells until there is a run of one's own."""
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()
    walk.step("the first lab is on the screen", page)
    page.locator(".jp-Notebook .jp-Cell").first.click()
    page.keyboard.press("Escape")
    run_until(page, lambda: 'lab.predict("window_mbit"' in page.locator(ACTIVE).inner_text())
    page.get_by_text("'window_kib'").first.wait_for()
    walk.step("own numbers", page)
    page.keyboard.press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(PREDICTIONS)
    page.keyboard.press("Shift+Enter")
    page.get_by_text("your prediction 80").first.wait_for()
    walk.step("predictions locked", page)
    run_until(page, lambda: "mine = Path(" in page.locator(ACTIVE).inner_text())
    page.keyboard.press("Shift+Enter")
    page.get_by_role("button", name="Run it").wait_for()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    walk.step("the panel, with the model's answer", page)
    page.get_by_role("button", name="Run it").click()
    page.get_by_text("Measured:").wait_for()
    page.wait_for_timeout(500)
    walk.step("**the first result of one's own**", page)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache", type=Path, help="folder with a built kernel")
    asked = parser.parse_args()
    walk = Walk()
    with tempfile.TemporaryDirectory(prefix="newcomer-") as place:
        project, home = Path(place, "data-over-distance"), Path(place, "home")
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(project)], check=True)
        walk.step("git clone")
        server, address = start(project, home, asked.cache or home / "cache")
        try:
            walk.step("make lab prints the address")
            with sync_playwright() as play:
                browser = play.chromium.launch(
                    executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
                )
                page = browser.new_page(viewport={"width": 1360, "height": 900})
                page.set_default_timeout(MOST_S * 1000)
                page.goto(address)
                solve(page, walk)
        finally:
            os.killpg(server.pid, signal.SIGINT)
            server.wait(60)
            walk.write()


if __name__ == "__main__":
    main()
