"""The prose: every link leads somewhere."""

import re
from pathlib import Path
from urllib.parse import urlparse

import pytest

ROOT = Path(__file__).resolve().parents[1]
PLACES = ("*.md", "docs/**/*.md", "instructor/guides/*.md", "instructor/source/*.py")
PAGES = sorted(page for place in PLACES for page in ROOT.glob(place))
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
ADDRESS = re.compile(r"https?://[^\s)>\]`\"']+")


def anchors(page):
    """Return the anchors of a page's headings, as GitHub makes them."""
    found = set()
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            words = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            found.add(words.replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    text = page.read_text(encoding="utf-8")
    lost = []
    for target in LINK.findall(text):
        if urlparse(target).scheme:
            continue
        place, _, anchor = target.partition("#")
        file = (page.parent / place).resolve() if place else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            lost.append(target)
    assert lost == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_addresses_have_a_host(page):
    for address in ADDRESS.findall(page.read_text(encoding="utf-8")):
        host = urlparse(address).hostname or ""
        assert "." in host or host in ("localhost",), address
