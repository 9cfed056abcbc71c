import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.models import (
    MATHIS_CONSTANTS,
    mathis_goodput,
    mathis_limited_goodput,
    mathis_loss_for,
)

rtts = st.floats(1e-4, 1.0)
losses = st.floats(1e-9, 0.1)
sizes = st.floats(500, 9000)


@pytest.mark.parametrize(
    ("rtt_s", "mss_bytes", "k", "expected_mbps"),
    [
        # Science DMZ plot: loss 1/22000, jumbo frames
        (0.001, 8960, math.sqrt(1.5), 13020),
        (0.010, 8960, math.sqrt(1.5), 1302),
        (0.100, 8960, math.sqrt(1.5), 130.2),
        (0.001, 8960, 1.0, 10630),
        (0.010, 8960, 1.0, 1063),
        (0.100, 8960, 1.0, 106.3),
    ],
)
def test_science_dmz_numbers(rtt_s, mss_bytes, k, expected_mbps):
    goodput_bps = mathis_goodput(rtt_s, 1 / 22000, mss_bytes, k)
    assert goodput_bps / 1e6 == pytest.approx(expected_mbps, rel=5e-4)


def test_crichigno_path_gains_the_ratio_of_the_segment_sizes():
    goodput_bps = mathis_goodput(0.02, 1e-4, [1460, 8960])
    assert goodput_bps / 1e6 == pytest.approx([71.5, 438.9], rel=1e-3)


def test_delayed_acks_at_one_percent_loss():
    k = MATHIS_CONSTANTS["periodic, delayed ACK"].value
    assert mathis_goodput(0.1, 0.01, 1250, k) / 10_000 == pytest.approx(86.60, abs=0.005)


def test_constants_are_those_of_the_published_table():
    rounded = {name: round(c.value, 2) for name, c in MATHIS_CONSTANTS.items()}
    assert rounded == {
        "periodic": 1.22,
        "periodic, delayed ACK": 0.87,
        "random": 1.31,
        "random, delayed ACK": 0.93,
        "rule of thumb": 1.0,
    }


@pytest.mark.parametrize("packets_per_ack", [1, 2])
def test_periodic_constant_is_the_one_of_a_counted_sawtooth(packets_per_ack):
    """Count packets and time over one cycle of a window that saws between W/2 and W."""
    peak = 20_000
    rounds = np.arange(peak / 2 * packets_per_ack)
    window = peak / 2 + rounds / packets_per_ack
    loss = 1 / window.sum()
    packets_per_rtt = window.sum() / rounds.size
    name = {1: "periodic", 2: "periodic, delayed ACK"}[packets_per_ack]
    assert packets_per_rtt * np.sqrt(loss) == pytest.approx(MATHIS_CONSTANTS[name].value, rel=1e-4)


@pytest.mark.parametrize(("k", "loss"), [(math.sqrt(1.5), 2.16e-10), (1.2, 2.07e-10)])
def test_loss_for_ten_gigabit_over_100_ms(k, loss):
    assert mathis_loss_for(10e9, 0.1, 1500, k) == pytest.approx(loss, rel=3e-3)


def test_loss_for_ten_gigabit_rounds_to_the_one_of_rfc_9438():
    assert f"{float(mathis_loss_for(10e9, 0.1, 1500, 1.2)):.0e}" == "2e-10"


def test_limits_of_the_path_and_of_the_buffer():
    rtt_s = np.array([0.001, 0.01, 0.1])
    plain = mathis_limited_goodput(rtt_s, 1 / 22000, 8960, 10e9)
    assert plain / 1e6 == pytest.approx([10_000, 1302, 130.2], rel=5e-4)
    buffered = mathis_limited_goodput(rtt_s, 1 / 22000, 8960, 10e9, buffer_bytes=125_000)
    assert buffered / 1e6 == pytest.approx([1000, 100, 10])


def test_without_loss_only_the_limits_remain():
    assert mathis_limited_goodput([0.01, 0.1], 0.0, 1460, 1e9).tolist() == [1e9, 1e9]


@settings(max_examples=50, deadline=None)
@given(rtts, losses, sizes, st.floats(0.5, 2))
def test_loss_for_is_the_inverse(rtt_s, loss, mss_bytes, k):
    rate_bps = mathis_goodput(rtt_s, loss, mss_bytes, k)
    assert mathis_loss_for(rate_bps, rtt_s, mss_bytes, k) == pytest.approx(loss)


@settings(max_examples=50, deadline=None)
@given(rtts, losses, sizes, st.floats(1.1, 8))
def test_scaling_laws(rtt_s, loss, mss_bytes, factor):
    base = mathis_goodput(rtt_s, loss, mss_bytes)
    assert mathis_goodput(rtt_s * factor, loss, mss_bytes) == pytest.approx(base / factor)
    assert mathis_goodput(rtt_s, loss / factor**2, mss_bytes) == pytest.approx(base * factor)
    assert mathis_goodput(rtt_s, loss, mss_bytes * factor) == pytest.approx(base * factor)


def test_shapes_broadcast():
    assert mathis_goodput(np.ones((3, 1)), np.full(4, 0.01), 1460).shape == (3, 4)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((0.0, 0.01, 1460), "rtt_s"),
        ((0.1, 0.0, 1460), "loss"),
        ((0.1, 1.0, 1460), "loss"),
        ((0.1, math.nan, 1460), "loss"),
        ((0.1, 0.01, -1), "mss_bytes"),
        ((0.1, 0.01, 1460, 0), "k"),
        ((None, 0.01, 1460), "rtt_s"),
    ],
)
def test_bad_numbers_are_named(arguments, name):
    with pytest.raises(InputError, match=f"^{name} = "):
        mathis_goodput(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.1, -0.1], 0.01, 1460), r"^rtt_s has the value -0.1: it needs values in \(0, inf\]"),
        (([0.1, math.nan], 0.01, 1460), "^rtt_s is nan at index 1"),
        ((0.1, [0.5, 1.0], 1460), r"^loss has the value 1.0: it needs values in \(0, 1\)"),
        (([[0.1], [0.1, 0.2]], 0.01, 1460), "^rtt_s has rows of different lengths"),
        (([], 0.01, 1460), "^rtt_s has 0 values"),
        (([0.1, 0.2], [0.1, 0.2, 0.3], 1460), "^rtt_s, loss, mss_bytes, k have shapes"),
    ],
)
def test_bad_arrays_are_named(arguments, message):
    with pytest.raises(DataError, match=message):
        mathis_goodput(*arguments)


def test_limited_goodput_names_bad_arguments():
    with pytest.raises(InputError, match=r"^loss = -0.1"):
        mathis_limited_goodput(0.1, -0.1, 1460, 1e9)
    with pytest.raises(DataError, match=r"loss has the value -0.1: it needs values in \[0, 1\)"):
        mathis_limited_goodput(0.1, [0.1, -0.1], 1460, 1e9)
    with pytest.raises(InputError, match=r"^rate_bps = 0"):
        mathis_limited_goodput(0.1, 0.1, 1460, 0)
    with pytest.raises(InputError, match=r"^buffer_bytes = 0"):
        mathis_limited_goodput(0.1, 0.1, 1460, 1e9, 0)
    with pytest.raises(DataError, match=r"buffer_bytes"):
        mathis_limited_goodput([0.1, 0.2], 0.1, 1460, 1e9, [1, 2, 3])
    with pytest.raises(InputError, match=r"^rate_bps = -1"):
        mathis_loss_for(-1, 0.1, 1460)
