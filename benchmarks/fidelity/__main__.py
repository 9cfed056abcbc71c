"""Make the fidelity page: ``python -m benchmarks.fidelity [PART …] [--page docs/fidelity.md]``.

Every row is one or more runs on the virtual-time kernel, so the numbers are the same on every
machine; only how long it takes differs.
"""

import argparse
import sys
from pathlib import Path

from benchmarks.fidelity import bbr, loss_based, published, red, vegas
from benchmarks.fidelity.row import Row

PARTS = {
    "loss-based": ("Recovery and decrease", loss_based.rows),
    "bbr": ("BBR", bbr.rows),
    "vegas": ("Vegas, five flows that join one after another", vegas.rows),
    "red": ("RED", red.rows),
    "published": ("Published measurements", published.rows),
}
HEAD = """# Fidelity: theory, published tables, and what came out

Made by `python -m benchmarks.fidelity`. Every number in the column *measured* comes from runs on
the virtual-time kernel and is the same on every machine. The last column says why it differs from
what was expected.
"""


def table(rows: list[Row]) -> str:
    """Return rows as a table of Markdown."""
    names = ["what", "expected", "measured", "off by", "source of the expectation", "why"]
    lines = [names, ["---"] * len(names), *[row.cells() for row in rows]]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) + "\n"


def main() -> int:
    """Run the parts that are asked for; write the page when all of them were."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of: {', '.join(PARTS)}")
    parser.add_argument("--page", type=Path, help="write all parts to this file")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}: take some of {', '.join(PARTS)}")
    page = HEAD
    for name in asked.parts or PARTS:
        title, rows = PARTS[name]
        text = f"\n## {title}\n\n{table(rows())}"
        print(text, flush=True)
        page += text
    if asked.page:
        asked.page.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
