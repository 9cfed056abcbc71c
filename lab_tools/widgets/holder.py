"""A figure in a panel: changed in Python, drawn again by plotly in the page, as wide as its place.

Plotly's own ``FigureWidget`` sends the whole of plotly.js, 5 MB, with each figure, and what is
changed before the page has loaded it is lost. Here plotly.js goes to the page once, and the page
always draws the figure's latest state.
"""

import anywidget
import plotly.graph_objects as go
import traitlets
from plotly.offline import get_plotlyjs

_ESM = """
const loading = (globalThis.__labPlotly ??= {});

async function idle() {
  await new Promise((go) => (globalThis.requestIdleCallback ?? setTimeout)(go));
}
async function load(text) {
  await idle();  // reading plotly.js takes a while: let small widgets start first
  const head = "const module = { exports: {} }, define = undefined;\\n";
  const parts = [head, text, "\\nexport default module.exports;"];
  const url = URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
  try {
    return (await import(url)).default;
  } finally {
    URL.revokeObjectURL(url);
  }
}
async function plotly(model) {
  const library = await model.widget_manager.get_model(model.get("library"));
  return (loading[library.get("version")] ??= load(library.get("source")));
}
export default {
  async render({ model, el }) {
    const place = document.createElement("div");
    const words = document.createElement("div");
    words.textContent = "The figure is being loaded …";
    el.append(words, place);
    el.style.width = "100%";
    const Plotly = await plotly(model);
    words.remove();
    let busy = false, changed = false;
    const draw = async () => {
      changed = true;
      if (busy) return;  // what came while it drew is drawn next, the latest alone
      busy = true;
      while (changed) {
        changed = false;
        const began = performance.now();
        const { data, layout } = JSON.parse(model.get("spec"));
        await Plotly.react(place, data, layout, { responsive: true, displaylogo: false });
        // half of the time is the page's own, however slow the machine
        await new Promise((go) => setTimeout(go, performance.now() - began));
      }
      busy = false;
    };
    model.on("change:spec", draw);
    draw();
    return () => { model.off("change:spec", draw); Plotly.purge(place); };
  },
};
"""


class Library(anywidget.AnyWidget):
    """The source of plotly.js, once for all figures of a kernel."""

    _esm = "export default { render() {} };"
    source = traitlets.Unicode("").tag(sync=True)
    version = traitlets.Unicode("").tag(sync=True)


class FigureView(anywidget.AnyWidget):
    """What the page shows of a `Held` figure.

    Attributes
    ----------
    spec : the figure as plotly's JSON.
    library : the model's name of the `Library`.
    """

    _esm = _ESM
    spec = traitlets.Unicode("{}").tag(sync=True)
    library = traitlets.Unicode("").tag(sync=True)


class Held:
    """A plotly figure and its place in a panel.

    Attributes
    ----------
    figure : change it as you like, then call `push`.
    widget : what to put into a panel.

    >>> held = Held(go.Figure(go.Scatter(x=[1], y=[2])))
    >>> '"type":"scatter"' in held.widget.spec
    True
    """

    def __init__(self, figure: go.Figure) -> None:
        self.figure = figure
        self.widget = FigureView(library=library().model_id)
        self.push()

    def push(self) -> None:
        """Let the page draw the figure as it is now, in one message."""
        self.widget.spec = self.figure.to_json()

    def show(self, figure: go.Figure) -> None:
        """Put another figure in the place of this one, in the same colours."""
        figure.update_layout(template=self.figure.layout.template)
        self.figure = figure
        self.push()

    def dress(self, template: str) -> None:
        """Give the figure a template."""
        self.figure.update_layout(template=template)
        self.push()


_libraries: list[Library] = []


def library() -> Library:
    """Return the widget that carries plotly.js; a new one if somebody closed all widgets."""
    if not _libraries or _libraries[-1].comm is None:
        source = get_plotlyjs()
        _libraries.append(Library(source=source, version=source[:40]))
    return _libraries[-1]
