"""Concave and convex regions: known shapes, the false-call rate, symmetry and units."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.analysis.profiles import curvature
from lab_tools.errors import DataError, InputError

RTT_S = np.array([0.0004, 0.0118, 0.0226, 0.0456, 0.0916, 0.183, 0.366])


def runs_around(means, spread, count=8, seed=1):
    rng = np.random.default_rng(seed)
    return [rng.normal(mean, spread, count) for mean in means]


def test_ramp_up_profile_is_concave():
    # slow start plus full sustainment at 10 Gb/s over 10 s is concave everywhere
    gbps = np.array([9.997, 9.867, 9.724, 9.397, 8.697, 7.215, 4.064])
    result = curvature(RTT_S, [[value * 1e9] * 3 for value in gbps])
    assert result.verdict == "concave"
    assert [region.shape for region in result.regions] == ["concave"]
    assert result.regions[0].start_rtt_s == RTT_S[0]
    assert result.regions[0].end_rtt_s == RTT_S[-1]
    assert (result.gap_bps > 0).all()
    assert (result.p_value == 0).all()


def test_mathis_profile_is_convex():
    result = curvature(RTT_S, runs_around(1 / RTT_S, 1e-3))
    assert result.verdict == "convex"


def test_buffer_limited_profile_changes_between_the_overlapping_regions():
    # 10 - 400 r² meets 0.5 / r at 57.7 ms
    rtts = np.array([0.005, 0.02, 0.035, 0.05, 0.09, 0.18, 0.36])
    gbps = np.where(rtts < 0.0577, 10 - 400 * rtts**2, 0.5 / rtts)
    result = curvature(rtts, runs_around(gbps, 0.01))
    assert result.verdict == "concave then convex"
    first, second = result.regions
    assert (first.shape, second.shape) == ("concave", "convex")
    assert second.start_rtt_s < first.end_rtt_s  # the change lies in the overlap
    assert second.start_rtt_s <= 0.0577 <= first.end_rtt_s


def test_order_of_the_shapes_is_reported():
    rtts = np.arange(1.0, 10.0)
    up_down = np.array([10.0, 6, 4, 3.5, 3.5, 3.4, 3.0, 2.0, 0.5])
    assert curvature(rtts, runs_around(up_down, 1e-3)).verdict == "convex then concave"
    zigzag = [1, 2, 1, 2, 1, 2, 1, 2, 1]
    assert curvature(rtts, runs_around(zigzag, 1e-3)).verdict == "mixed"


def test_straight_line_is_rarely_called_curved():
    """Called wrongly in at most 5 % of profiles; 300 profiles, 3 standard deviations: 9 %."""
    wrong = 0
    for seed in range(300):
        result = curvature(RTT_S, runs_around(20 - 20 * RTT_S, 0.5, count=5, seed=seed))
        wrong += set(result.shapes) != {"cannot tell"}
        assert len(result.p_value) == 5
    assert wrong / 300 < 0.09


def test_p_value_is_uniform_on_a_straight_line():
    p_values = [
        curvature([1, 2, 3], runs_around([30, 20, 10], 0.5, count=6, seed=seed)).p_value[0]
        for seed in range(400)
    ]
    assert np.mean(np.array(p_values) < 0.5) == pytest.approx(0.5, abs=0.08)
    assert np.mean(np.array(p_values) < 0.05) == pytest.approx(0.05, abs=0.035)


def test_interval_and_p_value_by_hand():
    """Only the middle varies: one degree of freedom, where Student's t is Cauchy's."""
    result = curvature([1, 2, 3], [[4, 4], [4, 6], [4, 4]])
    # gap 5 - 4, standard error 1: p = 1 - (2 / pi) arctan(1) = 1/2, and t = tan(0.475 pi)
    assert result.gap_bps == pytest.approx([1.0])
    assert result.p_value == pytest.approx([0.5])
    assert result.high_bps - result.gap_bps == pytest.approx([np.tan(0.475 * np.pi)])
    # the same bend among four RTTs is one of two tests
    result = curvature([1, 2, 3, 4], [[4, 4], [4, 6], [4, 4], [4, 4]])
    assert result.p_value[0] == pytest.approx(1.0)
    assert result.high_bps[0] - result.gap_bps[0] == pytest.approx(np.tan(0.4875 * np.pi))


def test_noise_free_straight_line_cannot_be_told():
    result = curvature(RTT_S, [[(10 - 20 * rtt) * 1e9] * 3 for rtt in RTT_S])
    assert result.verdict == "cannot tell"


def test_one_undecided_point_withholds_the_verdict():
    result = curvature([1, 2, 3, 4], [[4, 4], [3, 3], [2, 2], [0, 0]])
    assert result.shapes == ("cannot tell", "concave")
    assert result.verdict == "cannot tell"


@given(seed=st.integers(0, 1000), factor=st.floats(1e-3, 1e9), stretch=st.floats(0.01, 100))
@settings(max_examples=30, deadline=None)
def test_units_do_not_matter_and_reflection_swaps_the_shapes(seed, factor, stretch):
    runs = runs_around(10 - 60 * RTT_S**2 - 2 * np.sqrt(RTT_S), 0.2, seed=seed)
    result = curvature(RTT_S, runs)
    scaled = curvature(RTT_S * stretch, [run * factor for run in runs])
    assert scaled.shapes == result.shapes
    flipped = curvature(RTT_S, [100 - run for run in runs])
    swap = {"concave": "convex", "convex": "concave", "cannot tell": "cannot tell"}
    assert flipped.shapes == tuple(swap[shape] for shape in result.shapes)


def test_bad_input_is_named():
    with pytest.raises(DataError, match="rtt_s has 2 values"):
        curvature([1, 2], [[1, 2], [1, 2]])
    with pytest.raises(DataError, match=r"runs_bps\[2\] has 1 values"):
        curvature([1, 2, 3], [[1, 2], [1, 2], [1]])
    with pytest.raises(InputError, match="confidence"):
        curvature([1, 2, 3], [[1, 2]] * 3, confidence=0.0)
