import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_tools import units
from lab_tools.errors import InputError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10 Gbit/s", 10e9),
        ("10Gbit/s", 10e9),
        ("100 Mbps", 100e6),
        ("1 GB/s", 8e9),
        ("1.5 kbit/s", 1500.0),
        ("1e9", 1e9),
        (2e6, 2e6),
    ],
)
def test_rates(text, value):
    assert units.rate_bps(text) == value


@pytest.mark.parametrize(
    ("text", "value"), [("100 ms", 0.1), ("5 us", 5e-6), ("2 min", 120.0), ("256 ns", 2.56e-7)]
)
def test_times(text, value):
    assert units.time_s(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("250 KB", 250_000), ("250 MB", 250_000_000), ("64 KiB", 65_536), ("8960", 8960)],
)
def test_sizes(text, value):
    assert units.size_bytes(text) == value


@pytest.mark.parametrize(
    ("text", "value"), [("0.1 %", 0.001), ("1/22000", 1 / 22000), ("1e-4", 1e-4), (0.5, 0.5)]
)
def test_fractions(text, value):
    assert units.fraction(text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("text", ["fast", "10 Gbit", "10 parsec", "", None, True, "nan bit/s", []])
def test_what_is_no_rate_is_refused(text):
    with pytest.raises(InputError, match="rate"):
        units.rate_bps(text)


@pytest.mark.parametrize("text", ["1/0", "1/2/3", "half", None, "x %"])
def test_what_is_no_fraction_is_refused(text):
    with pytest.raises(InputError):
        units.fraction(text)


def test_half_a_byte_is_refused():
    with pytest.raises(InputError, match="whole number"):
        units.size_bytes("0.5 B")


@given(st.floats(1e3, 1e12))
def test_a_shown_rate_reads_back(rate):
    assert units.rate_bps(units.show_rate(rate, 12)) == pytest.approx(rate, rel=1e-10)


@given(st.floats(1e-9, 1e3))
def test_a_shown_time_reads_back(time):
    assert units.time_s(units.show_time(time, 12)) == pytest.approx(time, rel=1e-10)
