"""Response functions against the tables of RFC 9438 §5 (values rounded there to whole segments)."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.models import (
    RENO_K_RFC,
    aimd_mean_window,
    cubic_loss_for,
    cubic_mean_window,
    cubic_operating_window,
    hstcp_loss_for,
    hstcp_mean_window,
    mathis_goodput,
    reno_loss_for,
    reno_mean_window,
    scalable_mean_window,
    scalable_operating_window,
    window_for,
    window_goodput,
)

losses = st.floats(1e-9, 0.1)
rtts = st.floats(1e-3, 1.0)

# loss: Reno, HSTCP; RFC 9438 Tables 1 and 2
RENO_AND_HSTCP = {
    1e-2: (12, 12),
    1e-3: (38, 38),
    1e-4: (120, 263),
    1e-5: (379, 1795),
    1e-6: (1200, 12280),
    1e-7: (3795, 83981),
    1e-8: (12000, 574356),
}

# (RTT in s, C): windows at the losses above; RFC 9438 Tables 1 and 2
CUBIC = {
    (0.1, 0.04): (12, 38, 120, 593, 3332, 18740, 105383),
    (0.1, 0.4): (12, 38, 187, 1054, 5926, 33325, 187400),
    (0.1, 4.0): (12, 59, 333, 1874, 10538, 59261, 333250),
    (0.01, 0.04): (12, 38, 120, 379, 1200, 3795, 18740),
    (0.01, 0.4): (12, 38, 120, 379, 1200, 5926, 33325),
    (0.01, 4.0): (12, 38, 120, 379, 1874, 10538, 59261),
}

# mean window: largest loss for Reno, HSTCP, CUBIC (0.1 s); RFC 9438 Table 3, two digits, of which
# some are rounded and some are cut
REQUIRED_LOSS = {
    8.3: (2.0e-2, 2.0e-2, 2.0e-2),
    83.3: (2.0e-4, 3.9e-4, 2.9e-4),
    833.3: (2.0e-6, 2.5e-5, 1.4e-5),
    8333.3: (2.0e-8, 1.5e-6, 6.3e-7),
    83333.3: (2.0e-10, 1.0e-7, 2.9e-8),
}


@pytest.mark.parametrize(("loss", "windows"), RENO_AND_HSTCP.items())
def test_reno_and_hstcp_columns(loss, windows):
    assert reno_mean_window(loss, RENO_K_RFC) == pytest.approx(windows[0], abs=0.5)
    assert hstcp_mean_window(loss) == pytest.approx(windows[1], abs=0.5)


@pytest.mark.parametrize(("setting", "windows"), CUBIC.items())
def test_cubic_columns(setting, windows):
    rtt_s, c = setting
    computed = cubic_operating_window(rtt_s, list(RENO_AND_HSTCP), c)
    assert computed == pytest.approx(windows, abs=1, rel=1e-5)


@pytest.mark.parametrize(("window", "required"), REQUIRED_LOSS.items())
def test_required_loss(window, required):
    computed = [reno_loss_for(window, 1.2), hstcp_loss_for(window), cubic_loss_for(0.1, window)]
    for loss, table in zip(computed, required, strict=True):
        second_digit = 10.0 ** (math.floor(math.log10(table)) - 1)
        assert loss == pytest.approx(table, abs=second_digit)


def test_table_1_as_rates():
    """RFC 9438 §5.1: 1200 packets of 1500 bytes at 0.01 s are 1.44 Gbit/s."""
    window = cubic_operating_window(0.01, 1e-6)
    assert window_goodput(window, 0.01, 1500) == pytest.approx(1.44e9)
    assert window_for(1.44e9, 0.01, 1500) == pytest.approx(1200)


def test_cubic_factor_is_the_one_of_the_rfc():
    assert cubic_mean_window(1.0, 0.5) * 0.5**0.75 == pytest.approx(1.054, abs=5e-4)


def test_cubic_mean_window_is_the_one_of_an_integrated_cycle():
    """Integrate the cubic curve over one cycle: 1/p packets in K seconds."""
    rtt_s, peak, c, beta = 0.05, 5000.0, 0.4, 0.7
    k_s = np.cbrt(peak * (1 - beta) / c)
    t_s = np.linspace(0, k_s, 20_001)
    packets = np.trapezoid(c * (t_s - k_s) ** 3 + peak, t_s) / rtt_s
    assert cubic_mean_window(rtt_s, 1 / packets) == pytest.approx(packets * rtt_s / k_s, rel=1e-6)


def test_cubic_reno_friendly_increase_gives_renos_window():
    """RFC 9438 §4.3: alpha = 3 (1 - beta) / (1 + beta) makes AIMD(alpha, 0.7) Reno's equal."""
    alpha = 3 * 0.3 / 1.7
    assert alpha == pytest.approx(0.5294, abs=5e-5)
    assert aimd_mean_window(1e-5, alpha, 0.7) == pytest.approx(aimd_mean_window(1e-5))


