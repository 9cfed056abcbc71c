"""The sigmoid pair: known transitions, a rival optimiser, the interval's coverage."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from lab_tools.analysis.profiles import fit_sigmoid_pair, sigmoid
from lab_tools.errors import DataError, InputError

RTT_S = np.array([0.0004, 0.0118, 0.0226, 0.0456, 0.0916, 0.183, 0.366])
GBPS = np.array([9.4, 9.3, 9.2, 9.0, 8.2, 5.6, 2.1])


def test_sigmoid_is_concave_left_and_convex_right_of_its_midpoint():
    rtts = np.linspace(0, 0.4, 401)
    second = np.diff(sigmoid(rtts, 20.0, 0.2), 2)
    assert (second[:199] < 0).all()
    assert (second[200:] > 0).all()
    assert sigmoid([0.2], 20.0, 0.2) == pytest.approx([0.5])


def pair_at(last, concave, convex):
    return np.where(RTT_S[last] >= RTT_S, sigmoid(RTT_S, *concave), sigmoid(RTT_S, *convex))


@pytest.mark.parametrize("last", [2, 3, 4])
def test_transition_and_parameters_are_recovered(last):
    concave, convex = (12.0, 0.25), (6.0, RTT_S[last] - 0.02)
    fit = fit_sigmoid_pair(RTT_S, 1e10 * pair_at(last, concave, convex), 1e10)
    assert fit.transition_s == RTT_S[last]
    assert fit.low_s == fit.transition_s
    assert fit.high_s == RTT_S[last + 1]
    if last >= 3:  # two parameters need more than two points
        assert fit.concave.slope_per_s == pytest.approx(12.0, rel=1e-2)
        assert fit.concave.midpoint_s == pytest.approx(0.25, rel=1e-2)
    if last <= 3:
        assert fit.convex.slope_per_s == pytest.approx(6.0, rel=1e-2)
        assert fit.convex.midpoint_s == pytest.approx(convex[1], abs=2e-3)


def test_all_convex_gives_the_smallest_rtt_and_all_concave_the_largest():
    small_buffer = fit_sigmoid_pair(RTT_S, np.minimum(1e10, 8 * 250e3 / RTT_S), 1e10)
    assert small_buffer.transition_s == RTT_S[0]
    large_buffer = fit_sigmoid_pair(RTT_S, np.minimum(1e10, 8 * 250e6 / RTT_S), 1e10)
    assert large_buffer.transition_s == RTT_S[-1]
    assert large_buffer.high_s == RTT_S[-1]
    assert large_buffer.convex is None


def test_a_rival_optimiser_finds_no_better_fit():
    fit = fit_sigmoid_pair(RTT_S, GBPS * 1e9, 1e10)
    used = GBPS / 10
    for last in range(2, 6):
        for part, low, high in [
            (slice(0, last + 1), RTT_S[last], 5.0),
            (slice(last + 1, None), -5.0, RTT_S[last]),
        ]:
            if used[part].size == 0:
                continue

            def sse(p, part=part):
                return float(((sigmoid(RTT_S[part], np.exp(p[0]), p[1]) - used[part]) ** 2).sum())

            rival = optimize.differential_evolution(
                sse, [(-4, 8), (low, high)], rng=3, tol=1e-10, maxiter=300
            )
            if part.start == 0:
                total = rival.fun
            else:
                total += rival.fun
        assert fit.split_sse[last] <= total + 1e-6


def test_interval_covers_the_true_transition():
    rng = np.random.default_rng(2)
    truth = pair_at(4, (14.0, 0.1), (9.0, 0.09))
    covered = 0
    for _ in range(40):
        noisy = np.clip(truth + rng.normal(0, 0.04, truth.size), 0, 1)
        fit = fit_sigmoid_pair(RTT_S, noisy * 1e10, 1e10, noise_bps=0.04e10)
        assert fit.low_s <= fit.transition_s <= fit.high_s
        covered += fit.low_s <= RTT_S[4] < fit.high_s
    assert covered >= 36


def test_interval_holds_what_the_likelihood_ratio_allows():
    """chi² at one degree of freedom and 95 % is 3.841: the second best split enters there."""
    sse = np.sort(fit_sigmoid_pair(RTT_S, GBPS * 1e9, 1e10).split_sse)
    enough = np.sqrt((sse[1] - sse[0]) / 3.8415)  # in units of the capacity
    inside = fit_sigmoid_pair(RTT_S, GBPS * 1e9, 1e10, noise_bps=1.01 * enough * 1e10)
    outside = fit_sigmoid_pair(RTT_S, GBPS * 1e9, 1e10, noise_bps=0.99 * enough * 1e10)
    assert (outside.low_s, outside.high_s) == (RTT_S[5], RTT_S[6])
    assert (inside.low_s, inside.high_s) == (RTT_S[4], RTT_S[6])
    # without the noise: F at 1 and 7 - 5 = 2 degrees of freedom and 95 % is 18.513
    limit = sse[0] * (1 + 18.513 / 2)
    plain = fit_sigmoid_pair(RTT_S, GBPS * 1e9, 1e10)
    assert (plain.low_s == RTT_S[5]) == (sse[1] > limit)


def test_interval_grows_with_noise_and_confidence():
    def width(**options):
        fit = fit_sigmoid_pair(RTT_S, GBPS * 1e9, 1e10, **options)
        return fit.high_s - fit.low_s

    assert width(noise_bps=1e7) < width(noise_bps=2e9)
    assert width(confidence=0.5) <= width(confidence=0.999)
    assert width(confidence=0.5) < width(confidence=0.9999)


@given(factor=st.floats(1e-3, 1e6), stretch=st.floats(0.1, 10))
@settings(max_examples=10, deadline=None)
def test_units_do_not_matter(factor, stretch):
    fit = fit_sigmoid_pair(RTT_S, GBPS, 10.0)
    other = fit_sigmoid_pair(RTT_S * stretch, GBPS * factor, 10.0 * factor)
    assert other.transition_s == pytest.approx(fit.transition_s * stretch)
    assert other.split_sse == pytest.approx(fit.split_sse, abs=1e-7)


@pytest.mark.parametrize(
    ("rtt_s", "rates", "options", "name"),
    [
        (RTT_S[::-1], GBPS, {}, "rtt_s"),
        (RTT_S[:5], GBPS[:5], {}, "rtt_s"),
        (RTT_S[:2], GBPS[:2], {"noise_bps": 0.1}, "rtt_s"),
        (RTT_S, GBPS[:6], {}, "throughput_bps"),
        (RTT_S, -GBPS, {}, "throughput_bps"),
        (RTT_S, GBPS * 2, {}, "throughput_bps"),
    ],
)
def test_bad_data_is_named(rtt_s, rates, options, name):
    with pytest.raises(DataError) as caught:
        fit_sigmoid_pair(rtt_s, rates, 10.0, **options)
    assert caught.value.argument == name


def test_bad_arguments_are_named():
    with pytest.raises(InputError, match="capacity_bps"):
        fit_sigmoid_pair(RTT_S, GBPS, -1.0)
    with pytest.raises(InputError, match="noise_bps"):
        fit_sigmoid_pair(RTT_S, GBPS, 10.0, noise_bps=0.0)
    with pytest.raises(InputError, match="confidence"):
        fit_sigmoid_pair(RTT_S, GBPS, 10.0, confidence=1.5)
    with pytest.raises(InputError, match="slope_per_s"):
        sigmoid([0.1], 0.0, 0.1)
