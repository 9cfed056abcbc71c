"""Compare what an experiment asked for with what the network really was."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from lab_tools.experiment import IP_TCP_HEADER_BYTES, Experiment
from lab_tools.path import Path
from lab_tools.record import Check
from lab_tools.testbeds.drops import Drops, count
from lab_tools.testbeds.layout import Layout, lay_out
from lab_tools.testbeds.plan import pings
from lab_tools.units import show_rate, show_size, show_time

#: Every segment carries timestamps: 10 bytes of option and 2 of padding (RFC 7323).
TIMESTAMP_BYTES = 12
#: A count of random losses this many standard deviations from its mean is not chance.
_SIGMAS = 5.0


def calibrate(
    experiment: Experiment,
    rtt_s: list[float],
    flows: pd.DataFrame,
    done: dict[str, Any],
    *,
    rtt_tolerance: float,
    more_rtt_s: Sequence[list[float]] = (),
) -> tuple[tuple[Check, ...], dict[str, Any]]:
    """Return the calibration checks and the counters that belong into the record.

    Parameters
    ----------
    experiment : what was asked for.
    rtt_s : round-trip times of the idle path of the first flow, in seconds.
    flows : the flows' trace.
    done : the worker's last event, with the network's counters.
    rtt_tolerance : relative error of the round-trip time that is allowed.
    more_rtt_s : the same as ``rtt_s`` for the other pairs of hosts, in the order of
        `lab_tools.testbeds.plan.pings`.
    """
    layout = lay_out(experiment)
    drops = count(experiment, layout, done)
    used = [stream["cc"] for flow in done["flows"] for stream in flow["streams"]]
    checks = [
        *_rtts(experiment, [rtt_s, *more_rtt_s], rtt_tolerance),
        *_shapes(experiment, layout, done["queues"]),
        _congestion_control(experiment, done["flows"]),
        *_mss(experiment, flows),
        *_pacing(experiment, done["flows"]),
        Check("drops outside the bottleneck", "0", str(drops.outside), drops.outside == 0),
        *_losses(drops),
    ]
    counters = {
        "achieved_rtt_s": min(rtt_s) if rtt_s else None,
        "congestion_control": sorted(set(used)),
        "drops_outside_bottleneck": drops.outside,
        "random_losses": sum(each.lost for each in drops.random),
        "random_loss_trials": sum(each.trials for each in drops.random),
        "links": done["links"],
        "queues": done["queues"],
        "sockets": done["flows"],
    }
    if experiment.cuts:
        counters["cut_drops"] = drops.cut
    return tuple(checks), counters


def _rtts(experiment: Experiment, rtt_s: list[list[float]], tolerance: float) -> list[Check]:
    wanted = pings(experiment)
    alone = len(wanted) == 1 and experiment.network is None
    return [
        _rtt(
            "round-trip time" if alone else f"round-trip time {ping['source']} to {ping['target']}",
            ping["rtt_s"],
            got,
            # ping prints at most three decimals of a millisecond; a jittered path has no exact RTT
            tolerance * ping["rtt_s"] + 2e-6 + 4 * experiment.path.jitter_s,
        )
        for ping, got in zip(wanted, rtt_s, strict=True)
    ]


def _rtt(name: str, wanted: float, rtt_s: list[float], allowed: float) -> Check:
    if not rtt_s:
        return Check(name, show_time(wanted), "no answer to ping", False)
    got = min(rtt_s)
    return Check(name, show_time(wanted, 6), show_time(got, 6), abs(got - wanted) <= allowed)


def _shapes(experiment: Experiment, layout: Layout, queues: dict[str, Any]) -> list[Check]:
    """Return the rate and the buffer of every bottleneck."""
    checks = []
    for (node, device), path in layout.shaped.items():
        mine = [q for q in queues.get(node, []) if q.get("dev", device) == device]
        bucket: dict[str, Any] = next((q for q in mine if q["kind"] == "tbf"), {})
        names = ["bottleneck rate", "router buffer"]
        if experiment.network is not None:
            names = [f"rate of {device}", f"buffer of {device}"]
        checks += [_rate(names[0], path, bucket), _buffer(names[1], path, bucket)]
    return checks


def _rate(name: str, path: Path, bucket: dict[str, Any]) -> Check:
    wanted, got = path.rate_bps, bucket.get("options", {}).get("rate", 0) * 8.0
    return Check(name, show_rate(wanted), show_rate(got), abs(got - wanted) <= 1e-3 * wanted)


def _buffer(name: str, path: Path, bucket: dict[str, Any]) -> Check:
    wanted, got = path.router_buffer_bytes, _limit_bytes(bucket, path.rate_bps)
    ok = abs(got - wanted) <= max(1e-3 * wanted, path.frame_bytes)
    return Check(name, show_size(wanted), show_size(got), ok)


def _limit_bytes(bottleneck: dict[str, Any], rate_bps: float) -> float:
    """Return the token bucket's limit, which ``tc`` shows as a limit or as a latency."""
    options = bottleneck.get("options", {})
    if "limit" in options:
        return float(options["limit"])
    # lat is in microseconds: the time to send what the limit holds beyond the burst
    return float(options.get("lat", 0)) * 1e-6 * rate_bps / 8 + float(options.get("burst", 0))


def _congestion_control(experiment: Experiment, sockets: list[dict[str, Any]]) -> Check:
    wanted = [flow.cc for flow in experiment.flows + experiment.cross]
    got = [sorted({stream["cc"] for stream in flow["streams"]}) for flow in sockets]
    ok = got == [[cc] for cc in wanted]
    return Check("congestion control", ", ".join(wanted), ", ".join(map("/".join, got)), ok)


def _mss(experiment: Experiment, flows: pd.DataFrame) -> list[Check]:
    checks = []
    for number, flow in enumerate(experiment.flows):
        if flow.transport == "udp":
            continue
        wanted = flow.mss_bytes or experiment.path.mtu_bytes - IP_TCP_HEADER_BYTES
        rows = flows[(flows["flow"] == number) & (flows["bytes_acked"] > 1)]
        got = int(rows["mss_bytes"].max()) + TIMESTAMP_BYTES if len(rows) else 0
        ok = got == wanted or not len(rows)
        checks.append(Check(f"MSS of flow {number}", f"{wanted} B", f"{got} B", ok))
    return checks


def _pacing(experiment: Experiment, sockets: list[dict[str, Any]]) -> list[Check]:
    checks = []
    for number, flow in enumerate(experiment.flows):
        if flow.pacing_bps is None:
            continue
        got = sockets[number]["streams"][0]["pacing_bps"] or math.inf
        ok = abs(got - flow.pacing_bps) <= 8
        name = f"pacing of flow {number}"
        checks.append(Check(name, show_rate(flow.pacing_bps), show_rate(got), ok))
    return checks


def _losses(drops: Drops) -> list[Check]:
    """Return whether as many packets were lost at random as chance allows."""
    checks = []
    for each in drops.random:
        if not each.loss or not each.trials:
            continue
        expected = each.loss * each.trials
        spread = _SIGMAS * math.sqrt(expected * (1 - each.loss)) + _SIGMAS
        got = f"{each.lost / each.trials:.4g} of {each.trials}"
        ok = abs(each.lost - expected) <= spread
        checks.append(Check(each.name, f"{each.loss:.4g}", got, ok))
    return checks
