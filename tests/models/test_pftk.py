import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.models import mathis_goodput, pftk_full, pftk_short

BOTH = pytest.mark.parametrize("model", [pftk_full, pftk_short])
rtts = st.floats(1e-3, 1.0)
losses = st.floats(1e-8, 0.9)


@pytest.mark.parametrize(
    ("model", "loss", "expected_pps"),
    [
        (pftk_full, 1e-2, 77.85),
        (pftk_full, 1e-4, 862.8),
        (pftk_short, 1e-2, 79.43),
        (pftk_short, 1e-4, 865.2),
    ],
)
def test_reference_numbers(model, loss, expected_pps):
    rate_bps = model(0.1, loss, 1250, rto_s=0.4, packets_per_ack=2)
    assert rate_bps / 10_000 == pytest.approx(expected_pps, rel=1e-4)


# From the lookup table of Linux's net/dccp/ccids/lib/tfrc_equation.c: 10⁶ f(p), where the rate is
# s / (R f(p)) with b = 1 and a timeout of four round trips.
LINUX_TFRC = {
    0.0001: 8172,
    0.0005: 18339,
    0.001: 26052,
    0.005: 60335,
    0.01: 89021,
    0.02: 136520,
    0.05: 271305,
    0.1: 564939,
    0.2: 1863717,
}


@pytest.mark.parametrize(("loss", "scaled"), LINUX_TFRC.items())
def test_short_form_is_the_equation_tabulated_in_the_linux_kernel(loss, scaled):
    f = 8 * 1000 / pftk_short(1.0, loss, 1000)
    assert f * 1e6 == pytest.approx(scaled, abs=1)


def test_full_form_in_exact_arithmetic_by_hand():
    """p = 1/4, b = 2: c = 2/3, w = 2/3 + sqrt(4 + 4/9) = 2.775, so every loss times out (Q = 1)."""
    window = 2 / 3 + np.sqrt(40 / 9)
    f = 1 + 1 / 4 + 2 / 16 + 4 / 64 + 8 / 256 + 16 / 1024 + 32 / 4096
    packets = 3 + window + 4 / 3
    seconds = 0.1 * (window + 1) + 0.4 * f * 4 / 3
    rate_bps = pftk_full(0.1, 0.25, 1000, packets_per_ack=2)
    assert rate_bps == pytest.approx(8000 * packets / seconds)


def test_full_form_with_a_window_limit_by_hand():
    """As above with a limit of 2 packets: rounds = 2 * 2 / 8 + 3 / 2 + 2 = 4."""
    f = 1 + 1 / 4 + 2 / 16 + 4 / 64 + 8 / 256 + 16 / 1024 + 32 / 4096
    seconds = 0.1 * 4 + 0.4 * f * 4 / 3
    rate_bps = pftk_full(0.1, 0.25, 1000, packets_per_ack=2, max_window_packets=2)
    assert rate_bps == pytest.approx(8000 * (3 + 2 + 4 / 3) / seconds)


def test_timeout_share_without_cancellation():
    """At small loss a window of w loses its ACK clock with probability 3/w, so Q -> min(1, 3/w)."""
    loss = 1e-12
    window = 1 + np.sqrt(8 * (1 - loss) / (3 * loss) + 1)
    share = 3 / window
    packets = (1 - loss) / loss + window + share
    seconds = 0.1 * (window / 2 + 1) + share * 0.4
    assert pftk_full(0.1, loss, 1000) == pytest.approx(8000 * packets / seconds, rel=1e-9)


@BOTH
def test_approaches_mathis_at_small_loss(model):
    ratio = model(0.1, 1e-9, 1460) / mathis_goodput(0.1, 1e-9, 1460)
    assert ratio == pytest.approx(1, abs=1e-3)


@BOTH
def test_window_limit_is_what_a_small_loss_leaves(model):
    rate_bps = model(0.1, 1e-9, 1000, max_window_packets=50)
    assert rate_bps == pytest.approx(8000 * 50 / 0.1, rel=1e-3)


@BOTH
def test_a_window_limit_that_is_never_reached_changes_nothing(model):
    free = model(0.1, 0.01, 1000)
    assert model(0.1, 0.01, 1000, max_window_packets=1000) == pytest.approx(free)


@BOTH
@settings(max_examples=50, deadline=None)
@given(rtt_s=rtts, loss=losses, factor=st.floats(1.01, 10), limit=st.none() | st.floats(2, 1e4))
def test_falls_with_rtt_and_loss_and_scales_with_the_segment(model, rtt_s, loss, factor, limit):
    base = model(rtt_s, loss, 1000, max_window_packets=limit)
    more_loss = min(loss * factor, 0.95)
    assert 0 < model(rtt_s, more_loss, 1000, max_window_packets=limit) <= base * (1 + 1e-9)
    assert model(rtt_s * factor, loss, 1000, max_window_packets=limit) <= base
    assert model(rtt_s, loss, 1000 * factor, max_window_packets=limit) == pytest.approx(
        base * factor
    )


@settings(max_examples=50, deadline=None)
@given(rtts, losses, st.floats(1.01, 10))
def test_a_longer_timeout_costs_throughput(rtt_s, loss, factor):
    rto_s = 4 * rtt_s * factor
    assert pftk_full(rtt_s, loss, 1000, rto_s) < pftk_full(rtt_s, loss, 1000)
    assert pftk_short(rtt_s, loss, 1000, rto_s) < pftk_short(rtt_s, loss, 1000)


@BOTH
def test_shapes_broadcast(model):
    rate_bps = model(np.full((3, 1), 0.1), np.full(4, 0.01), 1460, max_window_packets=[4, 5, 6, 7])
    assert rate_bps.shape == (3, 4)


@BOTH
def test_bad_arguments_are_named(model):
    with pytest.raises(InputError, match=r"^rtt_s = 0"):
        model(0, 0.01, 1460)
    with pytest.raises(InputError, match=r"^loss = 1.5"):
        model(0.1, 1.5, 1460)
    with pytest.raises(InputError, match=r"^rto_s = -1"):
        model(0.1, 0.1, 1460, rto_s=-1)
    with pytest.raises(InputError, match=r"^packets_per_ack = 0"):
        model(0.1, 0.1, 1460, packets_per_ack=0)
    with pytest.raises(InputError, match=r"^max_window_packets = 0"):
        model(0.1, 0.1, 1460, max_window_packets=0)
    with pytest.raises(DataError, match=r"loss.* have shapes"):
        model([0.1, 0.2], [0.1, 0.2, 0.3], 1460)
    with pytest.raises(DataError, match="max_window_packets have shapes"):
        model([0.1, 0.2], [0.1, 0.2], 1460, max_window_packets=[1, 2, 3])
