"""Isotonic and linear estimates: the max-min formula, hand-made errors, properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.analysis.profiles import cross_validate, isotonic_estimate, linear_estimate
from lab_tools.errors import DataError, UnknownNameError

values = st.lists(st.floats(0.0, 100.0), min_size=3, max_size=8)


def max_min(means, weights):
    """Non-increasing least squares by the max-min formula (Robertson, Wright, Dykstra 1988)."""
    n = len(means)

    def average(s, t):
        return np.average(means[s : t + 1], weights=weights[s : t + 1])

    return [max(min(average(s, t) for s in range(i + 1)) for t in range(i, n)) for i in range(n)]


@given(rates=values, counts=st.lists(st.integers(1, 4), min_size=8, max_size=8))
@settings(max_examples=60, deadline=None)
def test_isotonic_is_the_max_min_formula_and_never_rises(rates, counts):
    rtts = np.arange(1.0, len(rates) + 1)
    runs = [[rate] * count for rate, count in zip(rates, counts, strict=False)]
    fit = isotonic_estimate(rtts, runs, rtts)
    assert fit == pytest.approx(max_min(np.array(rates), counts[: len(rates)]), abs=1e-9)
    between = isotonic_estimate(rtts, runs, np.linspace(0.5, len(rates) + 1, 50))
    assert (np.diff(between) <= 1e-9).all()


@given(rates=values)
@settings(max_examples=50, deadline=None)
def test_both_estimates_agree_on_a_falling_profile(rates):
    rtts = np.arange(1.0, len(rates) + 1)
    runs = [[rate] for rate in sorted(rates, reverse=True)]
    at = np.linspace(0.0, 10.0, 23)
    assert isotonic_estimate(rtts, runs, at) == pytest.approx(linear_estimate(rtts, runs, at))


def test_linear_estimate_follows_the_means_and_is_flat_outside():
    at = [0.0, 1.0, 1.5, 2.0, 9.0]
    assert linear_estimate([1, 2], [[2, 4], [9]], at) == pytest.approx([3, 3, 6, 9, 9])


def test_cross_validation_by_hand():
    # left-out means 8 and 6: interpolation from the neighbours gives (10+6)/2 = 8, (8+1)/2 = 4.5
    runs = [[10.0], [8.0, 9.0], [6.0], [1.0]]
    result = cross_validate([1, 2, 3, 4], runs, "linear")
    third = 6.0 - (8.5 + 1.0) / 2
    assert result.rtt_s == pytest.approx([2, 3])
    assert result.rmse_at_rtt_bps == pytest.approx([np.sqrt((0 + 1) / 2), third])
    assert result.rmse_bps == pytest.approx(np.sqrt((0 + 1 + third**2) / 3))
    assert result.noise_bps == pytest.approx(np.sqrt((0.25 + 0.25 + 0) / 3))


def test_monotone_estimate_beats_interpolation_when_noise_hides_a_falling_profile():
    rng = np.random.default_rng(4)
    rtts = np.linspace(0.01, 0.4, 25)
    isotonic = linear = 0.0
    for _ in range(10):
        runs = [rng.normal(9 - 2 * rtt, 1.0, 3).clip(0) for rtt in rtts]
        isotonic += cross_validate(rtts, runs, "isotonic").rmse_bps
        linear += cross_validate(rtts, runs, "linear").rmse_bps
    assert isotonic < linear


@given(factor=st.floats(1e-3, 1e9))
@settings(max_examples=20, deadline=None)
def test_error_scales_with_the_unit(factor):
    runs = [np.array([9.0, 8.0]), np.array([7.0]), np.array([8.0, 6.5]), np.array([2.0])]
    for estimator in ("isotonic", "linear"):
        one = cross_validate([1, 2, 3, 4], runs, estimator).rmse_bps
        other = cross_validate([1, 2, 3, 4], [run * factor for run in runs], estimator).rmse_bps
        assert other == pytest.approx(one * factor)


def test_bad_input_is_named():
    with pytest.raises(DataError, match="rtt_s has 2 values"):
        cross_validate([1, 2], [[1], [1]], "linear")
    with pytest.raises(UnknownNameError, match="spline"):
        cross_validate([1, 2, 3], [[1], [1], [1]], "spline")
    with pytest.raises(DataError, match="at_rtt_s"):
        isotonic_estimate([1, 2], [[1], [1]], [-1.0])
    with pytest.raises(DataError, match="at_rtt_s"):
        linear_estimate([1, 2], [[1], [1]], [np.nan])
    with pytest.raises(DataError, match="rtt_s is not sorted"):
        linear_estimate([2, 1], [[1], [1]], [1.0])
