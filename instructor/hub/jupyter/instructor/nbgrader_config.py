"""nbgrader for the instructor's server, beside the course's own ``instructor/nbgrader_config.py``."""

c = get_config()  # noqa: F821 - given by nbgrader

# Formgrader shows what students wrote and displayed, in a page that may change grades: their
# HTML must not bring scripts along.
c.HTMLExporter.sanitize_html = True
