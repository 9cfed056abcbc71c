"""Composed transfers: the closed form against the schedule of every block."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.transfer import (
    Stage,
    best_threads,
    block_schedule,
    block_times,
    pipeline_rate,
    stage_rate,
)

XFS_BPS, LUSTRE_BPS, TCP_BPS = 40e9, 32e9, 9e9  # measured peaks of the parts


@settings(max_examples=40, deadline=None)
@given(
    rates=st.lists(st.floats(1.0, 20.0), min_size=1, max_size=4),
    buffers=st.integers(1, 6),
)
def test_closed_form_is_the_rate_of_the_schedule(rates: list[float], buffers: int) -> None:
    stages = [Stage(str(k), 8.0 * rate) for k, rate in enumerate(rates)]
    found = pipeline_rate(stages, flows=1, block_bytes=1.0, buffers=buffers)
    finish = block_schedule(found.block_times_s, blocks=400, buffers=buffers).finish_s[:, -1]
    measured = 8.0 * 240 / (finish[399] - finish[159])  # 240 is a multiple of every cycle 1…6
    assert found.rate_bps == pytest.approx(measured, rel=1e-6)


@settings(max_examples=40)
@given(
    rates=st.lists(st.floats(1.0, 20.0), min_size=1, max_size=4),
    flows=st.integers(1, 8),
    buffers=st.integers(1, 6),
)
def test_a_composition_lies_between_its_harmonic_sum_and_its_slowest_part(
    rates: list[float], flows: int, buffers: int
) -> None:
    stages = [Stage(str(k), rate, contention=0.1) for k, rate in enumerate(rates)]
    alone = [stage_rate(stage, flows) for stage in stages]
    found = pipeline_rate(stages, flows, 1e6, buffers).rate_bps
    assert found <= min(alone) * (1 + 1e-9)
    assert found >= 1 / sum(1 / rate for rate in alone) * (1 - 1e-9)
    assert pipeline_rate(stages, flows, 1e6, buffers + 1).rate_bps >= found


def test_published_parts_composed_with_and_without_overlap() -> None:
    parts = [Stage("read", XFS_BPS), Stage("network", TCP_BPS), Stage("write", LUSTRE_BPS)]
    overlapped = pipeline_rate(parts, 1, 1e6, buffers=8)
    assert overlapped.rate_bps == pytest.approx(TCP_BPS)
    assert overlapped.limited_by == "network"
    in_turns = pipeline_rate(parts, 1, 1e6, buffers=1)
    assert in_turns.rate_bps == pytest.approx(1 / (1 / 40e9 + 1 / 9e9 + 1 / 32e9))
    assert in_turns.limited_by == "buffers"


def test_more_flows_can_speed_each_part_up_and_the_composition_down() -> None:
    """The network alone gains from every flow; the disk's heads start to travel."""
    network = Stage("network", 2e9, rate_limit_bps=9e9)
    disk = Stage("read", 4e9, contention=0.1, coherency=0.05)
    rates = [pipeline_rate([disk, network], n, 1e6, 4).rate_bps for n in (1, 4, 8, 16)]
    assert rates[1] > rates[0]
    assert rates[3] < rates[2] < stage_rate(network, 8)
    assert stage_rate(network, 16) >= stage_rate(network, 8) >= stage_rate(network, 4)


def test_small_blocks_pay_the_overhead() -> None:
    stage = Stage("write", 8e9, block_overhead_s=1e-4)
    # the block sizes of the XDD measurements
    rates = [pipeline_rate([stage], 1, size, 1).rate_bps for size in (8e3, 65e3, 148e3)]
    assert rates == sorted(rates)
    assert rates[0] == pytest.approx(8 * 8e3 / (8e-6 + 1e-4))


def test_block_times_share_the_stage_among_the_flows() -> None:
    stage = Stage("read", 8e6, contention=1.0)  # one thread at a time
    assert block_times([stage], 5, 1e6) == pytest.approx([5.0])


def test_scalability_law_by_hand() -> None:
    stage = Stage("read", 1.0, contention=0.2, coherency=0.01)
    assert stage_rate(stage, 1) == 1.0
    assert stage_rate(stage, 4) == pytest.approx(4 / (1 + 0.6 + 0.12))
    assert stage_rate(Stage("read", 1.0, rate_limit_bps=2.5), 4) == 2.5


@settings(max_examples=50)
@given(contention=st.floats(0.0, 1.0), coherency=st.floats(1e-3, 1.0))
def test_best_number_of_threads_by_trying_all(contention: float, coherency: float) -> None:
    stage = Stage("write", 1.0, contention, coherency)
    best = max(stage_rate(stage, n) for n in range(1, 60))
    assert stage_rate(stage, best_threads(stage)) == pytest.approx(best)


def test_schedule_by_hand() -> None:
    # two stages of 1 and 2 s, two buffers
    schedule = block_schedule([1.0, 2.0], blocks=3, buffers=2)
    assert schedule.start_s.tolist() == [[0, 1], [1, 3], [3, 5]]
    assert schedule.finish_s.tolist() == [[1, 3], [2, 5], [4, 7]]


@settings(max_examples=30)
@given(
    times=st.lists(st.floats(0.1, 5.0), min_size=1, max_size=4),
    buffers=st.integers(1, 5),
)
def test_schedule_never_breaks_its_rules(times: list[float], buffers: int) -> None:
    schedule = block_schedule(times, blocks=12, buffers=buffers)
    start, finish = schedule.start_s, schedule.finish_s
    assert finish - start == pytest.approx(np.tile(times, (12, 1)))
    assert (start[1:] >= finish[:-1]).all()  # one block at a time
    assert (start[:, 1:] >= finish[:, :-1]).all()  # one stage after the other
    for block in range(12):
        under_way = (start[:, 0] <= start[block, 0]) & (finish[:, -1] > start[block, 0])
        assert under_way.sum() <= buffers


@pytest.mark.parametrize(
    ("call", "argument", "error"),
    [
        (lambda: Stage("x", 0.0), "thread_rate_bps", InputError),
        (lambda: Stage("x", 1.0, contention=1.1), "contention", InputError),
        (lambda: Stage("x", 1.0, coherency=-0.1), "coherency", InputError),
        (lambda: Stage("x", 1.0, rate_limit_bps=0.0), "rate_limit_bps", InputError),
        (lambda: Stage("x", 1.0, block_overhead_s=math.nan), "block_overhead_s", InputError),
        (lambda: stage_rate(Stage("x", 1.0), 0), "threads", InputError),
        (lambda: best_threads(Stage("x", 1.0)), "coherency", InputError),
        (lambda: best_threads(Stage("x", 1.0, coherency=1e-30)), "coherency", InputError),
        (lambda: block_times([], 1, 1), "stages", DataError),
        (lambda: block_times([Stage("x", 1.0)], 0, 1), "flows", InputError),
        (lambda: block_times([Stage("x", 1.0)], 1, 0), "block_bytes", InputError),
        (lambda: pipeline_rate([Stage("x", 1.0)], 1, 1, 0), "buffers", InputError),
        (lambda: block_schedule([], 1, 1), "block_times_s", DataError),
        (lambda: block_schedule([1.0, 0.0], 1, 1), "block_times_s", DataError),
        (lambda: block_schedule([1.0], 0, 1), "blocks", InputError),
        (lambda: block_schedule([1.0], 1, 0), "buffers", InputError),
    ],
)
def test_wrong_values_are_named(call, argument, error) -> None:
    with pytest.raises(error) as caught:
        call()
    assert getattr(caught.value, "argument", getattr(caught.value, "field", "")) == argument
