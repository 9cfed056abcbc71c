from itertools import groupby

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.analysis.queues import (
    backlog_delay,
    bufferbloat,
    burst_lengths,
    loss_burst_lengths,
    queueing_delay,
)
from lab_tools.errors import DataError, InputError


def test_queueing_delay_against_a_given_or_the_smallest_rtt():
    rtt_s = [0.03, 0.02, 0.05]
    assert queueing_delay(rtt_s) == pytest.approx([0.01, 0, 0.03])
    assert queueing_delay(rtt_s, 0.01) == pytest.approx([0.02, 0.01, 0.04])


def test_backlog_delay_of_a_full_bandwidth_delay_product_is_the_rtt():
    rate_bps, rtt_s = 1e9, 0.05
    assert backlog_delay([rate_bps * rtt_s / 8], rate_bps) == pytest.approx([rtt_s])


@pytest.mark.parametrize("bdps", [0.1, 1, 10])
def test_bufferbloat_of_a_lindley_queue_that_a_window_keeps_full(bdps):
    """A window of (1 + n) BDP over a FIFO: a packet is sent when the one a window ago is acked."""
    service_s, propagation_s = 0.001, 0.099
    idle_s = service_s + propagation_s
    window = round((1 + bdps) * idle_s / service_s)
    departures, rtt_s = [], []
    for packet in range(20 * window):
        sent_s = departures[packet - window] + propagation_s if packet >= window else 0.0
        departures.append(max(sent_s, departures[-1] if departures else 0.0) + service_s)
        rtt_s.append(departures[-1] - sent_s + propagation_s)
    bloat = bufferbloat([idle_s] * 10, rtt_s[-window:])
    assert bloat.factor == pytest.approx(1 + bdps)
    assert bloat.increase_s == pytest.approx(bdps * idle_s)


def test_bufferbloat_takes_the_quantile_asked_for():
    loaded = np.linspace(0.1, 0.2, 101)
    assert bufferbloat([0.05, 0.1, 0.3], loaded).loaded_s == pytest.approx(0.195)
    assert bufferbloat([0.05, 0.1, 0.3], loaded, 0.5).factor == pytest.approx(1.5)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(1e-4, 10), min_size=1, max_size=50), st.floats(1e-3, 1e3))
def test_delays_scale_with_the_clock(rtt_s, factor):
    scaled = np.array(rtt_s) * factor
    assert queueing_delay(scaled) == pytest.approx(queueing_delay(rtt_s) * factor, abs=1e-9)
    factors = [bufferbloat(r, r).factor for r in (rtt_s, scaled)]
    assert factors[0] == pytest.approx(factors[1])


def test_bursts_of_a_windowed_sender():
    """Ten windows of 20 packets at line rate, one each 100 ms; paced, every packet is alone."""
    line_s = 12_000 / 1e9
    bursty_s = np.add.outer(np.arange(10) * 0.1, np.arange(20) * line_s).ravel()
    assert burst_lengths(bursty_s, 1.5 * line_s).tolist() == [20] * 10
    paced_s = np.arange(200) * 0.005
    assert burst_lengths(paced_s, 1.5 * line_s).tolist() == [1] * 200


def test_packets_with_one_time_stamp_are_one_burst():
    assert burst_lengths([1.0, 1.0, 1.0, 2.0], 0.1).tolist() == [3, 1]
    assert burst_lengths([1.0], 0.1).tolist() == [1]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.floats(1e-3, 1))
def test_burst_lengths_cover_every_packet_and_merge_as_the_gap_grows(gaps_s, max_gap_s):
    time_s = np.cumsum(gaps_s)
    lengths = burst_lengths(time_s, max_gap_s)
    assert lengths.sum() == time_s.size
    assert lengths.min() >= 1
    assert burst_lengths(time_s, 2 * max_gap_s).size <= lengths.size


@settings(max_examples=100, deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_loss_bursts_are_the_runs_of_ones(lost):
    runs = [len(list(run)) for value, run in groupby(lost) if value]
    assert loss_burst_lengths(lost).tolist() == runs


def test_loss_bursts_of_independent_losses_have_the_geometric_mean():
    lost = np.random.default_rng(5).random(200_000) < 0.3
    assert loss_burst_lengths(lost).mean() == pytest.approx(1 / 0.7, rel=0.01)


def test_bad_data_are_named():
    with pytest.raises(DataError, match=r"^rtt_s has the value 0\.0"):
        queueing_delay([0.0, 0.1])
    with pytest.raises(InputError, match=r"^base_rtt_s = 0\.2 .* at most the smallest sample"):
        queueing_delay([0.1, 0.3], 0.2)
    with pytest.raises(InputError, match=r"^base_rtt_s = 0"):
        queueing_delay([0.1, 0.3], 0)
    with pytest.raises(DataError, match=r"^backlog_bytes has the value"):
        backlog_delay([-1.0], 1e6)
    with pytest.raises(InputError, match=r"^rate_bps = 0"):
        backlog_delay([1.0], 0)
    with pytest.raises(DataError, match=r"^idle_rtt_s has 0 values"):
        bufferbloat([], [0.1])
    with pytest.raises(DataError, match=r"^loaded_rtt_s is nan"):
        bufferbloat([0.1], [np.nan])
    with pytest.raises(InputError, match=r"^quantile = 95"):
        bufferbloat([0.1], [0.1], 95)
    with pytest.raises(DataError, match=r"^time_s goes back at index 2"):
        burst_lengths([0.0, 2.0, 1.0], 0.1)
    with pytest.raises(InputError, match=r"^max_gap_s = 0"):
        burst_lengths([0.0, 1.0], 0)
    with pytest.raises(DataError, match=r"^lost has the value 2"):
        loss_burst_lengths([0, 2])
    with pytest.raises(DataError, match=r"^lost has shape"):
        loss_burst_lengths([[0, 1]])
