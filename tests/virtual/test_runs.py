"""What one run on the virtual-time kernel must be, whatever it measures."""

import math

import pytest

from lab_tools.experiment import Experiment, Flow, Host, Path
from lab_tools.record import RunRecord

pytestmark = pytest.mark.kernel

SMALL = Experiment(Path(rate_bps=100e6, rtt_s=0.05), duration_s=5.0, omit_s=2.0)


@pytest.fixture(scope="module")
def samples():
    return []


@pytest.fixture(scope="module")
def record(testbed, samples):
    return testbed.run(SMALL, samples.append)


def test_it_is_what_was_asked_for(record):
    record.require_calibrated()
    assert record.experiment == SMALL
    assert record.clock == "virtual"
    assert record.counters["achieved_rtt_s"] == pytest.approx(0.05, rel=1e-3)
    assert record.counters["congestion_control"] == ["cubic"]
    assert record.counters["drops_outside_bottleneck"] == 0


def test_goodput_is_the_share_of_the_segment_in_the_frame(record):
    # 9000-byte packets: 8948 bytes of data (timestamps) in frames of 9014 bytes
    assert record.goodput_bps() == pytest.approx(100e6 * 8948 / 9014, rel=0.01)


def test_no_data_passes_faster_than_the_bottleneck(record):
    root = record.queue[record.queue["kind"] == "tbf"]
    sent_bps = root["sent_bytes"].diff().dropna() * 8 / SMALL.sample_interval_s
    burst_bps = 2 * 9014 * 8 / SMALL.sample_interval_s
    assert sent_bps.max() <= 100e6 + burst_bps


def test_the_queue_never_exceeds_the_buffer(record):
    assert 0 < record.queue["backlog_bytes"].max() <= SMALL.path.router_buffer_bytes + 9014


def test_samples_arrive_while_it_runs(record, samples):
    assert [s.time_s for s in samples] == pytest.approx([0.1 * k for k in range(51)])
    assert sum(s.goodput_bps for s in samples) * 0.1 == pytest.approx(
        record.flows["bytes_received"].max() * 8
    )


def test_the_trace_is_whole(record):
    assert len(record.flows) == 51
    assert (record.flows["bytes_received"].diff().dropna() >= 0).all()
    assert (record.flows["bytes_acked"] - record.flows["bytes_received"]).max() <= 10
    assert record.flows["rtt_s"].iloc[1:].min() >= 0.05


def test_a_record_survives_the_disk(record, tmp_path):
    record.save(tmp_path / "r")
    again = RunRecord.load(tmp_path / "r")
    assert again.summary() == record.summary()
    assert again.flows.equals(record.flows)
    assert again.queue.equals(record.queue)


@pytest.mark.parametrize("cc", ["cubic", "reno", "htcp", "scalable", "highspeed", "bbr", "vegas"])
def test_the_record_proves_the_congestion_control(testbed, cc):
    record = testbed.run(SMALL.replace(cc=cc, duration_s=2.0, omit_s=0.0))
    record.require_calibrated()
    assert record.counters["congestion_control"] == [cc]
    assert record.goodput_bps() > 10e6
    assert record.flows["bbr_bw_bps"].notna().any() == (cc == "bbr")


def test_mss_pacing_buffers_and_start_are_what_was_asked_for(testbed):
    experiment = Experiment(
        Path(rate_bps=100e6, rtt_s=0.02, mtu_bytes=1500, buffer_bytes=60_000),
        Host(rcvbuf_bytes=2_000_000, sndbuf_bytes=2_000_000),
        (Flow("reno", 2, mss_bytes=1000, pacing_bps=10e6), Flow("cubic", start_s=1.0)),
        duration_s=3.0,
    )
    record = testbed.run(experiment).require_calibrated()
    first, second = (record.flows[record.flows["flow"] == n] for n in (0, 1))
    assert first["mss_bytes"].max() == 988  # 1000 less 12 bytes of timestamps
    assert second["mss_bytes"].max() == 1448
    assert second[second["time_s"] <= 1.0]["bytes_acked"].max() <= 1
    # two streams paced at 10 Mbit/s each, headers and timestamps included in the pacing
    assert record.goodput_bps(0) <= 20e6
    assert record.queue["backlog_bytes"].max() <= 60_000


def test_the_socket_buffer_limits_the_flow(testbed):
    # Linux advertises half of the receive buffer, so the window is 0.5 MB: 40 Mbit/s at 100 ms
    experiment = Experiment(
        Path(rate_bps=100e6, rtt_s=0.1, mtu_bytes=1500),
        Host(rcvbuf_bytes=1_000_000),
        duration_s=6.0,
        omit_s=3.0,
    )
    record = testbed.run(experiment).require_calibrated()
    window_bytes = record.flows["snd_wnd_bytes"].iloc[-1]
    assert window_bytes == pytest.approx(500_000, rel=0.15)
    assert record.goodput_bps() == pytest.approx(window_bytes * 8 / 0.1, rel=0.05)


def test_random_loss_is_that_of_the_path(testbed):
    experiment = Experiment(
        Path(rate_bps=100e6, rtt_s=0.01, loss=0.01, mtu_bytes=1500),
        flows=(Flow("bbr"),),
        duration_s=10.0,
    )
    record = testbed.run(experiment).require_calibrated()
    losses, trials = record.counters["random_losses"], record.counters["random_loss_trials"]
    assert abs(losses - 0.01 * trials) < 5 * math.sqrt(0.01 * trials)
    assert trials > 10_000
