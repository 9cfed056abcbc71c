"""Convergence exponents from data, tracking, and Kiefer–Wolfowitz climbs."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.control import (
    convergence_exponent,
    kiefer_wolfowitz_conditions,
    linear_mse,
    maximise_goodput,
    mean_square_error,
    stabilise_goodput,
    tracking_exponent,
)
from lab_tools.errors import DataError, InputError


@settings(max_examples=30)
@given(exponent=st.floats(0.1, 2.0), constant=st.floats(1e-3, 1e3))
def test_a_power_law_is_recovered(exponent: float, constant: float) -> None:
    n = np.arange(10, 3000)
    fit = convergence_exponent(n, constant * n**-exponent)
    assert fit.exponent == pytest.approx(exponent, abs=0.01)
    assert fit.constant == pytest.approx(constant, rel=0.1)
    assert fit.exponent_std_error < 0.01


@pytest.mark.parametrize("alpha", [0.6, 0.8, 1.0])
def test_static_targets_converge_with_the_step_exponent(alpha: float) -> None:
    n = np.arange(1, 20_001)
    fit = convergence_exponent(n[200:], linear_mse(20_000, 1.0, alpha, 0.5)[200:])
    assert fit.exponent == pytest.approx(alpha, abs=0.03)


def test_exponent_of_measured_runs_lies_within_its_error() -> None:
    rng = np.random.default_rng(7)

    def measure(rate: float) -> float:
        return max(0.0, rate + 0.05e6 * rng.standard_normal())

    runs = [
        stabilise_goodput(measure, 1e6, 1e6, 400, 5e6, a=1.0, alpha=1.0).rates_bps[1:]
        for _ in range(60)
    ]
    fit = convergence_exponent(np.arange(1, 401), mean_square_error(runs, 1e6))
    assert 0.0 < fit.exponent_std_error < 0.1
    assert fit.exponent == pytest.approx(1.0, abs=4 * fit.exponent_std_error + 0.05)


def test_the_unit_of_the_errors_does_not_change_the_exponent() -> None:
    n = np.arange(5, 500)
    errors = np.random.default_rng(3).exponential(1.0 / n)
    first, second = convergence_exponent(n, errors), convergence_exponent(n, 1e12 * errors)
    assert first.exponent == pytest.approx(second.exponent)
    assert first.exponent_std_error == pytest.approx(second.exponent_std_error)


def drifting_error(alpha: float, delta: float, steps: int) -> np.ndarray:
    """Squared lag behind a root that moves n^-delta a step, without noise."""
    lag, result = 0.0, np.empty(steps)
    for n in range(1, steps + 1):
        lag = (1 - n**-alpha) * lag + n**-delta
        result[n - 1] = lag**2
    return result


def test_tracking_a_drifting_root_is_as_slow_as_its_lag() -> None:
    lag = drifting_error(alpha=0.7, delta=0.9, steps=50_000)
    fit = convergence_exponent(np.arange(500, 50_001), lag[499:])
    assert tracking_exponent(0.7, 0.9) == pytest.approx(0.4)
    assert fit.exponent == pytest.approx(tracking_exponent(0.7, 0.9), abs=0.02)


@settings(max_examples=50)
@given(alpha=st.floats(0.51, 0.99), extra=st.floats(0.01, 2.0))
def test_tracking_is_never_faster_than_a_static_target(alpha: float, extra: float) -> None:
    exponent = tracking_exponent(alpha, alpha + extra)
    assert 0.0 < exponent <= alpha
    assert exponent == pytest.approx(min(alpha, 2 * extra))


def test_kiefer_wolfowitz_conditions_one_by_one() -> None:
    assert kiefer_wolfowitz_conditions(1.0, 0.25).all_hold
    assert kiefer_wolfowitz_conditions(1.0, 1 / 6).all_hold
    assert not kiefer_wolfowitz_conditions(1.0, 0.0).probe_vanishes
    assert not kiefer_wolfowitz_conditions(1.1, 0.25).reaches_everywhere
    assert not kiefer_wolfowitz_conditions(0.7, 0.1).bias_vanishes
    assert not kiefer_wolfowitz_conditions(1.0, 0.5).noise_averages_out
    assert not kiefer_wolfowitz_conditions(1.0, 0.5).all_hold


@pytest.mark.parametrize("start_bps", [0.0, 1e6, 12e6, 16e6])
def test_climb_finds_the_peak_from_either_side(start_bps: float) -> None:
    rng = np.random.default_rng(5)

    def measure(rate: float) -> float:  # goodput rises to 9 Mbit/s, then losses eat it
        return max(0.0, min(rate, 18e6 - rate) + 0.2e6 * rng.standard_normal())

    climb = maximise_goodput(measure, start_bps, 400, 20e6, a_bps=3e6, c_bps=2e6)
    assert climb.rates_bps[-1] == pytest.approx(9e6, rel=0.1)
    assert climb.rates_bps.min() >= 0.0
    assert climb.rates_bps.max() <= 20e6
    assert climb.lower_goodputs_bps.shape == climb.upper_goodputs_bps.shape == (400,)


def test_first_step_by_hand() -> None:
    # g = r (10 - r) / 10: slope at 4 is 0.2, exactly reproduced by a central difference
    climb = maximise_goodput(lambda r: r * (10 - r) / 10, 4.0, 1, 10.0, a_bps=2.0, c_bps=1.0)
    assert climb.rates_bps == pytest.approx([4.0, 4.4])
    assert climb.lower_goodputs_bps == pytest.approx([2.1])
    assert climb.upper_goodputs_bps == pytest.approx([2.5])


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: maximise_goodput(lambda r: r, 1, 5, 10, 1, 1, alpha=0.6), "alpha"),
        (lambda: maximise_goodput(lambda r: r, 11, 5, 10, 1, 1), "start_bps"),
        (lambda: maximise_goodput(lambda r: r, 1, 0, 10, 1, 1), "steps"),
        (lambda: maximise_goodput(lambda r: r, 1, 5, 10, 0, 1), "a_bps"),
        (lambda: maximise_goodput(lambda r: r, 1, 5, 10, 1, -1), "c_bps"),
        (lambda: maximise_goodput(lambda r: -1.0, 1, 5, 10, 1, 1), "goodput_bps"),
        (lambda: tracking_exponent(0.8, 0.7), "alpha"),
        (lambda: tracking_exponent(1.0, 3.0), "alpha"),
        (lambda: tracking_exponent(0.8, math.nan), "delta"),
    ],
)
def test_wrong_values_are_named(call, argument) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == argument


@pytest.mark.parametrize(
    ("n", "errors", "argument"),
    [
        ([1, 2, 2], [1, 1, 1], "n"),
        ([0, 1, 2], [1, 1, 1], "n"),
        ([10, 11, 12], [1, 1, 1], "n"),
        ([1, 10, 100], [1, 1], "errors"),
        ([1, 10, 100], [1, 0, 1], "errors"),
    ],
)
def test_wrong_data_are_named(n: list, errors: list, argument: str) -> None:
    with pytest.raises(DataError) as caught:
        convergence_exponent(n, errors)
    assert caught.value.argument == argument
