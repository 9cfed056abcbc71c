"""nbgrader for a student: where labs come from and submissions go, and nothing of the course."""

import os
from pathlib import Path

from nbgrader.exchange.default import ExchangeSubmit

c = get_config()  # noqa: F821 - given by nbgrader

c.CourseDirectory.course_id = "data_over_distance"
c.Exchange.root = os.environ["LAB_EXCHANGE"]


class SubmitClosed(ExchangeSubmit):
    """Hand in a folder that only its student and the instructor can open.

    nbgrader leaves it open to all and relies on a name that nobody can guess.
    """

    def copy_files(self):
        """Copy, then close: the exchange gave the folder the instructor's group."""
        super().copy_files()
        Path(self.inbound_path, self.assignment_filename).chmod(0o750)


c.ExchangeFactory.submit = SubmitClosed
