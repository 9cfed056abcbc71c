"""The profile and its bands, against Student's table, Hoeffding's formula and simulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.analysis.profiles import hoeffding_profile, throughput_profile
from lab_tools.errors import DataError, InputError

RTT_S = [0.01, 0.1]


def test_student_band_has_the_width_of_the_printed_table():
    # Student's table, 97.5 %: 12.706 for 1 degree of freedom, 4.303 for 2, 2.262 for 9.
    for runs, table in [([4.0, 6.0], 12.706), ([4.0, 5.0, 6.0], 4.303)]:
        profile = throughput_profile([0.1], [runs])
        half = table * np.std(runs, ddof=1) / np.sqrt(len(runs))
        assert profile.mean_bps[0] == 5.0
        assert profile.high_bps[0] - 5.0 == pytest.approx(half, rel=2e-4)
        assert 5.0 - profile.low_bps[0] == pytest.approx(half, rel=2e-4)


def test_simultaneous_band_uses_bonferroni():
    runs = [[4.0, 6.0], [4.0, 6.0]]
    # 1 - 0.05 / 4 at one degree of freedom: tan(pi (0.9875 - 0.5)) = 25.452
    profile = throughput_profile(RTT_S, runs, simultaneous=True)
    assert profile.high_bps - 5.0 == pytest.approx([25.452, 25.452], rel=1e-4)


def test_hoeffding_half_width_and_cut_at_capacity():
    # C = 10, n = 200, a = 0.05: 10 sqrt(ln 40 / 400) = 0.9603
    profile = hoeffding_profile(RTT_S, [[5.0] * 200, [9.9] * 200], 10.0)
    assert profile.high_bps == pytest.approx([5.9603, 10.0], abs=1e-4)
    assert profile.low_bps == pytest.approx([4.0397, 8.9397], abs=1e-4)
    both = hoeffding_profile(RTT_S, [[5.0] * 200, [9.9] * 200], 10.0, simultaneous=True)
    assert both.high_bps[0] == pytest.approx(5 + 10 * np.sqrt(np.log(80) / 400))


def test_bands_cover_the_true_mean_as_often_as_they_say():
    rng = np.random.default_rng(7)
    student = hoeffding = 0
    for _ in range(400):
        runs = [np.clip(rng.normal(5, 1, 10), 0, 10)]
        one = throughput_profile([0.1], runs, confidence=0.9)
        two = hoeffding_profile([0.1], runs, 10.0, confidence=0.9)
        student += one.low_bps[0] <= 5 <= one.high_bps[0]
        hoeffding += two.low_bps[0] <= 5 <= two.high_bps[0]
    assert 0.86 <= student / 400 <= 0.94
    assert hoeffding == 400  # distribution-free, so wider than needed


@given(
    runs=st.lists(st.floats(1.0, 100.0), min_size=2, max_size=8),
    factor=st.floats(0.1, 1e9),
)
@settings(max_examples=50, deadline=None)
def test_band_scales_with_the_unit(runs, factor):
    one = throughput_profile([0.1], [runs])
    other = throughput_profile([0.1], [np.array(runs) * factor])
    assert other.mean_bps == pytest.approx(one.mean_bps * factor)
    assert other.low_bps == pytest.approx(one.low_bps * factor, rel=1e-6, abs=1e-6 * factor)
    assert one.low_bps <= one.mean_bps <= one.high_bps


@pytest.mark.parametrize(
    ("rtt_s", "runs", "argument"),
    [
        ([0.2, 0.1], [[1, 2], [1, 2]], "rtt_s"),
        ([-0.1, 0.1], [[1, 2], [1, 2]], "rtt_s"),
        ([0.1, np.nan], [[1, 2], [1, 2]], "rtt_s"),
        ([0.1, 0.2], [[1, 2]], "runs_bps"),
        ([0.1, 0.2], [[1, 2], [1]], "runs_bps[1]"),
        ([0.1, 0.2], [[1, 2], [1, -2]], "runs_bps[1]"),
        ([0.1, 0.2], [[1, np.inf], [1, 2]], "runs_bps[0]"),
    ],
)
def test_bad_data_is_named(rtt_s, runs, argument):
    with pytest.raises(DataError) as caught:
        throughput_profile(rtt_s, runs)
    assert caught.value.argument == argument


def test_bad_arguments_are_named():
    with pytest.raises(InputError, match="confidence"):
        throughput_profile([0.1], [[1, 2]], confidence=1.0)
    with pytest.raises(InputError, match="capacity_bps"):
        hoeffding_profile([0.1], [[1, 2]], 0.0)
    with pytest.raises(DataError, match="runs_bps has a run of 11"):
        hoeffding_profile([0.1], [[1, 11]], 10.0)
