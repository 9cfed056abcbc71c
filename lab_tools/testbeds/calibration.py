"""Compare what an experiment asked for with what the network really was."""

import math
from typing import Any

import pandas as pd

from lab_tools.experiment import IP_TCP_HEADER_BYTES, Experiment
from lab_tools.record import Check
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
) -> tuple[tuple[Check, ...], dict[str, Any]]:
    """Return the calibration checks and the counters that belong into the record.

    Parameters
    ----------
    experiment : what was asked for.
    rtt_s : round-trip times of the idle path, in seconds.
    flows : the flows' trace.
    done : the worker's last event, with the network's counters.
    rtt_tolerance : relative error of the round-trip time that is allowed.
    """
    bottleneck = _bottleneck(done["queues"]["r1"])
    outside, random = _drops(experiment, done)
    used = [stream["cc"] for flow in done["flows"] for stream in flow["streams"]]
    checks = [
        _rtt(experiment, rtt_s, rtt_tolerance),
        _rate(experiment, bottleneck),
        _buffer(experiment, bottleneck),
        _congestion_control(experiment, done["flows"]),
        *_mss(experiment, flows),
        *_pacing(experiment, done["flows"]),
        Check("drops outside the bottleneck", "0", str(outside), outside == 0),
        *_loss(experiment, random),
    ]
    counters = {
        "achieved_rtt_s": min(rtt_s) if rtt_s else None,
        "congestion_control": sorted(set(used)),
        "drops_outside_bottleneck": outside,
        "random_losses": random[0],
        "random_loss_trials": random[1],
        "links": done["links"],
        "queues": done["queues"],
        "sockets": done["flows"],
    }
    return tuple(checks), counters


def _rtt(experiment: Experiment, rtt_s: list[float], tolerance: float) -> Check:
    wanted = experiment.path.rtt_s
    if not rtt_s:
        return Check("round-trip time", show_time(wanted), "no answer to ping", False)
    got = min(rtt_s)
    # ping prints at most three decimals of a millisecond, and a jittered path has no exact RTT
    allowed = tolerance * wanted + 2e-6 + 4 * experiment.path.jitter_s
    return Check(
        "round-trip time", show_time(wanted, 6), show_time(got, 6), abs(got - wanted) <= allowed
    )


def _bottleneck(queues: list[dict[str, Any]]) -> dict[str, Any]:
    return next((q for q in queues if q["kind"] == "tbf"), {})


def _rate(experiment: Experiment, bottleneck: dict[str, Any]) -> Check:
    wanted = experiment.path.rate_bps
    got = bottleneck.get("options", {}).get("rate", 0) * 8.0
    return Check(
        "bottleneck rate", show_rate(wanted), show_rate(got), abs(got - wanted) <= 1e-3 * wanted
    )


def _buffer(experiment: Experiment, bottleneck: dict[str, Any]) -> Check:
    wanted = experiment.path.router_buffer_bytes
    got = _limit_bytes(bottleneck, experiment.path.rate_bps)
    ok = abs(got - wanted) <= max(1e-3 * wanted, experiment.path.frame_bytes)
    return Check("router buffer", show_size(wanted), show_size(got), ok)


def _limit_bytes(bottleneck: dict[str, Any], rate_bps: float) -> float:
    """Return the token bucket's limit, which ``tc`` shows as a limit or as a latency."""
    options = bottleneck.get("options", {})
    if "limit" in options:
        return float(options["limit"])
    # lat is in microseconds: the time to send what the limit holds beyond the burst
    return float(options.get("lat", 0)) * 1e-6 * rate_bps / 8 + float(options.get("burst", 0))


def _congestion_control(experiment: Experiment, sockets: list[dict[str, Any]]) -> Check:
    wanted = [flow.cc for flow in experiment.flows]
    got = [sorted({stream["cc"] for stream in flow["streams"]}) for flow in sockets]
    ok = got == [[cc] for cc in wanted]
    return Check("congestion control", ", ".join(wanted), ", ".join(map("/".join, got)), ok)


def _mss(experiment: Experiment, flows: pd.DataFrame) -> list[Check]:
    checks = []
    for number, flow in enumerate(experiment.flows):
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


def _drops(experiment: Experiment, done: dict[str, Any]) -> tuple[int, tuple[int, int]]:
    """Return the drops outside the bottleneck, and the random losses with their trials."""
    outside = int(done["backlog_drops"])
    losses = trials = 0
    for links in done["links"].values():
        for counts in links.values():
            outside += sum(side["dropped"] + side["errors"] for side in counts.values())
    for node, queues in done["queues"].items():
        for queue in queues:
            if queue["kind"] == "netem":
                if queue.get("options", {}).get("loss-random") or experiment.path.loss:
                    losses += queue["drops"]
                    trials += queue["packets"] + queue["drops"] if queue["drops"] else 0
                else:
                    outside += queue["drops"]
            elif node in ("h1", "h2"):
                outside += queue["drops"]
    return outside, (losses, trials)


def _loss(experiment: Experiment, random: tuple[int, int]) -> list[Check]:
    wanted = experiment.path.loss
    losses, trials = random
    if not wanted or not trials:
        return []
    expected = wanted * trials
    spread = _SIGMAS * math.sqrt(expected * (1 - wanted)) + _SIGMAS
    ok = abs(losses - expected) <= spread
    return [Check("random loss", f"{wanted:.4g}", f"{losses / trials:.4g} of {trials}", ok)]
