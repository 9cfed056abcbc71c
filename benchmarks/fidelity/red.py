"""Reno behind RED: stable at 20 ms, unstable at 200 ms, as the FAST deck says."""

from benchmarks.fidelity.row import Row, run_all
from lab_tools.duality import RedLoop, critical_rtt
from lab_tools.experiment import Experiment, Flow, Path

FLOWS, CAPACITY_PPS, FRAME_BYTES = 50, 9000, 1514
#: RED then drops between 200 and 600 packets of averaged queue, with at most 0.1.
BUFFER_PACKETS = 2400
#: What `tc` makes of these: a slope of 0.1 over 400 packets, an average with weight 2^-8.
LOOP = RedLoop(CAPACITY_PPS, FLOWS, marking_slope=0.1 / 400, averaging_gain=2**-8)


def rows() -> list[Row]:
    """Return how much the queue swings at both round-trip times."""
    rate_bps = CAPACITY_PPS * FRAME_BYTES * 8
    runs = [
        Experiment(
            Path(rate_bps, rtt_s, mtu_bytes=1500, qdisc="red",
                 buffer_bytes=BUFFER_PACKETS * FRAME_BYTES),
            flows=(Flow("reno", streams=FLOWS),), duration_s=90, omit_s=30, sample_interval_s=0.05,
        )
        for rtt_s in (0.02, 0.2)
    ]  # fmt: skip
    near, far = run_all(runs)
    limit_ms = 1000 * critical_rtt(LOOP)
    source = f"deck 002; the linear loop with tc's parameters is stable below {limit_ms:.0f} ms"
    out = []
    for record, said in ((near, "stable"), (far, "unstable: the queue runs empty and full")):
        mean, swing, empty = _swing(record)
        rtt_ms = 1000 * record.experiment.path.rtt_s
        used = record.goodput_bps() / (rate_bps * 1448 / FRAME_BYTES)
        out.append(
            Row(
                f"50 Reno flows behind RED, {rtt_ms:.0f} ms: mean queue, its swing (standard "
                "deviation over mean), time with an empty queue, use of the path",
                said,
                f"{mean:.0f} packets, {swing:.2f}, {empty:.0%}, {used:.0%}",
                source,
                "the RTT is that of the empty path; the queue adds to it",
            )
        )
    return out


def _swing(record) -> tuple[float, float, float]:
    """Return the queue's mean in packets, its relative spread, and the share of empty samples."""
    queue = record.queue
    late = queue[(queue["kind"] == "red") & (queue["time_s"] >= record.experiment.omit_s)]
    packets = late["backlog_bytes"] / FRAME_BYTES
    empty = float((packets < 1).mean())
    return float(packets.mean()), float(packets.std() / packets.mean()), empty
