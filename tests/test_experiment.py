import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_tools.errors import InputError, UnknownNameError
from lab_tools.experiment import CONGESTION_CONTROLS, Experiment, Flow, Host, Path

SMALL_MTU = Path(1e9, 0.1, mtu_bytes=1500)
PLAIN = Experiment(Path(rate_bps=1e9, rtt_s=0.1))

paths = st.builds(
    Path,
    rate_bps=st.floats(1e3, 25e9),
    rtt_s=st.floats(1e-5, 10),
    loss=st.floats(0, 0.99),
    buffer_bdp=st.floats(0.01, 1000),
    mtu_bytes=st.integers(1500, 9000),
)
flows = st.builds(
    Flow, cc=st.sampled_from(CONGESTION_CONTROLS), streams=st.integers(1, 1000),
    mss_bytes=st.none() | st.integers(88, 1460), pacing_bps=st.none() | st.floats(1e3, 25e9),
)  # fmt: skip
experiments = st.builds(
    Experiment, paths, st.builds(Host, offloads=st.booleans()),
    st.lists(flows, min_size=1, max_size=3).map(tuple), seed=st.integers(0, 2**63 - 1),
)  # fmt: skip


@given(experiments)
def test_an_experiment_survives_json(experiment):
    assert Experiment.from_json(experiment.to_json()) == experiment
    assert Experiment.from_json(experiment.to_json()).id == experiment.id


def test_identity_is_that_of_the_canonical_json():
    # the hash is what sha256sum says of the text
    assert PLAIN.to_json() == '{"path":{"rate_bps":1000000000.0,"rtt_s":0.1}}'
    assert PLAIN.id == "df170fdee22dda5f20b9ddf444c9ee8fda5ac788e5e41cf362f66bc4288e1f0e"


def test_whole_numbers_and_floats_have_one_identity():
    assert (
        Experiment(Path(10**9, 0.1), duration_s=20).id
        == Experiment(Path(1e9, 0.1), duration_s=20.0).id
    )


def test_every_field_changes_the_identity():
    changed = [
        PLAIN.replace(**change)
        for change in (
            {"rate_bps": 2e9},
            {"rtt_s": 0.2},
            {"loss": 0.1},
            {"jitter_s": 0.01},
            {"buffer_bdp": 2.0},
            {"buffer_bytes": 50_000},
            {"qdisc": "red"},
            {"mtu_bytes": 1500},
            {"sndbuf_bytes": 65536},
            {"rcvbuf_bytes": 65536},
            {"offloads": True},
            {"cc": "reno"},
            {"streams": 2},
            {"mss_bytes": 1460},
            {"pacing_bps": 1e6},
            {"start_s": 1.0},
            {"duration_s": 20.0},
            {"omit_s": 1.0},
            {"sample_interval_s": 0.2},
            {"seed": 2},
        )
    ]  # fmt: skip
    assert len({PLAIN.id, *(each.id for each in changed)}) == len(changed) + 1


@pytest.mark.parametrize(
    ("field", "build"),
    [
        ("rate_bps", lambda: Path(-1.0, 0.1)),
        ("rate_bps", lambda: Path(200e9, 0.1)),
        ("rate_bps", lambda: Path("fast", 0.1)),
        ("rtt_s", lambda: Path(1e9, 0)),
        ("rtt_s", lambda: Path(1e9, float("nan"))),
        ("loss", lambda: Path(1e9, 0.1, loss=1.5)),
        ("buffer_bytes", lambda: Path(1e9, 0.1, buffer_bytes=1000)),
        ("buffer_bdp", lambda: Path(1e9, 0.1, buffer_bdp=0)),
        ("qdisc", lambda: Path(1e9, 0.1, qdisc="magic")),
        ("mtu_bytes", lambda: Path(1e9, 0.1, mtu_bytes=100)),
        ("cc", lambda: Flow(cc="cubik")),
        ("streams", lambda: Flow(streams=0)),
        ("streams", lambda: Flow(streams=True)),
        ("mss_bytes", lambda: Experiment(SMALL_MTU, flows=(Flow(mss_bytes=1461),))),
        ("duration_s", lambda: Experiment(Path(1e9, 0.1), duration_s=0)),
        ("omit_s", lambda: Experiment(Path(1e9, 0.1), duration_s=5, omit_s=5)),
        ("start_s", lambda: Experiment(Path(1e9, 0.1), flows=(Flow(start_s=11),))),
        ("seed", lambda: Experiment(Path(1e9, 0.1), seed=-1)),
        ("flows", lambda: Experiment(Path(1e9, 0.1), flows=())),
        ("offloads", lambda: Host(offloads=1)),
        ("rcvbuf_bytes", lambda: Host(rcvbuf_bytes=1)),
    ],
)  # fmt: skip
def test_bad_values_are_refused_by_name(field, build):
    with pytest.raises(InputError) as caught:
        build()
    assert caught.value.field == field


def test_toml_with_units(tmp_path):
    file = tmp_path / "e.toml"
    file.write_text(
        'duration_s = "20 s"\n[path]\nrate_bps = "10 Gbit/s"\nrtt_s = "100 ms"\nloss = "1/22000"\n'
        '[[flows]]\ncc = "htcp"\nstreams = 4\n'
    )
    wanted = Experiment(Path(10e9, 0.1, loss=1 / 22000), flows=(Flow("htcp", 4),), duration_s=20.0)
    assert Experiment.from_toml(file) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[path]\nrate_bps = 1e9\nrtt_s = 0.1\nspeed = 3\n", "key = 'speed'"),
        ("speed = 3\n[path]\nrate_bps = 1e9\nrtt_s = 0.1\n", "key = 'speed'"),
        ("[path]\nrtt_s = 0.1\n", "rate_bps = None"),
        ("path = 3\n", "table of fields"),
        ("[path]\nrate_bps = 1e9\nrtt_s = 0.1\n[flows]\ncc = 'reno'\n", "list of tables"),
        ("not toml", "TOML file"),
    ],
)
def test_bad_toml_is_refused(tmp_path, text, message):
    file = tmp_path / "e.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        Experiment.from_toml(file)


def test_a_missing_toml_is_refused(tmp_path):
    with pytest.raises(InputError, match="readable file"):
        Experiment.from_toml(tmp_path / "none.toml")


def test_replace_refuses_unknown_fields_and_many_flows():
    with pytest.raises(UnknownNameError, match="speed"):
        PLAIN.replace(speed=3)
    two = dataclasses.replace(PLAIN, flows=(Flow(), Flow()))
    with pytest.raises(InputError, match="flows"):
        two.replace(cc="reno")


def test_buffer_in_bdps_is_never_under_two_packets():
    assert Path(1e6, 0.001).router_buffer_bytes == 2 * 9014
    assert Path(10e9, 0.1).router_buffer_bytes == 125_000_000  # 10 Gb/s x 100 ms / 8
