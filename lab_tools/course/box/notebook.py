"""Read a submitted notebook's cells, and collect what they show; nothing here trusts either."""

import json
from pathlib import Path
from typing import Any

_MOST_CELLS = 1000
_NOTE = "[The rest of this cell's output was cut off.]"


class UnreadableError(Exception):
    """The file is no notebook; says why in words for the instructor."""


def read_cells(file: Path) -> list[dict[str, Any]]:
    """Return a notebook's cells: ``type``, ``source``, ``id`` (nbgrader's), ``outputs``.

    Raises
    ------
    UnreadableError : it cannot be read as a notebook.
    """
    if not file.is_file():
        raise UnreadableError("there is no notebook of the lab's name")
    try:
        data = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"the notebook is not JSON ({str(error)[:80]})") from error
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise UnreadableError("the notebook has no cells")
    if len(cells) > _MOST_CELLS:
        raise UnreadableError(f"the notebook has {len(cells)} cells, more than {_MOST_CELLS}")
    return [_cell(cell) for cell in cells]


def _cell(cell: dict[str, Any]) -> dict[str, Any]:
    metadata = cell.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    kind = cell.get("cell_type")
    return {
        "type": kind if kind in ("code", "markdown") else "raw",
        "source": _text(cell.get("source")),
        "id": name if isinstance(name, str) else None,
        "outputs": [],
    }


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


class Outputs:
    """What the cells show, in the notebook format, up to a number of bytes in all.

    Parameters
    ----------
    most_bytes : how much is kept of the whole notebook.
    """

    def __init__(self, most_bytes: int) -> None:
        self._left_bytes = most_bytes
        self._cell: list[dict[str, Any]] = []
        self._shown: dict[str, list[dict[str, Any]]] = {}
        self._cut = False
        self.notes: list[str] = []

    def begin(self) -> list[dict[str, Any]]:
        """Begin a cell; return the list that its outputs will be in."""
        self._cell, self._cut = [], False
        return self._cell

    def note(self, text: str) -> None:
        """Remember something for the instructor."""
        if text not in self.notes:
            self.notes.append(text)

    def add(self, message: dict[str, Any]) -> None:
        """Add what a cell showed; what is too much is counted and dropped."""
        size_bytes = _size(message)
        if size_bytes > self._left_bytes:
            if not self._cut:
                self._cell.append({"output_type": "stream", "name": "stdout", "text": [_NOTE]})
                self.note("The notebook showed more than is kept; the rest was cut off.")
            self._cut = True
            return
        kind = message["type"]
        if kind == "clear_output":
            self._cell.clear()
            return
        self._left_bytes -= size_bytes
        _ADD[kind](self, message)

    def _stream(self, message: dict[str, Any]) -> None:
        name = "stderr" if message["name"] == "stderr" else "stdout"
        text = str(message["text"])
        last = self._cell[-1] if self._cell else {}
        if last.get("output_type") == "stream" and last["name"] == name:
            last["text"].append(text)
        else:
            self._cell.append({"output_type": "stream", "name": name, "text": [text]})

    def _display(self, message: dict[str, Any]) -> None:
        output = {"output_type": "display_data", **_shown(message)}
        if isinstance(message.get("id"), str):
            self._shown.setdefault(message["id"], []).append(output)
        self._cell.append(output)

    def _update(self, message: dict[str, Any]) -> None:
        for output in self._shown.get(str(message.get("id")), ()):
            output.update(_shown(message))

    def _result(self, message: dict[str, Any]) -> None:
        count = message.get("count")
        self._cell.append(
            {
                "output_type": "execute_result",
                "execution_count": count if isinstance(count, int) else None,
                **_shown(message),
            }
        )

    def _error(self, message: dict[str, Any]) -> None:
        lines = message["traceback"]
        self._cell.append(
            {
                "output_type": "error",
                "ename": str(message["ename"]),
                "evalue": str(message["evalue"]),
                "traceback": [str(line) for line in lines] if isinstance(lines, list) else [],
            }
        )


_ADD = {
    "stream": Outputs._stream,
    "display_data": Outputs._display,
    "update_display_data": Outputs._update,
    "execute_result": Outputs._result,
    "error": Outputs._error,
}


def join_streams(outputs: list[dict[str, Any]]) -> None:
    """Join the pieces of every stream among a cell's outputs."""
    for output in outputs:
        if output["output_type"] == "stream":
            output["text"] = "".join(output["text"])


def _shown(message: dict[str, Any]) -> dict[str, Any]:
    data, metadata = message["data"], message.get("metadata")
    return {
        "data": {str(kind): value for kind, value in data.items()},
        "metadata": metadata if isinstance(metadata, dict) else {},
    }


def _size(message: dict[str, Any]) -> int:
    if message.get("type") == "stream":
        return len(str(message["text"])) + 1
    return len(json.dumps(message))
