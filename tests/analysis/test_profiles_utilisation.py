"""The utilisation-concavity coefficient: worked values, limits, bounds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.analysis.profiles import utilisation_concavity
from lab_tools.errors import DataError, InputError, UnknownNameError

RTT_S = np.array([0.0004, 0.0118, 0.0226, 0.0456, 0.0916, 0.183, 0.366])


@pytest.mark.parametrize(
    ("gbps", "coefficient", "concavity"),
    [
        (np.minimum(10, 8 * 250e3 / RTT_S / 1e9), 0.1350, -0.2402),
        (np.minimum(10, 8 * 250e6 / RTT_S / 1e9), 0.7499, 0.1133),
        ([9.4, 9.3, 9.2, 9.0, 8.2, 5.6, 2.1], 0.5496, 0.0121),
        ([9.997, 9.867, 9.724, 9.397, 8.697, 7.215, 4.064], 0.6135, 0.0120),
        ([9.999, 9.906, 9.799, 9.549, 9.002, 7.823, 5.280], 0.6440, 0.0120),
    ],
)
def test_worked_profiles(gbps, coefficient, concavity):
    result = utilisation_concavity(RTT_S, np.asarray(gbps) * 1e9, 10e9)
    assert result.coefficient == pytest.approx(coefficient, abs=1e-4)
    assert result.concavity == pytest.approx(concavity, abs=1e-4)


def test_limiting_shapes():
    rtts = np.linspace(0, 1, 1001)

    def coefficient(used):
        return utilisation_concavity(rtts, used, 1.0).coefficient

    assert coefficient(np.where(rtts < 1, 1.0, 0.0)) == pytest.approx(1, abs=1e-3)
    assert coefficient(np.where(rtts > 0, 0.0, 1.0)) == pytest.approx(0, abs=1e-3)
    assert coefficient(np.ones_like(rtts)) == pytest.approx(0.75)
    assert coefficient(1 - rtts) == pytest.approx(0.5)


def test_a_rising_profile_leaves_the_unit_interval_by_a_quarter_at_most():
    rtts = np.linspace(0, 1, 10001)
    bump = np.ones_like(rtts)
    bump[[0, -1]] = 0
    assert utilisation_concavity(rtts, bump, 1.0).coefficient == pytest.approx(1.25, abs=1e-3)
    assert utilisation_concavity(rtts, 1 - bump, 1.0).coefficient == pytest.approx(-0.25, abs=1e-3)


def test_conventions():
    rates = np.array([8.0, 4.0])
    by_peak = utilisation_concavity([0.1, 0.2], rates, 10.0, scale="peak")
    assert by_peak.utilisation == pytest.approx(0.75)
    from_zero = utilisation_concavity([0.1, 0.2], rates, 10.0, left="zero")
    assert from_zero.utilisation == pytest.approx((0.8 + 0.6) / 2)
    assert from_zero.chord == pytest.approx(0.6)
    at_zero = utilisation_concavity([0.0, 0.2], rates, 10.0, left="zero")
    assert at_zero == utilisation_concavity([0.0, 0.2], rates, 10.0)


falling = st.lists(st.floats(0.0, 10.0), min_size=2, max_size=9).filter(lambda v: max(v) > 1e-6)


@given(rates=falling, gaps=st.lists(st.floats(0.01, 1.0), min_size=9, max_size=9))
@settings(max_examples=100, deadline=None)
def test_coefficient_of_a_falling_profile_is_within_0_and_1(rates, gaps):
    rtts = np.cumsum(gaps)[: len(rates)]
    result = utilisation_concavity(rtts, sorted(rates, reverse=True), 10.0)
    assert -1e-12 <= result.coefficient <= 1 + 1e-12
    assert -0.5 <= result.concavity <= 0.5
    # both printed forms of the coefficient agree
    whole = 0.5 * ((1 - result.underutilisation) + (0.5 + result.concavity))
    assert result.coefficient == pytest.approx(whole)


@given(rates=falling, factor=st.floats(1e-3, 1e9), shift=st.floats(0.0, 5.0))
@settings(max_examples=50, deadline=None)
def test_units_and_a_shift_of_the_rtts_do_not_matter(rates, factor, shift):
    rtts = np.arange(1.0, len(rates) + 1)
    one = utilisation_concavity(rtts, rates, 10.0)
    other = utilisation_concavity(3 * rtts + shift, np.array(rates) * factor, 10.0 * factor)
    assert other.coefficient == pytest.approx(one.coefficient)


@pytest.mark.parametrize(
    ("rtt_s", "rates", "argument"),
    [
        ([0.2, 0.1], [1, 2], "rtt_s"),
        ([0.1], [1], "rtt_s"),
        ([0.1, 0.2], [1], "throughput_bps"),
        ([0.1, 0.2], [1, np.nan], "throughput_bps"),
        ([0.1, 0.2], [11, 1], "throughput_bps"),
        ([0.1, 0.2], [0, 0], "throughput_bps"),
    ],
)
def test_bad_data_is_named(rtt_s, rates, argument):
    with pytest.raises(DataError) as caught:
        utilisation_concavity(rtt_s, rates, 10.0)
    assert caught.value.argument == argument


def test_bad_arguments_are_named():
    with pytest.raises(InputError, match="capacity_bps"):
        utilisation_concavity([0.1, 0.2], [2, 1], 0.0)
    with pytest.raises(UnknownNameError, match="scale"):
        utilisation_concavity([0.1, 0.2], [2, 1], 10.0, scale="median")
    with pytest.raises(UnknownNameError, match="left"):
        utilisation_concavity([0.1, 0.2], [2, 1], 10.0, left="middle")
