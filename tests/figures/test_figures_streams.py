"""Parallel streams: what a reader sees."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lab_tools.errors import DataError, InputError
from lab_tools.figures.streams import gains_figure, sharing_figure, streams_figure


def part(figure, name):
    return next(each for each in figure.data if each.name == name)


def test_the_law_is_n_times_one_stream_and_bends_at_the_paths_rate():
    figure = streams_figure({"reno": ([1, 2, 8], [30e6, 61e6, 150e6])}, 30e6, rate_bps=160e6)
    law = part(figure, "n times one stream")
    assert_allclose(law.y, np.minimum(30 * law.x, 160))
    assert_allclose(part(figure, "reno").y, [30, 61, 150])
    assert_allclose(part(figure, "the path's rate, 160 Mbit/s").y, [160, 160])
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert figure.layout.yaxis.title.text == "Goodput (Mbit/s)"


def test_without_a_rate_the_law_goes_on():
    figure = streams_figure({"a": ([1, 10], [1e6, 9e6]), "b": ([1], [2e6])}, 1e6)
    assert part(figure, "n times one stream").y[-1] == pytest.approx(10)
    assert part(figure, "a").marker.color != part(figure, "b").marker.color


def test_gains_are_bars_with_their_numbers():
    figure = gains_figure({"published": {"bbr": 4}, "measured": {"bbr": 1.02, "reno": 9.0}})
    assert list(part(figure, "measured").y) == [1.02, 9.0]
    assert list(part(figure, "measured").text) == ["1.02", "9"]
    assert figure.layout.barmode == "group"


def test_flows_share_one_time_axis():
    figure = sharing_figure([0, 1, 2], {"you": [1e6, 2e6, 3e6], "they": [9e6, 8e6, 7e6]})
    assert_allclose(part(figure, "they").y, [9, 8, 7])
    assert figure.layout.xaxis.title.text == "Time (s)"


@pytest.mark.parametrize(
    "draw",
    [
        lambda: streams_figure({}, 1e6),
        lambda: streams_figure({"a": ([1, 2], [1e6])}, 1e6),
        lambda: gains_figure({}),
        lambda: gains_figure({"a": {"bbr": -1}}),
        lambda: sharing_figure([0, 1], {}),
        lambda: sharing_figure([0, 1], {"a": [1e6]}),
    ],
)
def test_data_that_cannot_be_drawn_is_named(draw):
    with pytest.raises(DataError):
        draw()


@pytest.mark.parametrize("fields", [{"one_bps": 0}, {"one_bps": 1e6, "rate_bps": -1}])
def test_rates_are_positive(fields):
    with pytest.raises(InputError):
        streams_figure({"a": ([1], [1e6])}, **fields)
