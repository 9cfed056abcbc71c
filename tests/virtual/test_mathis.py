"""Reno over random loss falls on the line of Mathis et al. (1997), on the real kernel.

Goodput is k MSS / (RTT sqrt(p)) with k between 1.22 (periodic loss) and 1.31 (random loss). The
kernel counts acknowledged segments, so delayed acknowledgements do not slow its growth.
"""

import itertools

import numpy as np
import pytest

from lab_tools.experiment import Experiment, Flow, Path

pytestmark = pytest.mark.kernel

STREAMS = 8
SEGMENT_BYTES = 1448
LOSSES = (1e-4, 1e-3, 1e-2)
RTTS_S = (0.01, 0.05, 0.2)
#: Loss events wanted at each point: the mean of that many sawteeth is good to about 5 %.
EVENTS = 250


def duration_s(rtt_s, loss):
    events_per_s = 1.22 / rtt_s * np.sqrt(loss) * STREAMS
    return float(np.clip(round(EVENTS / events_per_s), 20, 400))


@pytest.fixture(scope="module")
def points(testbed):
    """Return RTT, loss and goodput of a stream in byte/s, one row for each run."""
    rows = []
    for rtt_s, loss in itertools.product(RTTS_S, LOSSES):
        long_s = duration_s(rtt_s, loss)
        experiment = Experiment(
            Path(10e9, rtt_s, loss=loss, mtu_bytes=1500),
            flows=(Flow("reno", STREAMS),),
            duration_s=long_s,
            omit_s=long_s / 4,
            sample_interval_s=1.0,
        )
        record = testbed.run(experiment).require_calibrated()
        rows.append((rtt_s, loss, record.goodput_bps() / 8 / STREAMS))
    return np.array(rows)


def test_exponents_of_rtt_and_loss(points):
    logs = np.log(points)
    design = np.column_stack([np.ones(len(logs)), logs[:, :2]])
    (_, of_rtt, of_loss), *_ = np.linalg.lstsq(design, logs[:, 2], rcond=None)
    assert of_rtt == pytest.approx(-1.0, abs=0.05)
    assert of_loss == pytest.approx(-0.5, abs=0.05)


def test_constant(points):
    rtt_s, loss, goodput = points.T
    k = goodput * rtt_s * np.sqrt(loss) / SEGMENT_BYTES
    assert 0.85 * 1.22 <= np.exp(np.log(k).mean()) <= 1.15 * 1.31
    assert k.min() > 1.0
    assert k.max() < 1.6
