import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.models import BBR_V1, BBR_V3, bbr_goodput, link_efficiency


def test_gains_are_the_published_ones():
    assert BBR_V1.startup_gain == pytest.approx(2.885, abs=5e-4)  # Linux tcp_bbr.c
    assert BBR_V3.startup_gain == pytest.approx(2.77, abs=5e-3)  # draft-ietf-ccwg-bbr
    assert pytest.approx(1 - 1 / BBR_V1.probe_up_gain) == BBR_V1.loss_limit


def test_published_measurement_at_one_per_cent_loss():
    """Patch series that added BBR to Linux: 9150 Mbit/s over 10 Gbit/s, 100 ms, 1 % loss."""
    expected_bps = bbr_goodput(0.1, 0.01, 10e9) * link_efficiency(1448)
    assert expected_bps == pytest.approx(9.15e9, rel=0.03)


def test_flat_in_the_rtt_until_the_buffer_limits():
    goodput_bps = bbr_goodput([0.001, 0.1, 0.4], 0.0, 1e9, buffer_bytes=25e6)
    assert goodput_bps == pytest.approx([1e9, 1e9, 0.5e9])


@pytest.mark.parametrize(("version", "limit"), [(BBR_V1, 0.2), (BBR_V3, 0.02)])
def test_no_number_beyond_the_loss_limit(version, limit):
    goodput_bps = bbr_goodput(0.1, [limit, limit * 1.01], 1e9, version=version)
    assert goodput_bps[0] == pytest.approx((1 - limit) * 1e9)
    assert np.isnan(goodput_bps[1])


@settings(max_examples=50, deadline=None)
@given(st.floats(1e-3, 1), st.floats(0, 0.2), st.floats(1e6, 1e11), st.floats(1e3, 1e9))
def test_within_capacity_and_buffer(rtt_s, loss, rate_bps, buffer_bytes):
    goodput_bps = bbr_goodput(rtt_s, loss, rate_bps, buffer_bytes)
    assert 0 < goodput_bps <= min(rate_bps * (1 - loss), 8 * buffer_bytes / rtt_s)
    assert goodput_bps <= bbr_goodput(rtt_s, loss, rate_bps)


def test_shapes_broadcast():
    assert bbr_goodput(np.full((3, 1), 0.1), [0, 0.1], 1e9).shape == (3, 2)


def test_bad_arguments_are_named():
    with pytest.raises(InputError, match=r"^loss = -0\.1"):
        bbr_goodput(0.1, -0.1, 1e9)
    with pytest.raises(InputError, match=r"^rate_bps = 0"):
        bbr_goodput(0.1, 0.1, 0)
    with pytest.raises(InputError, match=r"^buffer_bytes = 0"):
        bbr_goodput(0.1, 0.1, 1e9, 0)
    with pytest.raises(DataError, match=r"have shapes"):
        bbr_goodput([0.1, 0.2], [0.1, 0.1, 0.1], 1e9)
