"""Pages for a lecture hall: what each of them shows, in type that can be read from the back."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from lab_tools.errors import UnknownNameError

#: Sizes of type, in pixels: of the page's words and controls, of a figure, of its title.
_TEXT_PX, _FIGURE_PX, _TITLE_PX = 20, 19, 24

_STYLE = f"""<style>
:root {{
  --jp-ui-font-size0: {_TEXT_PX - 3}px; --jp-ui-font-size1: {_TEXT_PX}px;
  --jp-ui-font-size2: {_TEXT_PX + 2}px; --jp-ui-font-size3: {_TEXT_PX + 4}px;
  --jp-content-font-size1: {_TEXT_PX}px; --jp-code-font-size: {_TEXT_PX - 2}px;
  --jp-widgets-font-size: {_TEXT_PX}px; --jp-widgets-inline-height: 38px;
}}
body, .jp-Notebook, .jp-RenderedHTMLCommon {{ font-size: {_TEXT_PX}px; }}
/* names stand in full, and what is chosen from fits into its list */
.widget-label {{ overflow: visible; }}
.lab-slider label {{ height: 38px; }}
.lab-slider input {{ height: 24px; }}
.jupyter-button {{ padding: 0 18px; }}
input[type="checkbox"] {{ transform: scale(1.4); margin: 0 10px 0 8px; }}
</style>"""

#: Name of the template of the pages.
TEMPLATE = "lecture"
_TEMPLATE = """{%- extends 'lab/index.html.j2' -%}
{%- block notebook_css -%}
{%- set usual -%}{{ super() }}{%- endset -%}
{{ usual | replace('https://cdn.jsdelivr.net/npm/@fortawesome/fontawesome-free@^5/css/all.min.css',
'data:text/css,') | replace(
'https://cdn.jsdelivr.net/npm/@fortawesome/fontawesome-free@^5/css/v4-shims.min.css',
'data:text/css,') }}
{%- endblock notebook_css -%}
"""


@dataclass(frozen=True)
class LecturePage:
    """One page: its heading, a sentence under it, and the cells that show panels."""

    title: str
    words: str
    cells: tuple[str, ...]


PAGES = {
    "experiment": LecturePage(
        "One transfer over a long path",
        "Move a slider: the model answers at once. *Run it* measures it on the Linux kernel's TCP.",
        (
            "from lab_tools.experiment import Experiment, Flow, Path\n"
            "from lab_tools.widgets import explore\n"
            "path = Path(100e6, 0.05, loss=1e-4, mtu_bytes=1500)\n"
            'explore(Experiment(path, flows=(Flow("reno"),), duration_s=30))',
        ),
    ),
    "games": LecturePage(
        "You attack, the computer defends",
        "Find an attack after which neither of the two wants to change.",
        (
            "from lab_tools.widgets import game_board\ngame_board()",
            "# an example: what each loses or wins, in Mbit/s, and what an attack costs\n"
            "defender = [[0, -40], [-55, 0]]\n"
            "attacker = [[-10, 20], [45, -20]]\n"
            'names = {"defences": ("guard the fibre", "guard the servers"),\n'
            '         "attacks": ("cut the fibre", "enter the servers")}\n'
            "game_board((defender, attacker), **names)",
        ),
    ),
    "poincare": LecturePage(
        "Poincaré maps: chaos or noise?",
        "Above: maps whose answers are known. Below: what can be seen of a series alone.",
        (
            "from lab_tools.widgets import poincare_explorer\npoincare_explorer()",
            "import numpy as np\n"
            "from lab_tools.analysis.dynamics import reference as ref\n"
            "rng = np.random.default_rng(1)\n"
            "poincare_explorer({\n"
            '    "logistic map, r = 4": ref.logistic_orbit(4.0, 2000),\n'
            '    "white noise": ref.noise(2000, rng),\n'
            '    "noise with a memory": ref.noise(2000, rng, memory=0.95),\n'
            '    "AIMD window": ref.surrogate_aimd_orbit(20.0, 2000),\n'
            '    "Lorenz system": ref.lorenz_trace(2000),\n'
            "})",
        ),
    ),
    "profiles": LecturePage(
        "Throughput profiles: how far do ten gigabits reach?",
        "Measured on the Linux kernel's TCP over 10 Gbit/s, transfers of 10 s.",
        ("from lab_tools.widgets import profile_explorer\nprofile_explorer()",),
    ),
}


def notebook(name: str) -> nbformat.NotebookNode:
    """Return a page as a notebook.

    Parameters
    ----------
    name : of `PAGES`.

    Raises
    ------
    UnknownNameError : there is no such page.

    >>> [cell.cell_type for cell in notebook("profiles").cells]
    ['code', 'markdown', 'code']
    """
    if name not in PAGES:
        raise UnknownNameError("page", name, PAGES)
    page = PAGES[name]
    v4: Any = nbformat.v4  # its functions carry no annotations
    head = "from lab_tools.lecture import large_type\nlarge_type()"
    cells = [
        v4.new_code_cell(head),
        v4.new_markdown_cell(f"# {page.title}\n\n{page.words}"),
        *(v4.new_code_cell(source) for source in page.cells),
    ]
    about = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    made: nbformat.NotebookNode = v4.new_notebook(cells=cells, metadata=about)
    made.metadata["title"] = page.title
    return made


def write_template(folder: Path) -> None:
    """Write Voilà's template `TEMPLATE` into a folder of Jupyter's data.

    It is Voilà's usual one without the icons that that would fetch from the web: a lecture hall
    may have none.
    """
    place = folder / "voila" / "templates" / TEMPLATE
    place.mkdir(parents=True)
    (place / "conf.json").write_text('{"base_template": "lab"}', encoding="utf-8")
    (place / "index.html.j2").write_text(_TEMPLATE, encoding="utf-8")


def large_type() -> None:
    """Make a page's words, controls and figures large; called in the page's own kernel."""
    import plotly.io as pio
    from IPython.display import HTML, display

    from lab_tools.figures.look import DARK, LIGHT

    for name in (LIGHT, DARK):
        look = pio.templates[name].layout
        look.font.size, look.title.font.size = _FIGURE_PX, _TITLE_PX
        look.annotationdefaults.font.size = _FIGURE_PX - 2
        look.margin.update(l=100, t=80, b=90)
    display(HTML(_STYLE))  # type: ignore[no-untyped-call]
