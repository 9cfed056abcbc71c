"""nbgrader for a student: where labs come from and submissions go, and nothing of the course."""

import os

c = get_config()  # noqa: F821 - given by nbgrader

c.CourseDirectory.course_id = "data_over_distance"
c.Exchange.root = os.environ["LAB_EXCHANGE"]
