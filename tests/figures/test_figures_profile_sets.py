"""Several profiles in one figure."""

import pytest

from lab_tools.errors import DataError
from lab_tools.figures.profiles import profiles_figure


def test_every_profile_is_drawn_in_the_units_of_the_axes():
    figure = profiles_figure([0.01, 0.1], {"a": [9e9, 2e9], "b": [8e9, 1e9]}, capacity_bps=10e9)
    assert [list(part.x) for part in figure.data] == [[10, 100]] * 3
    assert [list(part.y) for part in figure.data] == [[9, 2], [8, 1], [10, 10]]
    assert "Gbit/s" in figure.layout.yaxis.title.text


def test_logarithmic_axes():
    figure = profiles_figure([0.01, 0.1], {"a": [9e9, 2e9]}, log_rtt=True, log_rate=True)
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("log", "log")


@pytest.mark.parametrize(
    ("rtt_s", "profiles", "log"),
    [
        ([0.01, 0.1], {}, False),
        ([0.01, 0.1], {"a": [1e9]}, False),
        ([0.1, 0.01], {"a": [1e9, 1e9]}, False),
        ([0.01, 0.1], {"a": [1e9, 0]}, True),
    ],
)
def test_what_cannot_be_drawn_is_refused(rtt_s, profiles, log):
    with pytest.raises(DataError):
        profiles_figure(rtt_s, profiles, log_rate=log)
