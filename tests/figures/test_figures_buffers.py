"""Buffers of hosts and routers: what a reader sees."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lab_tools.errors import DataError, InputError
from lab_tools.figures.buffers import router_buffer_figure, sharing_figure, window_knee_figure
from lab_tools.figures.look import layout

RUNS = {
    "reno": ([0.1, 1.0], [0.8, 1.0], [0.02, 0.04]),
    "cubic": ([1.0, 10.0], [1.0, 1.0], [0.04, 0.2]),
}


def part(figure, name):
    return next(each for each in figure.data if each.name == name)


def test_the_line_of_a_window_is_flat_and_then_falls_with_the_rtt():
    # 1 MB over 80 ms is 100 Mbit/s: the capacity is reached up to there
    figure = window_knee_figure([0.008, 0.8], [99e6, 10e6], 100e6, 1e6)
    line = part(figure, "window of 1000 kB")
    flat = line.x < 80
    assert flat.any()
    assert not flat.all()
    assert_allclose(line.y[flat], 100)
    assert_allclose(line.y[~flat] * line.x[~flat], 100 * 80)
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert figure.layout.shapes[0].x0 == pytest.approx(80)
    assert figure.layout.annotations[0].text == "knee at 80 ms"
    assert_allclose(part(figure, "measured").x, [8, 800])
    assert figure.layout.yaxis.title.text == "Goodput (Mbit/s)"


def test_a_router_has_utilisation_above_and_delay_below():
    grid = np.array([0.1, 1.0])
    figure = router_buffer_figure(RUNS, 0.02, models={"model": (grid, [0.82, 1.0])}, title="T")
    used, rtt = (each for each in figure.data if each.name == "reno")
    assert_allclose(used.y, [80, 100])
    assert_allclose(rtt.y, [20, 40])
    assert used.yaxis != rtt.yaxis
    assert [used.showlegend, rtt.showlegend] == [True, False]
    assert used.line.color == rtt.line.color != part(figure, "cubic").line.color
    assert_allclose(part(figure, "model").y, [82, 100])
    assert_allclose(part(figure, "empty path").y, [20, 20])
    assert_allclose(part(figure, "empty path").x, [0.1, 10])
    assert figure.layout.yaxis2.title.text == "RTT under load (ms)"
    assert figure.layout.xaxis2.type == "log"
    assert figure.layout.template == layout("x").template


def test_shares_are_shown_in_per_cent():
    bars = sharing_figure({"1 flow": 0.8, "4 flows": 0.875}).data[0]
    assert list(bars.x) == ["1 flow", "4 flows"]
    assert_allclose(bars.y, [80, 87.5])


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(DataError, match="goodput_bps has 1 values"):
        window_knee_figure([0.1, 0.2], [1e6], 1e6, 1e4)
    with pytest.raises(InputError, match="window_bytes"):
        window_knee_figure([0.1], [1e6], 1e6, 0)
    with pytest.raises(DataError, match="runs has no runs"):
        router_buffer_figure({}, 0.02)
    with pytest.raises(DataError, match="rtt_s of reno has 1 values"):
        router_buffer_figure({"reno": ([0.1, 1], [0.8, 1], [0.02])}, 0.02)
    with pytest.raises(InputError, match="idle_rtt_s"):
        router_buffer_figure(RUNS, 0)
    with pytest.raises(DataError, match="utilisation"):
        sharing_figure({"1 flow": -0.1})
