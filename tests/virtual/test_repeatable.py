"""The same experiment and seed give the same bytes; another seed gives other bytes."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lab_tools
from lab_tools.experiment import Experiment, Flow
from lab_tools.experiment import Path as NetworkPath

pytestmark = pytest.mark.kernel

LOSSY = Experiment(
    NetworkPath(rate_bps=100e6, rtt_s=0.05, loss=0.001, mtu_bytes=1500),
    flows=(Flow("cubic", 8),),
    duration_s=4.0,
    seed=7,
)
#: Many programs that would wake at the same moments.
SEVERAL = Experiment(
    NetworkPath(rate_bps=300e6, rtt_s=0.025, mtu_bytes=1500),
    flows=tuple(Flow("reno", 20, rtt_offset_s=offset_s) for offset_s in (0.0, 0.01, 0.02)),
    duration_s=4.0,
    seed=1,
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


@pytest.mark.parametrize("experiment", [LOSSY, SEVERAL], ids=["lossy", "several"])
def test_another_folder_gives_the_same_bytes(testbed, tmp_path, experiment):
    project = tmp_path / "a-folder-with-quite-a-long-name" / "and" / "no" / "compiled-modules"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(lab_tools.__file__).parent, project / "lab_tools", ignore=ignore)
    code = (
        "import sys, lab_tools; from lab_tools.experiment import Experiment;"
        "from lab_tools.testbeds.virtual.testbed import VirtualTestbed;"
        "VirtualTestbed().run(Experiment.from_json(sys.argv[1])).save(sys.argv[2]);"
        "print(lab_tools.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, experiment.to_json(), str(tmp_path / "there")],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(project) in done.stdout
    files = sorted((tmp_path / "there").glob("*.parquet"))
    there = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    assert there == digest(testbed, experiment, tmp_path / "here")


def test_commands_on_a_live_network_repeat_too(testbed):
    commands = ["ping -c 3 10.0.3.2", "ss -tin", "cat /proc/sys/kernel/random/uuid", "date +%N"]

    def outputs():
        with testbed.session(NetworkPath(1e9, 0.03)) as net:
            return [net["h1"].run(command).output for command in commands]

    assert outputs() == outputs()
