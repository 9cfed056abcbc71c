"""Vegas and FAST equilibria: the published table, and the dynamics as a rival."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.duality import (
    fast_equilibrium,
    fast_trajectory,
    fast_window_step,
    maximise_utility,
    shared_queueing_delay,
    vegas_equilibrium,
    vegas_joining,
    vegas_utility,
    window_queueing_delay,
)
from lab_tools.errors import DataError, InputError

# Low, Peterson and Wang, validation by L. Wang: 6 packets/ms, alpha 2 packets/ms, d 10 ms.
# Rates in packets/ms, queue in packets, base RTT of the newest source in ms.
MODEL = [
    ([6], 20, 10.18),
    ([2, 4], 60, 13.51),
    ([0.94, 1.49, 3.57], 127, 20.28),
    ([0.50, 0.73, 1.35, 3.39], 238, 31.50),
    ([0.29, 0.40, 0.67, 1.30, 3.34], 416, 49.80),
]
NS2 = [
    ([5.98], 19.8, 10.18),
    ([2.05, 3.92], 59.0, 13.36),
    ([0.96, 1.46, 3.54], 127.3, 20.17),
    ([0.51, 0.72, 1.34, 3.38], 237.5, 31.50),
    ([0.29, 0.40, 0.68, 1.30, 3.28], 416.3, 49.86),
]


@pytest.mark.parametrize("row", range(5))
def test_every_row_of_the_vegas_table(row: int) -> None:
    found = vegas_joining(6000.0, 2000.0, 0.010, sources=5)[row]
    rates, queue, base_ms = MODEL[row]
    assert found.rates_pps / 1000 == pytest.approx(rates, abs=0.016)
    assert found.queue_packets == pytest.approx(queue, abs=0.8)
    # the table's base RTTs include the transmission of a packet (1/6 ms) and a little more
    assert 1 / 6 <= base_ms - 1000 * found.base_rtt_s[-1] <= 0.29
    simulated, simulated_queue, simulated_base_ms = NS2[row]
    assert found.rates_pps / 1000 == pytest.approx(simulated, rel=0.03)
    assert found.queue_packets == pytest.approx(simulated_queue, rel=0.02)
    assert 1000 * found.base_rtt_s[-1] == pytest.approx(simulated_base_ms, rel=0.02)


@settings(max_examples=30)
@given(
    believed_ms=st.lists(st.floats(2.0, 60.0), min_size=1, max_size=6),
    alpha=st.floats(100.0, 3000.0),
)
def test_vegas_equilibrium_fills_the_link_and_holds_alpha(
    believed_ms: list[float], alpha: float
) -> None:
    base = np.array(believed_ms) / 1e3
    found = vegas_equilibrium(6000.0, alpha, np.full(base.size, 0.010), base)
    assert found.rates_pps.sum() <= 6000.0 * (1 + 1e-9)
    if found.queue_delay_s > 0:
        assert found.rates_pps.sum() == pytest.approx(6000.0)
    # w / baseRTT - w / RTT = alpha with w = x RTT
    rtt = 0.010 + found.queue_delay_s
    assert found.rates_pps * rtt / base - found.rates_pps == pytest.approx(
        np.full(base.size, alpha)
    )


def test_underestimated_propagation_can_leave_the_link_idle() -> None:
    found = vegas_equilibrium(6000.0, 100.0, [0.010], [0.009])
    assert found.queue_packets == 0.0
    assert found.rates_pps == pytest.approx([100.0 * 0.009 / 0.001])


@settings(max_examples=30)
@given(error=st.floats(-0.3, 0.8), rate=st.floats(100.0, 5000.0))
def test_the_distorted_utility_has_the_equilibrium_price(error: float, rate: float) -> None:
    alpha, d, h = 2000.0, 0.010, 1e-3
    slope = (
        vegas_utility(rate + h, alpha, d, error) - vegas_utility(rate - h, alpha, d, error)
    ) / (2 * h)
    # the delay at which a source with this error sends at this rate: x = alpha b / (q - e d)
    price = alpha * d * (1 + error) / rate + error * d
    assert slope == pytest.approx(price, rel=1e-3, abs=1e-6)


def test_newer_vegas_sources_win_and_the_queue_grows() -> None:
    table = vegas_joining(6000.0, 2000.0, 0.010, sources=5)
    assert all((np.diff(row.rates_pps) > 0).all() for row in table)
    assert (np.diff([row.queue_packets for row in table]) > 0).all()


def test_fast_rates_do_not_depend_on_the_round_trip_time() -> None:
    found = fast_equilibrium(100.0, [20, 40, 30])
    assert found.rates_pps == pytest.approx([22.22, 44.44, 33.33], abs=0.005)
    assert found.queue_delay_s == pytest.approx(0.9)
    assert found.queue_packets == pytest.approx(90.0)
    windows = fast_trajectory(100.0, [20, 40, 30], [0.1, 0.1, 0.2], [1, 1, 1], steps=400)[-1]
    rates = windows / (np.array([0.1, 0.1, 0.2]) + 0.9)
    assert rates == pytest.approx(found.rates_pps, rel=1e-6)


def test_fast_is_proportionally_fair() -> None:
    weights = [20.0, 40.0, 30.0]
    fair = maximise_utility([[1, 1, 1]], [100.0], weights)
    found = fast_equilibrium(100.0, weights)
    assert fair.rates == pytest.approx(found.rates_pps, rel=1e-4)
    assert fair.link_prices[0] == pytest.approx(found.queue_delay_s, rel=1e-4)


def test_fast_with_wrong_base_round_trip_times_starves_the_older_source() -> None:
    found = fast_equilibrium(100.0, [20.0, 20.0], base_rtt_errors_s=[0.0, 0.2])
    assert found.rates_pps.sum() == pytest.approx(100.0)
    assert found.rates_pps[1] > found.rates_pps[0]
    # x1 q = 20 and x2 (q - 0.2) = 20 and x1 + x2 = 100: 100 q^2 - 60 q + 4 = 0
    assert found.queue_delay_s == pytest.approx((60 + math.sqrt(2000)) / 200)


def test_fast_window_step_by_hand() -> None:
    assert fast_window_step(100.0, 0.2, 0.1, 20.0, gamma=0.5) == pytest.approx(85.0)
    assert fast_window_step(10.0, 0.1, 0.1, 200.0, gamma=0.5) == pytest.approx(20.0)  # doubles


@settings(max_examples=30)
@given(
    windows=st.lists(st.floats(1.0, 500.0), min_size=1, max_size=5),
    delays=st.lists(st.floats(0.001, 0.5), min_size=5, max_size=5),
)
def test_windows_are_conserved(windows: list[float], delays: list[float]) -> None:
    d = np.array(delays[: len(windows)])
    delay = window_queueing_delay(windows, d, 1000.0)
    rate = np.sum(np.array(windows) / (d + delay))
    assert rate == pytest.approx(1000.0) if delay > 0 else rate <= 1000.0 * (1 + 1e-9)


@pytest.mark.parametrize(
    ("call", "argument", "error"),
    [
        (lambda: shared_queueing_delay([1, 0], [0, 0], 1), "targets_packets", DataError),
        (lambda: shared_queueing_delay([1, 1], [0], 1), "errors_s", DataError),
        (lambda: shared_queueing_delay([1], [0], 0), "capacity_pps", InputError),
        (lambda: window_queueing_delay([1], [0.0], 1), "propagation_s", DataError),
        (lambda: window_queueing_delay([], [], 1), "windows_packets", DataError),
        (lambda: vegas_equilibrium(6, 0, [1], [1]), "alpha_pps", InputError),
        (lambda: vegas_equilibrium(6, 1, [1, 1], [1]), "propagation_s", DataError),
        (lambda: vegas_equilibrium(6, 1, [1], [math.nan]), "base_rtt_s", DataError),
        (lambda: vegas_joining(6, 1, 0.01, 0), "sources", InputError),
        (lambda: vegas_utility(0, 1, 1), "rate_pps", InputError),
        (lambda: vegas_utility(1, 1, 1, -1), "relative_error", InputError),
        (lambda: fast_equilibrium(1, [1, -1]), "alpha_packets", DataError),
        (lambda: fast_equilibrium(1, [1], [0, 0]), "base_rtt_errors_s", DataError),
        (lambda: fast_window_step(1, 0.1, 0.2, 1), "rtt_s", InputError),
        (lambda: fast_window_step(1, 0.2, 0.1, 1, gamma=1.1), "gamma", InputError),
        (lambda: fast_trajectory(1, [1], [1], [1, 1], 5), "start_packets", DataError),
        (lambda: fast_trajectory(1, [1], [1], [1], 0), "steps", InputError),
    ],
)
def test_wrong_values_are_named(call, argument, error) -> None:
    with pytest.raises(error) as caught:
        call()
    assert getattr(caught.value, "argument", getattr(caught.value, "field", "")) == argument
