"""Recovery times and decrease factors of the loss-based congestion controls."""

from collections.abc import Callable

import numpy as np

from benchmarks.fidelity.row import Row, run_all
from lab_tools import models
from lab_tools.analysis.dynamics import Sawtooth, find_sawtooth
from lab_tools.experiment import Experiment, Flow, Path

#: The path holds 693 segments, its router's buffer 208 more.
PATH = Path(500e6, 0.1, buffer_bdp=0.3)
HELD = float(models.window_for(PATH.rate_bps, PATH.rtt_s, PATH.frame_bytes))
FULL = HELD * (1 + PATH.buffer_bdp)
SECONDS = {"reno": 200, "cubic": 100, "htcp": 60, "scalable": 20, "highspeed": 60}
#: Share of the window kept at a loss. H-TCP keeps RTTmin/RTTmax, at most 0.8.
KEPT = {
    "reno": 0.5,
    "cubic": 0.7,
    "htcp": 1 / (1 + PATH.buffer_bdp),
    "scalable": 0.875,
    "highspeed": 1 - float(models.hstcp_decrease(FULL)),
}
#: Growth in segments per round trip, at a window and a time after the loss (CUBIC has a clock).
GROWTH: dict[str, Callable[[float, float], float]] = {
    "reno": lambda window, since_s: 1.0,
    "htcp": lambda window, since_s: (
        2 * (1 - KEPT["htcp"]) * float(models.htcp_increase(since_s, PATH.rtt_s))
    ),
    "scalable": lambda window, since_s: 0.01 * window,
    "highspeed": lambda window, since_s: float(models.hstcp_increase(window)),
}


def recovery_s(cc: str) -> float:
    """Return the time to the next full window, while the queue lengthens the round trips."""
    if cc == "cubic":
        # the longest tooth: after fast convergence the plateau is at 0.85 of the full window
        plateau = (1 + KEPT[cc]) / 2 * FULL
        return float(sum(np.cbrt([(plateau - KEPT[cc] * FULL) / 0.4, (FULL - plateau) / 0.4])))
    time_s, step = 0.0, 0.25
    for window in np.arange(KEPT[cc] * FULL, FULL, step):
        rtt_s = PATH.rtt_s * max(window / HELD, 1)
        time_s += step * rtt_s / GROWTH[cc](window, time_s)
    return time_s


def teeth(cc: str) -> Experiment:
    """One stream alone, long enough for several losses."""
    length_s = SECONDS[cc]
    return Experiment(
        PATH,
        flows=(Flow(cc),),
        duration_s=length_s,
        omit_s=length_s / 4,
        sample_interval_s=length_s / 800,
    )


def rows() -> list[Row]:
    """Return a row for each control's recovery time and decrease factor."""
    records = dict(zip(SECONDS, run_all([teeth(cc) for cc in SECONDS]), strict=True))
    found = {}
    for cc, record in records.items():
        late = record.flows[record.flows["time_s"] >= record.experiment.omit_s]
        found[cc] = find_sawtooth(late["time_s"], late["cwnd_segments"])
    return [_recovery(cc, found[cc]) for cc in SECONDS] + [_kept(cc, found[cc]) for cc in SECONDS]


_RECOVERY_FROM = {
    "reno": "one segment per round trip, RFC 5681",
    "cubic": "cubic of RFC 9438 §4.2 with fast convergence, §4.7; the longest tooth",
    "htcp": "α of Shorten and Leith 2004, integrated",
    "scalable": "1 % per round trip, Kelly 2003",
    "highspeed": "a(w) of RFC 3649, integrated",
}
_RECOVERY_WHY = {
    "reno": "",
    "cubic": "teeth alternate: after a short one, which ends below its plateau, comes a long one",
    "htcp": "a loss is noticed a round trip (0.13 s) late, and the window falls over the next one",
    "scalable": "as H-TCP: one to two round trips pass before the climb begins",
    "highspeed": "Linux takes a(w) from the table's row below the window",
}
_KEPT_FROM = {
    "reno": "RFC 5681",
    "cubic": "RFC 9438 §4.6",
    "htcp": "RTTmin/RTTmax, at most 0.8",
    "scalable": "Kelly 2003",
    "highspeed": "1 − b(w), RFC 3649",
}


def _recovery(cc: str, saw: Sawtooth) -> Row:
    what = f"{cc}: seconds from a full window to the next, {FULL:.0f} segments, 100 to 130 ms"
    measured = float(saw.period_s.max() if cc == "cubic" else np.median(saw.period_s))
    return Row(what, recovery_s(cc), measured, _RECOVERY_FROM[cc], _RECOVERY_WHY[cc])


def _kept(cc: str, saw: Sawtooth) -> Row:
    what = f"{cc}: share of the window kept at a loss"
    return Row(what, float(KEPT[cc]), float(np.median(saw.decrease)), _KEPT_FROM[cc])
