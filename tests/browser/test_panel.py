"""The experiment panel of a blank lab in a browser: slider, run, live curves, cancel."""

import re
import shutil

import pytest

from lab_tools.authoring.source import Course
from lab_tools.testbeds import get
from tests.browser.notebook_page import PATIENCE_MS, NotebookPage
from tests.browser.server import jupyterlab

COURSE = Course.here()
LABS = {"00_start_here": "Round-trip time", "02_mathis_science_dmz": "Random loss"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("blank")
    for name in LABS:
        shutil.copytree(COURSE.student(name), folder / name, ignore=shutil.ignore_patterns("work"))
    return folder


@pytest.fixture(scope="module")
def on_replay(folder):
    with jupyterlab(folder, LAB_TESTBED="replay", LAB_STUDENT="somebody") as running:
        yield running


@pytest.fixture(scope="module")
def on_the_kernel(folder, tmp_path_factory):
    available = get("virtual").available()
    if not available:
        pytest.skip(available.reason)
    own = tmp_path_factory.mktemp("kernel") / "labs"
    shutil.copytree(folder, own)
    with jupyterlab(own, LAB_TESTBED="virtual", LAB_STUDENT="somebody") as running:
        yield running


def opened(page, server, name):
    """Run a blank lab up to its panel, without its tasks, and wait for the panel."""
    lab = NotebookPage(page, server, f"{name}/{name}.ipynb")
    panel = lab.index("explore(")
    lab.run(lab.index("lab = Lab("), panel)
    page.get_by_role("button", name="Run it").wait_for()
    lab.show(panel)
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    return lab


def said(page, pattern):
    """Wait for words of the panel, and return them."""
    words = page.get_by_text(re.compile(pattern)).first
    words.wait_for(timeout=PATIENCE_MS)
    return words.inner_text()


def marker(page):
    """Return where the first figure draws the model's present answer."""
    return page.evaluate(
        """() => {
          const part = document.querySelector(".js-plotly-plot").data[1];
          const first = (values) => values._inputArray ? values._inputArray[0] : values[0];
          return [Number(first(part.x)), Number(first(part.y))];
        }"""
    )


@pytest.mark.parametrize("name", LABS)
def test_the_arrow_keys_move_a_slider_and_the_model_answers(page, on_replay, name):
    lab = opened(page, on_replay, name)
    before = marker(page)
    slider = page.get_by_role("slider", name=LABS[name])
    told = slider.get_attribute("aria-valuetext")
    slider.focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    page.wait_for_function(
        """([name, told]) => [...document.querySelectorAll(".lab-slider label")].some(label =>
          label.textContent === name
          && label.querySelector("input").getAttribute("aria-valuetext") !== told)""",
        arg=[LABS[name], told],
    )
    page.wait_for_function(
        """x => {
          const part = document.querySelector(".js-plotly-plot").data[1];
          return Number(part.x._inputArray ? part.x._inputArray[0] : part.x[0]) > 1.2 * x;
        }""",
        arg=before[0],
    )
    if LABS[name] == "Random loss":
        assert marker(page)[1] < before[1]  # more loss, less goodput
    assert lab.flaws() == []
    assert lab.cut_words() == []


def test_what_cannot_be_run_is_said_in_one_plain_message(page, on_replay):
    lab = opened(page, on_replay, "00_start_here")
    slider = page.get_by_role("slider", name="Round-trip time")
    slider.focus()
    page.keyboard.press("ArrowRight")  # no recording has this RTT
    page.get_by_role("button", name="Run it").click()
    alert = page.get_by_role("alert").filter(has_text="no recording of this experiment")
    alert.wait_for()
    assert "Traceback" not in alert.inner_text()
    assert lab.flaws() == []
    lab.picture("panel_refused")


def test_a_value_that_cannot_be_is_refused_as_it_is_typed(page, on_replay):
    opened(page, on_replay, "00_start_here")
    page.get_by_title("Round-trip time, with its unit").or_(
        page.locator(".widget-text input").first
    ).first.fill("20 MB")
    page.keyboard.press("Tab")
    page.get_by_role("alert").filter(has_text="rtt_s").wait_for()
    assert page.get_by_role("button", name="Run it").is_disabled()


@pytest.mark.kernel
def test_a_run_draws_its_curves_while_it_runs_and_can_be_cancelled(page, on_the_kernel):
    lab = opened(page, on_the_kernel, "00_start_here")
    run, cancel = (page.get_by_role("button", name=name) for name in ("Run it", "Cancel"))
    run.click()
    said(page, r"of [\d.]+ virtual seconds")
    assert run.is_disabled()
    page.locator(".js-plotly-plot").nth(1).scroll_into_view_if_needed()
    page.wait_for_function(
        """() => {
          const live = document.querySelectorAll(".js-plotly-plot")[1];
          const x = live?.data?.[0]?.x;
          return (x?._inputArray ?? x)?.length > 3;
        }""",
        timeout=PATIENCE_MS,
    )
    lab.picture("panel_running")
    said(page, r"Measured: [\d.]+ Mbit/s")
    lab.show(lab.index("explore("))
    lab.picture("panel_measured")
    assert cancel.is_disabled()
    assert lab.flaws() == []
    assert lab.cut_words() == []


@pytest.mark.kernel
def test_a_cancelled_run_keeps_what_was_measured(page, on_the_kernel):
    lab = opened(page, on_the_kernel, "02_mathis_science_dmz")
    # without loss the stream fills 10 Gbit/s, which takes the kernel long enough to be cancelled
    page.locator(".widget-text input").first.fill("0")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Run it").click()
    said(page, r"of [\d.]+ virtual seconds")
    page.get_by_role("button", name="Cancel").click()
    assert "are kept" in said(page, r"The run was cancelled")
    page.locator(".js-plotly-plot").nth(1).scroll_into_view_if_needed()
    lab.picture("panel_cancelled")
    assert lab.flaws() == []
    assert page.get_by_role("button", name="Run it").is_enabled()
