"""The command line as a person meets it: help, bad input, answers from the store."""

import json

import pandas as pd
import pytest
from click.testing import CliRunner

from lab_tools.cli import main
from lab_tools.experiment import Experiment, Path
from lab_tools.record import FLOW_COLUMNS, QUEUE_COLUMNS, Check, RunRecord, frame
from lab_tools.store import Store

GOOD = ["--rate", "1 Gbit/s", "--rtt", "10 ms", "--duration", "1 s"]


def lab(*words, env=None):
    return CliRunner().invoke(main, list(words), env=env)


@pytest.fixture
def toml(tmp_path):
    def write(text):
        file = tmp_path / "experiment.toml"
        file.write_text(text)
        return str(file)

    return write


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["--rate", "-1 Gbit/s", "--rtt", "10 ms"], "rate_bps"),
        (["--rate", "1 Gbit/s", "--rtt", "0 ms"], "rtt_s"),
        ([*GOOD, "--cc", "cubik"], "cc"),
        (["--rate", "200 Gbit/s", "--rtt", "10 ms"], "rate_bps"),
        ([*GOOD, "--loss", "150 %"], "loss"),
        ([*GOOD, "--mtu", "1500", "--mss", "8960"], "mss_bytes"),
        ([*GOOD, "--buffer", "1 kB"], "buffer_bytes"),
        ([*GOOD, "--buffer", "x BDP"], "--buffer"),
        (["--rtt", "10 ms"], "--rate"),
        ([*GOOD, "--testbed", "moon"], "testbed"),
    ],
)
def test_bad_options_end_in_one_message_and_code_2(words, field, tmp_path):
    result = lab("run", *words, "--store", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"lab: {field}")
    assert "Traceback" not in result.output
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_an_unknown_key_in_a_file_is_refused(toml, tmp_path):
    file = toml("[path]\nrate_bps = 1e9\nrtt_s = 0.1\nspeed = 9\n")
    result = lab("run", file, "--store", str(tmp_path))
    assert result.exit_code == 2
    assert "key = 'speed'" in result.stderr
    assert "rate_bps" in result.stderr


def test_a_store_that_cannot_be_written_is_told_before_the_run(tmp_path):
    # a file where the folder should be: not even root can write a record there
    (tmp_path / "store").write_text("")
    result = lab("run", *GOOD, "--store", str(tmp_path / "store"))
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr
    assert "LAB_STORE" in result.stderr


def test_a_missing_kernel_is_told(tmp_path):
    result = lab("run", *GOOD, "--store", str(tmp_path), env={"LAB_KERNEL": str(tmp_path)})
    assert result.exit_code == 2
    assert "lab kernel build" in result.stderr
    result = lab("kernel", "info", env={"LAB_KERNEL": str(tmp_path)})
    assert result.exit_code == 2


def test_options_change_what_stands_in_a_file(toml, tmp_path):
    file = toml("[path]\nrate_bps = '1 Gbit/s'\nrtt_s = '10 ms'\n")
    experiment = Experiment(Path(1e9, 0.01)).replace(cc="reno", streams=3, seed=9)
    Store(tmp_path).put(record_of(experiment))
    words = ["--cc", "reno", "--streams", "3", "--seed", "9"]
    result = lab("run", file, *words, "--store", str(tmp_path), "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["id"] == experiment.id


def record_of(experiment):
    """Return a small record: one stream that receives 1 MB in every interval."""
    row = dict.fromkeys(FLOW_COLUMNS, 0)
    rows = [
        row | {"time_s": k * 0.1, "bytes_received": k * 10**6, "goodput_bps": 80e6, "state": "open"}
        for k in range(11)
    ]
    return RunRecord(
        experiment=experiment,
        testbed="virtual",
        clock="virtual",
        versions={"kernel": "test"},
        flows=frame(rows, FLOW_COLUMNS),
        queue=frame(pd.DataFrame(), QUEUE_COLUMNS),
        calibration=(Check("round-trip time", "10 ms", "10 ms", True),),
        counters={"achieved_rtt_s": 0.01},
        wall_s=1.0,
        virtual_s=2.0,
    )


def test_a_stored_record_is_shown_without_a_run(tmp_path):
    experiment = Experiment(Path(1e9, 0.01), duration_s=1.0)
    Store(tmp_path).put(record_of(experiment))
    shown = lab("run", *GOOD, "--store", str(tmp_path), env={"LAB_KERNEL": str(tmp_path)})
    assert shown.exit_code == 0, shown.stderr
    assert "80 Mbit/s" in shown.stdout
    assert "passed" in shown.stdout


def test_a_plot_that_cannot_be_written_is_told(tmp_path):
    Store(tmp_path).put(record_of(Experiment(Path(1e9, 0.01), duration_s=1.0)))
    place = str(tmp_path / "no" / "such" / "plot.html")
    result = lab("run", *GOOD, "--store", str(tmp_path), "--plot", place)
    assert result.exit_code == 2
    assert "--plot" in result.stderr


@pytest.mark.parametrize("words", [[], ["run"], ["kernel"], ["kernel", "build"], ["shell"]])
def test_every_command_has_help(words):
    result = lab(*words, "--help")
    assert result.exit_code == 0
    assert "Usage:" in result.stdout
