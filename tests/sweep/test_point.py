"""One point: run once, claimed, kept; and where points may run."""

import os

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_tools.errors import UnknownNameError
from lab_tools.store import Store
from lab_tools.sweep import Sweep
from lab_tools.sweeping import placement, sweep_frame
from lab_tools.sweeping.journal import NUMBERS, read_journal
from lab_tools.sweeping.point import (
    CLAIMED,
    FAILED,
    KEPT,
    RAN,
    chosen_testbed,
    claim,
    run_point,
)


@pytest.fixture
def fake(tmp_path):
    import sweep_fake

    return sweep_fake.FakeTestbed(str(tmp_path))


def run(fake, folder, stopped=lambda: False):
    import sweep_fake

    return run_point(sweep_fake.BASE.to_dict(), fake, str(folder), stopped)


def test_a_point_runs_once(fake, tmp_path):
    assert [run(fake, tmp_path).state for _ in range(3)] == [RAN, KEPT, KEPT]
    assert [what for what, _ in read_journal(tmp_path)] == ["started", "kept"]


def test_a_point_that_another_process_runs_is_left_to_it(fake, tmp_path):
    import sweep_fake

    store = Store(tmp_path)
    with claim(store, sweep_fake.BASE, "fake") as mine:
        assert mine
        assert run(fake, tmp_path).state == CLAIMED
        store.put(sweep_fake.record_of(sweep_fake.BASE))
        assert run(fake, tmp_path).state == KEPT
    assert read_journal(tmp_path) == []


def test_a_failure_says_why_and_leaves_no_record(tmp_path):
    import sweep_fake

    for fake in (
        sweep_fake.FakeTestbed(str(tmp_path), fails=(1,)),
        sweep_fake.FakeTestbed(str(tmp_path), breaks=(1,)),
    ):
        outcome = run(fake, tmp_path)
        assert outcome.state == FAILED
        assert "not liked" in outcome.error or "ZeroDivisionError" in outcome.error
    assert Store(tmp_path).get(sweep_fake.BASE, "fake") is None


def test_a_point_that_nobody_waits_for_stops(tmp_path):
    import sweep_fake

    asked = iter([False, False, True])
    (tmp_path / "begun").touch()
    fake = sweep_fake.FakeTestbed(str(tmp_path), gated=(1,))
    assert "stopped" in run(fake, tmp_path, lambda: next(asked)).error
    assert Store(tmp_path).get(sweep_fake.BASE, "fake") is None


def test_a_store_that_cannot_be_written_is_told(fake, tmp_path):
    (tmp_path / "store").write_text("")
    assert "cannot be written" in run(fake, tmp_path / "store").error


def test_testbeds_come_by_name_or_as_they_are(fake):
    assert chosen_testbed(fake) is fake
    assert chosen_testbed("virtual").name == "virtual"
    with pytest.raises(UnknownNameError):
        chosen_testbed("moon")


@given(st.lists(st.integers(1, 100), max_size=50), st.integers(1, 16), st.integers(1, 200))
def test_kernels_never_need_more_memory_than_there_is(needs, workers, memory):
    stages, too_large = placement.stages(needs, workers, memory)
    placed = [point for stage in stages for point in stage.points]
    assert sorted(placed + too_large) == list(range(len(needs)))
    for stage in stages:
        assert stage.workers * stage.memory_bytes <= memory
        assert 1 <= stage.workers <= workers
        for point in stage.points:
            assert needs[point] <= stage.memory_bytes
            # one worker more would have been one too many
            assert stage.workers == workers or needs[point] * (stage.workers + 1) > memory
    assert all(needs[point] > memory for point in too_large)


def test_numbers_that_were_read_once_are_the_records(fake, tmp_path):
    import dataclasses

    import sweep_fake

    store, sweep = Store(tmp_path), Sweep(sweep_fake.BASE, repeat=2)
    run(fake, tmp_path)
    first = sweep_frame(sweep, store, testbed=fake)
    assert first["goodput_bps"].tolist()[0] == 80e6
    assert first["done"].tolist() == [True, False]
    lines = (tmp_path / NUMBERS).read_text()
    assert len(lines.splitlines()) == 1

    # Half a line, or no file at all, changes nothing.
    (tmp_path / NUMBERS).write_text(lines[:40])
    pd.testing.assert_frame_equal(sweep_frame(sweep, store, testbed=fake), first)
    (tmp_path / NUMBERS).unlink()
    pd.testing.assert_frame_equal(sweep_frame(sweep, store, testbed=fake), first)

    # Another record in its place has other numbers.
    record = dataclasses.replace(sweep_fake.record_of(sweep_fake.BASE), wall_s=7.0)
    os.utime(store.put(record) / "record.json", ns=(1, 1))
    assert sweep_frame(sweep, store, testbed=fake)["wall_s"].tolist()[0] == 7.0
