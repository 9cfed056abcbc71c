import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.models import link_efficiency, mss_for_mtu
from lab_tools.models.efficiency import IPV6_BYTES


def test_segment_sizes_of_the_common_mtus():
    assert mss_for_mtu([1500, 9000]).tolist() == [1448, 8948]
    assert mss_for_mtu([1500, 9000], tcp_options_bytes=0).tolist() == [1460, 8960]
    assert mss_for_mtu(1500, ip_header_bytes=IPV6_BYTES, tcp_options_bytes=0) == 1440


@pytest.mark.parametrize(
    ("mss_bytes", "options_bytes", "gigabit_mbps"),
    [(1448, 12, 941.5), (1460, 0, 949.3), (8948, 12, 990.0)],
)
def test_the_well_known_goodputs_of_gigabit_ethernet(mss_bytes, options_bytes, gigabit_mbps):
    share = link_efficiency(mss_bytes, tcp_options_bytes=options_bytes)
    assert share * 1000 == pytest.approx(gigabit_mbps, abs=0.05)


def test_ip_share_of_the_sc2002_record():
    """1500 of 1538 bytes carry IP: 975.3 Mbit/s a gigabit port, against which 925 were 95 %."""
    ip_share = link_efficiency(1448) * 1500 / 1448
    assert ip_share * 1000 == pytest.approx(975.3, abs=0.05)
    assert 925 / (ip_share * 1000) == pytest.approx(0.95, abs=0.005)


def test_linux_shaper_counts_the_ethernet_header_alone():
    assert link_efficiency(1448, link_bytes=14) == pytest.approx(1448 / 1514)


@settings(max_examples=50, deadline=None)
@given(st.floats(100, 9000), st.floats(1.01, 5))
def test_larger_segments_are_more_efficient(mss_bytes, factor):
    assert 0 < link_efficiency(mss_bytes) < link_efficiency(mss_bytes * factor) < 1


def test_bad_arguments_are_named():
    with pytest.raises(DataError, match=r"^mtu_bytes has the value 52: it needs room"):
        mss_for_mtu([52, 1500])
    with pytest.raises(InputError, match=r"^mss_bytes = 0"):
        link_efficiency(0)
    with pytest.raises(InputError, match=r"^tcp_options_bytes = -1"):
        mss_for_mtu(1500, tcp_options_bytes=-1)
    with pytest.raises(InputError, match=r"^link_bytes = -1"):
        link_efficiency(1448, link_bytes=-1)
    with pytest.raises(DataError, match=r"have shapes"):
        link_efficiency([1448, 1460], ip_header_bytes=[20, 40, 20])
