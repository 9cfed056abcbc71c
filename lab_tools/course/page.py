"""The pages that leave the course: one file, readable on white, on black and on paper."""

import html
from collections.abc import Iterable, Sequence

from plotly import graph_objects as go
from plotly import io as pio

from lab_tools.figures import look

_STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --line: #d5d5d5; --soft: #5a5a5a;
  --tile: #f4f5f7; --accent: #0072B2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #16181c; --line: #3a3d42;
  --soft: #a8adb4; --tile: #1f2227; --accent: #56B4E9; } }
* { box-sizing: border-box; }
body { background: var(--paper); color: var(--ink); margin: 0 auto; max-width: 62rem;
  padding: 1.5rem 1rem 3rem; font: 1rem/1.5 "Open Sans", "Helvetica Neue", Arial, "DejaVu Sans",
  sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p, li { max-width: 46rem; }
.soft { color: var(--soft); font-size: .9rem; }
.tiles { display: flex; flex-wrap: wrap; gap: .7rem; margin: 1rem 0; padding: 0; }
.tiles div { background: var(--tile); border-radius: .4rem; flex: 1 1 8rem; padding: .6rem .8rem; }
.tiles b { display: block; font-size: 1.35rem; font-weight: 600; line-height: 1.3; }
.tiles span { color: var(--soft); font-size: .85rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { padding: .35rem .6rem; text-align: left; vertical-align: top; overflow-wrap: break-word; }
td:first-child { white-space: nowrap; }
th { border-bottom: 2px solid var(--line); white-space: nowrap; }
td { border-bottom: 1px solid var(--line); }
th.n, td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tfoot td { border-bottom: 0; border-top: 2px solid var(--line); font-weight: 600; }
@media print { :root { color-scheme: light; --ink: #000; --paper: #fff; --line: #999;
  --soft: #444; --tile: #fff; --accent: #004f7d; } html { font-size: 10pt; }
  body { line-height: 1.35; max-width: none; padding: 0; }
  th, td { padding: .22rem .5rem; } .tiles div { border: 1px solid #999; }
  tr, .tiles { break-inside: avoid; } }
"""
#: Figures follow the page between white and black, and are white on paper.
_SCRIPT = """
const looks = {light: %s, dark: %s};
const dark = matchMedia("(prefers-color-scheme: dark)");
function paint(name) {
  for (const each of document.querySelectorAll(".js-plotly-plot"))
    Plotly.relayout(each, {template: looks[name]});
}
const follow = () => paint(dark.matches ? "dark" : "light");
dark.addEventListener("change", follow);
addEventListener("beforeprint", () => paint("light"));
addEventListener("afterprint", follow);
if (dark.matches) follow();
"""


def page(title: str, body: str, *, style: str = "") -> str:
    """Return a whole page.

    Parameters
    ----------
    title : plain text.
    body : markup; whoever made it has escaped what came from elsewhere.
    style : more rules.
    """
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}{style}</style></head>\n"
        f"<body>\n{body}</body></html>\n"
    )


def tiles(pairs: Iterable[tuple[str, str]]) -> str:
    """Return numbers with what they are, side by side."""
    made = "".join(
        f"<div><b>{html.escape(value)}</b><span>{html.escape(name)}</span></div>"
        for name, value in pairs
    )
    return f"<div class='tiles'>{made}</div>\n"


def table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Sequence[int] = (),
    foot: Sequence[str] = (),
) -> str:
    """Return a table of plain text.

    Parameters
    ----------
    header, rows : cells.
    numbers : columns that hold numbers, from 0.
    foot : a last row of sums.
    """
    lines = [_row("th", header, numbers)]
    body = "".join(_row("td", row, numbers) for row in rows)
    end = f"<tfoot>{_row('td', foot, numbers)}</tfoot>" if foot else ""
    return (
        f"<div class='wide'><table><thead>{lines[0]}</thead><tbody>{body}</tbody>{end}</table>"
        "</div>\n"
    )


def figures(made: Sequence[go.Figure]) -> list[str]:
    """Return the markup of figures; the first one brings plotly.js along, nothing is fetched."""
    config = {"displaylogo": False, "responsive": True}
    return [
        pio.to_html(figure, config=config, full_html=False, include_plotlyjs=index == 0)
        for index, figure in enumerate(made)
    ]


def painter() -> str:
    """Return the script that gives figures the page's look; it goes to the end of the body."""
    light, dark = (pio.templates[name].to_plotly_json() for name in (look.LIGHT, look.DARK))
    return f"<script>{_SCRIPT % (pio.to_json(light), pio.to_json(dark))}</script>\n"


def _row(kind: str, cells: Sequence[str], numbers: Sequence[int]) -> str:
    made = "".join(
        f"<{kind} class='n'>{html.escape(cell)}</{kind}>"
        if index in numbers
        else f"<{kind}>{html.escape(cell)}</{kind}>"
        for index, cell in enumerate(cells)
    )
    return f"<tr>{made}</tr>\n"
