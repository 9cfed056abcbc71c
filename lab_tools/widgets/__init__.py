"""Panels for notebooks: they show numbers of the models, analyses and runs, and compute nothing."""

from lab_tools.widgets.explorer import explore

__all__ = ["explore"]
