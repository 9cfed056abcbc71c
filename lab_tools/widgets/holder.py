"""A figure in a panel: as wide as the page, in its colours."""

from typing import Any

import plotly.graph_objects as go


def held(figure: go.Figure) -> Any:
    """Return a plotly ``FigureWidget`` that follows the width of its place.

    >>> held(go.Figure(go.Scatter(x=[1], y=[2]))).layout.autosize
    True
    """
    widget = go.FigureWidget(figure)
    widget.update_layout(autosize=True)
    widget._config = {**widget._config, "responsive": True, "displaylogo": False}
    return widget
