"""Time-dependent exponents: common envelope for chaos, ln 2 between shells for noise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.analysis.dynamics import shell_gap, time_dependent_exponents
from lab_tools.analysis.dynamics.reference import lorenz_trace, noise, tent_orbit
from lab_tools.errors import DataError, InputError


@pytest.fixture
def rng():
    return np.random.default_rng(11)


@pytest.fixture(scope="module")
def lorenz():
    return lorenz_trace(5000)


def test_lorenz_shells_share_an_envelope(lorenz):
    curves = time_dependent_exponents(lorenz)  # m = 4, L = 3, shells 2^-7 ... 2^-4, k to 20
    # 0.15 on most orbits; noise has 2 ln 2 = 1.39 between the first and the third shell
    assert np.ptp(curves.exponent, axis=0).max() < 0.17
    assert curves.exponent[:, -1].min() > 1  # and they rise
    assert (np.diff(curves.pairs) < 0).all()


def test_envelope_has_the_slope_of_the_exponent(lorenz):
    curves = time_dependent_exponents(lorenz, steps=60, largest_shell=5, smallest_shell=7)
    for curve in curves.exponent:
        slope = np.polyfit(curves.time[20:] * 0.03, curve[20:], 1)[0]
        assert slope == pytest.approx(0.906, abs=0.08)


def test_noise_jumps_once_and_its_shells_stay_ln_2_apart(rng):
    curves = time_dependent_exponents(
        rng.uniform(size=5000), largest_shell=2, smallest_shell=4, steps=20
    )
    # embedding windows overlap at k = 3, 6, 9: common samples make the dips there
    free = [k for k in range(1, 21) if k not in (3, 6, 9)]
    flat = curves.exponent[:, free]
    assert np.ptp(flat, axis=1) == pytest.approx(np.zeros(3), abs=0.12)
    assert np.diff(flat.mean(axis=1)) == pytest.approx([np.log(2)] * 2, abs=0.06)
    assert curves.exponent[:, 1].min() > 1


def test_tent_map_grows_by_its_slope():
    curves = time_dependent_exponents(
        tent_orbit(1.8, 3000), dimension=1, lag=1, steps=4, largest_shell=8, smallest_shell=10
    )
    for curve in curves.exponent:
        assert np.diff(curve) == pytest.approx([np.log(1.8)] * 4, abs=0.05)


@given(seed=st.integers(0, 200))
@settings(max_examples=15, deadline=None)
def test_curves_are_a_double_loop(seed):
    x = np.random.default_rng(seed).integers(0, 20, 40).astype(float)
    curves = time_dependent_exponents(
        x, dimension=2, lag=2, steps=3, largest_shell=1, smallest_shell=4
    )
    scaled = (x - x.min()) / np.ptp(x)
    v = np.stack([scaled[:-2], scaled[2:]], axis=1)
    for row, s in enumerate(range(1, 5)):
        growth = [[] for _ in range(4)]
        pairs = 0
        for i in range(len(v) - 3):
            for j in range(i + 3, len(v) - 3):
                start = np.linalg.norm(v[i] - v[j])
                if 2.0 ** -(s + 1) < start <= 2.0**-s:
                    pairs += 1
                    for k in range(1, 4):
                        later = np.linalg.norm(v[i + k] - v[j + k])
                        if later > 0:
                            growth[k].append(np.log(later / start))
        assert curves.pairs[row] == pairs
        for k in range(1, 4):
            if growth[k]:
                assert curves.exponent[row, k] == pytest.approx(np.mean(growth[k]))
            else:
                assert np.isnan(curves.exponent[row, k])
        assert curves.radius[row] == 2.0**-s


def test_distances_on_a_border_belong_to_the_shell_within():
    x = [0.0, 1.0, 0.5, 0.75, 0.5, 0.25, 1.0, 0.0]
    curves = time_dependent_exponents(
        x, dimension=1, lag=1, steps=1, largest_shell=0, smallest_shell=2
    )
    v = np.array(x[:-1])
    gaps = np.abs(v[:, None] - v)[np.triu_indices(7, 1)]
    expected = [np.isin(gaps, [1.0, 0.75]).sum(), (gaps == 0.5).sum(), (gaps == 0.25).sum()]
    assert list(curves.pairs) == expected


@given(factor=st.floats(1e-6, 1e9), shift=st.floats(-100, 100))
@settings(max_examples=15, deadline=None)
def test_units_do_not_matter(factor, shift):
    x = noise(300, np.random.default_rng(2), memory=0.5)
    options = {"dimension": 2, "lag": 1, "steps": 3, "largest_shell": 2, "smallest_shell": 4}
    one = time_dependent_exponents(x, **options).exponent
    other = time_dependent_exponents((x + shift) * factor, **options).exponent
    assert other == pytest.approx(one, abs=0.05, nan_ok=True)


def test_gap_tells_noise_from_chaos(rng):
    assert shell_gap(tent_orbit(1.8, 1000)) == pytest.approx(0, abs=0.1)
    for memory in (0.0, 0.9, 1.0):
        assert shell_gap(noise(1000, rng, memory=memory)) == pytest.approx(np.log(2), abs=0.15)


def test_gap_needs_enough_pairs(rng):
    assert np.isnan(shell_gap(noise(30, rng)))
    spikes = np.zeros(4000)  # nearly all vectors coincide
    spikes[::50] = rng.uniform(size=80)
    assert np.isnan(shell_gap(spikes))


def test_too_many_pairs_are_refused_before_they_fill_the_memory():
    with pytest.raises(DataError, match=r"x has 7\d+ pairs"):
        time_dependent_exponents(np.append(np.zeros(4000), [1.0]), dimension=1, lag=1)


@pytest.mark.parametrize(
    ("call", "error", "name"),
    [
        (lambda: time_dependent_exponents(np.ones(90)), DataError, "x is 1 everywhere"),
        (lambda: time_dependent_exponents(np.arange(30.0)), DataError, "x gives 21 vectors"),
        (lambda: time_dependent_exponents([np.inf, 1.0]), DataError, "x is inf"),
        (lambda: time_dependent_exponents(np.arange(90.0), steps=0), InputError, "steps"),
        (
            lambda: time_dependent_exponents(np.arange(90.0), smallest_shell=3),
            InputError,
            "smallest_shell",
        ),
        (lambda: shell_gap(np.arange(90.0), min_pairs=0), InputError, "min_pairs"),
        (lambda: shell_gap(np.arange(90.0), steps=0), InputError, "steps"),
    ],
)
def test_bad_input_is_named(call, error, name):
    with pytest.raises(error, match=name):
        call()
