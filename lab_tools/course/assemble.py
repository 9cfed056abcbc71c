"""Make the graded copy of a notebook: the release's frame, the student's words and outputs.

What nbgrader goes by (grade ids, points, locked cells) is taken from the released notebook alone.
"""

import re
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader import utils

#: Kinds of output that a browser runs or loads nothing for. Formgrader shows the copy in the
#: instructor's session, where a script of the student's could act as the instructor.
_SHOWN = {
    "text/plain",
    "text/markdown",
    "application/json",
    "application/vnd.plotly.v1+json",
    "image/png",
    "image/jpeg",
    "image/gif",
}
_TAG = re.compile(r"<(?=[a-zA-Z/!?])")
_LINK = re.compile(r"\](?=[(\[:])(.)")
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
_MISSING = "*This cell was missing from the submission.*\n\n"


def graded_copy(
    release: NotebookNode, cells: list[dict[str, Any]], tasks: dict[str, dict[str, Any]]
) -> NotebookNode:
    """Return the notebook that Formgrader shows.

    Parameters
    ----------
    release : the released notebook.
    cells : the submitted cells, as the sandbox sent them.
    tasks : what the checks said, by task.
    """
    frame = {
        cell.metadata.nbgrader.grade_id: cell
        for cell in release.cells
        if "nbgrader" in cell.metadata
    }
    submitted = [_trusted(cell) for cell in cells if isinstance(cell, dict)]
    # of several cells of one name the last one counts, as in nbgrader
    last = {cell["id"]: number for number, cell in enumerate(submitted) if cell["id"] in frame}
    made = nbformat.v4.new_notebook(metadata=release.metadata)
    present: list[str] = []
    for number, cell in enumerate(submitted):
        name = cell["id"] if last.get(cell["id"]) == number else None
        made.cells.append(_cell(cell, frame.get(name) if name else None, tasks))
        present += [name] if name else []
    for name, cell in frame.items():
        if name not in present:
            made.cells.append(_missing(cell, tasks))
    for number, cell in enumerate(made.cells):
        cell["id"] = f"cell-{number}"
    return made


def _trusted(cell: dict[str, Any]) -> dict[str, Any]:
    """Return a cell of the sandbox's answer with every part of the right kind."""
    outputs = cell.get("outputs")
    return {
        "type": cell.get("type") if cell.get("type") in ("code", "markdown") else "raw",
        "source": cell["source"] if isinstance(cell.get("source"), str) else "",
        "id": cell["id"] if isinstance(cell.get("id"), str) else None,
        "outputs": outputs if isinstance(outputs, list) else [],
    }


def _cell(
    cell: dict[str, Any], master: NotebookNode | None, tasks: dict[str, dict[str, Any]]
) -> NotebookNode:
    kind = master.cell_type if master is not None else cell["type"]
    source = cell["source"]
    if master is not None and utils.is_locked(master):
        source = master.source
    if kind != "code" and (master is None or source != master.source):
        source = harmless(source)
    made = _new(kind, source)
    if master is not None:
        made.metadata["nbgrader"] = dict(master.metadata.nbgrader)
    if kind == "code":
        made.outputs = _outputs(master, cell["outputs"], tasks)
    return made


def _missing(master: NotebookNode, tasks: dict[str, dict[str, Any]]) -> NotebookNode:
    is_test = utils.is_grade(master) and not utils.is_solution(master)
    source = master.source if master.cell_type == "code" else _MISSING + master.source
    made = _new(master.cell_type, source)
    made.metadata["nbgrader"] = dict(master.metadata.nbgrader)
    if master.cell_type == "code" and is_test:
        made.outputs = _outputs(master, [], tasks)
    return made


def _new(kind: str, source: str) -> NotebookNode:
    make = {
        "code": nbformat.v4.new_code_cell,
        "markdown": nbformat.v4.new_markdown_cell,
        "raw": nbformat.v4.new_raw_cell,
    }
    return make[kind](source)


def _outputs(
    master: NotebookNode | None, outputs: list[Any], tasks: dict[str, dict[str, Any]]
) -> list[NotebookNode]:
    """Return the check's words and score for an autograded cell, else what the cell showed."""
    if master is not None and utils.is_grade(master) and not utils.is_solution(master):
        found = tasks.get(master.metadata.nbgrader.grade_id)
        if found is None:
            return []
        text = f"{found['score']:g} of {found['points']:g} points. {found['message']}\n"
        return [
            nbformat.v4.new_output("stream", name="stdout", text=text),
            nbformat.v4.new_output(
                "execute_result",
                data={"text/plain": repr(float(found["score"]))},
                execution_count=1,
            ),
        ]
    made = (_output(each) for each in outputs if isinstance(each, dict))
    return [each for each in made if each is not None]


def _output(output: dict[str, Any]) -> NotebookNode | None:
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return nbformat.v4.new_output("stream", name=name, text=str(output.get("text", "")))
    if kind == "error":
        lines = output.get("traceback")
        return nbformat.v4.new_output(
            "error",
            ename=str(output.get("ename", "")),
            evalue=str(output.get("evalue", "")),
            traceback=[str(line) for line in lines] if isinstance(lines, list) else [],
        )
    data = output.get("data")
    if kind not in ("display_data", "execute_result") or not isinstance(data, dict):
        return None
    shown = {name: value for name, value in data.items() if name in _SHOWN and _plain(name, value)}
    if "text/markdown" in shown:
        shown["text/markdown"] = harmless(shown["text/markdown"])
    return nbformat.v4.new_output("display_data", data=shown) if shown else None


def harmless(markdown: str) -> str:
    """Return Markdown in which HTML and links are text; Formgrader hands both to the browser."""
    return _LINK.sub(r"]\\\1", _TAG.sub("&lt;", markdown))


def _plain(name: str, value: Any) -> bool:
    if name.startswith("image/"):
        # it becomes a part of the page, between quotation marks
        return isinstance(value, str) and _BASE64.fullmatch(value) is not None
    return isinstance(value, dict | list) if name.endswith("json") else isinstance(value, str)
