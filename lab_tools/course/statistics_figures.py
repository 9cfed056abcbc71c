"""Figures of a lab's statistics."""

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from lab_tools.course.items import Analysis
from lab_tools.course.statistics import Predicted, Statistics
from lab_tools.figures import look


def totals(analysis: Analysis) -> go.Figure:
    """Draw how the sums of points are distributed."""
    step = max(1.0, round(analysis.points / 20))
    bars = go.Histogram(
        x=analysis.totals,
        xbins={"start": 0, "end": analysis.points + step, "size": step},
        marker={"color": look.BLUE, "line": {"width": 1, "color": look.REFERENCE}},
        hovertemplate="%{x} points: %{y} students<extra></extra>",
    )
    figure = go.Figure(
        bars,
        look.layout(
            "Sums of points",
            look.axis("Score", "points", range=[-0.02 * analysis.points, analysis.points + step]),
            look.axis("Students", "number", rangemode="tozero", tickformat="d"),
            height_px=320,
            bargap=0.05,
            showlegend=False,
        ),
    )
    if len(analysis.totals):
        figure.add_vline(
            x=float(analysis.totals.mean()),
            line={"dash": "dash", "color": look.REFERENCE},
            annotation_text="mean",
            annotation_position="top",
        )
    return figure


def outcomes(statistics: Statistics) -> go.Figure:
    """Draw for each question how many got all, a part and none of its points, hardest first."""
    items = sorted(statistics.analysis.items, key=lambda item: -item.difficulty)
    names = [item.name for item in items]
    silent = [_silent(statistics, item.name, item.students) for item in items]
    parts = {
        "all points": ([item.full for item in items], look.BLUE),
        "a part": ([1 - item.full - item.none for item in items], look.SKY),
        "none": (
            [item.none - min(item.none, s) for item, s in zip(items, silent, strict=True)],
            look.ORANGE,
        ),
        "no answer": (
            [min(item.none, s) for item, s in zip(items, silent, strict=True)],
            look.REFERENCE,
        ),
    }
    bars = [
        go.Bar(
            y=names,
            x=[100 * value for value in values],
            name=name,
            orientation="h",
            marker={"color": colour},
            hovertemplate=f"%{{y}}, {name}: %{{x:.0f}} %<extra></extra>",
        )
        for name, (values, colour) in parts.items()
    ]
    mean = go.Scatter(
        y=names,
        x=[100 * item.difficulty for item in items],
        name="difficulty p (mean/points)",
        mode="markers",
        marker={"symbol": "diamond", "size": 10, "color": "white", "line": {"width": 2}},
        hovertemplate="%{y}: p = %{x:.0f} %<extra></extra>",
    )
    mean.marker.line.color = "black"
    return go.Figure(
        [*bars, mean],
        look.layout(
            "What became of each question, the hardest at the top",
            look.axis("Students", "%", range=[0, 102]),
            {"automargin": True},
            height_px=190 + 30 * len(items),
            barmode="stack",
            margin={"b": 110},
        ),
    )


def _silent(statistics: Statistics, name: str, students: int) -> float:
    return statistics.unanswered.get(name, 0) / students if students else 0.0


def separation(analysis: Analysis) -> go.Figure:
    """Draw how hard each question is against how well it goes with the others."""
    known = [item for item in analysis.items if item.discrimination is not None]
    items = sorted(known, key=lambda item: item.difficulty)
    marks = go.Scatter(
        x=[item.difficulty for item in items],
        y=[item.discrimination for item in items],
        text=[item.name for item in items],
        mode="markers+text",
        textposition=[_beside(item.difficulty, index) for index, item in enumerate(items)],
        marker={"size": 11, "color": look.BLUE},
        hovertemplate="%{text}: p = %{x:.2f}, r = %{y:.2f}<extra></extra>",
        cliponaxis=False,
    )
    figure = go.Figure(
        marks,
        look.layout(
            "Difficulty and discrimination",
            look.axis("Difficulty p, 1 is easy", "mean/points", range=[-0.02, 1.2]),
            look.axis("Discrimination", "item–rest correlation"),
            height_px=440,
            showlegend=False,
        ),
    )
    figure.add_hline(
        y=0.2,
        line={"dash": "dash", "color": look.REFERENCE},
        annotation_text="below 0.2: look at the question",
        annotation_position="bottom left",
    )
    return figure


def _beside(difficulty: float, index: int) -> str:
    """Return where a mark's name has room."""
    side = "right" if difficulty > 0.85 or difficulty < 0.25 else "center"
    return f"{('top', 'bottom')[index % 2]} {side}"


def predictions(found: tuple[Predicted, ...]) -> go.Figure:
    """Draw what was found against what was predicted; on the line both are the same."""
    columns = min(2, len(found))
    rows = -(-len(found) // columns)
    figure = go.Figure(layout=look.layout("Predicted and found", height_px=90 + 330 * rows))
    make_subplots(
        rows=rows,
        cols=columns,
        figure=figure,
        subplot_titles=[each.name for each in found],
        horizontal_spacing=0.14,
        vertical_spacing=0.2 / rows if rows > 1 else 0.1,
    )
    for index, each in enumerate(found):
        row, column = index // columns + 1, index % columns + 1
        values = [*each.predicted, *each.found]
        ends = [min(values), max(values)]
        figure.add_scatter(
            x=ends, y=ends, mode="lines", line={"dash": "dash", "color": look.REFERENCE},
            hoverinfo="skip", row=row, col=column,
        )  # fmt: skip
        figure.add_scatter(
            x=each.predicted,
            y=each.found,
            mode="markers",
            marker={"color": look.BLUE, "size": 9, "opacity": 0.85},
            hovertemplate="predicted %{x:.4g}, found %{y:.4g}<extra></extra>",
            row=row,
            col=column,
        )
        unit = each.unit or "as answered"
        figure.update_xaxes(title_text=f"predicted ({unit})", row=row, col=column)
        figure.update_yaxes(title_text=f"found ({unit})", row=row, col=column)
    figure.update_layout(showlegend=False)
    return figure
