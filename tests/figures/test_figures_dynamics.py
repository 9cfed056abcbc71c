"""Maps, exponents, diffusion, surrogates, phases, teeth, fairness, queues."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lab_tools.analysis.dynamics import PoincareMap, ShellCurves, find_sawtooth, poincare_map
from lab_tools.analysis.dynamics.phases import Phases
from lab_tools.errors import DataError, InputError
from lab_tools.figures.exponents import divergence_figure, exponents_figure, shells_figure
from lab_tools.figures.fairness import rtt_bias_figure, shares_figure
from lab_tools.figures.look import Scale
from lab_tools.figures.maps import MOST_POINTS, cobweb_figure, poincare_figure
from lab_tools.figures.noise import diffusion_figure, surrogates_figure
from lab_tools.figures.queues import bufferbloat_figure, queue_delay_figure
from lab_tools.figures.windows import phases_figure, sawtooth_figure

GBIT = Scale(1e9, "Gbit/s")


def named(figure, start):
    return next(t for t in figure.data if (t.name or "").startswith(start))


def test_a_poincare_map_has_the_identity_and_time_as_colour(given):
    trace_bps = 9e9 + 1e9 * given.orbit
    figure = poincare_figure(poincare_map(trace_bps), GBIT, interval_s=0.5)
    dots, identity = named(figure, "samples"), named(figure, "identity")
    assert_allclose(dots.x, trace_bps[:-1] / 1e9)
    assert_allclose(dots.y, trace_bps[1:] / 1e9)
    assert_allclose(dots.marker.color, 0.5 * np.arange(trace_bps.size - 1))
    assert dots.marker.colorbar.title.text == "Time (s)"
    assert_array_equal(identity.x, identity.y)
    assert identity.x[0] < dots.x.min()
    assert identity.x[1] > dots.x.max()
    assert figure.layout.xaxis.range == figure.layout.yaxis.range
    assert figure.layout.yaxis.scaleanchor == "x"


def test_the_curve_of_a_map(given):
    figure = poincare_figure(given.points, Scale(1.0, "segments"), curve_of_map=given.map_curve)
    assert_allclose(figure.data[-1].x, given.map_curve.now)
    assert f"{given.map_curve.determinism:.2f}" in figure.data[-1].name


def test_a_trace_at_rest_and_a_long_one():
    rest = poincare_figure(PoincareMap(np.zeros(3), np.zeros(3)), GBIT)
    assert rest.layout.xaxis.range == (-1.0, 1.0)
    long = np.arange(3.0 * MOST_POINTS)
    dots = named(poincare_figure(poincare_map(long), Scale(1, "segments")), "samples")
    assert dots.x.size <= MOST_POINTS
    assert_allclose(np.diff(dots.marker.color), 3)


def test_a_poincare_map_refuses_other_things(given):
    with pytest.raises(DataError, match="points"):
        poincare_figure([1, 2], GBIT)
    with pytest.raises(DataError, match="scale"):
        poincare_figure(given.points, "Gbit/s")
    with pytest.raises(InputError, match="interval_s"):
        poincare_figure(given.points, GBIT, interval_s=0)
    with pytest.raises(DataError, match="curve_of_map"):
        poincare_figure(given.points, GBIT, curve_of_map=3)


def test_a_cobweb_goes_between_the_map_and_the_identity():
    orbit = np.array([0.2, 0.4, 0.8, 0.4])
    figure = cobweb_figure(orbit, [0, 0.5, 1], [0, 1, 0], ("State", "no unit"))
    web = named(figure, "orbit")
    x, y = np.asarray(web.x), np.asarray(web.y)
    assert (x[0], y[0]) == (0.2, 0.2)
    assert_allclose(y[1::2], orbit[1:])  # on the map
    assert_allclose(x[2::2], y[2::2])  # on the identity
    assert ((np.diff(x) == 0) | (np.diff(y) == 0)).all()
    span = figure.layout.xaxis.range
    assert span[0] < 0
    assert span[1] > 1
    with pytest.raises(DataError, match="map_later"):
        cobweb_figure(orbit, [0, 0.5, 1], [0, 1], ("State", "no unit"))
    with pytest.raises(DataError, match="orbit"):
        cobweb_figure([0.2], [0, 0.5, 1], [0, 1, 0], ("State", "no unit"))


def test_divergence_with_the_slope_of_its_exponent(given):
    figure = divergence_figure(given.divergence, given.exponent, interval_s=2.0, first_step=1)
    low, high, mean, line = figure.data
    assert_allclose(mean.x, 2 * given.divergence.time)
    assert_allclose(mean.y, given.divergence.log_distance)
    assert_allclose(low.y, given.divergence.low)
    assert_allclose(high.y, given.divergence.high)
    assert_allclose(np.diff(line.y) / np.diff(line.x), 0.5)
    assert_allclose(line.y.mean(), mean.y[1:].mean())
    assert line.name == "slope 0.5 per s, 0.4 to 0.7"
    assert len(divergence_figure(given.divergence).data) == 3
    with pytest.raises(InputError, match="first_step"):
        divergence_figure(given.divergence, first_step=99)


def test_shells_without_pairs_are_left_out(given):
    figure = shells_figure(given.shells)
    assert_allclose(figure.data[0].y, given.shells.exponent[0])
    assert figure.data[0].name == "1/32 to 1/16 of the range"
    empty = ShellCurves(np.array([0.5, 0.25]), np.array([0, 7]), np.arange(2.0), np.eye(2))
    assert [t.name for t in shells_figure(empty).data] == ["1/8 to 1/4 of the range"]
    nothing = ShellCurves(np.array([0.5]), np.array([0]), np.arange(2.0), np.ones((1, 2)))
    with pytest.raises(DataError, match="curves"):
        shells_figure(nothing)


def test_exponents_and_the_line_at_nought(given):
    figure = exponents_figure({"a": given.exponent, "b": given.exponent})
    dots, zero = figure.data
    assert list(dots.y) == ["a", "b"]
    assert_allclose(dots.x + np.array(dots.error_x.array), 0.7)
    assert_allclose(dots.x - np.array(dots.error_x.arrayminus), 0.4)
    assert list(zero.x) == [0, 0]
    with pytest.raises(DataError, match="exponents has 0"):
        exponents_figure({})
    with pytest.raises(DataError, match="exponents"):
        exponents_figure({"a": 0.5})


def test_diffusion_is_log_log_with_its_power(given):
    figure = diffusion_figure(given.diffusion, Scale(1e-3, "ms"), interval_s=0.1)
    dots, line = figure.data
    assert_allclose(dots.x, 0.1 * given.diffusion.lag)
    assert_allclose(dots.y, 1e3 * np.sqrt(given.diffusion.mean_square))
    assert_allclose(np.diff(np.log(line.y)) / np.diff(np.log(line.x)), given.diffusion.exponent)
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")


def test_surrogates(given):
    others, trace = surrogates_figure(given.surrogates).data
    assert_array_equal(others.x, given.surrogates.surrogate_errors)
    assert list(trace.x) == [0.1, 0.1]


def test_phases_and_their_means(given):
    figure = phases_figure(given.trace_bps, 1.0, given.phases)
    trace, ramp, sustained = figure.data
    assert_allclose(trace.y[1:], given.trace_bps / 1e9)
    assert_allclose(trace.x, np.arange(7))
    assert_allclose(ramp.y, given.phases.ramp_up_mean_bps / 1e9)
    assert_allclose(sustained.x, [2, 6])
    strip = figure.layout.shapes[0]
    assert (strip.x0, strip.x1) == (0, 2.0)
    level = Phases(0, 0.0, 0.0, 1e9, 0.0, 1e9, True)
    flat = phases_figure([1e9] * 4, 1.0, level)
    assert [t.name for t in flat.data] == ["trace", "sustained mean 1 Gbit/s"]
    assert not flat.layout.shapes
    with pytest.raises(DataError, match="phases"):
        phases_figure([1e9, 1e9], 1.0, given.phases)


def test_loss_epochs_lie_on_the_window(given):
    figure = sawtooth_figure(given.time_s, given.cwnd, given.teeth)
    window, peaks, troughs = figure.data
    assert_allclose(window.y, given.cwnd)
    assert_allclose(peaks.x, given.teeth.loss_time_s)
    assert_allclose(np.interp(peaks.x, window.x, window.y), peaks.y)
    assert_allclose(np.interp(troughs.x, window.x, window.y), troughs.y)
    assert "median decrease to 0.50" in peaks.name
    assert len(given.teeth.peak) > 1


def test_a_window_without_loss_says_so(given):
    figure = sawtooth_figure([0, 1], [5, 6], find_sawtooth([0, 1], [5, 6]), unit="packets")
    assert figure.data[1].name == "no loss epoch"
    assert figure.layout.yaxis.title.text == "Congestion window (packets)"
    with pytest.raises(DataError, match="teeth"):
        sawtooth_figure([0, 1], [5, 6], given.teeth)


def test_shares_beside_the_equal_share():
    figure = shares_figure([8e6, 2e6], ["cubic", "bbr"])
    bars, equal = figure.data
    assert list(bars.y) == [8, 2]
    assert list(bars.text) == ["80 %", "20 %"]
    assert list(equal.y) == [5, 5]
    assert figure.layout.xaxis.ticktext == ("cubic", "bbr")
    assert shares_figure([1.0, 1.0]).layout.xaxis.ticktext == ("flow 1", "flow 2")
    with pytest.raises(DataError, match="names"):
        shares_figure([1.0, 1.0], ["one"])


def test_the_rtt_bias_has_its_slope(given):
    figure = rtt_bias_figure([0.04, 0.02], [[4e6, 8e6], [3e6, 9e6]], given.bias)
    dots, line = figure.data
    assert_allclose(dots.x, [40, 20, 40, 20])
    assert_allclose(dots.y, [4, 8, 3, 9])
    assert_allclose(np.diff(np.log(line.y)) / np.diff(np.log(line.x)), -given.bias.exponent)
    with pytest.raises(DataError, match="goodput_bps has 0 runs"):
        rtt_bias_figure([0.04, 0.02], [], given.bias)


def test_queueing_delay_and_the_full_buffer():
    figure = queue_delay_figure([0, 1], [0.0, 0.03], full_s=0.05)
    assert list(figure.data[0].y) == [0, 30]
    assert list(figure.data[1].y) == [50, 50]
    assert len(queue_delay_figure([0, 1], [0.0, 0.03]).data) == 1
    with pytest.raises(DataError, match="delay_s"):
        queue_delay_figure([0, 1], [0.0, -0.03])


def test_bufferbloat_marks_both_rtts(given):
    figure = bufferbloat_figure([0.03, 0.02, 0.02], [0.1, 0.09, 0.1], given.bloat)
    idle, loaded = figure.data
    assert_allclose(idle.x, [20, 20, 20, 30])
    assert_allclose(loaded.y, [0, 100 / 3, 200 / 3, 100])
    marks = [shape.x0 for shape in figure.layout.shapes]
    assert_allclose(marks, [1e3 * given.bloat.idle_s, 1e3 * given.bloat.loaded_s])
    assert "5.0 times" in figure.layout.title.text
