"""The commands ``lab sweep``: help, bad input, what is in the store, tables."""

import pandas as pd
import pytest
from click.testing import CliRunner

from lab_tools.cli import main
from lab_tools.store import Store
from lab_tools.sweep import Sweep
from lab_tools.sweeping import SweepProgress, sweep_frame

TOML = """
repeat = 2
[base]
duration_s = "1 s"
[base.path]
rate_bps = "100 Mbit/s"
[vary]
rtt_s = ["10 ms", "100 ms"]
cc = ["cubic", "reno"]
"""


def lab(*words, env=None):
    return CliRunner().invoke(main, ["sweep", *map(str, words)], env=env)


@pytest.fixture
def file(tmp_path):
    place = tmp_path / "sweep.toml"
    place.write_text(TOML)
    return place


@pytest.fixture
def half_done(file, tmp_path):
    import sweep_fake

    store = Store(tmp_path / "store")
    for experiment in list(Sweep.from_toml(file))[:4]:
        store.put(sweep_fake.record_of(experiment, "virtual"))
    return store.folder


@pytest.mark.parametrize("words", [[], ["run"], ["show"], ["worker"]])
def test_every_command_has_help(words):
    result = lab(*words, "--help")
    assert result.exit_code == 0
    assert "Usage:" in result.stdout


def test_the_help_shows_a_file_that_is_a_sweep(tmp_path):
    lines = lab("--help").stdout.splitlines()
    first = next(k for k, line in enumerate(lines) if "repeat =" in line)
    last = next(k for k, line in enumerate(lines) if "cc =" in line)
    place = tmp_path / "sweep.toml"
    place.write_text("\n".join(lines[first : last + 1]))
    assert len(Sweep.from_toml(place)) == 60


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["none.toml"], "sweep"),
        (["run", "none.toml"], "sweep"),
        (["FILE", "--testbed", "moon"], "testbed"),
        (["FILE", "--workers", "0"], "workers"),
        (["FILE", "--memory", "much"], "--memory"),
        (["FILE", "--scheduler", "moon"], "--scheduler"),
        (["show", "FILE", "--testbed", "moon"], "testbed"),
        (["worker", "moon"], "ADDRESS"),
        (["worker", "tcp://127.0.0.1:1", "--workers", "0"], "--workers"),
    ],
)
def test_bad_input_ends_in_one_message_and_code_2(words, named, file, tmp_path):
    given = [str(file) if word == "FILE" else word for word in words]
    result = lab(*given, env={"LAB_STORE": str(tmp_path / "store")})
    assert result.exit_code == 2
    assert result.stderr.startswith(f"lab: {named}")
    assert "Traceback" not in result.output


def test_a_store_that_cannot_be_written_is_told_before_the_sweep(file, tmp_path):
    (tmp_path / "store").write_text("")
    result = lab(file, "--store", tmp_path / "store")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_a_missing_kernel_is_told_before_the_sweep(file, tmp_path):
    result = lab(file, "--store", tmp_path / "store", env={"LAB_KERNEL": str(tmp_path)})
    assert result.exit_code == 2
    assert "lab kernel build" in result.stderr


def test_what_is_done_is_shown(file, half_done):
    result = lab("show", file, "--store", half_done)
    assert result.exit_code == 0
    assert "4 of 8 points are done." in result.stderr
    assert len(result.stdout.splitlines()) == 1 + 4
    assert result.stdout.split()[:3] == ["rtt_s", "cc", "seed"]


def test_tables_hold_the_same_as_the_frame(file, half_done, tmp_path):
    csv, parquet = tmp_path / "t.csv", tmp_path / "t.parquet"
    words = ["--store", half_done, "--csv", csv, "--parquet", parquet]
    assert lab("show", file, *words).exit_code == 0
    frame = sweep_frame(Sweep.from_toml(file), Store(half_done))
    assert list(frame["rtt_s"]) == [0.01, 0.01, 0.1, 0.1] * 2
    assert list(frame["done"]) == [True] * 4 + [False] * 4
    assert frame["goodput_bps"].dropna().tolist() == [80e6] * 4
    pd.testing.assert_frame_equal(pd.read_parquet(parquet), frame)
    assert pd.read_csv(csv)["id"].tolist() == frame["id"].tolist()
    result = lab("show", file, "--store", half_done, "--csv", tmp_path / "no" / "t.csv")
    assert result.exit_code == 2
    assert "--csv" in result.stderr


def test_a_complete_sweep_says_so_and_is_quiet_if_asked(file, half_done, tmp_path):
    import sweep_fake

    for experiment in Sweep.from_toml(file):
        Store(half_done).put(sweep_fake.record_of(experiment, "virtual"))
    result = lab(file, "--store", half_done)
    assert result.exit_code == 0
    assert "8 points: 8 were there, 0 ran, 0 failed." in result.stdout
    assert lab("run", file, "--store", half_done, "--quiet").output == ""


def test_replay_answers_a_sweep_and_names_what_was_not_recorded(file, half_done, tmp_path):
    env = {"LAB_RECORDINGS": str(half_done)}
    words = ["--testbed", "replay", "--store", tmp_path / "own", "--workers", "1"]
    result = lab(file, *words, "--csv", tmp_path / "t.csv", env=env)
    assert result.exit_code == 1
    assert result.stderr.count("no recording of this experiment") == 4
    assert "0 were there, 4 ran, 4 failed" in result.stdout
    assert pd.read_csv(tmp_path / "t.csv")["done"].tolist() == [True] * 4 + [False] * 4


def test_progress_in_words():
    assert str(SweepProgress(10, 2, 0, 0, 1.0)) == "2 of 10 points"
    assert (
        str(SweepProgress(10, 2, 3, 1, 80.0)) == "6 of 10 points, 1 failed, about 1 min 20 s left"
    )
    assert str(SweepProgress(2, 1, 1, 0, 5.0)) == "2 of 2 points, 5 s"
