"""BBR, version 1: its bandwidth, its gain cycle and its ProbeRTT."""

import numpy as np
import pandas as pd

from benchmarks.fidelity.row import Row, run_all
from lab_tools.experiment import Experiment, Flow, Path

SOURCE = "Cardwell and others, ACM Queue 14(5), 2016"


def rows() -> list[Row]:
    """Return the rows about one BBR flow on a clean path and on lossy ones."""
    path = Path(100e6, 0.04, mtu_bytes=1500)
    clean = Experiment(path, flows=(Flow("bbr"),), duration_s=65, omit_s=5, sample_interval_s=0.01)
    lossy = [clean.replace(loss=p, duration_s=40, sample_interval_s=0.5) for p in (0.05, 0.25)]
    record, five, quarter = run_all([clean, *lossy])
    late = record.flows[record.flows["time_s"] >= 5]
    share = path.rate_bps * 1448 / path.frame_bytes
    starts_s, lengths_s = _probes(late)
    gains = sorted(set(late["bbr_pacing_gain"].round(2)))
    return [
        Row("BBR's estimate of a 100 Mbit/s bottleneck, median (Mbit/s of payload)",
            share / 1e6, float(late["bbr_bw_bps"].median()) / 1e6, SOURCE,
            ""),
        Row("pacing gains seen after the start", "0.75, 1, 1.25",
            ", ".join(f"{gain:g}" for gain in gains), SOURCE),
        Row("seconds between two ProbeRTTs", 10.0, float(np.median(np.diff(starts_s))), SOURCE,
            "the ten seconds begin when the last one ended with a new least RTT"),
        Row("seconds at four segments in a ProbeRTT", 0.2 + path.rtt_s,
            float(np.median(lengths_s)), SOURCE + ": 200 ms and at least one round trip",
            "another round trip passes before the packets in flight are down to four"),
        Row("share of the path kept at 5 % random loss", 0.95, five.goodput_bps() / share, SOURCE,
            "ProbeRTT takes 0.28 of every 10 s, and lost probes make some gains of 1.25 fruitless"),
        Row("share of the path kept at 25 % random loss", "nearly nothing: above 1 − 1/1.25 = 20 %",
            f"{quarter.goodput_bps() / share:.3f}", SOURCE),
    ]  # fmt: skip


def _probes(flow: pd.DataFrame) -> tuple[list[float], list[float]]:
    """Return when the window fell to four segments, and for how long it stayed."""
    small = (flow["cwnd_segments"] <= 4).to_numpy()
    time_s = flow["time_s"].to_numpy()
    edges = np.flatnonzero(np.diff(np.r_[False, small, False].astype(int)))
    begins, ends = edges[::2], np.minimum(edges[1::2], len(time_s) - 1)
    return list(time_s[begins]), list(time_s[ends] - time_s[begins])
