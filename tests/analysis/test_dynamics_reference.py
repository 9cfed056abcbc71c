"""The reference maps are the maps they say, and their noises the noises."""

import numpy as np
import pytest

from lab_tools.analysis.dynamics.reference import (
    logistic_orbit,
    logistic_slope,
    lorenz_trace,
    noise,
    surrogate_aimd_orbit,
    tent_orbit,
)
from lab_tools.errors import DataError, InputError


def test_logistic_orbit_and_slope():
    orbit = logistic_orbit(3.7, 200)
    assert orbit[1:] == pytest.approx(3.7 * orbit[:-1] * (1 - orbit[:-1]), abs=1e-12)
    step = 1e-7
    slope = (3.7 * (orbit + step) * (1 - orbit - step) - 3.7 * orbit * (1 - orbit)) / step
    assert logistic_slope(orbit, 3.7) == pytest.approx(slope, abs=1e-5)
    # period 2 at r = 3.2: the two values are the roots of the quadratic in textbooks
    assert sorted(set(logistic_orbit(3.2, 50, discard=500).round(6))) == [0.513045, 0.799455]


@pytest.mark.parametrize("height", [1.5, 1.99, 2.0])
def test_tent_orbit(height):
    orbit = tent_orbit(height, 300)
    assert orbit[1:] == pytest.approx(height * np.minimum(orbit[:-1], 1 - orbit[:-1]), abs=1e-6)
    assert np.ptp(orbit) > 0.2  # the full tent does not die out in binary arithmetic


def test_full_tent_visits_the_unit_interval_evenly():
    histogram, _ = np.histogram(tent_orbit(2.0, 20_000), bins=10, range=(0, 1))
    assert histogram / 20_000 == pytest.approx(np.full(10, 0.1), abs=0.01)


def test_lorenz_stays_on_its_attractor():
    x = lorenz_trace(4000)
    assert np.abs(x).max() == pytest.approx(19, abs=2)  # published extent of x
    assert x.std() == pytest.approx(7.9, abs=0.4)
    assert abs(x.mean()) < 2.5  # two symmetric lobes


def test_surrogate_aimd_is_a_sawtooth_with_the_textbook_mean():
    orbit = surrogate_aimd_orbit(100.0, 20_000)[5000:]
    # periodic loss: the mean window is 3/4 of the largest
    assert orbit.mean() / orbit.max() == pytest.approx(0.75, abs=0.01)
    falls = np.flatnonzero(np.diff(orbit) < 0)
    assert orbit[falls + 1] / orbit[falls] == pytest.approx(np.full(falls.size, 0.5))
    assert np.diff(orbit)[np.diff(orbit) > 0] == pytest.approx(1.0)


def test_noise_has_the_memory_it_was_asked_for():
    rng = np.random.default_rng(1)
    for memory in (0.0, 0.5, 0.9):
        x = noise(50_000, rng, memory=memory)
        assert np.corrcoef(x[:-1], x[1:])[0, 1] == pytest.approx(memory, abs=0.02)
        assert x.var() == pytest.approx(1 / (1 - memory**2), rel=0.15)
    walk = noise(10_000, rng, memory=1.0)
    assert np.diff(walk).std() == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: logistic_orbit(4.1, 10), "growth"),
        (lambda: logistic_orbit(4.0, 0), "samples"),
        (lambda: logistic_orbit(4.0, 10, start=0.0), "start"),
        (lambda: logistic_orbit(4.0, 10, discard=-1), "discard"),
        (lambda: logistic_slope(np.ones(2), 5.0), "growth"),
        (lambda: tent_orbit(2.1, 10), "height"),
        (lambda: tent_orbit(1.5, 10, start=1.0), "start"),
        (lambda: lorenz_trace(10, 0.0), "interval_s"),
        (lambda: lorenz_trace(10, discard_s=-1.0), "discard_s"),
        (lambda: surrogate_aimd_orbit(0.0, 10), "capacity"),
        (lambda: surrogate_aimd_orbit(9.0, 10, decrease=1.0), "decrease"),
        (lambda: noise(10, np.random.default_rng(1), memory=1.1), "memory"),
    ],
)
def test_bad_arguments_are_named(call, field):
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == field


def test_slope_of_nan_is_refused():
    with pytest.raises(DataError, match="orbit"):
        logistic_slope(np.array([np.nan]), 4.0)
