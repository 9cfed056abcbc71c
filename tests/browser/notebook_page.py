"""A notebook in a real browser: open it, run cells, read what they left, look for flaws."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.server import ROOT, Server

PICTURES = ROOT / "artefacts" / "browser"
#: Wall time that a busy machine may take for anything, in ms; nothing waits as long on an idle one.
PATIENCE_MS = 240_000

_READY = """() => {
  const app = window.jupyterapp, widget = app?.shell?.currentWidget;
  return widget?.context?.isReady && widget.sessionContext?.session?.kernel?.status === "idle";
}"""
_RUN_ALL = """async () => {
  await window.jupyterapp.commands.execute("notebook:run-all-cells");
}"""
_RUN_ONE = """async (index) => {
  const app = window.jupyterapp, notebook = app.shell.currentWidget.content;
  notebook.deselectAll();
  notebook.activeCellIndex = index;
  await app.commands.execute("notebook:run-cell");
}"""
_CELLS = "() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.toJSON().cells"
_SHOW = """async (index) => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.activeCellIndex = index;
  await notebook.scrollToItem(index, "start");
}"""
_THEME = """async (name) => {
  await window.jupyterapp.commands.execute("apputils:change-theme", { theme: name });
}"""
#: Words of figures that reach beyond their figure, and words of panels that do not fit their place.
CUT = """() => {
  const cut = [];
  for (const figure of document.querySelectorAll(".js-plotly-plot")) {
    const place = figure.getBoundingClientRect();
    if (!place.width) continue;
    for (const text of figure.querySelectorAll(".main-svg text")) {
      const box = text.getBoundingClientRect();
      if (!text.textContent.trim() || !box.width) continue;
      const out = Math.max(place.left - box.left, box.right - place.right,
                           place.top - box.top, box.bottom - place.bottom);
      if (out > 2) cut.push(`figure: ${text.textContent} by ${Math.round(out)} px`);
    }
  }
  for (const label of document.querySelectorAll(".lab-slider span, .widget-label")) {
    if (label.offsetWidth && label.scrollWidth > label.clientWidth + 1)
      cut.push(`panel: ${label.textContent}`);
  }
  return cut;
}"""


class NotebookPage:
    """One notebook, opened in JupyterLab, with the errors that the page's console told."""

    def __init__(self, page: Page, server: Server, notebook: str) -> None:
        self.page = page
        self.wrong: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.goto(server.url(notebook), wait_until="load")
        page.wait_for_function(_READY, timeout=PATIENCE_MS)

    def theme(self, name: str) -> None:
        """Change the page's theme: "light" or "dark"."""
        self.page.evaluate(_THEME, f"JupyterLab {name.capitalize()}")
        self.page.wait_for_function(
            "light => document.body.dataset.jpThemeLight === light",
            arg=str(name == "light").lower(),
        )

    def run_all(self) -> None:
        """Run every cell and wait until the last one has ended."""
        self.page.evaluate(_RUN_ALL)

    def run(self, *indices: int) -> None:
        """Run some cells, one after the other."""
        for index in indices:
            self.page.evaluate(_RUN_ONE, index)

    def cells(self) -> list[dict[str, Any]]:
        """Return the cells as they are now, with their outputs."""
        found: list[dict[str, Any]] = self.page.evaluate(_CELLS)
        return found

    def index(self, text: str) -> int:
        """Return the first code cell that holds a text."""
        return next(
            i
            for i, cell in enumerate(self.cells())
            if cell["cell_type"] == "code" and text in "".join(cell["source"])
        )

    def flaws(self) -> list[str]:
        """Return errors and words on standard error among the outputs, and the console's errors."""
        found = list(self.wrong)
        for number, cell in enumerate(self.cells()):
            for output in cell.get("outputs", ()):
                if output["output_type"] == "error":
                    found.append(f"cell {number}: {output['ename']}: {output['evalue']}")
                if output.get("name") == "stderr":
                    found.append(f"cell {number}, standard error: {output['text']}")
        return found

    def show(self, index: int) -> None:
        """Scroll to a cell, and let its figures be drawn."""
        self.page.evaluate(_SHOW, index)
        self.page.wait_for_timeout(500)

    def cut_words(self) -> list[str]:
        """Return the words that do not fit, of what is on the page now."""
        found: list[str] = self.page.evaluate(CUT)
        return found

    def picture(self, name: str) -> None:
        """Keep a picture of the page for a person to look at."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png")
