"""Records are found by what they are, complete or not at all."""

import os
import resource
import shutil
import threading
import time

import pytest

from lab_tools.errors import CalibrationError, MissingToolError, StoreError
from lab_tools.experiment import Experiment, Path
from lab_tools.record import Check, RunRecord
from lab_tools.running import run
from lab_tools.store import Store
from lab_tools.testbeds.replay import ReplayTestbed, session_file
from tests.test_cli import record_of

EXPERIMENT = Experiment(Path(1e9, 0.01), duration_s=1.0)


def test_a_record_is_found_by_its_experiment(tmp_path):
    store = Store(tmp_path)
    assert store.get(EXPERIMENT, "virtual") is None
    store.put(record_of(EXPERIMENT))
    found = store.get(EXPERIMENT, "virtual")
    assert found.summary() == record_of(EXPERIMENT).summary()
    assert store.get(EXPERIMENT, "dtn") is None
    assert store.get(EXPERIMENT.replace(seed=2), "virtual") is None


def test_putting_twice_replaces_and_leaves_nothing_else(tmp_path):
    store = Store(tmp_path)
    store.put(record_of(EXPERIMENT))
    store.put(record_of(EXPERIMENT))
    assert len(list(store)) == 1
    assert [p.name for p in tmp_path.iterdir()] == [EXPERIMENT.id[:2]]


def test_a_writer_that_fails_leaves_the_old_record(tmp_path, monkeypatch):
    store = Store(tmp_path)
    store.put(record_of(EXPERIMENT))

    def full(self, folder):
        raise StoreError("the disk is full")

    monkeypatch.setattr(RunRecord, "save", full)
    with pytest.raises(StoreError):
        store.put(record_of(EXPERIMENT))
    assert store.get(EXPERIMENT, "virtual") is not None
    assert not list(tmp_path.glob(".writing-*"))


def test_a_full_disk_leaves_the_old_record_and_nothing_else(tmp_path):
    store = Store(tmp_path)
    store.put(record_of(EXPERIMENT))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # files may not grow past 2 kB: the write fails as on a full disk
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
    try:
        with pytest.raises(StoreError, match="Free some space"):
            store.put(record_of(EXPERIMENT))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert store.get(EXPERIMENT, "virtual") is not None
    assert not list(tmp_path.glob(".writing-*"))


def test_readers_see_a_whole_record_while_it_is_replaced(tmp_path):
    store = Store(tmp_path)
    store.put(record_of(EXPERIMENT))
    seen = []

    def write():
        for _ in range(20):
            store.put(record_of(EXPERIMENT))

    writer = threading.Thread(target=write)
    writer.start()
    while writer.is_alive():
        seen += [len(record.flows) for record in [store.get(EXPERIMENT, "virtual")] if record]
    writer.join()
    assert set(seen) == {11}


def test_what_a_killed_writer_left_goes_after_a_day_and_no_sooner(tmp_path):
    store = Store(tmp_path)
    old, young = tmp_path / ".writing-old", tmp_path / ".writing-young"
    for folder in (old, young):
        (folder / "new").mkdir(parents=True)
    yesterday = time.time() - 100_000
    os.utime(old, (yesterday, yesterday))
    store.put(record_of(EXPERIMENT))
    assert not old.exists()
    assert young.exists()


def test_a_partial_record_is_kept_apart(tmp_path):
    store = Store(tmp_path)
    place = store.put_partial(record_of(EXPERIMENT))
    assert RunRecord.load(place).experiment == EXPERIMENT
    assert list(store) == []
    assert store.get(EXPERIMENT, "virtual") is None


def test_a_damaged_record_is_told(tmp_path):
    place = Store(tmp_path).put(record_of(EXPERIMENT))
    (place / "flows.parquet").write_bytes(b"not parquet")
    with pytest.raises(StoreError, match="no readable record"):
        RunRecord.load(place)


def test_the_parquet_files_hold_nothing_of_the_wall_clock(tmp_path):
    record_of(EXPERIMENT).save(tmp_path / "a")
    record_of(EXPERIMENT).save(tmp_path / "b")
    for name in ("flows.parquet", "queue.parquet"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_an_uncalibrated_record_cannot_be_used():
    record = record_of(EXPERIMENT)
    assert record.require_calibrated() is record
    object.__setattr__(record, "calibration", (Check("MSS", "1460 B", "536 B", False),))
    with pytest.raises(CalibrationError, match="asked 1460 B, got 536 B"):
        record.require_calibrated()


def test_goodput_leaves_the_head_out():
    record = record_of(EXPERIMENT.replace(omit_s=0.5))
    assert record.goodput_bps() == pytest.approx(80e6)


def test_replay_answers_with_the_recording_and_plays_its_samples(tmp_path):
    Store(tmp_path).put(record_of(EXPERIMENT))
    samples = []
    record = ReplayTestbed(tmp_path).run(EXPERIMENT, samples.append)
    assert record.experiment == EXPERIMENT
    assert len(samples) == 11
    assert ReplayTestbed(tmp_path).available().available


def test_replay_names_the_nearest_recordings(tmp_path):
    Store(tmp_path).put(record_of(EXPERIMENT))
    with pytest.raises(MissingToolError, match=r"path.rate_bps = 1000000000.0") as caught:
        ReplayTestbed(tmp_path).run(EXPERIMENT.replace(rate_bps=2e9))
    assert EXPERIMENT.id[:12] in str(caught.value)


def test_a_recorded_session_answers_the_commands_that_were_typed(tmp_path):
    file = session_file(tmp_path, EXPERIMENT.path)
    file.parent.mkdir()
    file.write_text('[{"host": "h1", "command": "ping h2", "output": "100 ms", "code": 0}]')
    with ReplayTestbed(tmp_path).session(EXPERIMENT.path) as net:
        assert str(net["h1"].run("ping h2")) == "100 ms"
        with pytest.raises(MissingToolError, match="ping h2"):
            net["h1"].run("rm -rf /")
    with pytest.raises(MissingToolError, match="was recorded"):
        ReplayTestbed(tmp_path).session(Path(2e9, 0.01))


def test_replay_without_recordings_says_so(tmp_path):
    assert not ReplayTestbed(tmp_path).available().available
    with pytest.raises(MissingToolError, match="nor of any other"):
        ReplayTestbed(tmp_path).run(EXPERIMENT)


def test_an_experiment_runs_only_once(tmp_path, monkeypatch):
    recordings, store = tmp_path / "recordings", Store(tmp_path / "store")
    Store(recordings).put(record_of(EXPERIMENT))
    monkeypatch.setenv("LAB_RECORDINGS", str(recordings))
    run(EXPERIMENT, testbed="replay", store=store)
    shutil.rmtree(recordings)
    for testbed in ("virtual", "replay"):
        assert run(EXPERIMENT, testbed=testbed, store=store).experiment == EXPERIMENT
