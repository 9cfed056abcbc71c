"""Late penalties, as nbgrader's configuration says.

nbgrader's own ``autograde`` asks its plugin for a penalty and stores it in the gradebook. What
`lab course grade` wrote has none stored, so the same plugin is asked here, when grades leave.
"""

from typing import Any

from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config.loader import ConfigFileNotFound, PyFileConfigLoader

from lab_tools.course.folder import CourseFolder
from lab_tools.errors import GradingError

CONFIG = "nbgrader_config.py"


class LatePenalties:
    """Asks nbgrader's plugin (``AssignLatePenalties.plugin_class``) for penalties.

    Parameters
    ----------
    folder : the course, whose project has the configuration.

    Raises
    ------
    GradingError : the configuration cannot be read.
    """

    def __init__(self, folder: CourseFolder) -> None:
        place = folder.project.root / "instructor"
        try:
            config = PyFileConfigLoader(CONFIG, path=str(place)).load_config()
        except ConfigFileNotFound:
            config = None
        except Exception as error:  # the file is a program of the instructor's
            raise GradingError(f"{place / CONFIG} cannot be read: {error}") from error
        asked = AssignLatePenalties(config=config)
        asked.init_plugin()
        self._plugin = asked.plugin_inst

    def of(self, submission: Any, notebook: Any) -> float:
        """Return the points that a notebook loses for being late.

        Parameters
        ----------
        submission, notebook : nbgrader's ``SubmittedAssignment`` and ``SubmittedNotebook``.
        """
        if notebook.late_submission_penalty is not None:
            return float(notebook.late_submission_penalty)
        late_s = float(submission.total_seconds_late)
        if late_s <= 0:
            return 0.0
        score = float(notebook.score)
        penalty = self._plugin.late_submission_penalty(submission.student.id, score, late_s)
        return min(max(float(penalty or 0.0), 0.0), score)
