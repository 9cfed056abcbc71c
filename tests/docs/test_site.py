"""The built site: nothing broken, nothing from elsewhere, every lab and every error in it."""

import inspect
import re
import struct
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

from lab_tools import errors
from lab_tools.errors import LabError
from lab_tools.testbeds.dtn.problems import PairError

ROOT = Path(__file__).resolve().parents[2]
ALL_ERRORS = [
    each for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, LabError)
] + [PairError]


class Targets(HTMLParser):
    """Collects what a page links to, what it loads, and its pictures without words."""

    def __init__(self, page):
        super().__init__()
        self.links, self.loaded, self.mute = [], [], []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        if found.get("src"):
            self.loaded.append(found["src"])
        if tag == "link" and found.get("rel") in ("stylesheet", "icon", "preconnect", "preload"):
            self.loaded.append(found["href"])
        if tag == "img" and not found.get("alt"):
            self.mute.append(found.get("src"))


@pytest.fixture(scope="module")
def pages(site):
    return {page: Targets(page) for page in sorted(site.rglob("*.html"))}


def test_every_link_and_picture_is_there(site, pages):
    lost = []
    for page, targets in pages.items():
        for target in targets.links + targets.loaded:
            parts = urlparse(target)
            if parts.scheme or not parts.path or page.name == "404.html":
                continue
            place = (page.parent / unquote(parts.path)).resolve()
            if not (place.is_file() or (place / "index.html").is_file()):
                lost.append(f"{page.relative_to(site)}: {target}")
    assert lost == []
    assert len(pages) > 50


def test_nothing_is_loaded_from_elsewhere(pages):
    foreign = {target for each in pages.values() for target in each.loaded if "//" in target}
    assert foreign == set()


def test_every_picture_has_words(pages):
    assert [each.mute for each in pages.values() if each.mute] == []


def test_style_sheets_load_nothing_from_elsewhere(site):
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", text) == []


def test_the_curriculum_says_which_labs_can_be_done(site):
    text = (site / "curriculum" / "index.html").read_text(encoding="utf-8")
    rows = re.findall(r"<strong>(\d\d) [^<]*</strong></td>\s*<td>(ready|planned)</td>", text)
    assert [number for number, _ in rows] == [f"{n:02}" for n in range(18)]
    ready = {number for number, status in rows if status == "ready"}
    assert ready == {folder.name[:2] for folder in (ROOT / "solutions").glob("[0-9][0-9]_*")}


def test_every_guide_is_a_page(site):
    guides = {guide.stem for guide in (ROOT / "instructor" / "guides").glob("*.md")}
    assert {page.parent.name for page in site.glob("instructors/guides/*/index.html")} == guides


@pytest.mark.parametrize("error", ALL_ERRORS, ids=lambda error: error.__name__)
def test_every_error_has_its_section(error):
    page = (ROOT / "docs" / "operators" / "troubleshooting.md").read_text(encoding="utf-8")
    _, _, section = page.partition(f"\n## {error.__name__}\n")
    assert section.strip().startswith(f"Exit code {error.exit_code}.")
    assert "**Do:**" in section.split("\n## ")[0] or "do |" in section or error is LabError


def test_the_reference_has_what_the_docstrings_say(site):
    text = (site / "reference" / "models" / "index.html").read_text(encoding="utf-8")
    assert 'id="lab_tools.models.mathis.mathis_goodput"' in text
    assert "Modeling TCP throughput" in text  # PFTK's source, from its docstring
    commands = (site / "reference" / "commands" / "index.html").read_text(encoding="utf-8")
    assert "--duration TEXT" in commands
    assert "lab kernel build" in commands


def test_the_gallery_holds_figures_of_the_solutions(site, tools):
    import gallery

    shown = gallery.entries()
    assert len(shown) >= 12
    assert {entry.lab for entry in shown} <= {p.name for p in (ROOT / "solutions").iterdir()}
    page = (site / "gallery" / "index.html").read_text(encoding="utf-8")
    for entry in shown:
        for look in ("light", "dark"):
            head = (site / "gallery" / f"{entry.name}_{look}.png").read_bytes()
            assert struct.unpack(">I", head[16:20]) == (1376,)  # 860 pixels at 1.6 each
            assert len(head) > 10_000  # more than an empty page
            assert f"{entry.name}_{look}.png#only-{look}" in page
        assert len(entry.alt) > 40
