"""The page around a panel: whether it is dark, and how wide it leaves the panel."""

from typing import Any

import anywidget
import traitlets

from lab_tools.figures.look import DARK, LIGHT

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
    const size = new ResizeObserver(() => window.dispatchEvent(new Event("resize")));
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

    def follow(self, figure: Any) -> None:
        """Give a figure the template of the page, now and whenever it changes."""

        def dress(_change: Any = None) -> None:
            figure.update_layout(template=DARK if self.dark else LIGHT)

        self.observe(dress, "dark")
        dress()
