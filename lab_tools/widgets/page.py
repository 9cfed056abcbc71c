"""The page around a panel: whether it is dark, and how wide it leaves the panel."""

from typing import Any

import anywidget
import traitlets

from lab_tools.figures.look import DARK, LIGHT
from lab_tools.widgets.holder import Held

_ESM = """
function dark() {
  const named = document.body.dataset.jpThemeLight;
  if (named) return named === "false";
  const ground = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g);
  if (ground && (ground.length < 4 || Number(ground[3]) > 0)) {
    return (Number(ground[0]) + Number(ground[1]) + Number(ground[2])) / 3 < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
export default {
  render({ model, el }) {
    el.style.display = "none";
    const tell = () => {
      if (model.get("dark") === dark()) return;
      model.set("dark", dark());
      model.save_changes();
    };
    const theme = new MutationObserver(tell);
    theme.observe(document.body, { attributes: true });
    tell();
    // plotly looks at the width of its place only when the window's size changes
    let width = 0;
    const size = new ResizeObserver(([entry]) => {
      if (entry.contentRect.width === width) return;
      width = entry.contentRect.width;
      window.dispatchEvent(new Event("resize"));
    });
    const watch = () => {
      if (el.parentElement) size.observe(el.parentElement);
      else requestAnimationFrame(watch);
    };
    watch();
    return () => { theme.disconnect(); size.disconnect(); };
  },
};
"""


class Page(anywidget.AnyWidget):
    """An invisible widget, the first child of a panel, that knows the page around it.

    Attributes
    ----------
    dark : whether the page is dark.
    """

    _esm = _ESM
    dark = traitlets.Bool(False).tag(sync=True)

    def follow(self, held: Held) -> None:
        """Give a figure the template of the page, now and whenever it changes."""

        def dress(_change: Any = None) -> None:
            held.dress(DARK if self.dark else LIGHT)

        self.observe(dress, "dark")
        dress()
