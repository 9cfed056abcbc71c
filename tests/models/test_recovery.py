"""Recovery after one loss: 83333 segments (10 Gbit/s, 100 ms, 1500 bytes) and simulations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.models import (
    cubic_recovery_time,
    cubic_window,
    hstcp_decrease,
    hstcp_increase,
    hstcp_recovery_time,
    htcp_backoff,
    htcp_increase,
    htcp_mean_window,
    htcp_recovery_time,
    reno_recovery_time,
    scalable_recovery_time,
    window_for,
)

WINDOW, RTT_S = 83_333, 0.1

# Windows up to which a(w) is 1, 2, 3 … segments and the decrease there: from RFC 3649 Appendix B
HSTCP_TABLE = {
    38: (1, 0.50),
    118: (2, 0.44),
    221: (3, 0.41),
    1058: (8, 0.33),
    5036: (20, 0.25),
    10661: (30, 0.21),
    30975: (50, 0.15),
    61799: (65, 0.12),
    84035: (71, 0.10),
}


def test_recovery_times_of_the_published_example():
    assert reno_recovery_time(RTT_S, WINDOW) == pytest.approx(4167, abs=0.5)
    assert cubic_recovery_time(WINDOW) == pytest.approx(39.7, abs=0.05)
    assert htcp_recovery_time(RTT_S, WINDOW) == pytest.approx(25.28, abs=0.005)
    assert scalable_recovery_time(1.0) == pytest.approx(13.42, abs=0.005)


def test_jumbo_frames_recover_six_times_sooner():
    window = window_for(10e9, RTT_S, np.array([1500, 9000]))
    assert reno_recovery_time(RTT_S, window) / 60 == pytest.approx([69.4, 11.6], abs=0.05)


def test_cubic_window_starts_at_seventy_per_cent_and_returns_after_k():
    k_s = cubic_recovery_time(WINDOW)
    windows = cubic_window([0, k_s, 2 * k_s], WINDOW)
    assert windows == pytest.approx([0.7 * WINDOW, WINDOW, 1.3 * WINDOW])


@pytest.mark.parametrize(("window", "row"), HSTCP_TABLE.items())
def test_hstcp_parameters_are_those_of_the_rfc(window, row):
    assert hstcp_increase(window) == pytest.approx(row[0], rel=0.04)
    assert hstcp_decrease(window) == pytest.approx(row[1], abs=0.005)


@pytest.mark.parametrize("window", [100, 5000, WINDOW])
def test_hstcp_recovery_is_that_of_a_round_by_round_simulation(window):
    current, rounds = window * (1 - hstcp_decrease(window)), 0
    while current < window:
        current += hstcp_increase(current)
        rounds += 1
    assert hstcp_recovery_time(1.0, window) == pytest.approx(rounds, abs=1.5, rel=0.01)


def test_hstcp_is_reno_up_to_38_segments():
    assert hstcp_recovery_time(RTT_S, 38) == pytest.approx(reno_recovery_time(RTT_S, 38))


def test_hstcp_between_reno_and_two_segments_by_hand():
    """RFC 3649 §7 at w = 60: p = 0.078 / 60^1.2 = 5.73e-4 and b = 0.476; at 39 a(w) is still 1."""
    assert hstcp_increase([39, 60]) == pytest.approx([1, 1.29], abs=0.005)


@settings(max_examples=30, deadline=None)
@given(st.floats(0.01, 0.4), st.floats(0.01, 0.99))
def test_htcp_is_reno_while_a_cycle_is_under_a_second(rtt_s, duration_s):
    """Mean window sqrt(1.5 / p) and recovery W rtt / 2, if alpha stays 1 for the whole cycle."""
    loss = min((rtt_s / duration_s) ** 2 / 1.5, 0.9)
    window = 2 * duration_s / rtt_s
    assert htcp_mean_window(rtt_s, loss, rtt_scaling=False) == pytest.approx((1.5 / loss) ** 0.5)
    assert htcp_recovery_time(rtt_s, window, rtt_scaling=False) == pytest.approx(duration_s)


def test_htcp_growth_follows_the_kernels_formula():
    # 1 + 10 (D - 1) + ((D - 1)/2)^2 for D = 11 s: 1 + 100 + 25, times 2 (1 - beta)
    assert htcp_increase(11, 0.1, beta=0.5) == pytest.approx(126)
    assert htcp_increase(11, 0.1, beta=0.8) == pytest.approx(126 * 0.4)
    assert htcp_increase([0, 1], 0.1).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("rtt_s", "expected"), [(0.005, 12.6), (0.01, 12.6), (0.05, 63), (0.1, 126), (0.4, 252)]
)
def test_htcp_rtt_scaling_is_kept_within_a_tenth_and_two(rtt_s, expected):
    assert htcp_increase(11, rtt_s) == pytest.approx(expected)
    assert htcp_increase(11, rtt_s, rtt_scaling=False) == pytest.approx(126)


def test_htcp_scaled_growth_is_never_below_renos():
    assert htcp_increase([0, 1, 1.5], 0.01).tolist() == [1, 1, 1]


def test_htcp_backoff_is_clipped():
    assert htcp_backoff(0.05, [0.05, 0.08, 0.2]).tolist() == [0.8, 0.625, 0.5]


def htcp_cycle(rtt_s, beta, duration_s, scaling):
    """Integrate H-TCP's growth numerically: peak window and packets of one cycle."""
    t_s = np.linspace(0, duration_s, 200_001)
    rate = htcp_increase(t_s, rtt_s, beta, scaling) / rtt_s
    step_s = t_s[1]
    gained = np.concatenate([[0], np.cumsum((rate[1:] + rate[:-1]) / 2 * step_s)])
    peak = gained[-1] / (1 - beta)
    return peak, np.trapezoid(beta * peak + gained, t_s) / rtt_s


