"""nbgrader's ``autograde``, and Formgrader's button of that name, by way of the sandbox.

nbgrader runs a submission as whoever grades it. With this preprocessor in its place the submission
is graded as ``lab course grade`` does it, and nbgrader goes on with the graded copy.
"""

from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from lab_tools.authoring.source import Course
from lab_tools.course.folder import CourseFolder
from lab_tools.course.run import grade_class


class GradeInSandbox(NbGraderPreprocessor):
    """nbgrader preprocessor instead of ``Execute`` and ``SaveAutoGrades``.

    Scores, notes and the status of the submission are in the gradebook when it returns.
    """

    course = Unicode(help="The course's folder.").tag(config=True)
    project = Unicode(help="The project that the labs' checks come from.").tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the graded copy of the submission.

        Raises
        ------
        LabError : grading cannot begin: there is no sandbox, or somebody else is grading now.
        """
        lab, student = resources["nbgrader"]["assignment"], resources["nbgrader"]["student"]
        folder = CourseFolder(Path(self.course), Course(Path(self.project)))
        grade_class(folder, lab, quiet=True, students=(student,), force=True, workers=1)
        copy = folder.autograded(student, lab) / f"{lab}.ipynb"
        return nbformat.read(copy, as_version=4), resources
