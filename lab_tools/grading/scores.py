"""Put the scores of our own checks into nbgrader's cells.

nbgrader runs its tests in the student's kernel, where an object that equals everything scores full
marks. Here an autograded cell holds no test at all: after the notebook was executed, this
preprocessor runs the lab's checks on the submitted data in a process of their own and writes each
score where nbgrader looks for one, so that points, partial credit, Formgrader and export stay
nbgrader's.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Float, Unicode

from lab_tools.errors import GradingError


class AsStudent(NbGraderPreprocessor):
    """nbgrader preprocessor before ``Execute``: the notebook runs as its student's.

    What is graded was handed in; running the notebook again only shows it. Without this it would
    draw the grader's variant.
    """

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Name the student in the environment that the notebook's kernel inherits."""
        os.environ["LAB_STUDENT"] = resources["nbgrader"]["student"]
        return nb, resources


class ScoreFromChecks(NbGraderPreprocessor):
    """nbgrader preprocessor: scores of the lab's checks become the cells' outputs.

    It reads the submitted folder, as handed in, not what running the notebook made of it.
    """

    submitted_folder = Unicode(help="Folder with the submissions, STUDENT/LAB each.").tag(
        config=True
    )
    checks_folder = Unicode(help="Folder with the checks, NN_topic.py each.").tag(config=True)
    timeout_s = Float(120.0, help="Wall time that the checks of one submission may take.").tag(
        config=True
    )

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Replace the outputs of every autograded cell by its score and message."""
        about = resources["nbgrader"]
        lab, student = about["assignment"], about["student"]
        scores = self.scores(lab, Path(self.submitted_folder, student, lab), student)
        for cell in nb.cells:
            mark = cell.metadata.get("nbgrader", {})
            if cell.cell_type == "code" and mark.get("grade") and not mark.get("solution"):
                cell.outputs = outputs(mark["grade_id"], float(mark["points"]), scores)
        return nb, resources

    def scores(self, lab: str, folder: Path, student: str) -> dict[str, Any]:
        """Run the checks in a process of their own and return what they say.

        Raises
        ------
        GradingError : the checks themselves failed, which is never the student's fault.
        """
        checks = Path(self.checks_folder) / f"{lab}.py"
        argv = [sys.executable, "-I", "-m", "lab_tools.grading", str(checks), str(folder)]
        try:
            done = subprocess.run(
                [*argv, "--student", student],
                capture_output=True,
                text=True,
                timeout=self.timeout_s,
            )
        except subprocess.TimeoutExpired as error:
            raise GradingError(
                f"the checks of {lab} took over {self.timeout_s:g} s for {student}."
            ) from error
        if done.returncode != 0:
            raise GradingError(f"the checks of {lab} failed for {student}:\n{done.stderr}")
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def outputs(name: str, points: float, scores: dict[str, Any]) -> list[NotebookNode]:
    """Return a cell's outputs: the message for the student, then the score for nbgrader.

    Raises
    ------
    GradingError : the lab has no check of that name, or it gives other points than the cell.
    """
    if name not in scores:
        raise GradingError(f"there is no check for the graded cell {name}.")
    found = scores[name]
    if found["points"] != points:
        raise GradingError(
            f"{name}: the cell is worth {points:g} points, its check {found['points']:g}."
        )
    text = f"{found['score']:g} of {points:g} points. {found['message']}\n"
    return [
        new_output("stream", name="stdout", text=text),
        new_output(
            "execute_result", data={"text/plain": repr(float(found["score"]))}, execution_count=1
        ),
    ]
