"""Predictions, answers, variants, and the checks that count."""

from lab_tools.grading.lab import Lab

__all__ = ["Lab"]
