"""Measure what an emulated path really is: one function for each thing that can be asked for.

Every function returns the requested value, the measured one, and the tolerance with its reason. All
are run on the virtual testbed, so a table of them is the same to the last digit on every machine.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from lab_tools.experiment import Experiment, Flow, Path
from lab_tools.testbeds.virtual.testbed import VirtualTestbed

#: Bytes of IP and TCP headers with timestamps, and of IP and UDP headers.
TCP_HEADERS, UDP_HEADERS = 52, 28
SIGMAS = 5.0
#: Size of the UDP packets that count losses.
PROBE_BYTES = 1000


@dataclass(frozen=True)
class Cell:
    """One cell of the table."""

    quantity: str
    setting: str
    requested: float
    measured: float
    tolerance: float
    unit: str
    why: str

    @property
    def ok(self) -> bool:
        """Whether the measured value is within the tolerance."""
        return abs(self.measured - self.requested) <= self.tolerance


def rtt(rate_bps: float, rtt_s: float) -> Cell:
    """Idle round-trip time, by ping."""
    with VirtualTestbed().session(Path(rate_bps, rtt_s)) as session:
        got = session["h1"].tool("ping", target="10.0.3.2", count=5, interval_s=0.2)["rtt_s"]
    return Cell(
        "round-trip time",
        f"{rate_bps / 1e6:g} Mbit/s",
        rtt_s * 1e3,
        float(np.median(got)) * 1e3,
        1e-3 * rtt_s * 1e3 + 0.002,
        "ms",
        "0.1 %, and 2 µs for ping's three decimals and its system calls",
    )


def rate(rate_bps: float, rtt_s: float, mtu_bytes: int, *, offloads: bool = False) -> Cell:
    """Rate at which a full queue is emptied, from the token bucket's counters."""
    rounds_s = max(1.0, 12 * rtt_s, 600 * 8 * mtu_bytes / rate_bps)
    # at least 60 frames, so that the queue is never empty where the path holds a few packets only
    path = Path(rate_bps, rtt_s, mtu_bytes=mtu_bytes, buffer_bdp=2)
    path = replace(path, buffer_bytes=max(path.router_buffer_bytes, 60 * path.frame_bytes))
    experiment = Experiment(
        path,
        flows=(Flow("cubic", streams=2),),
        duration_s=2 * rounds_s,
        sample_interval_s=rounds_s / 50,
    ).replace(offloads=offloads)
    queue = VirtualTestbed().run(experiment).queue
    queue = queue[(queue["kind"] == "tbf") & (queue["time_s"] >= rounds_s)]
    sent = queue["sent_bytes"].iloc[-1] - queue["sent_bytes"].iloc[0]
    span_s = queue["time_s"].iloc[-1] - queue["time_s"].iloc[0]
    frames = 4 * (66_000 if offloads else mtu_bytes + 14)
    return Cell(
        "bottleneck rate",
        f"{rtt_s * 1e3:g} ms, MTU {mtu_bytes}{', fast' if offloads else ''}",
        rate_bps / 1e6,
        float(sent) * 8 / span_s / 1e6,
        1e-3 * rate_bps / 1e6 + frames * 8 / span_s / 1e6,
        "Mbit/s",
        "0.1 %, and four frames at the edges of the interval",
    )


def losses(loss: float, seconds: float = 60.0) -> list[Cell]:
    """Mean of the random loss, and its independence from packet to packet, by UDP probes."""
    rate_bps = 8e6
    experiment = Experiment(
        Path(1e9, 0.01, loss=loss, mtu_bytes=1500),
        flows=(Flow(transport="udp", app_limit_bps=rate_bps, mss_bytes=PROBE_BYTES),),
        duration_s=seconds,
        sample_interval_s=0.05,
    )
    flows = VirtualTestbed().run(experiment).flows
    sent = np.diff(flows["bytes_acked"]) / PROBE_BYTES
    received = np.diff(flows["bytes_received"]) / PROBE_BYTES
    # a packet that is on its way at a sample is received in the next interval
    lost = np.cumsum(sent - received)
    total, packets = float(lost[-1]), float(sent.sum())
    each = np.diff(lost, prepend=0.0)[1:]
    expected = experiment.sample_interval_s * rate_bps / 8 / PROBE_BYTES * loss
    dispersion = float(each.var(ddof=1) / (expected * (1 - loss)))
    neighbours = float(np.corrcoef(each[1:], each[:-1])[0, 1])
    return [
        Cell(
            "random loss",
            f"{packets:.0f} UDP packets",
            loss * 100,
            total / packets * 100,
            100 * SIGMAS * np.sqrt(loss * (1 - loss) / packets),
            "%",
            "five standard deviations of a binomial count",
        ),
        Cell(
            "dispersion of losses",
            f"loss {loss:.2%} in 50 ms",
            1.0,
            dispersion,
            SIGMAS * float(np.sqrt((2 + 1 / expected) / each.size)),
            "",
            "variance over that of independent losses, five standard errors",
        ),
        Cell(
            "correlation of losses",
            f"loss {loss:.2%}, neighbouring 50 ms",
            0.0,
            neighbours,
            SIGMAS / float(np.sqrt(each.size)),
            "",
            "five standard errors of a correlation of nothing",
        ),
    ]


