import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.models import (
    rampup_goodput,
    slow_start_packets,
    slow_start_profile,
    slow_start_time,
)

RTT_SUITE_S = np.array([0.4, 11.8, 22.6, 45.6, 91.6, 183, 366]) / 1e3


@pytest.mark.parametrize(
    ("streams", "expected_gbps"),
    [
        (1, [9.997, 9.867, 9.724, 9.397, 8.697, 7.215, 4.064]),
        (10, [9.999, 9.906, 9.799, 9.549, 9.002, 7.823, 5.280]),
    ],
)
def test_profile_of_the_rtt_suite(streams, expected_gbps):
    goodput_bps = slow_start_profile(RTT_SUITE_S, 10e9, 1500, 10, streams)
    assert goodput_bps / 1e9 == pytest.approx(expected_gbps, abs=6e-4)


def simulated_goodput(rtt_s, window, first_round, duration_s, mss_bytes):
    """Send a doubling window once a round trip, then the full window at the path's rate."""
    sent, t_s, current = 0.0, 0.0, float(first_round)
    while current < window:
        sent, t_s, current = sent + current, t_s + rtt_s, current * 2
    sent += window / rtt_s * (duration_s - t_s)
    return 8 * mss_bytes * sent / duration_s


@pytest.mark.parametrize(("streams", "initial_window"), [(1, 1), (4, 1), (2, 8)])
def test_consistent_count_is_that_of_a_simulation(streams, initial_window):
    rtt_s, window, mss_bytes, duration_s = 0.1, 4096, 1250, 10.0
    rate_bps = window * mss_bytes * 8 / rtt_s
    model_bps = slow_start_profile(
        rtt_s, rate_bps, mss_bytes, duration_s, streams, initial_window, last_round_in_rampup=False
    )
    first_round = streams * initial_window
    expected_bps = simulated_goodput(rtt_s, window, first_round, duration_s, mss_bytes)
    assert model_bps == pytest.approx(expected_bps)
    published_bps = slow_start_profile(
        rtt_s, rate_bps, mss_bytes, duration_s, streams, initial_window
    )
    assert published_bps - model_bps == pytest.approx(rate_bps * rtt_s / duration_s)


def test_slow_start_of_a_power_of_two():
    rate_bps = 1024 * 1250 * 8 / 0.1
    assert slow_start_time(0.1, rate_bps, 1250) == pytest.approx(1.0)
    assert slow_start_time(0.1, rate_bps, 1250, streams=4, initial_window=8) == pytest.approx(0.5)
    assert slow_start_packets(1024) == sum(2**i for i in range(11))
    assert slow_start_packets(1024, 4, 8) == sum(32 * 2**i for i in range(6))


def test_initial_windows_that_fill_the_path_need_no_rampup():
    assert slow_start_time(0.001, 1e6, 1250, streams=10) == 0
    assert slow_start_profile(0.001, 1e6, 1250, 10, streams=10) == 1e6


@settings(max_examples=50, deadline=None)
@given(st.floats(1e-3, 0.4), st.integers(1, 32), st.sampled_from([True, False]))
def test_profile_is_concave_and_within_capacity(rtt_s, streams, last_round):
    rtts_s = rtt_s * np.array([0.5, 1.0, 1.5])
    goodput_bps = slow_start_profile(
        rtts_s, 10e9, 1500, 20, streams, last_round_in_rampup=last_round
    )
    assert (goodput_bps > 0).all()
    assert (goodput_bps <= 10e9).all()
    middle = (goodput_bps[0] + goodput_bps[2]) / 2
    assert goodput_bps[1] >= middle * (1 - 1e-12)


@settings(max_examples=50, deadline=None)
@given(st.floats(1e6, 1e11), st.floats(0, 1), st.floats(0, 1))
def test_two_phases_average_by_time(sustained_bps, share, fraction):
    mean_bps = rampup_goodput(sustained_bps, share * sustained_bps, fraction)
    by_time = fraction * share * sustained_bps + (1 - fraction) * sustained_bps
    assert mean_bps == pytest.approx(by_time, abs=1e-9 * sustained_bps)


def test_bad_arguments_are_named():
    with pytest.raises(DataError, match=r"^duration_s is 1 s but slow start takes 1\.63 s"):
        slow_start_profile([0.01, 0.1], 10e9, 1500, 1)
    with pytest.raises(InputError, match=r"^duration_s = 0"):
        slow_start_profile(0.1, 10e9, 1500, 0)
    with pytest.raises(InputError, match=r"^streams = 0"):
        slow_start_time(0.1, 10e9, 1500, 0)
    with pytest.raises(InputError, match=r"^initial_window = 0\.5"):
        slow_start_packets(100, 1, 0.5)
    with pytest.raises(InputError, match=r"^rampup_fraction = 1\.5"):
        rampup_goodput(1e9, 1e8, 1.5)
    with pytest.raises(InputError, match=r"^rampup_bps = -1"):
        rampup_goodput(1e9, -1, 0.5)
    with pytest.raises(DataError, match=r"^rtt_s has the value -0\.1"):
        slow_start_profile([0.1, -0.1], 10e9, 1500, 10)
