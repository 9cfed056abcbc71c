"""From a worker's events to samples and traces, and from counters to a calibration."""

import math

import pytest

from lab_tools.experiment import Experiment, Flow, Path
from lab_tools.host.traffic import FIELDS
from lab_tools.testbeds.calibration import calibrate
from lab_tools.testbeds.collect import Collector

EXPERIMENT = Experiment(Path(100e6, 0.05, mtu_bytes=1500), duration_s=1.0, sample_interval_s=0.5)


def info(**values):
    return [values.get(name, 0) for name in FIELDS]


def pair(k, received, flow=0, **sent):
    common = {"event": "sample", "flow": flow, "k": k, "t": k * 0.5}
    return [
        {
            **common,
            "role": "send",
            "streams": [info(cwnd=10 + k, rtt=50_000, snd_mss=1448, **sent)],
        },
        {**common, "role": "receive", "streams": [info(bytes_received=received)]},
    ]


def test_goodput_is_what_the_receiver_got_in_each_interval():
    samples = []
    collector = Collector(EXPERIMENT, samples.append)
    for event in pair(0, 0) + pair(1, 500_000)[::-1] + pair(2, 1_500_000):
        collector.take(event)
    assert list(collector.flows()["goodput_bps"]) == [0.0, 8e6, 16e6]
    assert [s.time_s for s in samples] == [0.0, 0.5, 1.0]
    assert [s.cwnd_segments for s in samples] == [10, 11, 12]
    assert samples[-1].rtt_s == pytest.approx(0.05)


def test_a_stream_that_is_not_connected_yet_has_received_nothing():
    collector = Collector(EXPERIMENT)
    for event in pair(0, 0):
        if event["role"] == "receive":
            event["streams"] = [None]
        collector.take(event)
    assert list(collector.flows()["bytes_received"]) == [0]


def test_half_a_sample_makes_no_row():
    collector = Collector(EXPERIMENT)
    collector.take(pair(0, 0)[0])
    assert collector.flows().empty


def test_a_sample_of_many_streams_in_several_lines_is_one_sample():
    samples = []
    many = EXPERIMENT.replace(flows=(Flow("bbr", 5),))
    collector = Collector(many, samples.append)
    for event in pair(0, 0) + pair(1, 0):
        sending = event["role"] == "send"
        (stream,) = event.pop("streams")
        extra = {"extra": [[80, 0, 50_000, 256, 512]] * 2} if sending else {}
        for n in range(2):
            collector.take({**event, "streams": [stream] * 2, "goes_on": True} | extra)
            assert not samples or samples[-1].time_s < 0.5 * event["k"] or n == 1
        collector.take({**event, "streams": [stream]} | {k: v[:1] for k, v in extra.items()})
    trace = collector.flows()
    assert list(trace["stream"]) == [0, 1, 2, 3, 4] * 2
    assert [s.cwnd_segments for s in samples] == [50, 55]


def test_the_kernels_units_become_si():
    collector = Collector(EXPERIMENT)
    for event in pair(0, 0, pacing_rate=2**64 - 1, min_rtt=2**32 - 1, busy_time=2_000_000):
        collector.take(event)
    row = collector.flows().iloc[0]
    assert math.isinf(row["pacing_bps"])
    assert math.isnan(row["min_rtt_s"])
    assert row["busy_s"] == 2.0
    assert row["state"] == "open"


def test_the_queues_backlog_reaches_the_samples():
    samples = []
    collector = Collector(EXPERIMENT, samples.append)
    counts = {"queue_packets": 3, "drops": 1, "sent_bytes": 9, "sent_packets": 2}
    qdisc = {"dev": "r1-eth1", "kind": "tbf", "backlog_bytes": 4500, **counts}
    collector.take({"event": "queue", "k": 0, "qdiscs": [qdisc]})
    for event in pair(0, 0):
        collector.take(event)
    assert samples[0].queue_bytes == 4500
    assert list(collector.queue()["backlog_bytes"]) == [4500]


def done(**changes):
    side = {"bytes": 1, "packets": 1, "errors": 0, "dropped": 0}
    tbf = {
        "dev": "r1-eth1",
        "kind": "tbf",
        "drops": 5,
        "packets": 100,
        "options": {"rate": 12_500_000, "lat": 49_758},
    }
    tbf["options"]["burst"] = 3028
    netem = {"dev": "r2-eth1", "kind": "netem", "drops": 0, "packets": 10_000, "options": {}}
    stream = {"cc": "cubic", "maxseg_bytes": 1448, "sndbuf_bytes": 1, "pacing_bps": None}
    event = {
        "backlog_drops": 0,
        "links": {"h1": {"h1-eth0": {"rx": dict(side), "tx": dict(side)}}},
        "queues": {"r1": [tbf], "r2": [netem]},
        "flows": [{"streams": [stream]}],
    }
    for name, value in changes.items():
        event[name] = value
    return event


def verdict(event, experiment=EXPERIMENT, rtt_s=(0.05,)):
    collector = Collector(experiment)
    for each in pair(1, 500_000, bytes_acked=500_000):
        collector.take(each)
    flows = collector.flows()
    checks, _ = calibrate(experiment, list(rtt_s), flows, event, rtt_tolerance=1e-3)
    return {check.name: check.ok for check in checks}


def test_a_run_that_is_as_asked_for_passes():
    assert all(verdict(done()).values())


@pytest.mark.parametrize("rtt_s", [(), (0.0502,), (0.0498,)])
def test_another_round_trip_time_fails(rtt_s):
    assert not verdict(done(), rtt_s=rtt_s)["round-trip time"]


def test_another_congestion_control_fails():
    event = done()
    event["flows"][0]["streams"][0]["cc"] = "reno"
    assert not verdict(event)["congestion control"]


def test_a_drop_outside_the_bottleneck_fails():
    assert not verdict(done(backlog_drops=1))["drops outside the bottleneck"]
    event = done()
    event["links"]["h1"]["h1-eth0"]["rx"]["dropped"] = 2
    assert not verdict(event)["drops outside the bottleneck"]
    event = done()
    event["queues"]["r2"][0]["drops"] = 1
    assert not verdict(event)["drops outside the bottleneck"]


def test_another_rate_or_buffer_fails():
    event = done()
    event["queues"]["r1"][0]["options"]["rate"] = 12_000_000
    assert not verdict(event)["bottleneck rate"]
    assert not verdict(done(queues={"r1": [], "r2": []}))["router buffer"]


@pytest.mark.parametrize(("drops", "ok"), [(100, True), (140, True), (160, False), (40, False)])
def test_random_losses_must_be_within_chance(drops, ok):
    # 1 % of 10 000: 100 +- 10, and five of these
    event = done()
    event["queues"]["r2"][0].update(drops=drops, packets=10_000 - drops)
    experiment = EXPERIMENT.replace(loss=0.01)
    assert verdict(event, experiment)["random loss"] == ok


def test_pacing_and_mss_are_compared():
    experiment = Experiment(
        EXPERIMENT.path,
        flows=(Flow(pacing_bps=8e6, mss_bytes=1000),),
        duration_s=1.0,
        sample_interval_s=0.5,
    )
    event = done()
    event["flows"][0]["streams"][0]["pacing_bps"] = 8_000_000
    found = verdict(event, experiment)
    assert found["pacing of flow 0"]
    assert not found["MSS of flow 0"]
