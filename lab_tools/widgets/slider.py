"""A slider that people who do not see it can use: the browser's own, with a name and a value.

The slider of ipywidgets has no accessible name, and says its position instead of its value.
"""

import anywidget
import traitlets

_ESM = """
export default {
  render({ model, el }) {
    const label = document.createElement("label");
    const words = document.createElement("span");
    const input = document.createElement("input");
    input.type = "range";
    input.step = 1;
    // the arrow keys are the slider's, not JupyterLab's
    input.dataset.lmSuppressShortcuts = "true";
    label.append(words, input);
    el.classList.add("lab-slider");
    el.append(label);
    const draw = () => {
      words.textContent = words.title = model.get("label");
      input.max = model.get("last");
      input.value = model.get("value");
      input.setAttribute("aria-valuetext", model.get("words"));
    };
    for (const name of ["label", "last", "value", "words"]) model.on(`change:${name}`, draw);
    input.addEventListener("input", () => {
      model.set("value", Number(input.value));
      model.save_changes();
    });
    draw();
  },
};
"""
_CSS = """
.lab-slider label {
  display: flex; align-items: center; gap: 8px; height: 32px;
  color: var(--jp-ui-font-color1); font-size: var(--jp-ui-font-size1, 13px);
}
.lab-slider span {
  width: 11em; flex: none; text-align: right;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.lab-slider input { width: 15em; accent-color: var(--jp-brand-color1, #0072B2); }
"""


class Slider(anywidget.AnyWidget):
    """A labelled slider over the steps 0 to ``last``.

    Attributes
    ----------
    value : the step, from 0.
    last : the last step.
    label : its name, shown on its left.
    words : the value of the step with its unit, for a screen reader.
    """

    _esm = _ESM
    _css = _CSS
    value = traitlets.Int(0).tag(sync=True)
    last = traitlets.Int(1).tag(sync=True)
    label = traitlets.Unicode("").tag(sync=True)
    words = traitlets.Unicode("").tag(sync=True)
