"""Diffusion exponent and surrogate-data test on processes with known answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.analysis.dynamics import (
    amplitude_adjusted_surrogate,
    diffusion_exponent,
    prediction_error,
    surrogate_test,
)
from lab_tools.analysis.dynamics.reference import logistic_orbit, lorenz_trace, noise
from lab_tools.errors import DataError, InputError


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def test_exponents_of_brownian_motion_white_noise_and_a_straight_course(rng):
    walk = diffusion_exponent(noise(100_000, rng, memory=1.0), largest_lag=300)
    assert walk.exponent == pytest.approx(0.5, abs=0.03)
    assert walk.r_squared > 0.99
    assert diffusion_exponent(noise(100_000, rng)).exponent == pytest.approx(0, abs=0.01)
    straight = diffusion_exponent(3.0 * np.arange(500.0))
    assert straight.exponent == pytest.approx(1.0)
    assert straight.mean_square == pytest.approx((3.0 * straight.lag) ** 2)


def test_fractional_brownian_motion(rng):
    """Exact synthesis from the covariance of its steps (Mandelbrot and Van Ness)."""
    n = 1500
    for hurst in (0.3, 0.8):
        k = np.arange(n)
        cov = 0.5 * ((k + 1) ** (2 * hurst) - 2 * k ** (2 * hurst) + abs(k - 1.0) ** (2 * hurst))
        steps = np.linalg.cholesky(cov[np.abs(k[:, None] - k)]) @ rng.normal(size=(n, 8))
        found = [diffusion_exponent(path.cumsum(), largest_lag=60).exponent for path in steps.T]
        assert np.mean(found) == pytest.approx(hurst, abs=0.05)


def test_a_bounded_trace_is_no_power_law(rng):
    sine = np.sin(np.arange(2000) / 20)
    assert diffusion_exponent(sine).r_squared < 0.9


@given(factor=st.floats(1e-6, 1e9), shift=st.floats(-1e3, 1e3))
@settings(max_examples=30, deadline=None)
def test_diffusion_does_not_depend_on_the_unit(factor, shift):
    walk = noise(500, np.random.default_rng(1), memory=1.0)
    one = diffusion_exponent(walk)
    other = diffusion_exponent((walk + shift) * factor)
    assert other.exponent == pytest.approx(one.exponent, abs=1e-6)
    assert other.mean_square == pytest.approx(one.mean_square * factor**2, rel=1e-6)


@given(seed=st.integers(0, 1000), n=st.integers(4, 200))
@settings(max_examples=30, deadline=None)
def test_surrogate_keeps_the_values(seed, n):
    x = np.random.default_rng(seed).exponential(size=n)
    surrogate = amplitude_adjusted_surrogate(x, np.random.default_rng(seed))
    assert sorted(surrogate) == sorted(x)


def test_surrogate_keeps_the_spectrum_but_not_the_order(rng):
    x = np.exp(noise(1000, rng, memory=0.9))
    surrogate = amplitude_adjusted_surrogate(x, rng)
    lagged = [np.corrcoef(series[:-1], series[1:])[0, 1] for series in (x, surrogate)]
    assert lagged[0] == pytest.approx(lagged[1], abs=0.03)
    shuffled = rng.permutation(x)
    assert abs(np.corrcoef(shuffled[:-1], shuffled[1:])[0, 1]) < 0.15
    assert not np.array_equal(surrogate, x)


def test_surrogate_stops_after_the_rounds_it_was_given(rng):
    x = noise(500, rng, memory=0.9)
    once = amplitude_adjusted_surrogate(x, np.random.default_rng(1), iterations=1)
    often = amplitude_adjusted_surrogate(x, np.random.default_rng(1), iterations=100)
    spectra = [np.abs(np.fft.rfft(series)) for series in (x, once, often)]
    assert np.linalg.norm(spectra[2] - spectra[0]) < np.linalg.norm(spectra[1] - spectra[0])


def test_prediction_error_is_a_double_loop(rng):
    x = rng.normal(size=50)
    v = np.stack([x[:-3], x[1:-2]], axis=1)  # dimension 2, lag 1, and 2 samples ahead
    errors = []
    for i in range(len(v)):
        j = min(
            (j for j in range(len(v)) if abs(i - j) > 3),
            key=lambda j: np.linalg.norm(v[i] - v[j]),
        )
        errors.append(x[i + 3] - x[j + 3])
    expected = np.sqrt(np.mean(np.square(errors))) / (np.sqrt(2) * x.std())
    assert prediction_error(x, theiler=3, horizon=2) == pytest.approx(expected)


def test_prediction_error_of_order_and_of_none(rng):
    assert prediction_error(noise(3000, rng)) == pytest.approx(1.0, abs=0.06)
    assert prediction_error(logistic_orbit(4.0, 3000)) < 0.01
    # of an AR(1) process: neighbours share their mean, both innovations stay
    assert prediction_error(noise(3000, rng, memory=0.8)) == pytest.approx(0.6, abs=0.06)


def test_surrogate_test_rejects_chaos_and_keeps_its_level_on_linear_noise(rng):
    assert surrogate_test(logistic_orbit(4.0, 400), rng).p_value == 1 / 40
    assert surrogate_test(lorenz_trace(600), rng, theiler=30).p_value == 1 / 40
    rejected = 0
    for index in range(40):
        x = noise(200, rng, memory=(0.0, 0.7)[index % 2])
        if index % 3 == 0:
            x = np.exp(x)  # a monotone scale is within the null hypothesis
        rejected += surrogate_test(x, rng, surrogates=19).p_value <= 0.05
    assert rejected <= 6  # 5 % of 40 is 2; 6 is three standard deviations above


def test_surrogate_test_shows_its_surrogates(rng):
    result = surrogate_test(noise(200, rng), rng, surrogates=9)
    assert result.surrogate_errors.shape == (9,)
    as_good = int((result.surrogate_errors <= result.error).sum())
    assert result.p_value == (1 + as_good) / 10


@pytest.mark.parametrize(
    ("call", "error", "name"),
    [
        (lambda r: diffusion_exponent(np.arange(19.0)), DataError, "x has 19"),
        (lambda r: diffusion_exponent([1.0, 2.0] * 20), DataError, "x repeats itself every 2"),
        (lambda r: diffusion_exponent([np.nan] * 20), DataError, "x is nan"),
        (lambda r: diffusion_exponent(np.arange(30.0), largest_lag=1), InputError, "largest_lag"),
        (lambda r: diffusion_exponent(np.arange(30.0), lags=1), InputError, "lags"),
        (lambda r: amplitude_adjusted_surrogate([1, 2, 3], r), DataError, "x has 3"),
        (lambda r: amplitude_adjusted_surrogate(np.ones(9), r, iterations=0), InputError, "iterat"),
        (lambda r: prediction_error(np.ones(90)), DataError, "x is 1 everywhere"),
        (lambda r: prediction_error(np.arange(20.0)), DataError, "x gives 18"),
        (lambda r: prediction_error(np.arange(90.0), horizon=0), InputError, "horizon"),
        (lambda r: surrogate_test(noise(90, r), r, surrogates=0), InputError, "surrogates"),
    ],
)
def test_bad_input_is_named(call, error, name, rng):
    with pytest.raises(error, match=name):
        call(rng)
