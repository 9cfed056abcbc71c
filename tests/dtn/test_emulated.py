"""A long, lossy path emulated on the hosts: needs netem and more congestion controls."""

import subprocess

import pytest

from lab_tools.experiment import Experiment, Flow, Path
from lab_tools.testbeds.dtn.testbed import DtnTestbed


@pytest.fixture
def everything(pair, tmp_path):
    """Return a testbed that may change everything, on a kernel that can."""
    try:
        pair.on("h1", "tc", "qdisc", "add", "dev", "lo", "root", "netem")
    except subprocess.CalledProcessError:
        pytest.skip("this kernel has no netem: `test_inside.py` runs it inside the project's own")
    pair.on("h1", "tc", "qdisc", "del", "dev", "lo", "root")
    return DtnTestbed(pair.inventory(tmp_path / "dtn.toml", silence_s=10))


def test_a_long_lossy_path_is_what_was_asked_for(pair, untouched, everything):
    path = Path(rate_bps=20e6, rtt_s=0.05, loss=0.01, mtu_bytes=1500)
    flows = (Flow(cc="htcp"), Flow(cc="scalable", streams=2))
    experiment = Experiment(path, flows=flows, duration_s=3.0)
    record = everything.run(experiment)
    record.require_calibrated()
    checks = {check.name: check for check in record.calibration}
    assert {"random loss", "bottleneck rate", "router buffer", "congestion control"} <= set(checks)
    assert record.counters["congestion_control"] == ["htcp", "scalable"]
    assert record.counters["achieved_rtt_s"] == pytest.approx(0.05, rel=0.1)
    # every packet that the bucket or the wire lost was sent again, but for the last window
    lost = record.counters["random_losses"] + record.bottleneck_drops
    assert 0 < record.retransmits <= 2 * lost
    assert 0 < record.goodput_bps() < path.rate_bps
    # half of the delay is on each host
    for name in ("h1", "h2"):
        delay = record.counters["queues"][name][0]["options"]["delay"]["delay"]
        assert delay == pytest.approx(0.025, rel=0.05)
