"""The student's own files: plain JSON beside the notebook, written whole or not at all."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from lab_tools.errors import GradingError

#: Folder beside the notebook that holds everything the student made.
WORK = "work"


def read_json(file: Path, default: Any) -> Any:
    """Return what a JSON file holds, or the default if there is no such file.

    Raises
    ------
    GradingError : the file is not JSON any more.
    """
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return default
    except (OSError, ValueError) as error:
        raise GradingError(
            f"{file} cannot be read ({error}). Put your copy of it back, or move it away and "
            "answer again."
        ) from error


def write_json(file: Path, data: Any) -> None:
    """Write JSON in one step: a reader sees the old file or the new one, never half of it.

    Raises
    ------
    GradingError : the value is not plain data, or the file cannot be written.
    """
    try:
        text = json.dumps(data, indent=1, sort_keys=True, allow_nan=False) + "\n"
    except (TypeError, ValueError) as error:
        raise GradingError(
            f"this cannot be handed in ({error}): give a finite number, a text, true or false, or "
            "a list or dictionary of these."
        ) from error
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as target:
                target.write(text)
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise GradingError(f"{file} cannot be written: {error}") from error
