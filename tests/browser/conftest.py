"""Chromium for the whole session; without one, these tests are skipped."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium")
SIZE = {"width": 1360, "height": 1000}


@pytest.fixture(scope="session")
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
