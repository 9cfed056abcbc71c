"""The gallery: figures of the executed solutions, drawn as pictures while the site is built.

``docs/gallery.toml`` says which figures, with a caption and a text for those who cannot see them.
Nothing is drawn anew: a figure is what the solution's run left in its notebook. It is drawn twice,
for the light and for the dark look, and kept in ``build/gallery`` under a name that changes with
the figure, so a second build draws nothing.
"""

import hashlib
import html
import json
import tomllib
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kaleido
import plotly
import plotly.graph_objects as go
from kaleido.errors import ChromeNotFoundError

from lab_tools.errors import DataError
from lab_tools.figures.export import TIMEOUT_S, write_png
from lab_tools.figures.look import DARK, LIGHT

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "docs" / "gallery.toml"
CACHE = ROOT / "build" / "gallery"
PLOTLY = "application/vnd.plotly.v1+json"
WIDTH_PX = 860
#: Pixels of the picture for each pixel of the layout.
SCALE = 1.6
#: The two looks of the site, and the template of each.
LOOKS = {"light": LIGHT, "dark": DARK}


@dataclass(frozen=True)
class Entry:
    """A figure of the gallery.

    Attributes
    ----------
    lab : the lab whose solution made it.
    title : how the figure's own title begins.
    caption : what to see in it.
    alt : what it shows, for those who cannot see it.
    """

    lab: str
    title: str
    caption: str
    alt: str

    @property
    def name(self) -> str:
        """A name for its files.

        >>> Entry("02_mathis", "One law: all", "", "").name
        '02_one_law_all'
        """
        plain = unicodedata.normalize("NFKD", self.title.lower()).encode("ascii", "ignore").decode()
        words = "".join(c if c.isalnum() else " " for c in plain).split()
        return "_".join([self.lab[:2], *words])


def entries(file: Path = LIST) -> list[Entry]:
    """Return the figures asked for, in their order."""
    return [Entry(**one) for one in tomllib.loads(file.read_text(encoding="utf-8"))["figure"]]


def figures(notebook: Path) -> Iterator[dict[str, Any]]:
    """Yield the Plotly figures that an executed notebook holds, in their order."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", ()):
            if PLOTLY in output.get("data", {}):
                yield output["data"][PLOTLY]


def find(entry: Entry, solutions: Path = ROOT / "solutions") -> dict[str, Any]:
    """Return the figure of an entry.

    Raises
    ------
    DataError : the solution is not there, or holds no such figure.
    """
    notebook = solutions / entry.lab / f"{entry.lab}.ipynb"
    if not notebook.exists():
        raise DataError("lab", f"{entry.lab} has no executed solution", "one in solutions/")
    titles = []
    for figure in figures(notebook):
        titles.append(figure["layout"].get("title", {}).get("text", ""))
        if titles[-1].startswith(entry.title):
            return figure
    there = "; ".join(titles) or "none"
    raise DataError(
        "title", f"{entry.title!r} is no figure of {entry.lab}", f"the beginning of one of: {there}"
    )


def picture(figure: dict[str, Any], template: str, folder: Path = CACHE) -> Path:
    """Return where the picture of a figure with a look is kept."""
    known = [plotly.__version__, template, WIDTH_PX, SCALE, figure["data"], figure["layout"]]
    digest = hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()
    return folder / f"{digest[:24]}.png"


def draw(figure: dict[str, Any], template: str, file: Path) -> None:
    """Draw a figure with a look into a file, whole or not at all."""
    shown = go.Figure({"data": figure["data"], "layout": figure["layout"]})
    shown.update_layout(template=template)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_png(shown, file.with_suffix(".part.png"), width_px=WIDTH_PX, scale=SCALE).replace(file)


def pictures(wanted: list[Entry]) -> dict[str, Path]:
    """Return the pictures of the gallery: their places in the site, and the files; draw new ones.

    Raises
    ------
    DataError : a figure is not in its solution.
    MissingToolError : there is a figure to draw, and no browser to draw it.
    """
    found, missing = {}, []
    for entry in wanted:
        figure = find(entry)
        for look, template in LOOKS.items():
            file = found[f"gallery/{entry.name}_{look}.png"] = picture(figure, template)
            if not file.exists():
                missing.append((figure, template, file))
    if missing:
        with one_browser():
            for each in missing:
                draw(*each)
    return found


@contextmanager
def one_browser() -> Iterator[None]:
    """Draw with one browser for all pictures: each start costs more than ten pictures."""
    try:
        kaleido.start_sync_server(n=1, mathjax=False, timeout=TIMEOUT_S)
    except ChromeNotFoundError:
        yield  # write_png says what is missing and what to do
        return
    try:
        with warnings.catch_warnings():
            # kaleido says that the options of the single picture give way to those of the server
            warnings.simplefilter("ignore")
            yield
    finally:
        kaleido.stop_sync_server()


def markdown(shown: list[Entry], titles: dict[str, str]) -> str:
    """Return the gallery's text: a section a lab, a picture with its caption below it."""
    parts, lab = [], ""
    for entry in shown:
        if entry.lab != lab:
            lab = entry.lab
            parts.append(f"## {titles[lab]}")
        alt = html.escape(entry.alt)
        images = "".join(
            f'<img src="../gallery/{entry.name}_{look}.png#only-{look}" alt="{alt}" '
            f'width="{WIDTH_PX}" loading="lazy">'
            for look in LOOKS
        )
        caption = html.escape(entry.caption)
        parts.append(
            f'<figure><div class="picture" tabindex="0">{images}</div>'
            f"<figcaption>{caption}</figcaption></figure>"
        )
    return "\n\n".join(parts)
