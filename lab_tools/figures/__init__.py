"""Figures: an analysis value in, a plotly figure out; all share the look of `look`."""
