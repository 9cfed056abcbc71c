"""Runs over time and beside Mathis's law: what a reader sees."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from lab_tools.errors import DataError, InputError, UnknownNameError
from lab_tools.figures.look import layout
from lab_tools.figures.mathis import mathis_collapse, mathis_figure
from lab_tools.figures.traces import traces

TOTAL = pd.DataFrame(
    {
        "time_s": [0.0, 1.0, 2.0, 3.0],
        "goodput_bps": [0.0, 1e9, 2e9, 2e9],
        "cwnd_segments": [10, 20, 40, 20],
        "rtt_s": [0.0, 0.1, 0.12, 0.11],
    }
)
QUEUE = pd.DataFrame(
    {
        "time_s": [0.0, 1.0, 2.0, 3.0] * 2,
        "kind": ["tbf"] * 4 + ["bfifo"] * 4,
        "backlog_bytes": [0, 1_000_000, 5_000_000, 2_000_000] * 2,
        "drops": [0, 0, 7, 7] * 2,
    }
)


def part(figure, name):
    return next(each for each in figure.data if each.name == name)


def test_a_panel_for_each_quantity_with_its_unit():
    figure = traces(TOTAL, QUEUE, title="A run")
    titles = [figure.layout[f"yaxis{n}"].title.text for n in ("", "2", "3", "4")]
    assert titles == ["Goodput (Gbit/s)", "Window (segments)", "RTT (ms)", "Queue (MB)"]
    assert figure.layout.xaxis4.title.text == "Time (s)"
    assert figure.layout.title.text == "A run"
    assert figure.layout.template == layout("x").template


def test_the_values_drawn_are_those_given():
    figure = traces(TOTAL, QUEUE)
    assert_allclose(part(figure, "Goodput").y, [0, 1, 2, 2])
    assert_allclose(part(figure, "RTT").y, [np.nan, 100, 120, 110])
    assert_allclose(part(figure, "Queue").y, [0, 1, 5, 2])


def test_the_sample_in_which_packets_were_dropped_is_marked():
    assert [shape.x0 for shape in traces(TOTAL, QUEUE).layout.shapes] == [2.0]
    assert not traces(TOTAL).layout.shapes


def test_traces_that_are_no_traces_are_refused():
    with pytest.raises(DataError, match="total has no column rtt_s"):
        traces(TOTAL.drop(columns="rtt_s"))
    with pytest.raises(DataError, match="total has no rows"):
        traces(TOTAL.iloc[:0])
    with pytest.raises(DataError, match="queue has no column drops"):
        traces(TOTAL, QUEUE.drop(columns="drops"))


def test_the_line_is_mathiss_law():
    figure = mathis_figure([0.1, 0.1], [1e-4, 1e-2], 1460, [14.3e6, 1.43e6], k=1.2247)
    line = part(figure, "Mathis, k = 1.225")
    # 1460 B x 8 x 1.2247 / (0.1 s x sqrt(p)), in Mbit/s, at p in percent
    assert_allclose(line.y, 0.143045 / np.sqrt(np.asarray(line.x) / 100), rtol=1e-4)
    assert_allclose(part(figure, "measured").y, [14.3, 1.43])
    assert figure.layout.xaxis.title.text == "Loss (%)"
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")


def test_over_distance_the_axis_is_the_round_trip_time():
    figure = mathis_figure([0.01, 0.1], [1e-3, 1e-3], 1460, [4e7, 4e6], over="rtt", title="Far")
    assert figure.layout.xaxis.title.text == "RTT (ms)"
    assert_allclose(part(figure, "measured").x, [10, 100])
    assert figure.layout.title.text == "Far"


def test_points_of_one_law_lie_on_one_line():
    rtt_s, loss, mss = np.array([0.01, 0.1]), np.array([1e-3, 1e-4]), np.array([1448, 8948])
    goodput = 1.3 * mss * 8 / (rtt_s * np.sqrt(loss))
    figure = mathis_collapse(rtt_s, loss, mss, goodput, k=1.3)
    points, line = part(figure, "measured"), part(figure, "k = 1.3")
    assert_allclose(np.asarray(points.y) / points.x, 1.3)
    assert_allclose(np.asarray(line.y) / line.x, 1.3)


def test_points_that_do_not_belong_together_are_refused():
    with pytest.raises(UnknownNameError, match="loss, rtt"):
        mathis_figure([0.1], [1e-3], 1460, [1e6], over="mss")
    with pytest.raises(DataError, match="differs between the points"):
        mathis_figure([0.1, 0.2], [1e-3, 1e-2], 1460, [1e6, 1e6])
    with pytest.raises(DataError):
        mathis_figure([0.1, 0.1], [1e-3, 1e-2], 1460, [1e6])
    with pytest.raises(InputError, match="k ="):
        mathis_collapse([0.1], [1e-3], [1460], [1e6], k=0)
