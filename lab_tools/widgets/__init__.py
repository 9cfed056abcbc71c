"""Panels for notebooks: they show numbers of the models, analyses and runs, and compute nothing."""

from lab_tools.widgets.explorer import explore
from lab_tools.widgets.game_board import game_board
from lab_tools.widgets.poincare import poincare_explorer
from lab_tools.widgets.profile_explorer import profile_explorer
from lab_tools.widgets.terminal import terminal
from lab_tools.widgets.topology import topology
from lab_tools.widgets.trace_explorer import trace_explorer

__all__ = [
    "explore",
    "game_board",
    "poincare_explorer",
    "profile_explorer",
    "terminal",
    "topology",
    "trace_explorer",
]
