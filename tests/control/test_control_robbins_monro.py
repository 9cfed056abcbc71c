"""Robbins–Monro: its error against theory, its conditions, and its two realisations."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.control import (
    asymptotic_mse,
    blast_summary,
    linear_mse,
    mean_square_error,
    robbins_monro_converges,
    robbins_monro_step,
    sleep_step,
    stabilise_goodput,
    step_size,
    window_step,
)
from lab_tools.errors import DataError, InputError

TARGET = 2e6
NOISE = 0.2e6


def noisy_runs(runs: int, steps: int, a: float, alpha: float) -> list[np.ndarray]:
    rng = np.random.default_rng(20031112)

    def measure(rate: float) -> float:
        return max(0.0, rate + NOISE * rng.standard_normal())

    return [
        stabilise_goodput(measure, TARGET, TARGET, steps, 10e6, a, alpha).rates_bps[1:]
        for _ in range(runs)
    ]


def test_alpha_1_has_the_error_of_a_running_mean() -> None:
    runs = noisy_runs(runs=400, steps=100, a=1.0, alpha=1.0)
    measured = mean_square_error(runs, TARGET)
    for n in (1, 10, 100):
        # a chi-square mean over 400 runs: 5 standard errors are 35 %
        assert measured[n - 1] == pytest.approx(NOISE**2 / n, rel=0.35)
    assert linear_mse(100, 1.0, 1.0, NOISE) == pytest.approx(NOISE**2 / np.arange(1, 101))


def test_a_running_mean_is_what_alpha_1_computes() -> None:
    samples = np.random.default_rng(1).uniform(0.5e6, 1.5e6, size=30)
    # g(r) = r + noise, so r_n is the target minus the running mean of the noise
    noise = samples - 1e6
    position = iter(noise)
    run = stabilise_goodput(lambda rate: rate + next(position), 1e6, 1e6, 30, 1e9, 1.0, 1.0)
    expected = 1e6 - np.cumsum(noise) / np.arange(1, 31)
    assert run.rates_bps[1:] == pytest.approx(expected)


def test_alpha_08_approaches_its_published_asymptote() -> None:
    # sigma = 0.5, a = 1: a sigma^2 / 2 n^-0.8 = 2.86e-4 at n = 2000
    assert asymptotic_mse(2000, 1.0, 0.8, 0.5) == pytest.approx(2.86e-4, rel=2e-3)
    # the next term of the expansion is alpha sigma^2 / (4 n), 9 % at n = 2000
    exact = linear_mse(20_000, 1.0, 0.8, 0.5)
    for n in (2000, 20_000):
        correction = 0.8 * 0.5**2 / (4 * n)
        assert exact[n - 1] - asymptotic_mse(n, 1.0, 0.8, 0.5) == pytest.approx(correction, rel=0.2)


def test_monte_carlo_agrees_with_the_exact_recursion() -> None:
    runs = noisy_runs(runs=200, steps=200, a=1.0, alpha=0.8)
    measured = mean_square_error(runs, TARGET)[-1]
    assert measured == pytest.approx(linear_mse(200, 1.0, 0.8, NOISE)[-1], rel=0.5)


def test_chung_constant_for_other_gains_and_slopes() -> None:
    exact = linear_mse(20_000, a=1.5, alpha=1.0, noise=0.5, slope=0.8, start_error=3.0)[-1]
    assert exact == pytest.approx(asymptotic_mse(20_000, 1.5, 1.0, 0.5, slope=0.8), rel=0.02)
    exact = linear_mse(30_000, a=1.0, alpha=0.6, noise=0.5, slope=0.8, start_error=3.0)[-1]
    assert exact == pytest.approx(asymptotic_mse(30_000, 1.0, 0.6, 0.5, slope=0.8), rel=0.02)


@pytest.mark.parametrize("target_bps", [1e6, 2e6, 3e6])
def test_the_targets_of_the_ornl_lsu_experiments_are_held(target_bps: float) -> None:
    rng = np.random.default_rng(8)

    def measure(rate: float) -> float:  # a 10 Mbit/s card, 5 % loss, noise
        return max(0.0, 0.95 * min(rate, 10e6) + 0.1e6 * rng.standard_normal())

    run = stabilise_goodput(measure, 8e6, target_bps, 300, 10e6, a=0.8, alpha=0.8)
    assert np.mean(run.goodputs_bps[-100:]) == pytest.approx(target_bps, rel=0.03)


def test_rates_stay_within_their_bounds() -> None:
    run = stabilise_goodput(lambda rate: 0.0, 1e6, 5e6, 50, highest_bps=2e6)
    assert run.rates_bps[-1] == 2e6
    run = stabilise_goodput(lambda rate: 9e9, 1e6, 5e6, 5, highest_bps=2e6)
    assert run.rates_bps.min() == 0.0


@pytest.mark.parametrize("alpha", [0.35, 0.45, 0.65, 0.8, 0.95, 1.3, 1.5])
def test_conditions_by_partial_sums(alpha: float) -> None:
    """The sum of n^-s over [N, N^2] grows with N where the series diverges, else it shrinks."""

    def diverges(s: float) -> bool:
        near, far = (sum(n**-s for n in range(N, N * N)) for N in (20, 60))
        return far > near

    assert robbins_monro_converges(alpha) == (diverges(alpha) and not diverges(2 * alpha))


def test_edges_of_the_conditions() -> None:
    assert robbins_monro_converges(1.0)
    assert not robbins_monro_converges(0.5)


@settings(max_examples=50)
@given(
    rate=st.floats(1e6, 9e6),
    goodput=st.floats(0.0, 3e6),
    n=st.integers(1, 100),
    a=st.floats(0.1, 1),
)
def test_window_and_sleep_are_the_same_step_on_the_rate(
    rate: float, goodput: float, n: int, a: float
) -> None:
    cycle_s, window_bits = 0.05, 0.05 * rate
    following = robbins_monro_step(rate, goodput, 2e6, n, a, 0.8)
    if following < 0.5e6:
        return
    window = window_step(window_bits, cycle_s, goodput, 2e6, n, a, 0.8)
    assert window / cycle_s == pytest.approx(following)
    cycle = sleep_step(window_bits, cycle_s, goodput, 2e6, n, a, 0.8)
    assert window_bits / cycle == pytest.approx(following)


def test_window_and_sleep_never_leave_their_bounds() -> None:
    assert window_step(2e4, 0.1, 9e6, 1e6, 1, 1.0, 1.0) == 12_000
    assert sleep_step(2e4, 0.1, 9e6, 1e6, 1, 1.0, 1.0, longest_s=0.7) == pytest.approx(0.7)


@settings(max_examples=50)
@given(goodput=st.floats(0.0, 5e6), other=st.floats(0.0, 5e6))
def test_a_higher_goodput_never_raises_the_next_rate(goodput: float, other: float) -> None:
    low, high = sorted((goodput, other))
    after_low = robbins_monro_step(3e6, low, 1e6, 3, 0.8, 0.8)
    assert robbins_monro_step(3e6, high, 1e6, 3, 0.8, 0.8) <= after_low


def test_tsunami_numbers() -> None:
    summary = blast_summary(296.05e6, 0.6432, 204_800_000, 17.51)
    assert summary.goodput_bps == pytest.approx(93.6e6, rel=1e-3)  # as reported
    assert summary.arriving_bps == pytest.approx(105.6e6, rel=1e-3)
    assert summary.duplicate_share == pytest.approx(1 - 93.57 / 105.63, abs=1e-3)
    assert summary.efficiency == pytest.approx(93.57 / 296.05, abs=1e-4)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: step_size(0, 1.0, 1.0), "n"),
        (lambda: step_size(1, 0.0, 1.0), "a"),
        (lambda: step_size(1, 1.0, -1.0), "alpha"),
        (lambda: robbins_monro_converges(math.nan), "alpha"),
        (lambda: robbins_monro_step(-1, 1, 1, 1, 1, 1), "rate_bps"),
        (lambda: robbins_monro_step(1, 1, 0, 1, 1, 1), "target_bps"),
        (lambda: stabilise_goodput(lambda r: r, 1, 1, 5, 10, alpha=0.4), "alpha"),
        (lambda: stabilise_goodput(lambda r: r, 11, 1, 5, 10), "start_bps"),
        (lambda: stabilise_goodput(lambda r: math.nan, 1, 1, 5, 10), "goodput_bps"),
        (lambda: window_step(0, 1, 1, 1, 1, 1, 1), "window_bits"),
        (lambda: window_step(1, 1, 1, 1, 1, 1, 1, smallest_bits=0), "smallest_bits"),
        (lambda: sleep_step(1, 0, 1, 1, 1, 1, 1), "cycle_s"),
        (lambda: sleep_step(1, 1, 1, 1, 1, 1, 1, longest_s=-1), "longest_s"),
        (lambda: linear_mse(0, 1, 1, 1), "steps"),
        (lambda: linear_mse(5, 1, 1, 1, slope=0), "slope"),
        (lambda: asymptotic_mse(5, 1, 0.5, 1), "alpha"),
        (lambda: asymptotic_mse(5, 0.5, 1.0, 1), "a"),
        (lambda: blast_summary(1, 1.0, 1, 1), "loss"),
        (lambda: blast_summary(1, 0.5, 1, 0), "duration_s"),
    ],
)
def test_wrong_values_are_named(call, argument) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == argument


@pytest.mark.parametrize("rates", [[], [[1.0, 2.0], [1.0]], [[1.0, math.nan]]])
def test_wrong_runs_are_named(rates: list) -> None:
    with pytest.raises(DataError) as caught:
        mean_square_error(rates, 1.0)
    assert caught.value.argument == "rates"
