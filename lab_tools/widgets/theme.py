"""Figures in the colours of the page: a small widget says whether the page is dark."""

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
    const watch = new MutationObserver(tell);
    watch.observe(document.body, { attributes: true });
    tell();
    return () => watch.disconnect();
  },
};
"""


class Theme(anywidget.AnyWidget):
    """An invisible widget that tells whether the page is dark; put it among a panel's children."""

    _esm = _ESM
    dark = traitlets.Bool(False).tag(sync=True)

    def follow(self, figure: Any) -> None:
        """Give a figure the template of the page, now and whenever it changes."""

        def dress(_change: Any = None) -> None:
            figure.update_layout(template=DARK if self.dark else LIGHT)

        self.observe(dress, "dark")
        dress()
