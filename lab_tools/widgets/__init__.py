"""Panels for notebooks: they show numbers of the models, analyses and runs, and compute nothing."""

from lab_tools.widgets.explorer import explore
from lab_tools.widgets.terminal import terminal
from lab_tools.widgets.topology import topology
from lab_tools.widgets.trace_explorer import trace_explorer

__all__ = ["explore", "terminal", "topology", "trace_explorer"]