def test_scalable_mean_window_is_that_of_kelly():
    assert scalable_mean_window([1e-3, 1e-6]) == pytest.approx([80, 80_000])


def test_scalable_equilibrium_in_a_random_loss_simulation():
    rng = np.random.default_rng(7)
    loss, window, windows = 1e-4, 800.0, []
    for gap in rng.geometric(loss, size=6000):
        windows.append(window + 0.01 * gap / 2)
        window = (window + 0.01 * gap) * 0.875
    assert np.mean(windows) == pytest.approx(scalable_mean_window(loss), rel=0.1)


def test_scalable_is_linear_below_a_hundred_segments():
    assert scalable_operating_window(1e-2) == pytest.approx(math.sqrt(1.875 / 0.25 / 1e-2))
    assert scalable_operating_window(1e-5) == pytest.approx(8000)


@settings(max_examples=50, deadline=None)
@given(losses)
def test_reno_window_is_aimd_and_mathis(loss):
    assert reno_mean_window(loss) == pytest.approx(aimd_mean_window(loss, 1, 0.5))
    rate_bps = window_goodput(reno_mean_window(loss), 0.03, 1460)
    assert rate_bps == pytest.approx(mathis_goodput(0.03, loss, 1460))


@settings(max_examples=50, deadline=None)
@given(rtts, losses, st.floats(1.1, 10))
def test_more_loss_never_gives_a_larger_window(rtt_s, loss, factor):
    for model in (
        reno_mean_window,
        hstcp_mean_window,
        scalable_operating_window,
        lambda p: cubic_operating_window(rtt_s, p),
    ):
        assert model(loss * factor if loss * factor < 1 else 0.99) < model(loss)


@settings(max_examples=50, deadline=None)
@given(rtts, st.floats(10, 1e6))
def test_loss_for_is_the_inverse(rtt_s, window):
    assert reno_mean_window(reno_loss_for(window)) == pytest.approx(window)
    assert cubic_operating_window(rtt_s, cubic_loss_for(rtt_s, window)) == pytest.approx(window)
    assert hstcp_mean_window(hstcp_loss_for(window)) == pytest.approx(window, rel=0.015)


@settings(max_examples=50, deadline=None)
@given(rtts, losses, st.floats(1.1, 16))
def test_cubic_goodput_falls_with_the_fourth_root_of_the_rtt(rtt_s, loss, factor):
    near = window_goodput(cubic_mean_window(rtt_s, loss), rtt_s, 1460)
    far = window_goodput(cubic_mean_window(rtt_s * factor, loss), rtt_s * factor, 1460)
    assert far / near == pytest.approx(factor**-0.25)


def test_bad_arguments_are_named():
    with pytest.raises(InputError, match=r"^loss = 1"):
        hstcp_mean_window(1)
    with pytest.raises(InputError, match=r"^beta = 1"):
        aimd_mean_window(0.1, 1, 1)
    with pytest.raises(InputError, match=r"^alpha = 0"):
        aimd_mean_window(0.1, 0)
    with pytest.raises(InputError, match=r"^rtt_s = 0"):
        cubic_operating_window(0, 0.1)
    with pytest.raises(InputError, match=r"^c = 0"):
        cubic_mean_window(0.1, 0.1, 0)
    with pytest.raises(InputError, match=r"^window_packets = 0"):
        cubic_loss_for(0.1, 0)
    with pytest.raises(InputError, match=r"^reno_k = 0"):
        cubic_loss_for(0.1, 100, reno_k=0)
    with pytest.raises(InputError, match=r"^b = 1"):
        scalable_mean_window(0.1, b=1)
    with pytest.raises(InputError, match=r"^a = 0"):
        scalable_mean_window(0.1, a=0)
    with pytest.raises(DataError, match=r"^loss, k have shapes"):
        reno_mean_window([0.1, 0.2], [1, 1, 1])
    with pytest.raises(DataError, match=r"^rtt_s, loss, c, reno_k have shapes"):
        cubic_operating_window(0.1, [0.1, 0.2], reno_k=[1, 1, 1])
    with pytest.raises(DataError, match=r"^window_packets, rtt_s, mss_bytes have shapes"):
        window_goodput([1, 2], [1, 2, 3], 1460)
