"""Figures of a multi-site network: the numbers drawn are the numbers given."""

import pandas as pd
import pytest

from lab_tools.errors import DataError
from lab_tools.figures.sites import site_losses, site_traces


def flows():
    rows = [(t, flow, (flow + 1) * 1e6) for t in (0.0, 0.2) for flow in range(3)]
    return pd.DataFrame(rows, columns=["time_s", "flow", "goodput_bps"])


def test_a_sites_servers_are_added_up():
    figure = site_traces(flows(), ["a1", "a2", "b1"])
    assert {part.name: list(part.y) for part in figure.data} == {
        "site a": [3.0, 3.0],
        "site b": [3.0, 3.0],
    }
    assert "Mbit/s" in figure.layout.yaxis.title.text


def test_equal_shares_fall_to_nothing():
    equal, measured = site_losses([20, 20, 0]).data
    assert list(equal.y) == [20, 10, 0]
    assert list(measured.y) == [20, 20, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: site_losses([1]),
        lambda: site_losses([1, -1]),
        lambda: site_traces(flows(), ["a1"]),
        lambda: site_traces(flows().iloc[:0], ["a1"]),
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong):
    with pytest.raises(DataError):
        wrong()
