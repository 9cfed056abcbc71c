"""Chromium for each file of tests; without one, they are skipped."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium")
SIZE = {"width": 1360, "height": 1000}


# Not for the session: while it is open an event loop runs in this thread, and what starts a loop
# of its own in later files (a notebook, a Dask client, another browser) would fail.
@pytest.fixture(scope="module")
def chromium():
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    with sync_playwright() as play:
        yield play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])


@pytest.fixture
def page(chromium):
    """A page of its own context: nothing is kept from the test before."""
    context = chromium.new_context(viewport=SIZE)
    yield context.new_page()
    context.close()
