import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.models import buffer_knee, buffer_limit, router_buffer


def test_buffer_knees_of_the_published_buffers():
    """250 KB, 250 MB and 1 GB at 10 Gbit/s: 0.2, 200 and 800 ms."""
    knees_s = buffer_knee(10e9, [250e3, 250e6, 1e9])
    assert knees_s == pytest.approx([0.2e-3, 0.2, 0.8])
    assert buffer_limit(knees_s, [250e3, 250e6, 1e9]) == pytest.approx([10e9] * 3)


def test_buffer_limit_is_convex():
    limit_bps = buffer_limit([0.1, 0.2, 0.3], 1e6)
    assert limit_bps[1] < (limit_bps[0] + limit_bps[2]) / 2


@settings(max_examples=50, deadline=None)
@given(st.floats(1e6, 1e11), st.floats(1e3, 1e9))
def test_the_knee_is_where_the_buffer_meets_the_path(rate_bps, buffer_bytes):
    knee_s = buffer_knee(rate_bps, buffer_bytes)
    assert buffer_limit(knee_s, buffer_bytes) == pytest.approx(rate_bps)
    assert buffer_limit(2 * knee_s, buffer_bytes) == pytest.approx(rate_bps / 2)


def sawtooth_utilisation(buffer_packets, bdp_packets, beta):
    """Grow one packet a round trip up to BDP plus buffer, cut to beta; packets sent over time."""
    peak = bdp_packets + buffer_packets
    window, sent, spent = beta * peak, 0.0, 0.0
    while window < peak:
        sent += window
        spent += max(window, bdp_packets)  # a round trip is stretched by the queue
        window += 1
    return sent / spent


@pytest.mark.parametrize("beta", [0.5, 0.7])
def test_router_buffer_is_the_smallest_that_keeps_a_sawtooth_busy(beta):
    bdp = 1000
    needed = router_buffer(bdp * 8e3, 1.0, beta=beta) / 1000
    assert sawtooth_utilisation(needed * 1.001, bdp, beta) == 1
    assert sawtooth_utilisation(needed * 0.95, bdp, beta) < 1


def test_router_buffer_of_the_published_example():
    """Appenzeller et al.: 10 Gbit/s, 250 ms, 50 000 flows need 10 Mbit instead of 2.5 Gbit."""
    buffer_bits = 8 * router_buffer(10e9, 0.25, [1, 50_000])
    assert buffer_bits[0] == pytest.approx(2.5e9)
    assert buffer_bits[1] == pytest.approx(10e6, rel=0.15)


def test_bad_arguments_are_named():
    with pytest.raises(InputError, match=r"^buffer_bytes = 0"):
        buffer_knee(1e9, 0)
    with pytest.raises(DataError, match=r"^rtt_s, buffer_bytes have shapes"):
        buffer_limit([0.1, 0.2], [1, 2, 3])
    with pytest.raises(InputError, match=r"^flows = 0"):
        router_buffer(1e9, 0.1, 0)
    with pytest.raises(InputError, match=r"^beta = 1"):
        router_buffer(1e9, 0.1, 1, 1)
