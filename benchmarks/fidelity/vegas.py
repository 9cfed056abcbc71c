"""Five Vegas flows that join one after another: the FAST deck's table, on the kernel's Vegas."""

import numpy as np
from scipy.optimize import brentq

from benchmarks.fidelity.row import Row, run_all
from lab_tools.duality import vegas_joining
from lab_tools.experiment import Experiment, Flow, Path

CAPACITY_PPS, ALPHA_PPS, PROPAGATION_S, STAGE_S = 6000.0, 2000.0, 0.010, 40.0
#: alpha of 2 packets a millisecond over 10 ms; Linux holds the queue between alpha and beta.
ALPHA_PACKETS = 20
OPTIONS = (f"tcp_vegas.alpha={ALPHA_PACKETS}", f"tcp_vegas.beta={ALPHA_PACKETS + 1}")


def linux_joining(sources: int) -> list[tuple[np.ndarray, float]]:
    """Return rates (packets/s) and queue (packets) by the formula of the kernel's source.

    ``tcp_vegas.c`` compares ``cwnd (RTT − base) / base`` with alpha, so a flow that believes in
    ``base`` sends ``alpha base / (RTT (RTT − base))``; the deck has ``/ RTT`` times base for it.
    """
    believed, table = [], []
    rtt_s = PROPAGATION_S
    for _ in range(sources):
        believed.append(rtt_s)
        base = np.array(believed)

        def rates(rtt: float, base: np.ndarray = base) -> np.ndarray:
            return (ALPHA_PACKETS + 0.5) * base / (rtt * (rtt - base))

        low = base.max() * (1 + 1e-9)
        rtt_s = float(brentq(lambda rtt: rates(rtt).sum() - CAPACITY_PPS, low, 10.0))
        table.append((rates(rtt_s), (rtt_s - PROPAGATION_S) * CAPACITY_PPS))
    return table


def rows() -> list[Row]:
    """Return the queue with one to five flows, and the shares of five."""
    mtu = 1500
    path = Path(
        CAPACITY_PPS * (mtu + 14) * 8, PROPAGATION_S, mtu_bytes=mtu, buffer_bytes=1000 * (mtu + 14)
    )
    flows = tuple(Flow("vegas", start_s=STAGE_S * n) for n in range(5))
    experiment = Experiment(path, flows=flows, duration_s=5 * STAGE_S, sample_interval_s=0.1)
    (record,) = run_all([experiment], OPTIONS)
    published = vegas_joining(CAPACITY_PPS, ALPHA_PPS, PROPAGATION_S, 5)
    linux = linux_joining(5)
    out = []
    for n in range(1, 6):
        end_s = n * STAGE_S
        rates, queue = _settled(record, end_s - 10, end_s, mtu)
        deck, formula = published[n - 1], linux[n - 1]
        what = f"Vegas, {n} flow{'s' if n > 1 else ''}: queue in packets"
        said = f"deck 002's model: {deck.queue_packets:.4g}; the kernel's formula"
        out.append(Row(what, float(formula[1]), queue, said, _WHY))
        if n == 5:
            newest = float(rates[-1] / rates.sum())
            expected = float(formula[0][-1] / formula[0].sum())
            deck_share = deck.rates_pps[-1] / deck.rates_pps.sum()
            said = f"deck 002's model: {deck_share:.3g}; the kernel's formula"
            out.append(Row("Vegas, 5 flows: share of the newest", expected, newest, said, _WHY))
    return out


_WHY = (
    "the kernel divides by the least RTT where the deck divides by the RTT; a newcomer's slow "
    "start and bursts disturb what it takes for the empty path"
)


def _settled(record, begin_s: float, end_s: float, mtu: int) -> tuple[np.ndarray, float]:
    """Return each flow's packets a second and the mean queue in packets in an interval."""
    flows = record.flows
    now = flows[(flows["time_s"] > begin_s) & (flows["time_s"] <= end_s)]
    rates = now.groupby("flow")["goodput_bps"].mean().to_numpy() / 8 / (mtu - 52)
    queue = record.queue
    queue = queue[queue["kind"] == queue["kind"].iloc[0]]
    waiting = queue[(queue["time_s"] > begin_s) & (queue["time_s"] <= end_s)]["backlog_bytes"]
    return rates[rates > 0], float(waiting.mean()) / (mtu + 14)
