"""A path as asked for and as measured: what a reader sees."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lab_tools.errors import DataError, InputError
from lab_tools.figures.emulation import (
    arrival_figure,
    calibration_figure,
    delay_figure,
    share_figure,
)


def part(figure, name):
    return next(each for each in figure.data if each.name == name)


def test_both_distributions_of_the_delay_have_an_area_of_one():
    times = np.random.default_rng(1).normal(40, 3, 500)
    figure = delay_figure(times, 40, 3)
    bars, line = part(figure, "measured"), part(figure, "asked for")
    assert_allclose(np.sum(np.asarray(bars.y) * np.asarray(bars.width)), 1)
    assert_allclose(np.trapezoid(line.y, line.x), 1, atol=1e-3)
    assert line.x[np.argmax(line.y)] == pytest.approx(40, abs=0.1)
    assert figure.layout.xaxis.title.text == "Round-trip time (ms)"


def test_reordered_packets_are_those_behind_a_larger_number():
    # RFC 4737 §3: only the packets that came late are reordered, not the one that came early
    figure = arrival_figure([1, 2, 6, 3, 4, 5, 7])
    assert list(part(figure, "reordered").y) == [3, 4, 5]
    assert list(part(figure, "in order").y) == [1, 2, 6, 7]
    assert len(part(arrival_figure(range(9), first=4), "in order").y) == 4


def test_the_running_share_ends_at_the_whole_count_and_the_band_narrows_with_the_root():
    sent, lost = [100] * 4, [4, 0, 0, 0]
    figure = share_figure(sent, lost, 0.01)
    assert_allclose(part(figure, "all so far").y, [4, 2, 4 / 3, 1])
    assert_allclose(part(figure, "each batch alone").y, [4, 0, 0, 0])
    high = np.asarray(part(figure, "two standard errors").y)
    # 1 % of 100 packets: sqrt(0.01 * 0.99 / 100) = 0.995 %; four times the packets, half of that
    assert_allclose(high[[0, 3]], [1 + 2 * 0.99499, 1 + 0.99499], rtol=1e-4)


def test_ratios_have_error_bars_of_two_standard_errors():
    figure = calibration_figure({"RTT": (40, 41, 0.4), "loss": (2, 1.8, 0.2)})
    assert_allclose(figure.data[0].x, [1.025, 0.9])
    assert_allclose(figure.data[0].error_x.array, [0.02, 0.2])
    assert list(figure.data[0].y) == ["RTT", "loss"]


@pytest.mark.parametrize(
    ("draw", "error"),
    [
        (lambda: delay_figure([40], 40, 1), DataError),
        (lambda: delay_figure([40, 41], 40, 0), InputError),
        (lambda: arrival_figure([]), DataError),
        (lambda: arrival_figure([1, 2], first=0), InputError),
        (lambda: share_figure([100], [1, 2], 0.1), DataError),
        (lambda: share_figure([100], [1], 1), InputError),
        (lambda: calibration_figure({}), DataError),
        (lambda: calibration_figure({"RTT": (0, 1, 1)}), DataError),
    ],
)
def test_what_cannot_be_drawn_is_said(draw, error):
    with pytest.raises(error):
        draw()
