"""What the closed forms of `lab_tools.models` say of an experiment; computes nothing itself."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from lab_tools import models
from lab_tools.experiment import ETHERNET_HEADER_BYTES, Experiment, Flow

#: Linux advertises half of a receive buffer as window (tcp_adv_win_scale = 1, ip-sysctl.rst).
ADVERTISED = 0.5


class Expected(NamedTuple):
    """A goodput in bit/s, and what sets it, in words; NaN where no closed form says anything."""

    goodput_bps: float
    limit: str


Model = Callable[[Experiment], Expected | float]


def expected(experiment: Experiment) -> Expected:
    """Return the goodput of all flows that closed forms expect, and what limits it.

    The smallest of: the bottleneck's rate without headers; for each stream its pacing, its
    application, its window buffer over the RTT, and, with loss, the response function of its
    congestion control. The slow start and the router's buffer are left out.

    >>> from lab_tools.experiment import Flow, Path
    >>> path = Path(10e9, 0.1, loss=1e-4, mtu_bytes=1500)
    >>> answer = expected(Experiment(path, flows=(Flow("reno"),)))
    >>> round(answer.goodput_bps / 1e6, 1), answer.limit
    (14.1, 'loss (PFTK)')
    """
    segment_bytes = _mss_bytes(experiment, experiment.flows[0])
    efficiency = models.link_efficiency(segment_bytes, link_bytes=ETHERNET_HEADER_BYTES)
    capacity = Expected(float(experiment.path.rate_bps * efficiency), "the bottleneck's rate")
    each = [(flow.streams, _stream(experiment, flow)) for flow in experiment.flows]
    total_bps = sum(streams * one.goodput_bps for streams, one in each)
    if total_bps >= capacity.goodput_bps:
        return capacity
    return Expected(float(total_bps), " and ".join(dict.fromkeys(one.limit for _, one in each)))


def _stream(experiment: Experiment, flow: Flow) -> Expected:
    """Return what limits one stream that has the path to itself."""
    path, host = experiment.path, experiment.host
    rtt_s = path.rtt_s + getattr(flow, "rtt_offset_s", 0.0)
    limits = [Expected(np.inf, "the bottleneck's rate")]
    windows = {
        "the receive buffer": (host.rcvbuf_bytes, ADVERTISED),
        # what the kernel's own bookkeeping takes of it depends on the packets
        "the send buffer, at most": (host.sndbuf_bytes, 1.0),
    }
    for name, (size_bytes, share) in windows.items():
        if size_bytes is not None:
            limits.append(Expected(float(models.buffer_limit(rtt_s, share * size_bytes)), name))
    for name, rate_bps in (("pacing", flow.pacing_bps), ("the application", flow.app_limit_bps)):
        if rate_bps is not None:
            limits.append(Expected(rate_bps, name))
    if path.loss:
        limits.append(_loss_limit(experiment, flow, rtt_s))
    unknown = [limit for limit in limits if np.isnan(limit.goodput_bps)]
    return unknown[0] if unknown else min(limits)


def _loss_limit(experiment: Experiment, flow: Flow, rtt_s: float) -> Expected:
    """Return what random loss leaves to one stream, by its congestion control."""
    path, mss_bytes = experiment.path, _mss_bytes(experiment, flow)
    if getattr(flow, "transport", "tcp") == "udp":
        return Expected(np.inf, "the application")
    if flow.cc == "bbr":
        goodput = models.bbr_goodput(rtt_s, path.loss, path.rate_bps)
        words = "the bottleneck's rate (BBR)"
        return Expected(
            float(goodput), words if np.isfinite(goodput) else "loss beyond BBR's limit"
        )
    windows = {
        "cubic": lambda: models.cubic_operating_window(rtt_s, path.loss),
        "highspeed": lambda: models.hstcp_mean_window(path.loss),
        "htcp": lambda: models.htcp_mean_window(rtt_s, path.loss),
        "scalable": lambda: models.scalable_operating_window(path.loss),
    }
    if flow.cc in windows:
        goodput = models.window_goodput(windows[flow.cc](), rtt_s, mss_bytes)
        return Expected(float(goodput), f"loss ({flow.cc}'s response function)")
    words = "loss (PFTK)" if flow.cc == "reno" else f"loss (PFTK, made for reno, not {flow.cc})"
    return Expected(float(models.pftk_full(rtt_s, path.loss, mss_bytes)), words)


def _mss_bytes(experiment: Experiment, flow: Flow) -> float:
    """Payload of a full segment: what the MTU leaves, or the flow's own limit without options."""
    from_mtu = float(models.mss_for_mtu(experiment.path.mtu_bytes))
    if flow.mss_bytes is None:
        return from_mtu
    return min(from_mtu, flow.mss_bytes - models.efficiency.TIMESTAMP_BYTES)
