"""Each student's own parameters, drawn from the course's seed and the user name."""

import getpass
import hashlib
import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab_tools import testbeds
from lab_tools.errors import GradingError, UnknownNameError

#: File beside the notebook that says what may vary, what must be predicted, what an answer is.
LAB_FILE = "lab.toml"
DEFAULT_COURSE_SEED = "data-over-distance"
#: Whose parameters the worked copies have, and so the recordings.
WORKED_STUDENT = "worked"


@dataclass(frozen=True)
class LabFile:
    """What a lab's TOML file says.

    Parameters
    ----------
    variant : name to the list of values that it may take.
    predictions : names that must be predicted before the first run.
    tasks : name to what an answer must look like (``kind``, ``unit``, ``low``, ``high``).
    """

    variant: dict[str, list[Any]] = field(default_factory=dict)
    predictions: tuple[str, ...] = ()
    tasks: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> "LabFile":
        """Read a lab's TOML file.

        Raises
        ------
        GradingError : there is none, or it is not as it should be.
        """
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise GradingError(
                f"{file} cannot be read ({error}). Open the notebook in its own folder; fetch the "
                "lab again if the file is lost."
            ) from error
        unknown = set(data) - {"variant", "predictions", "task"}
        if unknown:
            raise UnknownNameError(
                str(file), sorted(unknown)[0], ["variant", "predictions", "task"]
            )
        return cls(
            data.get("variant", {}), tuple(data.get("predictions", ())), data.get("task", {})
        )


def student_name() -> str:
    """Return who works here: ``LAB_STUDENT``, the hub's user, or the login name.

    Somebody without a name in a course who has only recorded runs works as whoever recorded them.
    """
    if only_recordings():
        return WORKED_STUDENT
    return _named() or getpass.getuser()


def only_recordings() -> bool:
    """Whether runs are recorded ones here, for somebody who has no name in a course."""
    return not _named() and testbeds.default_name() == "replay"


def _named() -> str | None:
    return os.environ.get("LAB_STUDENT") or os.environ.get("JUPYTERHUB_USER")


def course_seed() -> str:
    """Return the course's seed: ``LAB_COURSE_SEED``, or the one that everybody has."""
    return os.environ.get("LAB_COURSE_SEED") or DEFAULT_COURSE_SEED


def draw(lab: str, student: str, table: dict[str, list[Any]], seed: str) -> dict[str, Any]:
    """Return a student's variant: one value of each name.

    The draw depends on the course's seed, the lab, the student and the name only, so that adding a
    parameter to a lab changes no other.

    >>> draw("02", "ada", {"loss": [0.001, 0.002]}, "s") == draw(
    ...     "02", "ada", {"loss": [0.001, 0.002]}, "s")
    True
    """
    variant = {}
    for name, choices in table.items():
        text = "\0".join((seed, lab, student, name))
        number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        variant[name] = choices[number % len(choices)]
    return variant
