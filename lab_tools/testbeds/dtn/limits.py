"""What a pair of physical hosts cannot do: said before anything is touched."""

from lab_tools.errors import InputError
from lab_tools.experiment import Experiment
from lab_tools.testbeds.dtn.inventory import Inventory
from lab_tools.units import show_rate

_TWO_HOSTS = "the testbeds virtual, mininet and containernet emulate it"


def refuse(experiment: Experiment, pair: Inventory) -> None:
    """Say which part of an experiment the pair cannot do, if there is one.

    Raises
    ------
    InputError : names the field, the value, what is allowed on this pair and why.
    """
    if experiment.network is not None:
        raise InputError("network", "of sites", "left out on a pair of hosts", _TWO_HOSTS)
    if experiment.cuts:
        raise InputError("cuts", len(experiment.cuts), "left out on a pair of hosts", _TWO_HOSTS)
    for flow in experiment.flows + experiment.cross:
        if flow.rtt_offset_s:
            allowed = "0 on a pair of hosts, which has no sender further away"
            raise InputError("rtt_offset_s", flow.rtt_offset_s, allowed, _TWO_HOSTS)
    _rate(experiment, pair)
    _router(experiment, pair)
    _netem(experiment, pair)
    if experiment.path.mtu_bytes > pair.mtu_bytes:
        allowed = f"at most {pair.mtu_bytes}, the MTU of the pair's path (its inventory says so)"
        raise InputError("mtu_bytes", experiment.path.mtu_bytes, allowed)


def shaped(experiment: Experiment, pair: Inventory) -> bool:
    """Whether the rate is below the line's, so that the sender's interface must limit it."""
    return experiment.path.rate_bps < pair.line_rate_bps * (1 - 1e-6)


def _rate(experiment: Experiment, pair: Inventory) -> None:
    line = show_rate(pair.line_rate_bps)
    if experiment.path.rate_bps > pair.line_rate_bps * (1 + 1e-6):
        allowed = f"at most the pair's line rate, {line}"
        raise InputError("rate_bps", experiment.path.rate_bps, allowed)
    if shaped(experiment, pair) and not pair.may("shaping"):
        raise InputError(
            "rate_bps",
            experiment.path.rate_bps,
            f"the pair's line rate, {line} ({pair.line_rate_bps:g} bit/s)",
            "The inventory does not allow 'shaping', which would limit the sender's interface.",
        )


def _router(experiment: Experiment, pair: Inventory) -> None:
    """Refuse a wish for a router: the path's own ones are as they are."""
    path = experiment.path
    if shaped(experiment, pair):
        return
    why = "At the line rate the bottleneck is real equipment, whose buffer nobody can set here."
    if path.qdisc != "droptail":
        raise InputError("qdisc", path.qdisc, "'droptail', the default", why)
    if path.buffer_bytes is not None:
        raise InputError("buffer_bytes", path.buffer_bytes, "left out", why)
    if path.buffer_bdp != 1.0:
        raise InputError("buffer_bdp", path.buffer_bdp, "1.0, the default", why)


def _netem(experiment: Experiment, pair: Inventory) -> None:
    path = experiment.path
    why = "The inventory does not allow 'netem' on the data interfaces."
    for name in ("loss", "jitter_s", "reorder", "duplicate"):
        if getattr(path, name) and not pair.may("netem"):
            raise InputError(name, getattr(path, name), "0 on this pair", why)
    impaired = any(getattr(path, name) for name in ("loss", "jitter_s", "reorder", "duplicate"))
    emulated = impaired or shaped(experiment, pair)
    if impaired and experiment.host.offloads:
        why = "netem on the sending host would lose and delay many segments at once."
        raise InputError("offloads", True, "false where losses are emulated on the hosts", why)
    if experiment.host.qdisc != "noqueue" and emulated:
        allowed = "'noqueue', the default, where a rate or losses are emulated on the hosts"
        raise InputError("qdisc", experiment.host.qdisc, allowed)
    if experiment.host.qdisc != "noqueue" and not pair.may("qdisc"):
        why = "The inventory does not allow 'qdisc'."
        raise InputError("qdisc", experiment.host.qdisc, "'noqueue': the hosts' own", why)
