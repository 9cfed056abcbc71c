"""The verdict: chaos is found, noise and sawteeth are never called chaos."""

import numpy as np
import pytest

from lab_tools.analysis.dynamics import assess_chaos
from lab_tools.analysis.dynamics.reference import (
    logistic_orbit,
    lorenz_trace,
    noise,
    surrogate_aimd_orbit,
    tent_orbit,
)
from lab_tools.errors import DataError, InputError


@pytest.fixture
def rng():
    return np.random.default_rng(31)


@pytest.mark.parametrize(
    ("orbit", "published"),
    [
        (logistic_orbit(4.0, 1000), 0.693),
        (logistic_orbit(3.9, 1000), 0.495),
        (tent_orbit(1.8, 1000), np.log(1.8)),
    ],
)
def test_chaotic_maps(orbit, published, rng):
    result = assess_chaos(orbit, rng)
    assert result.verdict == "chaotic", result.reason
    assert result.exponent.value == pytest.approx(published, abs=0.05)
    assert result.parting_low > 0.9
    assert result.p_value == 0.05


def test_lorenz_flow(rng):
    result = assess_chaos(
        lorenz_trace(3000), rng, dimension=4, lag=3, theiler=50, steps=40, first_step=10
    )
    assert result.verdict == "chaotic", result.reason


def random_sawtooth(n, rng, loss):
    window = np.full(n, 20.0)
    for i in range(1, n):
        window[i] = window[i - 1] / 2 if rng.random() < loss else window[i - 1] + 1
    return window


@pytest.mark.parametrize("n", [120, 600])
def test_noise_is_never_called_chaos(n, rng):
    for _ in range(6):
        traces = {
            "uniform": rng.uniform(size=n),
            "gaussian": noise(n, rng),
            "exponential": rng.exponential(size=n),
            "memory": noise(n, rng, memory=0.9),
            "random walk": noise(n, rng, memory=1.0),
            "sine with noise": np.sin(0.37 * np.arange(n)) + 0.2 * noise(n, rng),
            "random losses": random_sawtooth(n, rng, 0.05),
            "sawtooth with noise": surrogate_aimd_orbit(50.0, n) + 0.5 * noise(n, rng),
        }
        for name, trace in traces.items():
            result = assess_chaos(trace, rng)
            assert result.verdict != "chaotic", name
            if name in ("uniform", "gaussian", "exponential"):
                assert result.verdict == "cannot tell"
                assert "noise" in result.reason


def test_each_missing_piece_of_evidence_is_named(rng):
    t = np.arange(1000.0)
    reasons = {
        "drifts": t,
        "too few neighbours part": np.sin(0.37 * t),
        "growth depends on the starting distance": noise(1000, rng),
        "coincide": noise(1000, rng).round(),
    }
    for words, trace in reasons.items():
        result = assess_chaos(trace, rng)
        assert result.verdict == "cannot tell"
        assert words in result.reason


def test_evidence_is_weighed_in_order():
    from lab_tools.analysis.dynamics.lyapunov import Exponent
    from lab_tools.analysis.dynamics.verdict import _missing

    good = Exponent(0.5, 0.4, 0.6, 100)
    assert _missing(0.95, 0.1, 0.05, good) == ""
    assert "gap nan" in _missing(0.95, float("nan"), 0.05, good)
    assert "neighbours part" in _missing(0.9, 0.1, 0.05, good)
    assert "p = 0.10" in _missing(0.95, 0.1, 0.1, good)
    assert "may be 0" in _missing(0.95, 0.1, 0.05, Exponent(0.5, -0.1, 1.1, 100))


def test_stable_traces(rng):
    assert assess_chaos(logistic_orbit(3.2, 300, discard=500), rng).verdict == "stable"
    assert assess_chaos(np.ones(100), rng).verdict == "stable"
    settled = assess_chaos(np.append(rng.uniform(size=60), np.tile([1.0, 2.0, 5.0], 80)), rng)
    assert settled.verdict == "stable"
    assert "every 3 samples" in settled.reason
    sawtooth = assess_chaos(surrogate_aimd_orbit(50.0, 1000), rng)
    assert sawtooth.verdict == "stable"
    assert sawtooth.parting_high < 0.1


def test_measurement_noise_on_chaos_is_not_decided(rng):
    noisy = logistic_orbit(4.0, 1000) + 0.1 * noise(1000, rng)
    assert assess_chaos(noisy, rng).verdict == "cannot tell"


def test_same_seed_same_answer():
    orbit = logistic_orbit(3.9, 300)
    first = assess_chaos(orbit, np.random.default_rng(1))
    assert first == assess_chaos(orbit, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("call", "error", "name"),
    [
        (lambda r: assess_chaos(np.arange(99.0), r), DataError, "x has 99"),
        (lambda r: assess_chaos(np.zeros(5001), r), DataError, "x has 5001"),
        (lambda r: assess_chaos([np.nan] * 200, r), DataError, "x is nan"),
        (lambda r: assess_chaos(noise(100, r), r, theiler=60), DataError, "x gives"),
        (lambda r: assess_chaos(noise(100, r), r, steps=1), InputError, "steps"),
        (lambda r: assess_chaos(noise(100, r), r, first_step=5), InputError, "first_step"),
        (lambda r: assess_chaos(noise(100, r), r, surrogates=9), InputError, "surrogates"),
    ],
)
def test_bad_input_is_named(call, error, name, rng):
    with pytest.raises(error, match=name):
        call(rng)
