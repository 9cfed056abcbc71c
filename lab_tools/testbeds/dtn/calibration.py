"""Compare what an experiment asked for with what a pair of hosts really was.

The counters of the hosts play the parts of the emulated network: the token bucket on h1 that of the
router, netem that of the wire. Where the real path takes a part, its check is made against what can
be seen from the hosts: the interface's speed in the place of the bottleneck's rate, and nothing in
the place of the router's buffer.
"""

from typing import Any

import pandas as pd

from lab_tools.experiment import Experiment
from lab_tools.record import Check
from lab_tools.testbeds.calibration import calibrate
from lab_tools.testbeds.dtn.inventory import Inventory
from lab_tools.testbeds.dtn.limits import shaped
from lab_tools.testbeds.dtn.plan import Plan, rtt_allowance_s
from lab_tools.units import show_rate

#: Names of the checks that need a router of our own.
_ROUTER = ("bottleneck rate", "router buffer")


def judge(
    experiment: Experiment,
    pair: Inventory,
    facts: dict[str, dict[str, Any]],
    plan: Plan,
    rtt_s: list[float],
    flows: pd.DataFrame,
    done: dict[str, Any],
) -> tuple[tuple[Check, ...], dict[str, Any]]:
    """Return the calibration checks and the counters that belong into the record.

    Parameters
    ----------
    facts : what the agents found.
    plan : what was changed.
    rtt_s : round-trip times of the idle path, in seconds.
    flows : the flows' trace.
    done : what `lab_tools.testbeds.dtn.measure.run_flows` returned.
    """
    links = {name: _passed(done, name) for name in pair.hosts}
    seen = {
        "queues": _parts(done["after"]),
        "links": {name: {pair.hosts[name].interface: link} for name, link in links.items()},
        "backlog_drops": sum(
            done["after"][name]["softnet_drops"] - done["before"][name]["softnet_drops"]
            for name in pair.hosts
        ),
        "flows": done["flows"],
    }
    tolerance = rtt_allowance_s(experiment.path, pair) / experiment.path.rtt_s
    checks, counters = calibrate(experiment, rtt_s, flows, seen, rtt_tolerance=tolerance)
    if not shaped(experiment, pair):
        rate = _line_rate(experiment, facts)
        checks = (checks[0], rate, *(c for c in checks[1:] if c.name not in _ROUTER))
    clocks = done["clocks"]
    counters |= {
        "queues": {name: done["after"][name]["queues"] for name in pair.hosts},
        "clocks": clocks,
        "clock_error_s": sum(each["error_s"] for each in clocks.values()),
        "added_rtt_s": plan.added_rtt_s,
        "notes": list(plan.notes),
        "not_controlled": [] if shaped(experiment, pair) else ["router buffer", "router qdisc"],
    }
    return checks, counters


def _line_rate(experiment: Experiment, facts: dict[str, dict[str, Any]]) -> Check:
    """Return whether both interfaces run at the rate that was asked for, where they tell."""
    wanted = experiment.path.rate_bps
    speeds = [each["link"]["speed_bps"] for each in facts.values()]
    told = [speed for speed in speeds if speed is not None]
    got = show_rate(min(told)) if told else "the interfaces do not tell"
    ok = all(speed >= wanted * (1 - 1e-6) for speed in told)
    return Check("line rate", show_rate(wanted), got, ok)


def _passed(done: dict[str, Any], name: str) -> dict[str, dict[str, int]]:
    """Return what an interface counted during the run."""
    before, after = done["before"][name], done["after"][name]
    return {
        side: {key: after[side][key] - before[side][key] for key in after[side]}
        for side in ("rx", "tx")
    }


def _parts(after: dict[str, dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Give the hosts' queue disciplines the parts of the emulated network's nodes.

    netem counts what the token bucket below it drops as its own: only the rest was lost at random.
    """
    parts: dict[str, list[dict[str, Any]]] = {"r1": [], "r2": [], "h1": [], "h2": []}
    for name, way in (("h1", "r2-eth1"), ("h2", "r2-eth0")):
        queues = after[name]["queues"]
        below = sum(each["drops"] for each in queues if each["kind"] == "tbf")
        for each in queues:
            if each["kind"] == "tbf":
                parts["r1"].append({**each, "dev": "r1-eth1"})
            elif each["kind"] == "netem":
                # with offloads the bucket counts segments, and netem packets of many segments
                lost, sent = max(0, each["drops"] - below), each["packets"] + below
                parts["r2"].append({**each, "drops": lost, "packets": sent, "dev": way})
            elif each.get("root"):
                parts[name].append(each)
    return parts
