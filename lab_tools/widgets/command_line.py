"""A line to type commands on, with a history under the arrow keys."""

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

_ESM = """
export default {
  render({ model, el }) {
    const label = document.createElement("label");
    const prompt = document.createElement("span");
    const input = document.createElement("input");
    input.type = "text";
    input.spellcheck = false;
    input.autocomplete = "off";
    input.dataset.lmSuppressShortcuts = "true";
    label.append(prompt, input);
    el.classList.add("lab-command-line");
    el.append(label);
    const typed = [];
    let place = 0;
    const draw = () => {
      prompt.textContent = model.get("prompt");
      input.disabled = model.get("busy");
      if (!model.get("busy") && input.dataset.used) input.focus();
    };
    model.on("change:prompt", draw);
    model.on("change:busy", draw);
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && input.value.trim()) {
        typed.push(input.value);
        place = typed.length;
        input.dataset.used = "yes";
        model.send({ command: input.value });
        input.value = "";
      } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
        const step = event.key === "ArrowUp" ? -1 : 1;
        place = Math.min(Math.max(place + step, 0), typed.length);
        input.value = typed[place] ?? "";
        event.preventDefault();
      }
    });
    draw();
  },
};
"""
_CSS = """
.lab-command-line label { display: flex; align-items: center; gap: 8px; }
.lab-command-line, .lab-command-line input {
  font-family: var(--jp-code-font-family, monospace);
  font-size: var(--jp-code-font-size, 13px);
  color: var(--jp-content-font-color1);
}
.lab-command-line input {
  flex: auto; padding: 4px 6px; background: var(--jp-layout-color1, #fff);
  border: 1px solid var(--jp-border-color1, #808080);
}
"""


class CommandLine(anywidget.AnyWidget):
    """A text entry that sends each command at Enter and keeps them for the arrow keys.

    Attributes
    ----------
    prompt : what stands before the entry, and is its name.
    busy : whether it waits for a command to end, and takes no other.
    """

    _esm = _ESM
    _css = _CSS
    prompt = traitlets.Unicode("$").tag(sync=True)
    busy = traitlets.Bool(False).tag(sync=True)

    def on_command(self, function: Callable[[str], None]) -> None:
        """Call a function with every command that is typed."""

        def take(_widget: Any, content: Any, _buffers: Any) -> None:
            if isinstance(content, dict) and isinstance(content.get("command"), str):
                function(content["command"])

        self.on_msg(take)
