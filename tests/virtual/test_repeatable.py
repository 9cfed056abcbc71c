"""The same experiment and seed give the same bytes; another seed gives other bytes."""

import hashlib
import subprocess
import sys

import pytest

from lab_tools.experiment import Experiment, Flow, Path

pytestmark = pytest.mark.kernel

LOSSY = Experiment(
    Path(rate_bps=100e6, rtt_s=0.05, loss=0.001, mtu_bytes=1500),
    flows=(Flow("cubic", 8),),
    duration_s=4.0,
    seed=7,
)


def digest(testbed, experiment, folder):
    testbed.run(experiment).save(folder)
    files = sorted(folder.glob("*.parquet"))
    return [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]


def test_the_same_seed_gives_the_same_bytes_on_a_loaded_machine(testbed, tmp_path):
    first = digest(testbed, LOSSY, tmp_path / "idle")
    spin = [sys.executable, "-c", "while True: pass"]
    load = [subprocess.Popen(spin) for _ in range(4)]
    try:
        second = digest(testbed, LOSSY, tmp_path / "loaded")
    finally:
        for process in load:
            process.kill()
            process.wait()
    assert first == second
    assert len(first) == 2


def test_another_seed_gives_other_bytes(testbed, tmp_path):
    first = digest(testbed, LOSSY, tmp_path / "7")
    other = digest(testbed, LOSSY.replace(seed=8), tmp_path / "8")
    assert first[0] != other[0]


def test_commands_on_a_live_network_repeat_too(testbed):
    commands = ["ping -c 3 10.0.3.2", "ss -tin", "cat /proc/sys/kernel/random/uuid", "date +%N"]

    def outputs():
        with testbed.session(Path(1e9, 0.03)) as net:
            return [net["h1"].run(command).output for command in commands]

    assert outputs() == outputs()
