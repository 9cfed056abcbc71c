"""Exponent against throughput: every run with its interval, beside its shuffled self."""

import numpy as np
import pytest

from lab_tools.analysis.dynamics import Exponent
from lab_tools.errors import DataError
from lab_tools.figures.claim import exponent_goodput_figure

FOUND = {"near": Exponent(3.0, 2.0, 4.5, 100), "far": Exponent(5.0, 4.5, 6.0, 100)}
MIXED = {"near": Exponent(2.5, 2.0, 3.0, 100), "far": Exponent(8.0, 7.0, 9.0, 100)}


def test_a_run_and_its_shuffled_self_are_at_the_same_height():
    inorder, shuffled = exponent_goodput_figure(FOUND, [99e6, 55e6], shuffled=MIXED).data
    assert list(inorder.x) == [3, 5]
    assert list(shuffled.x) == [2.5, 8]
    assert list(inorder.y) == list(shuffled.y) == [99, 55]
    assert list(inorder.text) == ["near", "far"]


def test_the_bars_end_where_the_intervals_end():
    (points,) = exponent_goodput_figure(FOUND, [99e6, 55e6]).data
    assert np.allclose(points.x + points.error_x.array, [4.5, 6.0])
    assert np.allclose(points.x - np.array(points.error_x.arrayminus), [2.0, 4.5])


@pytest.mark.parametrize(
    ("exponents", "goodput_bps", "shuffled"),
    [({}, [], None), (FOUND, [1e6], None), (FOUND, [1e6, 2e6], {"near": MIXED["near"]})],
)
def test_what_does_not_fit_together_is_refused(exponents, goodput_bps, shuffled):
    with pytest.raises(DataError):
        exponent_goodput_figure(exponents, goodput_bps, shuffled=shuffled)
