"""A sweep is a product of experiments."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import InputError, UnknownNameError
from lab_tools.experiment import Experiment, Flow, Path
from lab_tools.sweep import MAX_POINTS, Sweep

BASE = Experiment(Path(100e6, 0.01), duration_s=1.0)
VALUES = {
    "rtt_s": st.floats(1e-4, 1),
    "cc": st.sampled_from(["cubic", "reno", "bbr", "vegas"]),
    "streams": st.integers(1, 100),
    "loss": st.floats(0, 0.5),
    "offloads": st.booleans(),
    "duration_s": st.floats(0.5, 100),
}


@st.composite
def axes(draw):
    names = draw(st.lists(st.sampled_from(sorted(VALUES)), unique=True, max_size=4))
    return {n: draw(st.lists(VALUES[n], min_size=1, max_size=4, unique=True)) for n in names}


def field(experiment, name):
    homes = (experiment.path, experiment.host, experiment.flows[0], experiment)
    return next(getattr(home, name) for home in homes if hasattr(home, name))


@given(axes(), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_a_sweep_is_the_product_of_its_values_and_seeds(values, repeat):
    sweep = Sweep(BASE, repeat=repeat, **values)
    found = [tuple(field(e, name) for name in (*values, "seed")) for e in sweep]
    seeds = [BASE.seed + k for k in range(repeat)]
    assert sorted(found) == sorted(itertools.product(*values.values(), seeds))
    assert len({e.id for e in sweep}) == len(sweep) == len(found)
    assert Sweep.from_dict(sweep.to_dict()) == sweep


def test_the_first_seed_covers_the_whole_range_first():
    assert [e.seed for e in Sweep(BASE, rtt_s=[0.1, 0.2, 0.3], repeat=2)] == [1, 1, 1, 2, 2, 2]


def test_values_may_be_text_with_units_and_numpy_numbers():
    sweep = Sweep(BASE, rtt_s=["100 ms", "0.2 s"], rate_bps=["1 Gbit/s"], streams=np.arange(1, 3))
    assert dict(sweep.vary) == {"rtt_s": (0.1, 0.2), "rate_bps": (1e9,), "streams": (1, 2)}
    assert all(Experiment.from_json(e.to_json()) == e for e in sweep)


def test_whole_parts_may_be_varied():
    sweep = Sweep(BASE, flows=[(Flow("reno"),), (Flow("reno"), Flow("bbr"))])
    assert [len(e.flows) for e in sweep] == [1, 2]
    assert Sweep.from_dict(sweep.to_dict()) == sweep


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ({"rtt_s": []}, "rtt_s"),
        ({"rtt_s": "100 ms"}, "rtt_s"),
        ({"rtt_s": 0.1}, "rtt_s"),
        ({"rtt_s": [0.1, "100 ms"]}, "rtt_s"),
        ({"rtt_s": ["fast"]}, "rtt_s"),
        ({"rtt_s": [-1.0]}, "rtt_s"),
        ({"cc": ["cubik"]}, "cc"),
        ({"speed": [1]}, "speed"),
        ({"streams": [[1]]}, "streams"),
        ({"seed": [1, 2], "repeat": 2}, "repeat"),
        ({"repeat": 0}, "repeat"),
        ({"repeat": 10**9}, "repeat"),
        ({"streams": itertools.count(1)}, "streams"),
        ({"streams": range(1, 1001), "repeat": 1001}, str(MAX_POINTS)),
        ({"path": [Path(1e9, 0.1), Path(1e9, 0.2)], "rtt_s": [0.1, 0.2]}, "same field"),
    ],
)
def test_what_is_no_sweep_is_refused(values, names):
    with pytest.raises(InputError, match=names):
        Sweep(BASE, **values)


def test_a_combination_that_is_no_experiment_is_named():
    with pytest.raises(InputError, match="jitter_s") as caught:
        Sweep(BASE, rtt_s=[0.1, 0.01], jitter_s=[0.0, 0.02])
    assert "rtt_s = 0.01, jitter_s = 0.02" in caught.value.__notes__[0]


@pytest.fixture
def toml(tmp_path):
    def write(text):
        file = tmp_path / "sweep.toml"
        file.write_text(text)
        return file

    return write


def test_a_file_may_leave_out_of_the_path_what_is_varied(toml):
    text = '[base.path]\nrate_bps = "1 Gbit/s"\n[vary]\nrtt_s = ["10 ms", "0.1 s"]\ncc = ["bbr"]\n'
    sweep = Sweep.from_toml(toml("repeat = 2\n" + text))
    assert [(e.path.rtt_s, e.seed) for e in sweep] == [(0.01, 1), (0.1, 1), (0.01, 2), (0.1, 2)]


@pytest.mark.parametrize(
    "text",
    [
        "not toml",
        "repeat = 1",
        "base = 3",
        "[base]\nduration_s = 1",
        "[base.path]\nrate_bps = 1e9\nrtt_s = 0.1\n[very]\ncc = ['reno']",
        "[base.path]\nrate_bps = 1e9\nrtt_s = 0.1\n[vary]\nbase = [1]",
        "[base.path]\nrate_bps = 1e9\nrtt_s = 0.1\n[vary]\nself = [1]",
        "[base.path]\nrate_bps = 1e9\nrtt_s = 0.1\n[vary]\nrepeat = [1]",
        "vary = 3\n[base.path]\nrate_bps = 1e9\nrtt_s = 0.1",
        "repeat = 'often'\n[base.path]\nrate_bps = 1e9\nrtt_s = 0.1",
    ],
)
def test_a_file_that_is_no_sweep_is_refused(toml, text):
    with pytest.raises(InputError):
        Sweep.from_toml(toml(text))


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(InputError, match="readable"):
        Sweep.from_toml(tmp_path / "none.toml")


def test_a_field_that_is_not_known_is_told_with_those_that_are():
    with pytest.raises(UnknownNameError, match="rtt_s"):
        Sweep.from_dict({"base": BASE.to_dict(), "vary": {"base": [1]}})
