"""Stochastic approximation, Vegas and FAST, the RED loop, pipelines."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lab_tools.duality import (
    critical_rtt,
    loop_response,
    maximise_utility,
    phase_crossing,
    vegas_joining,
)
from lab_tools.errors import DataError, InputError
from lab_tools.figures.control import climb_figure, convergence_figure, trajectory_figure
from lab_tools.figures.duality import dual_figure, vegas_figure, windows_figure
from lab_tools.figures.look import BLUE, GREEN, VERMILLION
from lab_tools.figures.loop import crossing_figure, nyquist_figure
from lab_tools.figures.pipeline import pipeline_figure, schedule_figure


def named(figure, start):
    return next(t for t in figure.data if (t.name or "").startswith(start))


def test_a_trajectory_and_its_target(given):
    figure = trajectory_figure(given.trajectory, 2e6)
    assert_allclose(named(figure, "source rate").y, given.trajectory.rates_bps / 1e6)
    assert_allclose(named(figure, "measured").y, given.trajectory.goodputs_bps / 1e6)
    assert list(named(figure, "target").y) == [2, 2]
    with pytest.raises(InputError, match="target_bps"):
        trajectory_figure(given.trajectory, 0)
    with pytest.raises(DataError, match="trajectory"):
        trajectory_figure([1, 2], 2e6)


def test_a_climb_and_the_best_rate(given):
    figure = climb_figure(given.climb, best_bps=6e6)
    assert_allclose(named(figure, "source rate").y, given.climb.rates_bps / 1e6)
    assert_allclose(named(figure, "goodput above").y, given.climb.upper_goodputs_bps / 1e6)
    assert_allclose(named(figure, "goodput below").y, given.climb.lower_goodputs_bps / 1e6)
    assert list(named(figure, "best").y) == [6, 6]


def test_the_fitted_power_passes_the_errors(given):
    figure = convergence_figure(given.n, 5.0 / given.n, given.fit)
    dots, line = figure.data
    assert_allclose(dots.y, 5.0 / given.n)
    assert_allclose(np.diff(np.log(line.y)) / np.diff(np.log(line.x)), -given.fit.exponent)
    assert_allclose(line.y, dots.y, rtol=0.2)
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")


def test_the_vegas_table_is_drawn_as_published(given):
    figure = vegas_figure(given.vegas)
    assert_allclose(named(figure, "source 1").y[:2], [6000, 2000])
    assert_allclose(named(figure, "source 2").y[0], 4000)  # Low, Peterson and Wang 2002
    assert list(named(figure, "source 3").x) == [3, 4, 5]
    queue = named(figure, "queue")
    assert_allclose(np.round(queue.y, 1)[:3], [20, 60, 127.3])
    assert list(queue.x) == [1, 2, 3, 4, 5]
    with pytest.raises(DataError, match="rows has 0"):
        vegas_figure([])
    with pytest.raises(DataError, match="rows has no 1 sources"):
        vegas_figure(vegas_joining(6000, 2000, 0.010, sources=2)[1:])


def test_windows_settle_at_the_equilibrium(given):
    figure = windows_figure(given.fast, [23.33, 53.33], names=["100 ms", "200 ms"])
    assert_allclose(named(figure, "100 ms").y, given.fast[:, 0])
    levels = [t for t in figure.data if t.name == "equilibrium"]
    assert [level.y[0] for level in levels] == [23.33, 53.33]
    assert [level.showlegend for level in levels] == [True, False]
    assert windows_figure(given.fast).data[1].name == "source 2"
    with pytest.raises(DataError, match="windows_packets"):
        windows_figure([1.0, 2.0])
    with pytest.raises(DataError, match="windows_packets"):
        windows_figure([[np.nan]])
    with pytest.raises(DataError, match="settled_packets"):
        windows_figure(given.fast, [1.0])


def test_the_dual_algorithm_and_its_optimum(given):
    figure = dual_figure(given.dual, given.allocation, unit="Gbit/s")
    assert_allclose(named(figure, "source 2").y, given.dual.rates[:, 1])
    optimum = [t.y[0] for t in figure.data if t.name == "optimum"]
    assert_allclose(optimum, [1 / 3, 2 / 3, 2 / 3], rtol=1e-6)
    assert figure.layout.yaxis.title.text == "Rate (Gbit/s)"
    with pytest.raises(DataError, match="allocation has 1 sources"):
        dual_figure(given.dual, maximise_utility([[1]], [1], [1]))


def test_the_nyquist_curve_crosses_the_real_axis_at_its_gain(given):
    figure = nyquist_figure(given.red, [0.05, 0.2])
    for name, rtt_s in (("50 ms: stable", 0.05), ("200 ms: unstable", 0.2)):
        line = named(figure, name)
        response = loop_response(given.red, rtt_s, float(line.customdata[7]))
        assert_allclose([line.x[7], line.y[7]], [response.real, response.imag])
        crossing = phase_crossing(given.red, rtt_s)
        left = np.interp(crossing.omega_rad_s, np.asarray(line.customdata, dtype=float), line.x)
        assert_allclose(left, -crossing.gain, rtol=1e-3)
        assert figure.layout.xaxis.range[0] <= -crossing.gain  # the crossing can be seen
    point = named(figure, "critical point")
    assert (point.x[0], point.y[0]) == (-1, 0)
    circle = named(figure, "gain 1")
    assert_allclose(circle.x**2 + circle.y**2, 1)


def test_the_gain_turns_colour_where_it_passes_one(given):
    critical_s = critical_rtt(given.red)
    figure = crossing_figure([0.05, 0.2], given.crossings, critical_s=critical_s)
    gain, limit = figure.data
    assert_allclose(gain.y, [crossing.gain for crossing in given.crossings])
    assert list(gain.marker.color) == [GREEN, VERMILLION]
    assert list(limit.y) == [1, 1]
    assert_allclose(figure.layout.shapes[0].x0, 1e3 * critical_s)
    assert_allclose(10 ** figure.layout.annotations[0].x, 1e3 * critical_s)
    assert not crossing_figure([0.05, 0.2], given.crossings).layout.shapes
    with pytest.raises(DataError, match="crossings"):
        crossing_figure([0.05], given.crossings)


def test_the_limiting_stage_stands_out(given):
    figure = pipeline_figure(["read", "network", "write"], given.pipeline)
    bars = figure.data[0]
    assert_allclose(bars.y, 1e6 * given.pipeline.block_times_s)
    assert figure.layout.yaxis.title.text == "Time of a block (µs)"
    assert list(bars.marker.color) == [BLUE, VERMILLION, BLUE]
    assert len(figure.layout.annotations) == 2  # an arrow between each two stages
    with pytest.raises(DataError, match="names"):
        pipeline_figure(["read"], given.pipeline)


def test_blocks_pass_the_stages_in_turn(given):
    figure = schedule_figure(given.schedule, ["read", "send"])
    bars = figure.data[0]
    start = np.asarray(bars.base, dtype=float).reshape(3, 2)
    assert_allclose(start, given.schedule.start_s)
    assert_allclose(start + bars.x.reshape(3, 2), given.schedule.finish_s)
    assert list(bars.y) == [0, 1] * 3
    assert list(bars.text) == ["1", "1", "2", "2", "3", "3"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # the first stage on top