@pytest.mark.parametrize("scaling", [True, False])
@pytest.mark.parametrize("beta", [0.5, 0.8])
@pytest.mark.parametrize(
    ("rtt_s", "duration_s"), [(0.02, 6.0), (0.02, 1.02), (0.1, 1.5), (0.1, 9), (0.3, 4)]
)
def test_htcp_closed_forms_are_those_of_an_integrated_cycle(rtt_s, duration_s, beta, scaling):
    peak, packets = htcp_cycle(rtt_s, beta, duration_s, scaling)
    assert htcp_recovery_time(rtt_s, peak, scaling) == pytest.approx(duration_s, rel=1e-4)
    mean = packets * rtt_s / duration_s
    assert htcp_mean_window(rtt_s, 1 / packets, beta, scaling) == pytest.approx(mean, rel=1e-4)


def test_htcp_arrays_broadcast():
    assert htcp_recovery_time([[0.01], [0.1]], [10, 100, 1000]).shape == (2, 3)
    assert htcp_mean_window([[0.01], [0.1]], [1e-3, 1e-4, 1e-5]).shape == (2, 3)


@settings(max_examples=30, deadline=None)
@given(st.floats(0.001, 0.5), st.floats(2, 1e6), st.floats(1.1, 10))
def test_larger_windows_take_longer(rtt_s, window, factor):
    for recovery in (
        reno_recovery_time,
        hstcp_recovery_time,
        htcp_recovery_time,
        lambda _, w: cubic_recovery_time(w),
    ):
        assert recovery(rtt_s, window * factor) > recovery(rtt_s, window) > 0


@settings(max_examples=30, deadline=None)
@given(st.floats(0.001, 0.5), st.floats(2, 1e6))
def test_high_speed_algorithms_are_no_slower_than_reno(rtt_s, window):
    reno_s = reno_recovery_time(rtt_s, window) * (1 + 1e-9)
    assert hstcp_recovery_time(rtt_s, window) <= reno_s
    assert htcp_recovery_time(rtt_s, window) <= reno_s


def test_bad_arguments_are_named():
    with pytest.raises(InputError, match=r"^elapsed_s = -1"):
        htcp_increase(-1, 0.1)
    with pytest.raises(InputError, match=r"^elapsed_s = -1"):
        cubic_window(-1, 100)
    with pytest.raises(InputError, match=r"^rtt_max_s = 0"):
        htcp_backoff(0.1, 0)
    with pytest.raises(InputError, match=r"^beta = 0"):
        htcp_mean_window(0.1, 0.1, 0)
    with pytest.raises(InputError, match=r"^window_packets = -5"):
        htcp_recovery_time(0.1, -5)
    with pytest.raises(InputError, match=r"^rtt_s = 0"):
        scalable_recovery_time(0)
    with pytest.raises(DataError, match=r"^rtt_s, window_packets have shapes"):
        hstcp_recovery_time([0.1, 0.2], [1, 2, 3])
    with pytest.raises(DataError, match=r"^window_packets has the value 0"):
        hstcp_decrease([0, 1])
