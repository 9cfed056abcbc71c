"""What the site has beyond the pages in ``docs/``: MkDocs calls these functions as it builds.

Guides, the changelog and the like are taken from where they lie in the repository; the menu takes
the pages that are there; links are made to fit. Comments in pages are filled in:

``<!-- status:LAB -->``  whether a lab is ready
``<!-- gallery -->``  the figures of the solutions
``<!-- modules: NAMES -->``, ``<!-- commands -->``  the reference
``<!-- if FILE: text with {words} -->``  the text, where the file exists; the words link to it
"""

import logging
import posixpath
import re
from pathlib import Path
from typing import Any

import gallery
import links
import reference
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from lab_tools.errors import LabError

ROOT = Path(__file__).resolve().parents[2]
log = logging.getLogger("mkdocs.hooks.docs_site")

#: Pages of the site that lie elsewhere in the repository: where from, where to.
ELSEWHERE = {
    "CONTRIBUTING.md": "about/contributing.md",
    "CHANGELOG.md": "about/changelog.md",
    "instructor/hub/README.md": "operators/hub.md",
}
#: Places in the repository that another page stands for.
INSTEAD = {
    "README.md": "index.md",
    "docs/decisions": "decisions/0001-user-mode-linux-in-virtual-time.md",
}
_STATUS = re.compile(r"<!-- status:(\w+) -->")
_GALLERY = "<!-- gallery -->"
_COMMANDS = "<!-- commands -->"
_MODULES = re.compile(r"<!-- modules: (.*?) -->")
_IF = re.compile(r"<!-- if (\S+): (.*?) -->", re.DOTALL)


def sources() -> dict[str, str]:
    """Return every page taken from elsewhere: its place in the repository, and in the site."""
    guides = sorted(file.name for file in (ROOT / "instructor" / "guides").glob("*.md"))
    found = {f"instructor/guides/{name}": f"instructors/guides/{name}" for name in guides}
    return found | {here: there for here, there in ELSEWHERE.items() if (ROOT / here).exists()}


def menu(entries: list[Any], pages: set[str], docs: Path) -> list[Any]:
    """Return the menu with ``folder/*`` spread out, without pages that are not there.

    Parameters
    ----------
    entries : the menu as `mkdocs.yml` has it; "?" before a page says that it may be missing.
    pages : places of the pages from elsewhere.
    docs : the folder of the pages.

    >>> menu(["index.md", {"More": ["?no.md", "guides/*"]}], {"guides/a.md"}, Path("docs"))
    ['index.md', {'More': ['guides/a.md']}]
    """
    found: list[Any] = []
    for entry in entries:
        if isinstance(entry, dict):
            ((title, below),) = entry.items()
            if isinstance(below, list):
                found.append({title: menu(below, pages, docs)})
            else:
                found += [{title: page} for page in menu([below], pages, docs)]
        elif entry.endswith("/*"):
            folder = entry.removesuffix("*")
            here = {f"{folder}{file.name}" for file in docs.glob(f"{folder}*.md")}
            found += sorted(here | {page for page in pages if page.startswith(folder)})
        else:
            page = entry.removeprefix("?")
            if entry == page or page in pages or (docs / page).exists():
                found.append(page)
    return found


def optional(entries: list[Any]) -> set[str]:
    """Return the pages of a menu that may be missing.

    >>> optional(["index.md", {"More": ["?no.md"]}])
    {'no.md'}
    """
    found = set()
    for entry in entries:
        below = next(iter(entry.values())) if isinstance(entry, dict) else [entry]
        for one in below if isinstance(below, list) else [below]:
            if isinstance(one, dict):
                found |= optional([one])
            elif one.startswith("?"):
                found.add(one.removeprefix("?"))
    return found


def lab_title(name: str) -> str:
    """Return a lab's title as its guide has it, such as "Lab 02: friction"."""
    guide = ROOT / "instructor" / "guides" / f"{name}.md"
    first = guide.read_text(encoding="utf-8").splitlines()[0]
    title = first.removeprefix("# Guide to ")
    return title[0].upper() + title[1:]


def status(name: str) -> str:
    """Say whether a lab can be done: it has a notebook, a worked copy and a guide."""
    parts = (
        f"labs/{name}/{name}.ipynb",
        f"solutions/{name}/{name}.ipynb",
        f"instructor/guides/{name}.md",
    )
    return "ready" if all((ROOT / part).exists() for part in parts) else "planned"


def where_there(file: str, text: str, source: str) -> str:
    """Return a text whose words in braces link to a file, or nothing if there is no such file.

    >>> where_there("README.md", "Read {this}.", "docs/a/b.md")
    'Read [this](../../README.md).'
    >>> where_there("NOTHING.md", "Read {this}.", "docs/a/b.md")
    ''
    """
    if not (ROOT / file).exists():
        return ""
    target = posixpath.relpath(file, posixpath.dirname(source))
    return re.sub(r"\{([^}]*)\}", rf"[\1]({target})", text)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill the menu, and remember which pages may be missing."""
    config.extra["may_be_missing"] = optional(config.nav)
    config.nav = menu(config.nav, set(sources().values()), Path(config.docs_dir))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from elsewhere, and the gallery's pictures."""
    for here, there in sources().items():
        files.append(File.generated(config, there, abs_src_path=str(ROOT / here)))
    try:
        for there, picture in gallery.pictures(gallery.entries()).items():
            files.append(File.generated(config, there, abs_src_path=str(picture)))
    except LabError as error:
        log.warning("The gallery has no pictures: %s", error)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Fill in the labs' status and the gallery, and make links fit."""
    place = page.file.src_uri
    markdown = _STATUS.sub(lambda match: status(match[1]), markdown)
    markdown = _MODULES.sub(lambda match: reference.modules(match[1]), markdown)
    if _COMMANDS in markdown:
        markdown = markdown.replace(_COMMANDS, reference.commands())
    if _GALLERY in markdown:
        shown = gallery.entries()
        titles = {entry.lab: lab_title(entry.lab) for entry in shown}
        markdown = markdown.replace(_GALLERY, gallery.markdown(shown, titles))
    if place.startswith("instructors/guides/"):
        page.meta["hide"] = ["toc"]  # their tables are wide
    here = {there: source for source, there in sources().items()}.get(place, f"docs/{place}")
    markdown = _IF.sub(lambda match: where_there(match[1], match[2], here), markdown)

    def find(wanted: str) -> str | None:
        known = INSTEAD | sources()
        if wanted in known:
            return known[wanted]
        inside = wanted.removeprefix("docs/")
        if inside != wanted and files.get_file_from_path(inside):
            return inside
        if inside in config.extra["may_be_missing"]:
            return ""
        return _copy(wanted, files, config)

    return links.rewrite(markdown, here, place, find)


def _copy(wanted: str, files: Files, config: MkDocsConfig) -> str | None:
    """Copy a file of the repository into the site, and return its place there."""
    source = ROOT / wanted
    if not source.is_file():
        return None
    place = f"files/{wanted}" + ("" if source.suffix else ".txt")
    if not files.get_file_from_path(place):
        files.append(File.generated(config, place, abs_src_path=str(source)))
    return place
