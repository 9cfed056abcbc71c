"""Networks, cross traffic and cuts as values: what is allowed, and what has which identity."""

import pytest

from lab_tools.errors import InputError
from lab_tools.experiment import Cut, Experiment, Flow, Link, Network, Path, Site

PATH = Path(100e6, 0.02, mtu_bytes=1500)


def test_a_network_survives_json():
    network = Network.ring(4, hosts=2, rtt_s=0.03)
    experiment = Experiment(
        PATH,
        network=network,
        flows=(Flow(source="a1", target="c2"),),
        cross=(Flow(transport="udp", app_limit_bps=1e6, source="b1", target="c1"),),
        cuts=(Cut("a-b", 1, 2, reroute_s=0.5), Cut("d", 3)),
    )
    assert Experiment.from_json(experiment.to_json()) == experiment


def test_units_are_parsed_in_links():
    data = {
        "path": {"rate_bps": "100 Mbit/s", "rtt_s": "20 ms"},
        "network": {
            "sites": [{"name": "a"}, {"name": "b"}],
            "links": [{"left": "a", "right": "b", "rtt_s": "30 ms"}],
        },
        "flows": [{"source": "a1", "target": "b1"}],
    }
    experiment = Experiment.from_dict(data)
    assert experiment.network.links[0].path(experiment.path).rtt_s == 0.03
    assert experiment.network.links[0].path(experiment.path).rate_bps == 100e6


def test_fields_that_are_not_used_rename_no_experiment():
    assert Experiment(PATH).to_json() == (
        '{"path":{"mtu_bytes":1500,"rate_bps":100000000.0,"rtt_s":0.02}}'
    )


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Site("A"),
        lambda: Site("toolong"),
        lambda: Link("a", "a"),
        lambda: Link("a", "b", rate_bps=-1),
        lambda: Network((Site("a"), Site("b"), Site("c")), (Link("a", "b"),)),
        lambda: Network((Site("a"), Site("b")), (Link("a", "b"), Link("b", "a"))),
        lambda: Network((Site("a"), Site("a")), (Link("a", "b"),)),
        lambda: Network((Site("a", 2), Site("a1")), (Link("a", "a1"),)),
        lambda: Network((Site("a"), Site("b")), (Link("a", "x"),)),
        lambda: Network.parking_lot(0),
        lambda: Cut("a", 2, 1),
        lambda: Flow(transport="udp"),
        lambda: Flow(transport="udp", app_limit_bps=1e6, cc="reno"),
        lambda: Flow(transport="sctp"),
        lambda: Flow(on_s=1),
        lambda: Flow(start_s=2, stop_s=1),
        lambda: Experiment(PATH, flows=(Flow(source="x"),)),
        lambda: Experiment(PATH, flows=(Flow(source="h1", rtt_offset_s=0.1),)),
        lambda: Experiment(PATH, network=Network.parking_lot(1)),
        lambda: Experiment(PATH, cuts=(Cut("a-b", 1),)),
        lambda: Experiment(PATH, cuts=(Cut("path", 11),)),
        lambda: Experiment(
            PATH, network=Network.parking_lot(1), flows=(Flow(source="a1", target="a1"),)
        ),
    ],
)
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(InputError) as found:
        wrong()
    assert "must be" in str(found.value)
