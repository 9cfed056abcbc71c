"""One text file a lab becomes the student's notebook and the worked one."""

from lab_tools.authoring.build import build
from lab_tools.authoring.check import check

__all__ = ["build", "check"]