def jitter(jitter_s: float, rtt_s: float = 0.05, count: int = 2000) -> list[Cell]:
    """Mean, standard deviation and shape of the delay's distribution, by ping."""
    with VirtualTestbed().session(Path(1e9, rtt_s, jitter_s=jitter_s)) as session:
        tool = session["h1"].tool
        got = tool("ping", target="10.0.3.2", count=count, interval_s=0.01)["rtt_s"]
    times = np.array(got)
    distance = stats.kstest((times - rtt_s) / jitter_s, "norm").statistic
    setting, error_s = f"{count} pings, RTT {rtt_s * 1e3:g} ms", jitter_s / np.sqrt(count)
    return [
        Cell(
            "mean under jitter",
            setting,
            rtt_s * 1e3,
            float(times.mean()) * 1e3,
            (SIGMAS * error_s + 1e-3 * rtt_s) * 1e3,
            "ms",
            "five standard errors, and 0.1 %",
        ),
        Cell(
            "jitter",
            setting,
            jitter_s * 1e3,
            float(times.std(ddof=1)) * 1e3,
            (SIGMAS * error_s / np.sqrt(2) + 0.02 * jitter_s) * 1e3,
            "ms",
            "five standard errors, and 2 % for tc's table of the normal distribution",
        ),
        Cell(
            "distance from normal",
            setting,
            0.0,
            float(distance),
            float(stats.kstwo.isf(1e-4, count)) + 0.01,
            "",
            "Kolmogorov-Smirnov at 1 in 10 000, and 0.01 for tc's table",
        ),
    ]


def reordering(share: float, rtt_s: float = 0.04, count: int = 2000) -> Cell:
    """Share of packets that are sent on at once, without the path's delay, by ping."""
    with VirtualTestbed().session(Path(1e9, rtt_s, reorder=share)) as session:
        tool = session["h1"].tool
        got = tool("ping", target="10.0.3.2", count=count, interval_s=0.01)["rtt_s"]
    early = float(np.mean(np.array(got) < 0.75 * rtt_s))
    return Cell(
        "reordering",
        f"{count} pings",
        share * 100,
        early * 100,
        100 * SIGMAS * np.sqrt(share * (1 - share) / count),
        "%",
        "five standard deviations of a binomial count",
    )


def duplication(share: float, seconds: float = 30.0) -> Cell:
    """Share of packets that arrive twice, by UDP probes."""
    experiment = Experiment(
        Path(1e9, 0.01, duplicate=share, mtu_bytes=1500),
        flows=(Flow(transport="udp", app_limit_bps=8e6, mss_bytes=PROBE_BYTES),),
        duration_s=seconds,
    )
    last = VirtualTestbed().run(experiment).flows.iloc[-1]
    # what is on its way at the end has not arrived: 5 ms of 1000 packets a second
    packets = last["bytes_acked"] / PROBE_BYTES
    twice = last["bytes_received"] / PROBE_BYTES / (packets - 5) - 1
    return Cell(
        "duplication",
        f"{packets:.0f} UDP packets",
        share * 100,
        float(twice) * 100,
        100 * (SIGMAS * np.sqrt(share * (1 - share) / packets) + 2 / packets),
        "%",
        "five standard deviations, and two packets on their way",
    )


def overload(path: Path) -> Experiment:
    """Return a run that keeps the queue full: UDP at 1.5 times the rate."""
    return Experiment(
        replace(path, mtu_bytes=1500),
        flows=(Flow(transport="udp", app_limit_bps=1.5 * path.rate_bps),),
        duration_s=max(2.0, 8 * path.router_buffer_bytes * 8 / path.rate_bps),
        sample_interval_s=0.02,
    )


def buffer(buffer_bytes: int, rate_bps: float = 20e6) -> Cell:
    """Most bytes that the router's queue ever held, under overload."""
    path = Path(rate_bps, 0.01, buffer_bytes=buffer_bytes, mtu_bytes=1500)
    queue = VirtualTestbed().run(overload(path)).queue
    return Cell(
        "router buffer",
        f"{rate_bps / 1e6:g} Mbit/s, overload",
        buffer_bytes / 1e3,
        float(queue["backlog_bytes"].max()) / 1e3,
        1.514,
        "kB",
        "one frame that does not fit any more",
    )


def discipline(qdisc: str, low_s: float, high_s: float) -> Cell:
    """Standing queue of a discipline with one CUBIC flow, as the delay of its mean backlog."""
    path = Path(50e6, 0.02, qdisc=qdisc, buffer_bdp=8, mtu_bytes=1500)
    record = VirtualTestbed().run(Experiment(path, duration_s=20, omit_s=5, seed=3))
    queue = record.queue
    queue = queue[(queue["kind"] == qdisc) & (queue["time_s"] >= 5)]
    delay_s = float(queue["backlog_bytes"].mean()) * 8 / path.rate_bps
    return Cell(
        "standing queue",
        f"{qdisc}, one CUBIC flow, 8 BDP",
        (low_s + high_s) / 2 * 1e3,
        delay_s * 1e3,
        (high_s - low_s) / 2 * 1e3,
        "ms",
        "the discipline's own target (see the table's notes)",
    )
