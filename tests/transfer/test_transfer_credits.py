"""Credit limits: published buffers and windows, and the shape of the profile."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.transfer import credit_knee, credit_limited_rate, credits_needed


@pytest.mark.parametrize(("buffer_bytes", "knee_ms"), [(250e3, 0.2), (250e6, 200.0), (1e9, 800.0)])
def test_knees_of_the_published_buffers_at_10_gbit(buffer_bytes: float, knee_ms: float) -> None:
    assert 1e3 * credit_knee(10e9, 1, buffer_bytes) == pytest.approx(knee_ms)


@pytest.mark.parametrize(
    ("rate_bps", "rtt_s", "packets"), [(940e6, 0.18, 14100), (6.58e9 / 7, 0.085, 6659)]
)
def test_windows_of_the_record_transfers(rate_bps: float, rtt_s: float, packets: int) -> None:
    # 14100 packets as published; 6658 published for 6658.3 needed
    assert credits_needed(rate_bps, rtt_s, 1500) == packets


def test_profile_of_the_default_buffer_over_the_published_distances() -> None:
    rtt_ms = np.array([0.4, 11.8, 22.6, 45.6, 91.6, 183, 366])
    rates = credit_limited_rate(rtt_ms / 1e3, 10e9, 1, 250e3)
    assert rates / 1e9 == pytest.approx(2.0 / rtt_ms)
    near = credit_limited_rate(rtt_ms / 1e3, 10e9, 1, 250e6)
    assert near[:6] == pytest.approx([10e9] * 6)
    assert near[6] == pytest.approx(2e9 / 0.366)


@settings(max_examples=50)
@given(
    credits=st.integers(1, 100),
    size=st.floats(1e3, 1e7),
    left=st.floats(1e-4, 0.5),
    right=st.floats(1e-4, 0.5),
)
def test_the_limit_is_convex_falling_and_bounded(
    credits: int, size: float, left: float, right: float
) -> None:
    middle = (left + right) / 2
    a, m, b = credit_limited_rate([left, middle, right], 1e15, credits, size)
    assert m <= (a + b) / 2 * (1 + 1e-12)
    assert credit_limited_rate([left], 10e9, credits, size)[0] <= 10e9
    knee = credit_knee(10e9, credits, size)
    before, after = credit_limited_rate([0.99 * knee, 1.01 * knee], 10e9, credits, size)
    assert before == 10e9 > after


@settings(max_examples=50)
@given(rate=st.floats(1e6, 1e11), rtt=st.floats(1e-4, 0.5), size=st.floats(100, 1e7))
def test_the_credits_needed_are_enough_and_one_less_is_not(
    rate: float, rtt: float, size: float
) -> None:
    n = credits_needed(rate, rtt, size)
    assert credit_limited_rate([rtt], rate, n, size)[0] == pytest.approx(rate)
    if n > 1:
        assert credit_limited_rate([rtt], rate, n - 1, size)[0] < rate


@pytest.mark.parametrize(
    ("call", "argument", "error"),
    [
        (lambda: credit_limited_rate([0.1, 0], 1, 1, 1), "rtt_s", DataError),
        (lambda: credit_limited_rate([0.1], math.inf, 1, 1), "link_rate_bps", InputError),
        (lambda: credit_limited_rate([0.1], 1, 0, 1), "credits", InputError),
        (lambda: credit_knee(1, 1, 0), "credit_bytes", InputError),
        (lambda: credits_needed(0, 1, 1), "rate_bps", InputError),
        (lambda: credits_needed(1, math.nan, 1), "rtt_s", InputError),
    ],
)
def test_wrong_values_are_named(call, argument, error) -> None:
    with pytest.raises(error) as caught:
        call()
    assert getattr(caught.value, "argument", getattr(caught.value, "field", "")) == argument
