"""What `benchmarks.compare` measured: a page with Plotly bars, and tables for the documentation.

.venv/bin/python -m benchmarks.compare_page artefacts/bench/*.json --page docs/benchmarks.md
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from benchmarks import common
from lab_tools.units import rate_bps

HTML = FilePath(__file__).resolve().parents[1] / "artefacts" / "bench" / "compare.html"
MARK = "<!-- made by benchmarks.compare -->\n"
#: Column of the rows, its title, and whether its axis is logarithmic.
BARS = (
    ("virtual/wall", "Virtual over wall time (more is faster)", "log"),
    (
        "cpu s/million packets",
        "Processor seconds for a million data packets (less is faster)",
        "log",
    ),
    ("peak MB", "Peak memory, MB", "log"),
    ("of the best", "Goodput over what headers leave of the rate", "linear"),
)


def html(rows: Sequence[dict[str, Any]], notes: Sequence[str], file: FilePath) -> None:
    """Write bars for each column, and all figures in a table."""
    frame = pd.DataFrame(rows)
    parts = []
    for column, title, scale in BARS:
        bars = [
            go.Bar(name=name, y=part["case"], x=part[column], orientation="h")
            for name, part in frame.groupby("on", sort=False)
        ]
        layout = {
            "title": title,
            "height": 200 + 24 * len(frame),
            "xaxis": {"type": scale, "side": "top"},
            "yaxis": {"autorange": "reversed", "automargin": True},
            "legend": {"traceorder": "normal"},
        }
        parts.append(go.Figure(bars, layout).to_html(include_plotlyjs=not parts, full_html=False))
    head = "<!doctype html><html lang=en><meta charset=utf-8><title>Benchmark</title>"
    said = "".join(f"<p>{note}</p>" for note in notes)
    table = frame.drop(columns=["rate", "path"]).to_html(index=False)
    file.write_text(f"{head}{said}{''.join(parts)}{table}</html>", encoding="utf-8")


def markdown(rows: Sequence[dict[str, Any]], notes: Sequence[str]) -> str:
    """Return a table for each rate: one line a path, the ways beside one another."""
    ways = list(dict.fromkeys(row["on"] for row in rows))
    lines = [*(f"{note}\n" for note in notes), f"Each cell: {' / '.join(ways)}.", ""]
    for rate in sorted({row["rate"] for row in rows}, key=rate_bps):
        lines += [f"### {rate}", ""]
        lines += ["| path | virtual/wall | CPU s for 10⁶ packets | memory, MB | of the best |"]
        lines += ["|---|---|---|---|---|"]
        paths = dict.fromkeys(row["path"] for row in rows if row["rate"] == rate)
        for path in paths:
            found = {r["on"]: r for r in rows if (r["rate"], r["path"]) == (rate, path)}
            cells = [
                " / ".join(cell(found.get(way), column) for way in ways) for column, _, _ in BARS
            ]
            lines.append(f"| {path} | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)


def cell(row: dict[str, Any] | None, column: str) -> str:
    """Return a figure as the table shows it; a dash where that way was not run."""
    if row is None:
        return "–"
    value = row[column]
    if column == "of the best":
        return f"{value:.1%}"
    return f"{value:.0f}" if value >= 100 or column == "peak MB" else f"{value:.2g}"


def main() -> None:
    """Make the pages of what was kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=FilePath, help="rows that were kept")
    parser.add_argument("--html", type=FilePath, default=HTML, help="page with the bars")
    parser.add_argument("--page", type=FilePath, help="page whose part after its mark is replaced")
    asked = parser.parse_args()
    kept = [json.loads(file.read_text(encoding="utf-8")) for file in asked.files]
    # of a case that was run again, the later file's row
    rows = list({(row["case"], row["on"]): row for each in kept for row in each["rows"]}.values())
    notes = list(
        dict.fromkeys(note for each in kept for note in (each["measured"], *each["notes"]))
    )
    asked.html.parent.mkdir(parents=True, exist_ok=True)
    html(rows, notes, asked.html)
    if asked.page:
        common.replace_after(asked.page, MARK, markdown(rows, notes))


if __name__ == "__main__":
    main()
