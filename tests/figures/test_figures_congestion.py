"""Congestion controls side by side: what a reader sees."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lab_tools.errors import DataError, InputError
from lab_tools.figures.congestion import (
    kept_figure,
    recovery_figure,
    tooth_figure,
    window_panels,
)
from lab_tools.figures.look import colour, layout

TIME_S = [0.0, 1.0, 2.0, 3.0]
RUNS = {"reno": (TIME_S, [10, 20, 10, 11]), "bbr": (TIME_S, [30, 30, 30, 30])}


def part(figure, name):
    return next(each for each in figure.data if each.name == name)


def test_every_run_has_its_own_panel_on_common_axes():
    figure = window_panels(RUNS, 25, title="Two runs")
    assert part(figure, "reno").yaxis != part(figure, "bbr").yaxis
    assert_allclose(part(figure, "reno").y, [10, 20, 10, 11])
    assert [figure.layout[f"yaxis{n}"].title.text for n in ("", "2")] == ["reno", "bbr"]
    assert figure.layout.yaxis.matches == "y2"
    assert figure.layout.xaxis.matches == "x2"
    assert figure.layout.xaxis2.title.text == "Time (s)"
    assert figure.layout.title.text == "Two runs"
    assert figure.layout.template == layout("x").template
    assert "Window (segments)" in [note.text for note in figure.layout.annotations]


def test_the_window_that_fills_the_path_is_in_every_panel_and_once_in_the_legend():
    lines = [each for each in window_panels(RUNS, 25).data if each.name == "fills the path"]
    assert [list(line.y) for line in lines] == [[25, 25], [25, 25]]
    assert [line.showlegend for line in lines] == [True, False]


def test_a_tooth_shows_its_cubic_and_the_inflection():
    elapsed_s = np.linspace(0, 10, 21)
    cubic = 0.4 * (elapsed_s - 6) ** 3 + 500
    figure = tooth_figure(elapsed_s, cubic, np.polyfit(elapsed_s, cubic, 3))
    assert_allclose(part(figure, "measured").y, cubic)
    assert_allclose(part(figure, "0.4 x³ + …").y, cubic)
    assert figure.layout.shapes[0].x0 == pytest.approx(6)
    assert figure.layout.annotations[0].text == "inflection at 6 s"
    assert figure.layout.yaxis.title.text == "Congestion window (segments)"


def test_recovery_is_on_logarithmic_axes_with_the_model_in_the_same_colour():
    measured = {"reno": ([100, 400], [5, 20]), "cubic": ([100, 400], [4, 6])}
    figure = recovery_figure(measured, {"cubic": ([50, 800], [3, 8])})
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert part(figure, "cubic").marker.color == part(figure, "cubic, model").line.color
    assert part(figure, "cubic").marker.color == colour(1)
    assert_allclose(part(figure, "reno").y, [5, 20])
    assert figure.layout.yaxis.title.text == "Time until the next full window (s)"


def test_what_is_kept_is_shown_in_per_cent():
    figure = kept_figure({"reno": 0.0725, "bbr": 0.964})
    assert list(figure.data[0].x) == ["reno", "bbr"]
    assert_allclose(figure.data[0].y, [7.25, 96.4])
    assert figure.layout.yaxis.title.text == "Share of the path's rate (%)"


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(DataError, match="runs has no run"):
        window_panels({}, 10)
    with pytest.raises(DataError, match="cwnd of reno has 1 values"):
        window_panels({"reno": ([0, 1], [5])}, 10)
    with pytest.raises(InputError, match="full_segments"):
        window_panels(RUNS, 0)
    with pytest.raises(DataError, match="no cubic term"):
        tooth_figure([0, 1, 2], [1, 2, 3], [0, 0, 1, 1])
    with pytest.raises(DataError, match="measured is empty"):
        recovery_figure({})
    with pytest.raises(DataError, match="times of reno has the value 0"):
        recovery_figure({"reno": ([1, 2], [0, 1])})
    with pytest.raises(DataError, match=r"kept has the value -0\.1"):
        kept_figure({"reno": -0.1})
