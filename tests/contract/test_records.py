"""What a run must hand back, whichever testbed ran it."""

import hashlib
import os

import pytest

from lab_tools.record import FLOW_COLUMNS, QUEUE_COLUMNS
from lab_tools.store import Store

pytestmark = pytest.mark.kernel

#: 1500-byte packets: 1448 bytes of data (timestamps) in frames of 1514 bytes.
DATA_SHARE = 1448 / 1514


@pytest.fixture(scope="module")
def record(measured):
    return measured[0]


@pytest.fixture(scope="module")
def samples(measured):
    return measured[1]


def test_it_is_the_experiment_that_was_asked_for(record, experiment, way, name, request):
    assert record.experiment == experiment
    assert record.experiment.id == experiment.id
    assert record.clock == way.clock
    assert record.testbed == (name if way.live else "virtual")
    assert {"kernel", "lab_tools", "python"} <= set(record.versions)
    clock = os.environ.get("LAB_INSIDE")
    place = f"inside the project's kernel, {clock} clock" if clock else "on this machine"
    ran = f"testbed {name} ran {place}; kernel {record.versions['kernel']}, {record.clock} clock"
    # the end of pytest's output shows it (conftest.py in the project's root)
    request.node.user_properties.append(("contract", ran))


def test_the_store_finds_it(record, experiment, tmp_path):
    store = Store(tmp_path)
    store.put(record)
    again = store.get(experiment, record.testbed)
    assert again.summary() == record.summary()
    assert again.flows.equals(record.flows)
    assert again.queue.equals(record.queue)


def test_the_traces_are_whole(record, experiment):
    assert {name: str(kind) for name, kind in record.flows.dtypes.items()} == FLOW_COLUMNS
    assert {name: str(kind) for name, kind in record.queue.dtypes.items()} == QUEUE_COLUMNS
    times = [round(k * experiment.sample_interval_s, 9) for k in range(41)]
    assert list(record.flows["time_s"]) == times
    assert sorted(set(record.queue["time_s"])) == times
    assert (record.flows["bytes_received"].diff().dropna() >= 0).all()
    assert (record.flows["bytes_acked"].diff().dropna() >= 0).all()
    assert (record.queue["sent_bytes"].diff().dropna() >= 0).all()
    assert (record.flows["cwnd_segments"] > 0).all()


def test_units_are_si(record, experiment):
    path = experiment.path
    assert 0.75 * path.rate_bps < record.goodput_bps() <= 1.02 * path.rate_bps * DATA_SHARE
    # the path's propagation, and a full router in front of it; a busy host's own delay beyond
    rtt_s = record.flows["rtt_s"].iloc[2:]
    assert rtt_s.min() >= path.rtt_s
    assert rtt_s.median() <= path.rtt_s + path.router_buffer_bytes * 8 / path.rate_bps + 0.01
    assert record.flows["mss_bytes"].iloc[-1] == 1448
    assert 0 < record.queue["backlog_bytes"].max() <= path.router_buffer_bytes + path.frame_bytes


def test_bytes_are_counted_alike_at_both_ends(record):
    last = record.flows.iloc[-1]
    # what is on its way when the last sample is taken: at most path, router and what waits in them
    window_bytes = 2 * last["cwnd_segments"] * 1448
    assert abs(last["bytes_received"] - last["bytes_acked"]) <= window_bytes
    root = record.queue[record.queue["kind"] == "tbf"].iloc[-1]
    assert root["sent_bytes"] >= last["bytes_received"]
    assert root["sent_bytes"] * DATA_SHARE == pytest.approx(last["bytes_received"], rel=0.05)


def test_calibration_passes_and_says_what_was_achieved(record, experiment):
    record.require_calibrated()
    names = {check.name for check in record.calibration}
    assert {"round-trip time", "bottleneck rate", "router buffer", "congestion control"} <= names
    rtt_s = experiment.path.rtt_s
    assert rtt_s <= record.counters["achieved_rtt_s"] + 1e-6
    assert record.counters["achieved_rtt_s"] == pytest.approx(rtt_s, rel=0.1)
    assert record.counters["congestion_control"] == ["cubic"]


def test_calibration_fails_on_another_network(testbed, way, liar):
    if not way.planned:
        pytest.skip("this testbed does not build the network from a plan")
    with liar() as asked:
        record = testbed.run(asked)
    wrong = {check.name for check in record.calibration if not check.ok}
    assert {"round-trip time", "bottleneck rate"} <= wrong
    assert not record.calibrated
    assert record.counters["achieved_rtt_s"] == pytest.approx(3 * asked.path.rtt_s, rel=0.1)


def test_samples_arrive_in_order_and_add_up(record, samples):
    assert [s.time_s for s in samples] == list(record.flows["time_s"])
    assert {s.flow for s in samples} == {0}
    received_bits = sum(s.goodput_bps for s in samples) * 0.1
    assert received_bits == pytest.approx(8 * record.flows["bytes_received"].max())
    assert all(s.rtt_s >= 0.02 for s in samples[2:])


def test_the_same_experiment_gives_the_same_bytes(testbed, way, record, experiment, tmp_path):
    if not way.repeats:
        pytest.skip("no two runs in real time are the same")

    def digest(of):
        folder = tmp_path / str(id(of))
        of.save(folder)
        return [hashlib.sha256(f.read_bytes()).digest() for f in sorted(folder.glob("*.parquet"))]

    assert digest(testbed.run(experiment)) == digest(record)
