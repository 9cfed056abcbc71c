"""The course's folder: nbgrader's layout, and what grading keeps beside it."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from lab_tools.authoring.source import Course
from lab_tools.errors import GradingError, InputError

#: Names that are safe as a folder and as nbgrader's student id.
_STUDENT = re.compile(r"[A-Za-z0-9_@.+-]{1,100}")


@dataclass(frozen=True)
class CourseFolder:
    """Where one course lies.

    Parameters
    ----------
    root : the course's folder (``LAB_COURSE``).
    project : the project that the labs' sources and checks come from.
    """

    root: Path
    project: Course

    @classmethod
    def here(cls, project: Course | None = None) -> "CourseFolder":
        """Return the folder that ``LAB_COURSE`` names, else ``data/course`` in the project."""
        chosen = project or Course.here()
        named = os.environ.get("LAB_COURSE")
        root = Path(named) if named else chosen.root / "data" / "course"
        return cls(root.resolve(), chosen)

    @property
    def gradebook(self) -> Path:
        """nbgrader's database."""
        return self.root / "gradebook.db"

    @property
    def gradebook_url(self) -> str:
        """The database's address, for nbgrader's `Gradebook`."""
        return f"sqlite:///{self.gradebook}"

    @property
    def exchange(self) -> Path:
        """nbgrader's exchange with the students: ``LAB_EXCHANGE``, or inside the course."""
        return Path(os.environ.get("LAB_EXCHANGE") or self.root / "exchange").resolve()

    @property
    def table(self) -> Path:
        """The table of all results, rewritten after every grading."""
        return self.root / "grades.json"

    def source(self, lab: str) -> Path:
        """Return the folder of a lab's source notebook, as nbgrader reads it."""
        return self.root / "source" / lab

    def release(self, lab: str) -> Path:
        """Return the folder of a lab's student copy."""
        return self.root / "release" / lab

    def submitted(self, student: str, lab: str) -> Path:
        """Return the folder that a student handed in."""
        return self.root / "submitted" / student / lab

    def autograded(self, student: str, lab: str) -> Path:
        """Return the folder of a student's graded copy, which Formgrader shows."""
        return self.root / "autograded" / student / lab

    def feedback(self, student: str, lab: str) -> Path:
        """Return the folder of what a student gets back."""
        return self.root / "feedback" / student / lab

    def result(self, student: str, lab: str) -> Path:
        """Return the file of one submission's result."""
        return self.root / "results" / lab / f"{student}.json"

    def require(self) -> "CourseFolder":
        """Return the folder itself if there is a course in it.

        Raises
        ------
        GradingError : there is none yet.
        """
        if not self.gradebook.is_file():
            raise GradingError(
                f"there is no course in {self.root}. Make one with `lab course init`, or name "
                "another folder with LAB_COURSE."
            )
        return self

    def require_release(self, lab: str) -> Path:
        """Return the student's copy of a lab.

        Raises
        ------
        GradingError : the lab has not been released.
        """
        notebook = self.release(lab) / f"{lab}.ipynb"
        if not notebook.is_file():
            raise GradingError(
                f"{lab} has not been released in {self.root}. Do it with "
                f"`lab course release {lab}`."
            )
        return notebook

    def labs(self) -> list[str]:
        """Return the names of the released labs."""
        return sorted(file.stem for file in (self.root / "release").glob("*/*.ipynb"))

    def students(self, lab: str) -> list[str]:
        """Return who has handed in a lab."""
        found = (place.parent.name for place in (self.root / "submitted").glob(f"*/{lab}"))
        return sorted(name for name in found if _STUDENT.fullmatch(name))


def student_id(name: str) -> str:
    """Return a student's name if it can be a folder's.

    Raises
    ------
    InputError : it cannot.
    """
    if not _STUDENT.fullmatch(name) or name in (".", "..") or name.startswith("."):
        raise InputError("student", name, "letters, digits and . _ - + @, at most 100 of them")
    return name
