"""The site in a browser: light and dark, on a desk and on a phone."""

import functools
import http.server
import shutil
import threading

import pytest
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium")
PAGES = (
    "",
    "gallery/",
    "curriculum/",
    "students/when-something-fails/",
    "instructors/guides/02_mathis_science_dmz/",
    "reference/experiment/",
    "reference/commands/",
    "about/comparison/",
)
SIZES = {"desk": (1280, 900), "phone": (390, 844)}

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(site):
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as play:
        yield play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_pages_fit_and_load_nothing_from_elsewhere(browser, address, look, size):
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=look)
    page = context.new_page()
    wrong = []

    def on_request(request):
        if not request.url.startswith((address, "data:")):
            wrong.append(request.url)

    def on_response(response):
        if response.status >= 400:
            wrong.append(f"{response.status} {response.url}")

    def on_console(message):
        if message.type == "error":
            wrong.append(message.text)

    page.on("request", on_request)
    page.on("response", on_response)
    page.on("console", on_console)
    for name in PAGES:
        page.goto(address + name, wait_until="load")
        beyond = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        if beyond > 0:
            wrong.append(f"{name or 'home'} is {beyond} pixels too wide")
    page.goto(address + "gallery/", wait_until="load")
    shown = page.evaluate(
        "[...document.querySelectorAll('.picture img')].filter(i => i.offsetWidth).map(i => i.src)"
    )
    context.close()
    assert wrong == []
    assert shown
    assert all(source.endswith(f"#only-{look}") for source in shown)


def test_the_search_finds_a_term(browser, address):
    page = browser.new_page()
    page.goto(address, wait_until="load")
    page.keyboard.press("/")
    page.keyboard.type("bufferbloat")
    found = page.locator(".md-search-result__item").filter(has_text="Glossary")
    found.first.wait_for(timeout=30_000)
    assert "bufferbloat" in found.first.inner_text().lower()
    page.close()
