"""How often a panel's live curves are drawn during a run of 60 virtual seconds, in Chromium.

    .venv/bin/python -m benchmarks.browser_updates [--seconds 60] [--rate "100 Mbit/s"]

Starts JupyterLab on this machine alone, shows the experiment panel, presses Run, and counts the
drawings of the live figure, the frames of the page, and the longest time without a frame.
"""

import argparse
import json
import os
import shutil
import tempfile
from pathlib import Path

import nbformat
from playwright.sync_api import sync_playwright

from lab_tools.units import rate_bps
from tests.browser.notebook_page import NotebookPage
from tests.browser.server import jupyterlab

SOURCE = """from lab_tools.experiment import Experiment, Path
from lab_tools.widgets import explore
explore(Experiment(Path({rate}, 0.05, mtu_bytes=1500), duration_s={seconds}), vary=("rtt_s",))"""
#: Counts from now on; a drawing is counted once the live figure is there.
WATCH = """() => {
  const seen = window.seen = { drawn: [], frames: 0, longest_ms: 0 };
  let last = performance.now();
  const frame = () => {
    const now = performance.now();
    seen.frames += 1;
    seen.longest_ms = Math.max(seen.longest_ms, now - last);
    last = now;
    const live = document.querySelectorAll(".js-plotly-plot")[1];
    if (live?.on && !live.watched) {
      live.watched = true;
      live.on("plotly_afterplot", () => seen.drawn.push(performance.now()));
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", default="100 Mbit/s")
    asked = parser.parse_args()
    cell = SOURCE.format(rate=rate_bps(asked.rate), seconds=asked.seconds)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "notebooks")
        folder.mkdir()
        made = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell)],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(made, folder / "panel.ipynb")
        with jupyterlab(folder, LAB_TESTBED="virtual") as server, sync_playwright() as play:
            browser = play.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            page = browser.new_page(viewport={"width": 1360, "height": 1400})
            print(json.dumps(measured(page, server), indent=1))


def measured(page, server) -> dict[str, float]:
    """Run the panel's experiment and return what the page saw."""
    notebook = NotebookPage(page, server, "panel.ipynb")
    notebook.run(0)
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    page.evaluate(WATCH)
    page.get_by_role("button", name="Run it").click()
    page.get_by_text("Measured:").wait_for(timeout=600_000)
    seen = page.evaluate("window.seen")
    times = seen["drawn"]
    wall_s = (times[-1] - times[0]) / 1000
    return {
        "drawings": len(times),
        "wall_s": round(wall_s, 2),
        "drawings_per_s": round((len(times) - 1) / wall_s, 2),
        "longest_without_a_frame_ms": round(seen["longest_ms"]),
        "load_average": round(os.getloadavg()[0], 2),
        "cores": os.cpu_count(),
    }


if __name__ == "__main__":
    main()
