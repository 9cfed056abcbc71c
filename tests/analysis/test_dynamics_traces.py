"""Phases, sawtooth, Poincaré map and summary of throughput and window traces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.analysis.dynamics import (
    block_average,
    derivative_exponent,
    find_sawtooth,
    local_slopes,
    map_curve,
    poincare_map,
    split_phases,
    summarise_trace,
)
from lab_tools.analysis.dynamics.reference import logistic_orbit, noise, surrogate_aimd_orbit
from lab_tools.errors import DataError, InputError


@pytest.fixture
def rng():
    return np.random.default_rng(8)


# Phases


def test_slow_start_lasts_log2_of_the_window():
    # 1, 2, 4 ... segments each RTT up to 1024: log2(1024) = 10 round trips
    window = np.minimum(2.0 ** np.arange(60), 1024)
    phases = split_phases(window, interval_s=0.1)
    assert phases.ramp_up_s == pytest.approx(0.1 * np.log2(1024))
    assert phases.ramp_up_mean_bps == pytest.approx((2**10 - 1) / 10)  # 2^n - 1 segments sent
    assert phases.sustained_mean_bps == 1024
    assert phases.settled


@given(
    ramp=st.lists(st.floats(0, 8.9), max_size=20),
    rest=st.lists(st.floats(9.1, 10.0), min_size=21, max_size=60),
)
@settings(max_examples=60, deadline=None)
def test_mean_is_sustained_mean_minus_the_ramp_ups_share(ramp, rest):
    trace = np.array(ramp + rest)
    phases = split_phases(trace, 1.0, fraction=1.0)
    lost = phases.ramp_up_share * (phases.sustained_mean_bps - phases.ramp_up_mean_bps)
    assert phases.mean_bps == pytest.approx(phases.sustained_mean_bps - lost)
    assert phases.mean_bps == pytest.approx(trace.mean())
    assert phases.start >= len(ramp)


def test_hold_ignores_a_spike_during_ramp_up():
    trace = [1, 9.9, 2, 3, 9.5, 10, 10, 10, 10, 10]
    assert split_phases(trace, 1.0).start == 1
    assert split_phases(trace, 1.0, hold=2).start == 4
    assert split_phases([10, 10, 10, 10, 0], 1.0, hold=4).start == 0


def test_a_trace_that_keeps_growing_is_not_settled():
    assert not split_phases(np.arange(1.0, 101.0), 1.0).settled
    assert split_phases(np.full(100, 5.0), 1.0).settled
    assert not split_phases([0, 0, 0, 1, 5], 1.0, fraction=1.0).settled


@given(factor=st.floats(1e-3, 1e9))
@settings(max_examples=20, deadline=None)
def test_phases_do_not_depend_on_the_unit(factor):
    trace = np.append(np.linspace(0, 9, 20), 10 + np.sin(np.arange(80.0)))
    one, other = split_phases(trace, 1.0), split_phases(trace * factor, 1.0)
    assert other.start == one.start
    assert other.sustained_mean_bps == pytest.approx(one.sustained_mean_bps * factor)


# Sawtooth


def test_reno_sawtooth_obeys_the_periodic_loss_model():
    window = surrogate_aimd_orbit(100.0, 3000)
    teeth = find_sawtooth(np.arange(3000) * 0.05, window)
    assert teeth.decrease == pytest.approx(np.full(teeth.decrease.size, 0.5))
    assert teeth.growth_per_s == pytest.approx(1 / 0.05)  # one segment each round trip
    assert teeth.bulge == pytest.approx(np.zeros(teeth.bulge.size), abs=1e-9)
    assert teeth.period_s[-10:] == pytest.approx(0.05 * (100 / 2 + 1.5), abs=0.05)
    # periodic loss: 3/8 W² segments between losses
    start, end = teeth.peak_index[-3], teeth.peak_index[-2]
    assert window[start:end].sum() == pytest.approx(3 / 8 * 101**2, rel=0.02)


def test_cubic_tooth_is_concave_by_its_equation():
    # RFC 9438: W = 0.4 (t - K)³ + Wmax, K = cbrt(0.3 Wmax / 0.4), cwnd falls to 0.7 Wmax
    wmax = 1000.0
    k = np.cbrt(0.3 * wmax / 0.4)
    times = np.arange(0, 3.5 * k, 0.01)
    window = 0.4 * ((times % k) - k) ** 3 + wmax
    teeth = find_sawtooth(times, window)
    assert teeth.decrease == pytest.approx(0.7, abs=1e-3)
    assert teeth.period_s == pytest.approx(k, abs=0.02)
    # half-way 1/8 of the gap is left: 7/8 - 1/2 above the chord
    assert teeth.bulge == pytest.approx(0.375, abs=0.01)


def test_gradual_decreases_and_plateaus_make_one_epoch():
    #        0   1   2   3  4  5  6  7  8  9 10 11
    window = [8, 10, 10, 9, 7, 7, 5, 5, 6, 8, 8, 4]
    teeth = find_sawtooth(np.arange(12.0), window)
    assert list(teeth.peak_index) == [2, 10]
    assert list(teeth.trough_index) == [6, 11]
    assert teeth.decrease == pytest.approx([0.5, 0.5])
    assert teeth.loss_time_s == pytest.approx([2, 10])
    assert teeth.period_s == pytest.approx([8])
    assert teeth.growth_per_s == pytest.approx([3 / 4])


def test_small_falls_are_no_losses():
    window = [10, 9.5, 11, 12, 11.5, 13]
    assert find_sawtooth(np.arange(6.0), window).peak.size == 0
    assert find_sawtooth(np.arange(6.0), window, min_drop=0.01).peak.size == 2
    assert find_sawtooth([0.0, 1.0], [5, 5]).decrease.size == 0


def test_a_tooth_between_two_falls_may_be_flat():
    teeth = find_sawtooth(np.arange(7.0), [10, 5, 5.1, 5, 5, 5.1, 2], min_drop=0.3)
    assert list(teeth.peak) == [10, 5.1]
    # two falls with a rise of nothing in between cannot be: a rise separates them
    assert teeth.growth_per_s == pytest.approx([0.1 / 4])


@given(factor=st.floats(1e-3, 1e6), stretch=st.floats(0.01, 100), seed=st.integers(0, 100))
@settings(max_examples=30, deadline=None)
def test_sawtooth_does_not_depend_on_the_units(factor, stretch, seed):
    window = np.exp(noise(200, np.random.default_rng(seed)))
    times = np.arange(200.0)
    one, other = find_sawtooth(times, window), find_sawtooth(times * stretch, window * factor)
    assert list(other.peak_index) == list(one.peak_index)
    assert other.decrease == pytest.approx(one.decrease)
    assert other.period_s == pytest.approx(one.period_s * stretch)
    assert other.growth_per_s == pytest.approx(one.growth_per_s * factor / stretch)
    assert (one.decrease <= 0.9).all()
    assert (one.trough_index > one.peak_index).all()


# Poincaré map


def test_map_of_an_orbit_is_the_map():
    orbit = logistic_orbit(4.0, 20_000)
    points = poincare_map(orbit)
    assert points.later == pytest.approx(4 * points.now * (1 - points.now))
    curve = map_curve(orbit, bins=50)
    assert curve.later == pytest.approx(4 * curve.now * (1 - curve.now), abs=0.01)
    assert curve.slope == pytest.approx(4 - 8 * curve.now, abs=0.1)
    assert curve.determinism > 0.995
    assert curve.count.sum() == 19_999
    two = poincare_map(orbit, step=2)
    assert two.later == pytest.approx(orbit[2:])


def test_map_of_noise_is_flat_or_the_line_of_its_memory(rng):
    white = map_curve(noise(20_000, rng), bins=10)
    assert white.determinism == pytest.approx(0, abs=0.003)
    assert white.spread == pytest.approx(np.ones(10), abs=0.1)
    # for AR(1) the explained share is the squared correlation
    red = map_curve(noise(20_000, rng, memory=0.8), bins=40)
    assert red.determinism == pytest.approx(0.64, abs=0.02)
    assert np.median(red.slope) == pytest.approx(0.8, abs=0.1)


def test_few_distinct_values_share_bins():
    curve = map_curve(np.tile([1.0, 2.0, 3.0, 4.0], 100), bins=16)
    assert curve.now == pytest.approx([1, 2, 3, 4])
    assert curve.later == pytest.approx([2, 3, 4, 1])
    assert curve.determinism == pytest.approx(1)
    assert np.isnan(curve.slope).all()


def test_bins_of_a_long_sawtooth_are_filled_evenly():
    """An even stride through 200 000 samples of period 100 would see one phase only."""
    curve = map_curve(np.arange(250_000) % 100 / 7.0, bins=20)
    assert curve.count.size == 20
    assert curve.count == pytest.approx(np.full(20, 12_500), rel=0.25)  # 4 to 6 of 100 values


def test_slopes_measured_on_an_orbit_give_the_exponent(rng):
    slopes = local_slopes(logistic_orbit(3.7, 10_000))
    assert derivative_exponent(slopes, rng).value == pytest.approx(0.354, abs=0.02)
    stable = local_slopes(noise(5000, rng, memory=0.5), bins=4)
    assert derivative_exponent(stable, rng).value == pytest.approx(np.log(0.5), abs=0.15)


@given(factor=st.floats(1e-6, 1e9), seed=st.integers(0, 100))
@settings(max_examples=20, deadline=None)
def test_map_curve_scales_with_the_unit(factor, seed):
    x = noise(300, np.random.default_rng(seed), memory=0.5)
    one, other = map_curve(x, bins=8), map_curve(x * factor, bins=8)
    assert other.later == pytest.approx(one.later * factor)
    assert other.slope == pytest.approx(one.slope)
    assert other.determinism == pytest.approx(one.determinism)
    assert 0 <= one.determinism <= 1


def test_block_average_keeps_the_mean(rng):
    x = rng.normal(size=1000)
    assert block_average(x, 10).mean() == pytest.approx(x.mean())
    assert block_average(x, 10).shape == (100,)
    assert block_average(x, 1) == pytest.approx(x)


# Summary


def test_summary_of_a_known_process(rng):
    sustained = 100 + 5 * noise(20_000, rng, memory=0.6)
    ramp = np.linspace(1, 80, 1000)
    summary = summarise_trace(np.append(ramp, sustained), 0.01, rng)
    assert summary.samples == 21_000
    assert summary.duration_s == pytest.approx(210)
    assert summary.phases.start == 1000
    assert summary.low_bps < 100 < summary.high_bps
    deviation = 5 / np.sqrt(1 - 0.36)
    assert summary.variation == pytest.approx(deviation / 100, rel=0.03)
    assert summary.memory == pytest.approx(0.6, abs=0.02)
    assert summary.quantiles_bps[2] == pytest.approx(100, abs=0.5)
    assert summary.quantiles_bps[4] - 100 == pytest.approx(1.645 * deviation, rel=0.05)
    assert summary.map.determinism == pytest.approx(0.36, abs=0.02)


@pytest.mark.parametrize(
    ("call", "error", "name"),
    [
        (lambda r: split_phases([1, 2, 3], 1.0), DataError, "throughput_bps has 3"),
        (lambda r: split_phases([1, 2, 0, 0, 0], 1.0), DataError, "throughput_bps is mostly 0"),
        (lambda r: split_phases([1, -2, 3, 4], 1.0), DataError, "throughput_bps has the value"),
        (
            lambda r: split_phases([1, 1, 0] * 5, 1.0, hold=3),
            DataError,
            "throughput_bps never holds",
        ),
        (lambda r: split_phases([1] * 5, 0.0), InputError, "interval_s"),
        (lambda r: split_phases([1] * 5, 1.0, fraction=1.1), InputError, "fraction"),
        (lambda r: split_phases([1] * 5, 1.0, hold=0), InputError, "hold"),
        (lambda r: find_sawtooth([1, 0], [1, 2]), DataError, "time_s is not sorted"),
        (lambda r: find_sawtooth([0, 1], [1, 2, 3]), DataError, "cwnd has 3"),
        (lambda r: find_sawtooth([0, 1], [1, 0]), DataError, "cwnd has the value"),
        (lambda r: find_sawtooth([0, 1], [1, 2], min_drop=1.0), InputError, "min_drop"),
        (lambda r: poincare_map([1.0]), DataError, "x has 1"),
        (lambda r: poincare_map([1.0, 2.0], step=0), InputError, "step"),
        (lambda r: map_curve(np.ones(300)), DataError, "x is 1 everywhere"),
        (lambda r: map_curve(np.arange(100.0)), DataError, "x has 99 map points"),
        (lambda r: map_curve(np.arange(100.0), bins=0), InputError, "bins"),
        (lambda r: local_slopes([1, 2] * 20), DataError, "x does not vary within any bin"),
        (lambda r: local_slopes([1, 2, 3]), DataError, "x has 2 map points"),
        (lambda r: local_slopes(np.arange(100.0), bins=0), InputError, "bins"),
        (lambda r: block_average([1, 2], 3), DataError, "x has 2"),
        (lambda r: block_average([1, 2], 0), InputError, "samples"),
        (lambda r: summarise_trace(np.ones(500), 1.0, r), DataError, "x is 1 everywhere"),
        (lambda r: summarise_trace(np.ones(7), 1.0, r), DataError, "throughput_bps has 7"),
    ],
)
def test_bad_input_is_named(call, error, name, rng):
    with pytest.raises(error, match=name):
        call(rng)
