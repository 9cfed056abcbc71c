"""Senders further away, cross traffic, parking lots and cuts, on the kernel."""

import numpy as np
import pytest

from lab_tools.experiment import Cut, Experiment, Flow, Network, Path
from lab_tools.testbeds.virtual.testbed import VirtualTestbed

pytestmark = pytest.mark.kernel
PATH = Path(20e6, 0.02, mtu_bytes=1500)


def run(**fields):
    record = VirtualTestbed().run(Experiment(PATH, **fields))
    return record.require_calibrated()


def test_a_sender_further_away_has_its_own_round_trip_time():
    record = run(flows=(Flow(app_limit_bps=1e6), Flow(app_limit_bps=1e6, rtt_offset_s=0.06)))
    least = record.flows[record.flows["time_s"] > 1].groupby("flow")["min_rtt_s"].min()
    assert least[0] == pytest.approx(0.02, rel=0.05)
    assert least[1] == pytest.approx(0.08, rel=0.05)


def test_udp_takes_its_constant_share_and_tcp_the_rest():
    record = run(
        cross=(Flow(transport="udp", app_limit_bps=8e6),),
        flows=(Flow("reno", start_s=1),),
        duration_s=15,
        omit_s=5,
    )
    # before TCP begins: what is sent arrives, 8 Mbit/s of payload
    early = record.cross[(record.cross["time_s"] > 0.2) & (record.cross["time_s"] <= 1)]
    assert early["goodput_bps"].mean() == pytest.approx(8e6, rel=0.02)
    # 20 Mbit/s less 8 Mbit/s with its 42 bytes of headers on 1472, less TCP's headers on the rest
    left = (20e6 - 8e6 * 1514 / 1472) * 1448 / 1514
    assert record.goodput_bps() == pytest.approx(left, rel=0.05)
    assert set(record.flows["flow"]) == {0}
    assert set(record.cross["flow"]) == {1}


def test_an_on_off_application_is_on_for_its_part_of_the_time():
    record = run(flows=(Flow(on_s=0.2, off_s=0.2, streams=8, app_limit_bps=1e6),), duration_s=60)
    # eight independent streams, on half of the time: 150 periods each, so within 10 % (5 sigma)
    assert record.goodput_bps() == pytest.approx(8 * 0.5e6, rel=0.1)


def test_a_parking_lot_takes_most_from_who_crosses_most():
    # Kelly's and Mathis's models alike: a flow over n equal hops gets less than each one-hop flow
    record = run(
        network=Network.parking_lot(3),
        flows=(Flow("reno", source="a1", target="d1"),),
        cross=tuple(Flow("reno", source=f"{a}1", target=f"{b}1") for a, b in ("ab", "bc", "cd")),
        duration_s=30,
    )
    last = record.cross.groupby("flow")["bytes_received"].last() * 8 / 30
    assert record.goodput_bps() < last.min() / 2
    # every hop is full: what is left of one hop goes to its own flow
    assert np.all(record.goodput_bps() + last > 0.8 * 20e6)


def test_a_cut_path_carries_nothing_until_it_is_mended():
    record = run(cuts=(Cut("path", 3, 5),), duration_s=10)
    goodput = record.total().set_index("time_s")["goodput_bps"]
    assert goodput.loc[1:3].mean() > 15e6
    assert goodput.loc[3.2:5].max() == 0
    assert goodput.loc[8:].mean() > 15e6
    assert record.counters["cut_drops"] > 0


def test_a_cut_link_is_gone_round_and_a_cut_host_is_not():
    record = run(
        network=Network.ring(3, hosts=2),
        flows=(Flow(source="a1", target="b1"), Flow(source="a2", target="b2")),
        cuts=(Cut("a-b", 3, reroute_s=0.5), Cut("a2", 6)),
        duration_s=12,
    )
    by_flow = record.flows.pivot_table(index="time_s", columns="flow", values="goodput_bps")
    assert by_flow.loc[1:3].sum(axis=1).mean() > 15e6
    assert by_flow.loc[3.2:3.5].sum().sum() == 0
    assert by_flow.loc[6.3:, 1].sum() == 0
    assert by_flow.loc[9:, 0].mean() > 15e6
    # the other way round takes twice as long
    assert record.flows.loc[record.flows["time_s"] > 9, "rtt_s"].min() >= 0.04


def test_the_same_bytes_again_with_everything_at_once():
    experiment = Experiment(
        PATH,
        flows=(Flow(streams=3), Flow("bbr", rtt_offset_s=0.03)),
        cross=(Flow(on_s=0.3, off_s=0.1), Flow(transport="udp", app_limit_bps=2e6)),
        cuts=(Cut("path", 2, 2.5),),
        duration_s=5,
        seed=8,
    )
    one, two = (VirtualTestbed().run(experiment) for _ in range(2))
    assert one.flows.equals(two.flows)
    assert one.cross.equals(two.cross)
    assert one.queue.equals(two.queue)
    assert one.counters == two.counters
