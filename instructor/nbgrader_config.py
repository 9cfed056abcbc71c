"""The course, for nbgrader: ``JUPYTER_CONFIG_PATH=instructor nbgrader …``.

``LAB_COURSE`` is the course's folder (source, release, submitted, autograded, feedback and the
gradebook); without it, ``data/course`` in the project's folder.

Submissions run in the sandbox. ``LAB_AUTOGRADE=plain`` runs them as whoever grades, which is good
for copies of one's own on a machine without bubblewrap, and for nothing else.
"""

import os
from pathlib import Path

from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    Execute,
    IgnorePattern,
    LimitOutput,
    SaveAutoGrades,
)

from lab_tools.course.autograde import GradeInSandbox
from lab_tools.grading.scores import AsStudent, ScoreFromChecks

HERE = Path(__file__).resolve().parent
ROOT = Path(os.environ.get("LAB_COURSE") or HERE.parent / "data" / "course").resolve()

c = get_config()  # noqa: F821 - given by nbgrader

c.CourseDirectory.course_id = "data_over_distance"
c.CourseDirectory.root = str(ROOT)
c.CourseDirectory.db_url = f"sqlite:///{ROOT / 'gradebook.db'}"
c.Exchange.root = os.environ.get("LAB_EXCHANGE", str(ROOT / "exchange"))
c.Execute.timeout = 300
# A panel's state in the page is megabytes, and nobody looks at it.
c.Execute.store_widget_state = False
c.Execute.extra_arguments = ["--Application.log_level=40"]
if os.environ.get("LAB_AUTOGRADE") == "plain":
    graded_by = [AsStudent, Execute, ScoreFromChecks, IgnorePattern, LimitOutput, SaveAutoGrades]
else:
    graded_by = [GradeInSandbox]
c.Autograde.autograde_preprocessors = [*graded_by, AssignLatePenalties, CheckCellMetadata]
c.GradeInSandbox.course = str(ROOT)
c.GradeInSandbox.project = str(HERE.parent)
c.ScoreFromChecks.checks_folder = str(HERE / "checks")
c.ScoreFromChecks.submitted_folder = str(ROOT / "submitted")
