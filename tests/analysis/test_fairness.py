import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lab_tools.analysis.fairness import (
    jain_index,
    rtt_bias_exponent,
    throughput_ratios,
    throughput_shares,
)
from lab_tools.errors import DataError, InputError

goodputs = st.lists(st.floats(1e3, 1e11), min_size=1, max_size=20)


@pytest.mark.parametrize(("served", "flows"), [(1, 1), (1, 10), (3, 10), (10, 10)])
def test_jain_index_is_the_share_of_flows_that_are_served(served, flows):
    """Jain, Chiu and Hawe 1984: if k of n users share equally and the rest get none, k/n."""
    assert jain_index([5e6] * served + [0.0] * (flows - served)) == pytest.approx(served / flows)


def test_jain_index_of_a_hand_computed_case():
    # (1 + 2 + 3 + 4)² / (4 (1 + 4 + 9 + 16)) = 100 / 120
    assert jain_index([1, 2, 3, 4]) == pytest.approx(5 / 6)


@settings(max_examples=100, deadline=None)
@given(goodputs, st.floats(1e-150, 1e150), st.randoms())
def test_jain_index_bounds_scale_and_symmetry(goodput, factor, random):
    index = jain_index(goodput)
    assert 1 / len(goodput) <= index * (1 + 1e-12)
    assert index <= 1 + 1e-12
    assert jain_index(np.array(goodput) * factor) == pytest.approx(index)
    assert jain_index(random.sample(goodput, len(goodput))) == pytest.approx(index)


@settings(max_examples=50, deadline=None)
@given(goodputs)
def test_shares_and_ratios(goodput):
    shares = throughput_shares(goodput)
    assert shares.sum() == pytest.approx(1)
    last = len(goodput) - 1
    ratios = throughput_ratios(goodput, last)
    assert ratios[last] == 1
    assert ratios == pytest.approx(shares / shares[last])


def test_bias_of_one_run_is_that_of_an_ordinary_regression():
    rtt_s = [0.01, 0.02, 0.04, 0.08, 0.16]
    goodput_bps = [9e6, 5.5e6, 2e6, 1.3e6, 0.5e6]
    line = stats.linregress(np.log(rtt_s), np.log(goodput_bps))
    half_width = stats.t.ppf(0.975, 3) * line.stderr
    bias = rtt_bias_exponent(rtt_s, [goodput_bps])
    assert bias.exponent == pytest.approx(-line.slope)
    assert bias.high - bias.exponent == pytest.approx(half_width)
    assert bias.exponent - bias.low == pytest.approx(half_width)


def test_bias_of_two_flows_is_the_mean_of_the_log_ratios():
    runs = np.array([[8e6, 4e6], [9e6, 3e6], [7e6, 5e6], [6e6, 3e6]])
    each = np.log(runs[:, 0] / runs[:, 1]) / np.log(4)
    interval = stats.ttest_1samp(each, 0).confidence_interval(0.9)
    bias = rtt_bias_exponent([0.02, 0.08], runs, confidence=0.9)
    assert bias.exponent == pytest.approx(each.mean())
    assert (bias.low, bias.high) == pytest.approx((interval.low, interval.high))


@settings(max_examples=50, deadline=None)
@given(st.floats(-2, 3), st.lists(st.floats(1e5, 1e10), min_size=1, max_size=5))
def test_bias_of_an_exact_power_law_whatever_the_level_of_each_run(exponent, levels):
    rtt_s = np.array([0.01, 0.03, 0.2])
    bias = rtt_bias_exponent(rtt_s, [level * rtt_s**-exponent for level in levels])
    assert bias.exponent == pytest.approx(exponent, abs=1e-9)
    assert bias.high - bias.low < 1e-6


def test_interval_covers_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(11)
    rtt_s = np.array([0.02, 0.04, 0.08])
    covered = 0
    for _ in range(1000):
        level = np.exp(rng.normal(size=(4, 1)))
        runs = level * rtt_s**-1.5 * np.exp(0.2 * rng.normal(size=(4, 3)))
        bias = rtt_bias_exponent(rtt_s, runs, confidence=0.8)
        covered += bias.low <= 1.5 <= bias.high
    # 800 expected, standard deviation 12.6
    assert covered == pytest.approx(800, abs=45)


@pytest.mark.parametrize(
    ("goodput", "message"),
    [
        ([], "^goodput_bps has 0 values"),
        ([0.0, 0.0], "^goodput_bps is 0 for every flow"),
        ([1.0, -1.0], "^goodput_bps has the value"),
        ([1.0, np.nan], "^goodput_bps is nan at index 1"),
        ([[1.0, 2.0]], "^goodput_bps has shape"),
    ],
)
def test_bad_goodputs_are_named(goodput, message):
    with pytest.raises(DataError, match=message):
        jain_index(goodput)


def test_bad_reference_is_named():
    with pytest.raises(InputError, match=r"^reference = 2"):
        throughput_ratios([1.0, 2.0], 2)
    with pytest.raises(DataError, match=r"^goodput_bps has the value 0\.0"):
        throughput_ratios([1.0, 0.0])


@pytest.mark.parametrize(
    ("rtt_s", "runs", "message"),
    [
        ([0.1], [[1.0]], "^rtt_s has 1 values"),
        ([0.1, 0.1], [[1.0, 2.0]] * 3, "^rtt_s has one value only"),
        ([0.1, -0.2], [[1.0, 2.0]] * 3, "^rtt_s has the value"),
        ([0.1, 0.2], [], "^goodput_bps has 0 runs of 2 flows"),
        ([0.1, 0.2], [[1.0, 2.0]], "^goodput_bps has 1 runs of 2 flows"),
        ([0.1, 0.2], [[1.0, 2.0], [1.0]], "^goodput_bps has 1 values: it needs exactly 2"),
        ([0.1, 0.2], [[1.0, 2.0], [1.0, 0.0]], "^goodput_bps has the value 0.0"),
        ([0.1, 0.2], [1.0, 2.0], "^goodput_bps has shape"),
    ],
)
def test_bad_runs_are_named(rtt_s, runs, message):
    with pytest.raises(DataError, match=message):
        rtt_bias_exponent(rtt_s, runs)


def test_bad_confidence_is_named():
    with pytest.raises(InputError, match=r"^confidence = 95"):
        rtt_bias_exponent([0.1, 0.2], [[1.0, 2.0]] * 3, confidence=95)
