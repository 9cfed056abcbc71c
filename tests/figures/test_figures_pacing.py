"""Pacing: what a reader sees."""

import pytest
from numpy.testing import assert_allclose

from lab_tools.errors import DataError, InputError
from lab_tools.figures.pacing import backlog_panels, pacing_figure


def part(figure, name):
    return next(each for each in figure.data if each.name == name)


def test_goodput_is_above_and_drops_below_in_the_order_of_the_rates():
    figure = pacing_figure([1.1, 0.5, 0.9], [0.8, 0.5, 0.9], [40, 0, 3], unpaced=0.48)
    goodput, drops = part(figure, "goodput"), part(figure, "drops")
    assert_allclose(goodput.x, [50, 90, 110])
    assert_allclose(goodput.y, [50, 90, 80])
    assert_allclose(drops.y, [0, 3, 40])
    assert goodput.yaxis != drops.yaxis
    assert_allclose(part(figure, "without pacing").y, [48, 48])
    assert_allclose(part(figure, "without pacing").x, [50, 110])
    assert figure.layout.xaxis2.title.text == "Pacing rate (% of the router's rate)"


def test_without_a_run_without_pacing_there_is_no_line_for_it():
    assert [p.name for p in pacing_figure([1], [0.9], [0]).data] == ["goodput", "drops"]


def test_backlogs_share_their_axes_and_the_buffer_is_in_each_panel():
    runs = {"unpaced": ([0, 0.1], [0, 2e6]), "paced": ([0, 0.1], [0, 1e5])}
    figure = backlog_panels(runs, buffer_bytes=5e5, title="T")
    assert_allclose(part(figure, "unpaced").y, [0, 2])
    assert_allclose(part(figure, "paced").y, [0, 0.1])
    assert_allclose(part(figure, "paced").x, [0, 100])
    limits = [p for p in figure.data if p.name == "small buffer"]
    assert len(limits) == len(runs)
    assert_allclose([p.y for p in limits], 0.5)
    assert [p.showlegend for p in limits] == [True, False]
    assert figure.layout.yaxis.matches == "y2"
    assert figure.layout.yaxis.title.text == "unpaced (MB)"


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(DataError, match="drops"):
        pacing_figure([1, 2], [0.5, 0.5], [1])
    with pytest.raises(DataError, match="drops"):
        pacing_figure([1, 2], [0.5, 0.5], [1, -1])
    with pytest.raises(InputError, match="unpaced"):
        pacing_figure([1], [0.5], [1], unpaced=0)
    with pytest.raises(DataError, match="runs"):
        backlog_panels({})
    with pytest.raises(DataError, match="backlog of a"):
        backlog_panels({"a": ([0, 1], [0, -1])})
    with pytest.raises(InputError, match="buffer_bytes"):
        backlog_panels({"a": ([0, 1], [0, 1])}, buffer_bytes=0)
