"""Reno/RED loop against a simulation in time; the routing ring against brute force."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from lab_tools.duality import (
    RedLoop,
    Ring,
    critical_rtt,
    hollot_slope_limit,
    loop_response,
    phase_crossing,
    ring_equilibrium,
    ring_is_stable,
    ring_step,
    ring_trajectory,
    ring_utility,
)
from lab_tools.errors import InputError

LOOP = RedLoop(9000.0, 50, marking_slope=2e-4, averaging_gain=1e-4)


def test_fifty_flows_are_stable_at_20_ms_and_unstable_at_200_ms() -> None:
    assert phase_crossing(LOOP, 0.020).gain == pytest.approx(0.0042, abs=5e-5)
    assert phase_crossing(LOOP, 0.200).gain == pytest.approx(8.59, abs=5e-3)
    assert critical_rtt(LOOP) == pytest.approx(0.092, abs=5e-4)


def test_the_hmtg_example() -> None:
    # N = 60, R = 0.246, C = 3750, K = 0.005: w_g = 0.0529 and L_max = 1.949e-4
    assert hollot_slope_limit(60, 0.246, 3750, 0.005) == pytest.approx(1.949e-4, rel=5e-4)
    # its crossover frequency, recovered from two filters
    slow, fast = hollot_slope_limit(60, 0.246, 3750, 1e-6), hollot_slope_limit(60, 0.246, 3750, 1e6)
    assert 1e-6 * slow / fast == pytest.approx(0.0529, abs=5e-5)


def test_the_rule_of_hollot_is_inside_the_stable_region() -> None:
    averaging_gain = 0.005 / 3750
    slope = hollot_slope_limit(60, 0.246, 3750, 0.005)
    assert phase_crossing(RedLoop(3750, 60, slope, averaging_gain), 0.246).is_stable


def test_gain_at_frequency_zero() -> None:
    # rho (c tau)^3 / (4 N^2) for large windows
    expected = 2e-4 * (9000 * 0.2) ** 3 / (4 * 50**2)
    assert abs(loop_response(LOOP, 0.2, 0.0)) == pytest.approx(expected, rel=0.01)


def simulated_growth(loop: RedLoop, rtt_s: float) -> float:
    """Late over early amplitude of the closed loop, a chain of three lags and a delay."""
    steps_per_rtt = 100
    dt = rtt_s / steps_per_rtt
    w = loop.window_packets(rtt_s)
    q = 2.0 / (2.0 + w * w)
    averaging = loop.averaging_gain * loop.capacity_pps
    count = 60 * steps_per_rtt
    marks = np.zeros(count + steps_per_rtt)
    marks[:steps_per_rtt] = 1.0
    window = queue = average = 0.0
    for i in range(count):
        window += dt * (-marks[i] / (rtt_s * q) - w * q / rtt_s * window)
        queue += dt * (loop.flows / rtt_s * window - queue / rtt_s)
        average += dt * averaging * (queue - average)
        marks[i + steps_per_rtt] = loop.marking_slope * average
    tail = np.abs(marks[-20 * steps_per_rtt :]).max()
    return float(tail / np.abs(marks[20 * steps_per_rtt : 40 * steps_per_rtt]).max())


def test_the_critical_round_trip_time_in_a_simulation() -> None:
    critical = critical_rtt(LOOP)
    assert simulated_growth(LOOP, 0.85 * critical) < 1.0
    assert simulated_growth(LOOP, 1.2 * critical) > 1.0


@settings(max_examples=30, deadline=None)
@given(rtt=st.floats(0.02, 0.4), flows=st.integers(5, 200), slope=st.floats(1e-5, 1e-2))
def test_the_phase_at_the_crossing_is_half_a_turn(rtt: float, flows: int, slope: float) -> None:
    loop = RedLoop(9000.0, flows, slope, 1e-4)
    crossing = phase_crossing(loop, rtt)
    response = loop_response(loop, rtt, crossing.omega_rad_s)
    assert response.real == pytest.approx(-crossing.gain)
    assert abs(response.imag) < 1e-6 * crossing.gain
    earlier = [loop_response(loop, rtt, f * crossing.omega_rad_s) for f in (0.1, 0.3, 0.6, 0.9)]
    assert all(r.imag < 0 for r in earlier)  # no earlier crossing
    # a steeper marking profile scales the gain and nothing else
    double = phase_crossing(RedLoop(9000.0, flows, 2 * slope, 1e-4), rtt)
    assert double.gain == pytest.approx(2 * crossing.gain)


def test_delay_and_capacity_destabilise_and_flows_stabilise() -> None:
    gain = phase_crossing(LOOP, 0.1).gain
    assert phase_crossing(LOOP, 0.15).gain > gain
    assert phase_crossing(RedLoop(18_000.0, 50, 2e-4, 1e-4), 0.1).gain > gain
    assert phase_crossing(RedLoop(9000.0, 100, 2e-4, 1e-4), 0.1).gain < gain


EVEN = Ring(sources=10, length=2.0, first_capacity=5.0, second_capacity=5.0)
UNEVEN = Ring(sources=10, length=2.0, first_capacity=2.0, second_capacity=1.0)


def nearest_split(ring: Ring, r: float, a: float, b: float) -> float:
    """Every source on a fine grid compares its two directions."""
    position = (np.arange(100_000) + 0.5) / 100_000
    first = a * r * ring.sources / ring.first_capacity + b * position * ring.length
    second = a * (1 - r) * ring.sources / ring.second_capacity + b * (1 - position) * ring.length
    return float(np.mean(first < second))


@settings(max_examples=40, deadline=None)
@given(r=st.floats(0, 1), a=st.floats(0, 3), b=st.floats(0.05, 3))
def test_step_by_asking_every_source(r: float, a: float, b: float) -> None:
    for ring in (EVEN, UNEVEN):
        assert ring_step(ring, r, a, b) == pytest.approx(nearest_split(ring, r, a, b), abs=2e-5)


@settings(max_examples=40)
@given(a=st.floats(0.01, 5), b=st.floats(0.01, 5))
def test_equilibrium_is_a_fixed_point(a: float, b: float) -> None:
    for ring in (EVEN, UNEVEN):
        r = ring_equilibrium(ring, a, b)
        assert ring_step(ring, r, a, b) == pytest.approx(r)


@settings(max_examples=40, deadline=None)
@given(a=st.floats(0.01, 5), b=st.floats(0.01, 5), start=st.floats(0, 1))
def test_stability_is_what_the_trajectory_shows(a: float, b: float, start: float) -> None:
    for ring in (EVEN, UNEVEN):
        slope = 1 / ring.first_capacity + 1 / ring.second_capacity
        contraction = a * ring.sources * slope / (2 * b * ring.length)
        r = ring_equilibrium(ring, a, b)
        if abs(contraction - 1) < 0.05 or abs(start - r) < 1e-3:
            continue
        end = ring_trajectory(ring, start, a, b, steps=400)[-1]
        assert ring_is_stable(ring, a, b) == (abs(end - r) < 1e-6)


def test_equal_capacities_are_stable_below_the_published_bound() -> None:
    # a N < b D c
    assert ring_is_stable(EVEN, 0.99, 1.0)
    assert not ring_is_stable(EVEN, 1.01, 1.0)


def test_pure_price_routing_oscillates_between_0_and_1() -> None:
    assert ring_trajectory(EVEN, 0.3, 1.0, 0.0, steps=4)[1:].tolist() == [1, 0, 1, 0]
    assert ring_step(EVEN, 0.5, 1.0, 0.0) == 0.5  # nobody gains
    assert not ring_is_stable(EVEN, 1.0, 0.0)


def test_price_weight_trades_stability_for_utility() -> None:
    splits = [ring_equilibrium(UNEVEN, a, 1.0) for a in (0.0, 0.1, 1.0, 1e9)]
    assert splits[0] == 0.5
    assert splits[-1] == pytest.approx(2 / 3)  # c1 / (c1 + c2)
    utilities = [ring_utility(UNEVEN, r) for r in splits]
    assert utilities == sorted(utilities)
    best = minimize_scalar(lambda r: -ring_utility(UNEVEN, r), bounds=(0, 1), method="bounded")
    assert best.x == pytest.approx(2 / 3, abs=1e-4)


def test_utility_with_everybody_on_one_side() -> None:
    assert ring_utility(UNEVEN, 1.0) == pytest.approx(10 * math.log(0.2))


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: RedLoop(0, 50, 1e-4, 1e-4), "capacity_pps"),
        (lambda: RedLoop(9000, 0, 1e-4, 1e-4), "flows"),
        (lambda: RedLoop(9000, 50, 0, 1e-4), "marking_slope"),
        (lambda: RedLoop(9000, 50, 1e-4, 1.0), "averaging_gain"),
        (lambda: phase_crossing(LOOP, 0), "rtt_s"),
        (lambda: loop_response(LOOP, 0.1, -1), "omega_rad_s"),
        (lambda: LOOP.window_packets(math.nan), "rtt_s"),
        (lambda: critical_rtt(LOOP, shortest_s=0.2), "shortest_s"),
        (lambda: critical_rtt(LOOP, longest_s=0.05), "longest_s"),
        (lambda: critical_rtt(LOOP, 0.2, 0.1), "longest_s"),
        (lambda: hollot_slope_limit(60, 0.246, 3750, 0), "averaging_rate_per_s"),
        (lambda: Ring(0, 1, 1, 1), "sources"),
        (lambda: Ring(1, 1, 1, -1), "second_capacity"),
        (lambda: ring_step(EVEN, 1.1, 1, 1), "split"),
        (lambda: ring_step(EVEN, 0.5, -1, 1), "price_weight"),
        (lambda: ring_step(EVEN, 0.5, 0, 0), "static_weight"),
        (lambda: ring_trajectory(EVEN, 0.5, 1, 1, 0), "steps"),
        (lambda: ring_equilibrium(EVEN, math.nan, 1), "price_weight"),
        (lambda: ring_utility(EVEN, -0.1), "split"),
    ],
)
def test_wrong_values_are_named(call, argument) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == argument
