"""Segmented regression: published lines, every choice of anchors, Vapnik's bound."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.analysis.profiles import (
    choose_segments,
    least_squares_line,
    segmented_regression,
    vapnik_bound,
)
from lab_tools.errors import DataError, InputError


def test_delay_over_distance_of_ultrascience_net():
    # mean delay in ms over 1400, 2800 and 4200 miles of SONET
    line = least_squares_line([1400, 2800, 4200], [26.8459, 54.54, 81.03])
    assert line.slope == pytest.approx(0.019351, abs=1e-6)
    assert line.intercept == pytest.approx(-0.0455, abs=1e-4)
    assert line.intercept + 3600 * line.slope == pytest.approx(69.62, abs=0.005)


@given(y=st.lists(st.floats(-10, 10), min_size=3, max_size=12))
@settings(max_examples=50, deadline=None)
def test_line_is_numpys(y):
    x = np.arange(len(y)) ** 1.5
    line = least_squares_line(x, y)
    assert [line.slope, line.intercept] == pytest.approx(list(np.polyfit(x, y, 1)), abs=1e-6)


@given(
    groups=st.lists(st.lists(st.floats(-10, 10), min_size=1, max_size=3), min_size=3, max_size=7),
    data=st.data(),
)
@settings(max_examples=60, deadline=None)
def test_no_choice_of_anchors_is_better(groups, data):
    m = len(groups)
    segments = data.draw(st.integers(1, m - 1))
    x = np.cumsum(np.arange(1.0, m + 1))
    means = np.array([np.mean(group) for group in groups])
    fit = segmented_regression(x, groups, segments)

    def sse(anchors):
        line = np.interp(x, x[anchors], means[anchors])
        return sum(
            ((np.array(g) - value) ** 2).sum() for g, value in zip(groups, line, strict=True)
        )

    every = [[0, *inner, m - 1] for inner in combinations(range(1, m - 1), segments - 1)]
    assert fit.sse == pytest.approx(min(sse(anchors) for anchors in every), abs=1e-8)
    assert fit.x.size == segments + 1
    chosen = list(np.searchsorted(x, fit.x))
    assert fit.sse == pytest.approx(sse(chosen), abs=1e-8)


def test_more_segments_never_fit_worse_and_all_of_them_fit_exactly():
    rng = np.random.default_rng(5)
    x, y = np.arange(30.0), rng.normal(size=30)
    sse = [segmented_regression(x, y[:, None], k).sse for k in range(1, 30)]
    assert all(a >= b - 1e-9 for a, b in pairwise(sse))
    assert sse[-1] == pytest.approx(0, abs=1e-9)


def test_repeats_are_counted_once_each():
    fit = segmented_regression([0, 1, 2], [[0], [3, 5], [0]], 1)
    assert fit.sse == pytest.approx(9 + 25)
    exact = segmented_regression([0, 1, 2], [[0], [3, 5], [0]], 2)
    assert exact.sse == pytest.approx(1 + 1)


def test_vapnik_bound_by_hand():
    # n = 1000, h = 2, eta = 0.05: E = 0.004 (2 (ln 1000 + 1) + ln 80) = 0.08079...
    assert vapnik_bound(0.01, 2, 1000) == pytest.approx(0.0998, abs=5e-5)
    capacity = 0.004 * (2 * (np.log(1000) + 1) + np.log(80))
    assert vapnik_bound(0.0, 2, 1000) == pytest.approx(capacity)


@given(risk=st.floats(0, 1), h=st.integers(1, 50), n=st.integers(100, 10**6))
@settings(max_examples=60, deadline=None)
def test_vapnik_bound_is_monotone(risk, h, n):
    bound = vapnik_bound(risk, h, n)
    assert bound > risk
    assert vapnik_bound(risk, h + 1, n) > bound
    assert vapnik_bound(risk, h, 2 * n) < bound
    assert vapnik_bound(risk, h, n, confidence=0.99) > bound


@pytest.mark.parametrize("corners", [[0, 100], [0, 40, 100], [0, 30, 70, 100]])
def test_bound_finds_the_number_of_segments_when_data_suffice(corners):
    rng = np.random.default_rng(6)
    x = np.arange(0, 101, 5.0)
    truth = np.interp(x, corners, [0, 10, 0, 10][: len(corners)])
    runs = [rng.normal(value, 0.3, 400) for value in truth]
    choice = choose_segments(x, runs, max_segments=6)
    assert choice.segments == len(corners) - 1
    assert choice.fit.x == pytest.approx(corners)
    assert (choice.bound > choice.risk).all()
    assert (np.diff(choice.risk) <= 1e-12).all()


def test_bound_prefers_one_line_when_data_are_few():
    choice = choose_segments([0, 1, 2, 3, 4], [[0], [2], [0], [2], [0]])
    assert choice.segments == 1
    assert choice.bound[0] > 1  # and says that it proves nothing
    assert choice.risk.size == 2  # 5 measurements: at most h = 4


def test_each_number_of_segments_gets_its_dimension_and_its_share_of_the_risk():
    runs = [[float(k % 3)] * 50 for k in range(8)]
    choice = choose_segments(range(8), runs, max_segments=5, confidence=0.9)
    for k in range(1, 6):
        bound = vapnik_bound(choice.risk[k - 1], 2 * k, 400, confidence=1 - 0.1 / 5)
        assert choice.bound[k - 1] == pytest.approx(bound)
    assert choice.segments == np.argmin(choice.bound) + 1


def test_loss_scale_is_the_unit_of_the_risk():
    runs = [[0, 1], [4, 5], [0, 1]] * 1
    wide = choose_segments([0, 1, 2], runs, loss_scale=10.0)
    assert wide.risk[1] == pytest.approx(3 * 0.5 / 6 / 100)
    narrow = choose_segments([0, 1, 2], runs, loss_scale=0.1)
    assert narrow.risk[0] == 1.0


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: least_squares_line([1, 1], [1, 2]), "x"),
        (lambda: least_squares_line([1, 2], [1]), "y"),
        (lambda: segmented_regression([1, 0], [[1], [2]], 1), "x"),
        (lambda: segmented_regression([0, 1], [[1]], 1), "runs"),
        (lambda: segmented_regression([0, 1], [[1], [np.nan]], 1), "runs[1]"),
        (lambda: choose_segments([0, 1, 2], [[1], [1], [1]]), "runs"),
        (lambda: choose_segments([0, 1], [[1], [2]]), "runs"),
    ],
)
def test_bad_data_is_named(call, name):
    with pytest.raises(DataError) as caught:
        call()
    assert caught.value.argument == name


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: segmented_regression([0, 1], [[1], [2]], 2), "segments"),
        (lambda: choose_segments([0, 1, 2], [[1], [2], [3]], max_segments=0), "max_segments"),
        (lambda: choose_segments([0, 1, 2], [[1], [2], [3]], loss_scale=0.0), "loss_scale"),
        (lambda: choose_segments([0, 1, 2], [[1], [2], [3]], confidence=1.0), "confidence"),
        (lambda: vapnik_bound(1.5, 2, 100), "empirical_risk"),
        (lambda: vapnik_bound(0.5, 0, 100), "vc_dimension"),
        (lambda: vapnik_bound(0.5, 10, 10), "samples"),
    ],
)
def test_bad_arguments_are_named(call, name):
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == name
