"""What a pair refuses, and what it changes on the hosts for an experiment."""

import pytest

from lab_tools.errors import InputError
from lab_tools.experiment import Cut, Experiment, Flow, Host, Network, Path
from lab_tools.testbeds.dtn.inventory import CHANGES, SYSCTLS, HostEntry, Inventory
from lab_tools.testbeds.dtn.limits import refuse
from lab_tools.testbeds.dtn.plan import make

LINE = Path(rate_bps=10e9, rtt_s=0.02, mtu_bytes=9000)
FACTS = {
    "congestion_controls": ["cubic", "reno"],
    "sysctl": {"net.ipv4.tcp_rmem": "4096 131072 6291456"},
    "link": {"mtu": 9000, "gso_max_segs": 65535, "qdiscs": ["mq"], "offloads": {}},
}
BOTH = {"h1": FACTS, "h2": FACTS}


def inventory(changes=CHANGES, sysctls=SYSCTLS, **more):
    hosts = [
        HostEntry(f"dtn{n}", "eth1", f"10.0.0.{n}/24", "lab", allowed_sysctls=sysctls,
                  allowed_changes=changes)
        for n in (1, 2)
    ]  # fmt: skip
    return Inventory(*hosts, "192.0.2.0/24", 10e9, 9000, **more)


def without(change):
    return inventory(tuple(each for each in CHANGES if each != change))


def qdiscs(plan, name):
    return [line for step in plan.steps[name] if step["do"] == "qdisc" for line in step["lines"]]


def path(**changes):
    return Experiment(LINE).replace(**changes)


@pytest.mark.parametrize(
    ("experiment", "pair", "field"),
    [
        (path(rate_bps=20e9), inventory(), "rate_bps"),
        (path(rate_bps=1e9), without("shaping"), "rate_bps"),
        (path(qdisc="codel"), inventory(), "qdisc"),
        (path(buffer_bdp=0.5), inventory(), "buffer_bdp"),
        (path(buffer_bytes=10**6), inventory(), "buffer_bytes"),
        (path(loss=0.01), without("netem"), "loss"),
        (path(jitter_s=1e-3), without("netem"), "jitter_s"),
        (path(mtu_bytes=9001), inventory(), "mtu_bytes"),
        (Experiment(LINE, Host(qdisc="fq"), (Flow(),)), without("qdisc"), "qdisc"),
        (Experiment(LINE, Host(offloads=True)).replace(loss=0.01), inventory(), "offloads"),
        (Experiment(LINE, flows=(Flow(rtt_offset_s=0.1),)), inventory(), "rtt_offset_s"),
        (Experiment(LINE, cuts=(Cut("path", 1.0),)), inventory(), "cuts"),
        (
            Experiment(
                LINE, network=Network.parking_lot(1), flows=(Flow(source="a1", target="b1"),)
            ),
            inventory(),
            "network",
        ),
    ],
)
def test_what_a_pair_cannot_do_is_refused(experiment, pair, field):
    with pytest.raises(InputError) as caught:
        refuse(experiment, pair)
    assert caught.value.field == field


def test_the_real_path_alone_needs_no_netem():
    plan = make(path(), inventory(), BOTH, real_rtt_s=0.0201)
    assert qdiscs(plan, "h1") == qdiscs(plan, "h2") == []
    assert plan.added_rtt_s == 0
    assert "keeps its own queue disciplines (mq)" in plan.notes[0]


def test_netem_adds_half_of_what_is_missing_on_each_host():
    plan = make(path(), inventory(), BOTH, real_rtt_s=0.004)
    assert plan.added_rtt_s == pytest.approx(0.016)
    for name in ("h1", "h2"):
        (line,) = qdiscs(plan, name)
        assert "netem" in line
        assert "delay 8000.000us" in line
    assert "netem on h1's and h2's own data interfaces adds 16 ms" in plan.notes[0]


def test_loss_is_in_the_datas_direction_only():
    plan = make(path(loss=0.01), inventory(), BOTH, real_rtt_s=0.004)
    assert "loss 1.0" in qdiscs(plan, "h1")[0]
    assert "loss" not in qdiscs(plan, "h2")[0]


def test_a_lower_rate_is_a_token_bucket_behind_netem():
    experiment = path(rate_bps=1e9, buffer_bytes=10**6)
    netem, bucket = qdiscs(make(experiment, inventory(), BOTH, real_rtt_s=0.02), "h1")
    assert netem.startswith("root handle 1: netem")
    assert bucket.startswith("parent 1:1 handle 2: tbf rate 1000000000bit")
    assert bucket.endswith("limit 1000000")
    *_, aqm = qdiscs(make(experiment.replace(qdisc="codel"), inventory(), BOTH, 0.02), "h1")
    assert aqm.startswith("parent 2:1 handle 10: codel")


def test_without_netem_the_record_says_that_the_bucket_never_fills():
    plan = make(path(rate_bps=1e9), without("netem"), BOTH, real_rtt_s=0.02)
    assert qdiscs(plan, "h1")[0].startswith("root handle 1: tbf")
    assert "TCP small queues keep from ever filling" in plan.notes[0]


@pytest.mark.parametrize("real_rtt_s", [0.1, 0.001])
def test_another_round_trip_time_than_the_real_one_is_refused(real_rtt_s):
    with pytest.raises(InputError, match=r"rtt_s = 0\.02") as caught:
        make(path(), without("netem"), BOTH, real_rtt_s)
    assert ("netem" in str(caught.value)) == (real_rtt_s < 0.02)


def test_buffers_are_the_experiments_own():
    plan = make(Experiment(LINE, Host(rcvbuf_bytes=10**6)), inventory(), BOTH, 0.02)
    values = {step["name"]: step["value"] for step in plan.steps["h2"] if step["do"] == "sysctl"}
    assert values["net.ipv4.tcp_rmem"] == "4096 131072 1000000"


def test_offloads_that_may_not_be_switched_are_refused():
    link = {**FACTS["link"], "offloads": {"tcp-segmentation-offload": "on"}}
    facts = {name: {**FACTS, "link": link} for name in BOTH}
    with pytest.raises(InputError, match="offloads = False") as caught:
        make(path(), without("offloads"), facts, 0.02)
    assert "must be true" in str(caught.value)
    allowed = Experiment(LINE, Host(offloads=True))
    steps = make(allowed, without("offloads"), facts, 0.02).steps["h1"]
    assert {step["do"] for step in steps} == {"sysctl"}
