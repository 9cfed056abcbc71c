"""Transfers: what each stage of a pipeline takes, and when each block passes it."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from lab_tools.figures.checks import given, labels
from lab_tools.figures.look import (
    BLUE,
    REFERENCE,
    VERMILLION,
    axis,
    colour,
    layout,
    time_scale,
)
from lab_tools.transfer import BlockSchedule, PipelineRate
from lab_tools.units import show_rate


def pipeline_figure(
    names: Sequence[str], rate: PipelineRate, *, title: str = "Pipeline of stages"
) -> go.Figure:
    """Draw the time of a block in each stage, in order; the one that limits the rate stands out.

    Parameters
    ----------
    names : of the stages in order.
    rate : from `pipeline_rate` of these stages.
    title : above the figure, which goes on with the rate and its limit.

    Raises
    ------
    DataError : not such a rate, another number of names.

    Source: as in `pipeline_rate`.

    >>> from lab_tools.transfer import Stage, pipeline_rate
    >>> stages = [Stage("read", 32e9), Stage("network", 9e9), Stage("write", 32e9)]
    >>> rate = pipeline_rate(stages, flows=1, block_bytes=1e6, buffers=4)
    >>> pipeline_figure(["read", "network", "write"], rate).layout.title.text
    'Pipeline of stages: 9 Gbit/s, limited by network'
    """
    times_s = given("rate", rate, PipelineRate).block_times_s
    named = labels("names", names, times_s.size)
    scale = time_scale(times_s)
    shown = scale.show(times_s)
    limits = [name == rate.limited_by for name in named]
    bars = go.Bar(
        x=np.arange(times_s.size),
        y=shown,
        marker={"color": [VERMILLION if limit else BLUE for limit in limits]},
        text=[f"{value:.3g} {scale.unit}" for value in shown],
        textposition="outside",
        cliponaxis=False,
        customdata=named,
        hovertemplate=f"%{{customdata}}<br>%{{y:.4g}} {scale.unit} a block<extra></extra>",
        showlegend=False,
    )
    figure = go.Figure(
        bars,
        layout(
            f"{title}: {show_rate(rate.rate_bps, 3)}, limited by {rate.limited_by}",
            {
                "title": {"text": "Stage (in order)"},
                "tickvals": np.arange(times_s.size),
                "ticktext": named,
                "showgrid": False,
            },
            axis("Time of a block", scale.unit, rangemode="tozero"),
        ),
    )
    for stage in range(1, times_s.size):
        figure.add_annotation(
            x=stage - 0.5, y=0, ax=-26, ay=0, yshift=12, text="", showarrow=True,
            arrowcolor=REFERENCE, arrowhead=2, arrowwidth=2, standoff=0,
        )  # fmt: skip
    return figure


def schedule_figure(
    schedule: BlockSchedule, names: Sequence[str], *, title: str = "Blocks in the pipeline"
) -> go.Figure:
    """Draw when each stage handles each block: a row a stage, blocks in turning colours.

    Gaps in the row of a stage show that it waits, for a block or for a buffer.

    Parameters
    ----------
    schedule : from `block_schedule`.
    names : of the stages in order.
    title : above the figure.

    Raises
    ------
    DataError : not a schedule, another number of names.

    Source: Gantt's chart of the timed event graph of `block_schedule`.

    >>> from lab_tools.transfer import block_schedule
    >>> schedule = block_schedule([1.0, 2.0], blocks=2, buffers=1)
    >>> schedule_figure(schedule, ["read", "send"]).data[0].base.tolist()
    [0.0, 1.0, 3.0, 4.0]
    """
    given("schedule", schedule, BlockSchedule)
    blocks, stages = schedule.start_s.shape
    named = labels("names", names, stages)
    scale = time_scale(schedule.finish_s)
    start, finish = scale.show(schedule.start_s).ravel(), scale.show(schedule.finish_s).ravel()
    block = np.repeat(np.arange(blocks), stages)
    bars = go.Bar(
        orientation="h",
        y=np.tile(np.arange(stages), blocks),
        base=start,
        x=finish - start,
        width=0.7,
        marker={
            "color": [colour(int(index)) for index in block],
            "line": {"color": "#FFFFFF", "width": 1},
        },
        text=[str(index + 1) for index in block],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        customdata=np.column_stack([block + 1, start, finish]),
        hovertemplate=f"block %{{customdata[0]}}<br>%{{customdata[1]:.4g}} to "
        f"%{{customdata[2]:.4g}} {scale.unit}<extra></extra>",
        showlegend=False,
    )
    rows = {
        "title": {"text": ""},
        "tickvals": np.arange(stages),
        "ticktext": named,
        "range": [stages - 0.5, -0.5],
        "showgrid": False,
    }
    return go.Figure(
        bars, layout(title, axis("Time", scale.unit), rows, height_px=190 + 50 * stages)
    )
