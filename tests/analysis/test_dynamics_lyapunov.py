"""Lyapunov exponents of maps and flows whose exponents are published, and rival codes."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.analysis.dynamics import (
    derivative_exponent,
    local_slopes,
    neighbour_divergence,
    neighbour_ratio_exponent,
    rosenstein_exponent,
)
from lab_tools.analysis.dynamics.lyapunov import _nearest_value
from lab_tools.analysis.dynamics.reference import (
    logistic_orbit,
    logistic_slope,
    lorenz_trace,
    noise,
    surrogate_aimd_orbit,
    tent_orbit,
)
from lab_tools.errors import DataError, InputError

LN2 = 0.693147


@pytest.fixture
def rng():
    return np.random.default_rng(20)


@pytest.mark.parametrize(
    ("growth", "published"),
    [(4.0, LN2), (3.9, 0.495), (3.7, 0.354), (3.5, -0.873), (3.2, -0.916), (2.5, -LN2)],
)
def test_derivative_exponent_of_the_logistic_map(growth, published, rng):
    slopes = logistic_slope(logistic_orbit(growth, 20_000, discard=1000), growth)
    exponent = derivative_exponent(slopes, rng)
    assert exponent.value == pytest.approx(published, abs=0.006)
    assert exponent.low - 1e-9 <= exponent.value <= exponent.high + 1e-9
    assert exponent.terms == 20_000


def test_surrogate_aimd_is_stable_by_its_slopes(rng):
    orbit = surrogate_aimd_orbit(50.0, 5000)
    exponent = derivative_exponent(np.where(orbit <= 50.0, 1.0, 0.5), rng)
    # one halving in (1 - b) W / a + 1 = 26 to 27 steps
    assert exponent.value == pytest.approx(-LN2 / 26.5, rel=0.05)
    assert exponent.high < 0


@pytest.mark.parametrize(
    ("orbit", "published"),
    [
        (logistic_orbit(4.0, 4000), LN2),
        (tent_orbit(2.0, 4000), LN2),
        (tent_orbit(1.6, 4000), np.log(1.6)),
        (logistic_orbit(3.9, 4000), 0.495),
        (logistic_orbit(3.7, 4000), 0.354),
    ],
)
def test_three_estimators_agree_on_maps(orbit, published, rng):
    ratio = neighbour_ratio_exponent(orbit, rng)
    rosenstein = rosenstein_exponent(orbit, rng)
    derivative = derivative_exponent(local_slopes(orbit), rng)
    assert ratio.value == pytest.approx(published, abs=0.03)
    assert rosenstein.value == pytest.approx(published, abs=0.02)
    assert derivative.value == pytest.approx(published, abs=0.03)
    assert rosenstein.low < rosenstein.value < rosenstein.high
    assert rosenstein.low > 0


def test_lorenz_exponent(rng):
    # 0.906 per unit of time; the first 20 steps turn the differences into the growing direction
    exponent = rosenstein_exponent(
        lorenz_trace(5000), rng, dimension=4, lag=3, theiler=50, steps=80, first_step=20,
        interval_s=0.03,
    )  # fmt: skip
    assert exponent.value == pytest.approx(0.906, abs=0.1)
    assert exponent.low < 0.906 < exponent.high
    assert exponent.high - exponent.low < 0.3


def test_own_divergence_is_nolds(rng):
    x = noise(400, rng, memory=0.7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import nolds
    for options in ({"dimension": 1, "lag": 1}, {"dimension": 3, "lag": 2}):
        divergence = neighbour_divergence(x, rng, theiler=5, steps=8, **options)
        slope, (_, curve, _) = nolds.lyap_r(
            x, emb_dim=options["dimension"], lag=options["lag"], min_tsep=5, trajectory_len=8,
            fit="poly", debug_data=True,
        )  # fmt: skip
        assert divergence.log_distance == pytest.approx(curve, abs=1e-9)
        exponent = rosenstein_exponent(x, rng, theiler=5, steps=8, **options)
        assert exponent.value == pytest.approx(slope)


def test_divergence_band_holds_the_curve_and_narrows_with_data(rng):
    short = neighbour_divergence(logistic_orbit(3.9, 300), rng)
    long = neighbour_divergence(logistic_orbit(3.9, 4000), rng)
    for curve in (short, long):
        assert (curve.low <= curve.log_distance).all()
        assert (curve.log_distance <= curve.high).all()
    assert (long.high - long.low).mean() < 0.6 * (short.high - short.low).mean()


def test_white_noise_has_a_positive_one_step_exponent_but_a_flat_curve(rng):
    """The pitfall: one step alone would call noise chaos."""
    x = noise(3000, rng)
    assert neighbour_ratio_exponent(x, rng).low > 1
    divergence = neighbour_divergence(x, rng, dimension=1)
    growth = np.diff(divergence.log_distance)
    assert growth[0] > 3
    assert growth[1:] == pytest.approx(np.zeros(4), abs=0.1)


@given(seed=st.integers(0, 300), theiler=st.integers(0, 8))
@settings(max_examples=20, deadline=None)
def test_ratio_is_a_double_loop(seed, theiler):
    x = np.random.default_rng(seed).normal(size=60)
    terms = []
    for i in range(59):
        j = min((j for j in range(59) if abs(i - j) > theiler), key=lambda j: abs(x[i] - x[j]))
        terms.append(np.log(abs(x[i + 1] - x[j + 1]) / abs(x[i] - x[j])))
    exponent = neighbour_ratio_exponent(x, np.random.default_rng(1), theiler=theiler)
    assert exponent.value == pytest.approx(np.mean(terms))
    assert exponent.terms == 59


@given(seed=st.integers(0, 300), levels=st.integers(2, 40), theiler=st.integers(0, 4))
@settings(max_examples=40, deadline=None)
def test_among_ties_the_nearest_different_value_is_taken(seed, levels, theiler):
    x = np.random.default_rng(seed).integers(0, levels, 40).astype(float)
    near = _nearest_value(x, theiler, 0.0)
    for i in range(40):
        gaps = [abs(x[i] - x[j]) for j in range(40) if abs(i - j) > theiler and x[i] != x[j]]
        if gaps:
            assert abs(x[i] - x[near[i]]) == min(gaps)
            assert abs(i - near[i]) > theiler
        else:
            assert near[i] == -1


def test_resolution_keeps_rounding_out_of_the_ratio(rng):
    exact = logistic_orbit(4.0, 4000)
    rounded = exact.round(2)
    kept = neighbour_ratio_exponent(rounded, rng, resolution=0.03)
    assert kept.value == pytest.approx(LN2, abs=0.12)
    assert abs(kept.value - LN2) < abs(neighbour_ratio_exponent(rounded, rng).value - LN2)


def test_distances_below_the_resolution_by_hand(rng):
    # 0 and 1 are neighbours, followed by 3 and 3.2: counted as 0.5 apart. 3 and 3.2 are too near
    # to be neighbours: both have 1 instead, followed by 3.2, and are followed by 1 and by 0.
    x = np.tile([0.0, 3.0, 1.0, 3.2], 20)  # the last sample has no follower
    exponent = neighbour_ratio_exponent(x, rng, theiler=0, resolution=0.5)
    total = 40 * np.log(0.5 / 1) + 20 * np.log(2.2 / 2) + 19 * np.log(3.2 / 2.2)
    assert exponent.value == pytest.approx(total / 79)
    assert exponent.terms == 79


@given(factor=st.floats(1e-6, 1e9), shift=st.floats(-1e3, 1e3))
@settings(max_examples=15, deadline=None)
def test_units_do_not_matter(factor, shift):
    orbit = logistic_orbit(3.8, 400)
    for estimate in (neighbour_ratio_exponent, rosenstein_exponent):
        one = estimate(orbit, np.random.default_rng(1))
        other = estimate((orbit + shift) * factor, np.random.default_rng(1))
        assert other.value == pytest.approx(one.value, abs=1e-3)


def test_interval_is_the_unit_of_time(rng):
    orbit = logistic_orbit(4.0, 1000)
    for estimate in (neighbour_ratio_exponent, rosenstein_exponent):
        one = estimate(orbit, np.random.default_rng(1))
        other = estimate(orbit, np.random.default_rng(1), interval_s=0.1)
        assert other.value == pytest.approx(10 * one.value)
        assert other.low == pytest.approx(10 * one.low)


@pytest.mark.parametrize(
    ("call", "error", "name"),
    [
        (lambda r: derivative_exponent([2.0] * 9 + [0.0], r), DataError, "slopes has the value 0"),
        (lambda r: derivative_exponent([2.0] * 5, r), DataError, "slopes has 5"),
        (lambda r: derivative_exponent([2.0] * 9, r, interval_s=0), InputError, "interval_s"),
        (lambda r: derivative_exponent([2.0] * 9, r, confidence=1), InputError, "confidence"),
        (lambda r: neighbour_ratio_exponent(np.arange(20.0), r), DataError, "x has 20"),
        (lambda r: neighbour_ratio_exponent(np.ones(90), r), DataError, "x has 0 usable"),
        (lambda r: neighbour_ratio_exponent([np.nan] * 90, r), DataError, "x is nan"),
        (lambda r: neighbour_ratio_exponent(np.ones(90), r, theiler=-1), InputError, "theiler"),
        (lambda r: neighbour_ratio_exponent(np.ones(90), r, resolution=-1), InputError, "resol"),
        (lambda r: neighbour_divergence(np.arange(20.0), r), DataError, "x gives"),
        (lambda r: neighbour_divergence(np.ones(3), r), DataError, "x gives 0 vectors"),
        (lambda r: neighbour_divergence(np.ones(90), r), DataError, "x repeats itself"),
        (lambda r: neighbour_divergence(np.arange(90.0), r, steps=1), InputError, "steps"),
        (lambda r: rosenstein_exponent(np.arange(5001.0), r), DataError, "x has 5001"),
        (lambda r: rosenstein_exponent(noise(90, r), r, first_step=5), InputError, "first_step"),
        (lambda r: rosenstein_exponent(noise(90, r), r, interval_s=-1), InputError, "interval_s"),
    ],
)
def test_bad_input_is_named(call, error, name, rng):
    with pytest.raises(error, match=name):
        call(rng)
