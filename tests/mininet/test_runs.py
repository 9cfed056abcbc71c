"""What one run on this host's kernel must be."""

import pytest

from lab_tools.experiment import Cut, Experiment, Flow, Network, Path

pytestmark = pytest.mark.kernel


def test_many_streams_arrive_whole(testbed, host):
    # a sample of 24 streams is longer than what a pipe keeps in one piece (4096 bytes)
    experiment = Experiment(
        Path(rate_bps=10e6, rtt_s=0.02, mtu_bytes=1500, buffer_bytes=100_000),
        flows=(Flow("cubic", 24), Flow("reno", 1, mss_bytes=1000, start_s=1.0)),
        duration_s=3.0,
        sample_interval_s=0.25,
    )
    samples = []
    record = testbed.run(experiment, samples.append).require_calibrated()
    assert record.counters["congestion_control"] == ["cubic", "reno"]
    assert len(record.flows) == 13 * 25
    assert len(samples) == 13 * 2
    late = record.flows[(record.flows["flow"] == 1) & (record.flows["time_s"] <= 1.0)]
    assert late["bytes_acked"].max() <= 1
    assert record.goodput_bps() <= 10e6


def test_a_network_of_sites_with_a_cut(testbed, host):
    experiment = Experiment(
        Path(rate_bps=5e6, rtt_s=0.02, mtu_bytes=1500),
        flows=(Flow(source="a1", target="c1"),),
        cross=(Flow("reno", source="a1", target="b1"),),
        network=Network.parking_lot(2),
        cuts=(Cut("b-c", at_s=2.0),),
        duration_s=4.0,
    )
    record = testbed.run(experiment).require_calibrated()
    flow, cross = (
        trace.set_index("time_s")["bytes_received"] for trace in (record.flows, record.cross)
    )
    assert flow.loc[1.9] > 0
    # what is beyond the cut still arrives, and then nothing
    assert flow.loc[4.0] == flow.loc[2.5]
    assert cross.loc[4.0] > cross.loc[2.5]


def test_a_kernel_without_the_congestion_control_is_told(testbed, host):
    wanted = Experiment(Path(10e6, 0.02), flows=(Flow("cubic"),), duration_s=1.0)
    # every name is known here: the plan is given one that no kernel has
    object.__setattr__(wanted.flows[0], "cc", "warp")
    with pytest.raises(Exception, match="modprobe -a tcp_warp"):
        testbed.run(wanted)
