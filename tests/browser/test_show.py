"""`lab show` as a lecturer starts it: the page loads without an error, and Ctrl-C ends it."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from lab_tools.lecture import PAGES
from tests.browser.notebook_page import CUT, PATIENCE_MS, PICTURES

#: In `make test`; the others are slow tests.
FIRST = "profiles"
LAB = str(Path(sys.executable).with_name("lab"))
CASES = [
    pytest.param(name, dark, marks=[] if (name, dark) == (FIRST, False) else pytest.mark.slow)
    for name in PAGES
    for dark in (False, True)
]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def started(name, port, dark, tmp_path):
    words = [LAB, "show", name, "--headless", f"--port={port}"]
    show = subprocess.Popen(
        words + ["--dark"] * dark,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "TMPDIR": str(tmp_path)},
    )
    for line in show.stdout:
        if line.strip().startswith("http"):
            return show, line.strip()
    raise AssertionError(f"lab show ended with {show.wait()}")


@pytest.mark.parametrize(("name", "dark"), CASES)
def test_a_page_loads_without_an_error_and_ends_cleanly(page, tmp_path, name, dark):
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if _bad(message) else None)
    page.on(
        "request",
        lambda request: wrong.append(request.url) if _elsewhere(request.url) else None,
    )
    port = free_port()
    show, url = started(name, port, dark, tmp_path)
    try:
        assert url == f"http://127.0.0.1:{port}/"
        page.goto(url, wait_until="load", timeout=PATIENCE_MS)
        panel = page.locator(".lab-slider input, .widget-dropdown select").first
        panel.wait_for(timeout=PATIENCE_MS)
        assert page.get_by_role("heading", name=PAGES[name].title).is_visible()
        if name == "games":
            for place in (0, 1):
                page.get_by_role("button", name="Attack").nth(place).press("Enter")
                page.get_by_role("button", name="Reveal").nth(place).press("Enter")
            page.get_by_text("Equilibrium (probabilities)").wait_for(timeout=PATIENCE_MS)
        page.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=PATIENCE_MS)
        assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= 18
        assert page.evaluate(CUT) == []
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(
            path=PICTURES / f"show_{name}_{'dark' if dark else 'light'}.png", full_page=True
        )
        assert page.get_by_text("Traceback").count() == 0
        assert wrong == []
    finally:
        show.send_signal(signal.SIGINT)
        rest = show.communicate(timeout=60)[0]
    assert show.returncode == 0
    assert "Ending the page." in rest
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
    assert list(tmp_path.iterdir()) == []


def _bad(message):
    return message.type == "error"


def _elsewhere(url):
    return not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:"))


def test_a_port_that_is_taken_is_refused(capfd):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        words = [LAB, "show", "games", f"--port={port}"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert str(port) in done.stderr
    assert "Traceback" not in done.stderr
