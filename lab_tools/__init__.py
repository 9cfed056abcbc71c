"""Run, measure, explain and grade experiments on long-distance data transport."""

__version__ = "0.1.0"
