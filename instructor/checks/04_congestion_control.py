"""Checks of lab 04: every expected value is computed again from the student's own records."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from lab_tools.analysis.dynamics import Sawtooth, find_sawtooth
from lab_tools.errors import GradingError
from lab_tools.grading.judge import Result, Submission, task
from lab_tools.models import hstcp_increase
from lab_tools.record import RunRecord

LOSS_BASED = ("reno", "cubic", "htcp", "scalable", "highspeed")
EVERYBODY = (*LOSS_BASED, "bbr", "vegas")
LADDER = ("reno", "cubic", "htcp", "scalable")
SHARES = (0.25, 0.5, 1.0)
RATE_BPS = 500e6
BUFFER_BDP = 0.3
#: Each tolerance is justified in the guide by what was measured over the variants.
#: Room for another tooth, or the mean for the median.
DECREASE_TOLERANCE = 0.01
#: Room for another tooth and, with Reno and HSTCP, for a line through the ends of the tooth alone;
#: the RTT of the empty path is 7 to 18 % away.
GROWTH_TOLERANCE = 0.05
#: Room for another long tooth, and for time counted from the trough and not from the peak.
CUBIC_TOLERANCE = 0.05
#: Room for rounding; the largest of the periods leaves no choice.
RATIO_TOLERANCE = 0.02
#: Room for a line through the first and last point only, and for the rate in the window's place.
EXPONENT_TOLERANCE = 0.02
#: What BBR has to keep, and to lose, as shares of the path; and how far apart the losses may be.
HOLDS, BREAKS, APART = 0.4, 0.2, 0.1


def run(s: Submission, cc: str, share: float = 1.0, **fields: Any) -> RunRecord:
    """Return the student's run of a congestion control alone on the path."""
    rate_bps, rtt_s = share * RATE_BPS, s.variant["rtt_ms"] / 1000
    wanted = {"loss": 0.0, "buffer_bdp": BUFFER_BDP, "buffer_bytes": None, "mtu_bytes": 9000}
    wanted |= fields
    found = s.find(cc=cc, rate_bps=rate_bps, rtt_s=rtt_s, **wanted)
    alone = [r for r in found if r.experiment.streams == 1 and r.experiment.duration_s >= 10]
    if not alone:
        words = ", ".join(f"{name} {value:g}" for name, value in fields.items())
        raise GradingError(
            f"there is no calibrated run of {cc} at {rate_bps / 1e6:g} Mbit/s"
            + (f" with {words}." if words else ".")
        )
    return alone[0]


def settled(record: RunRecord) -> pd.DataFrame:
    """Samples after the start."""
    return record.flows[record.flows["time_s"] >= record.experiment.omit_s]


def teeth(record: RunRecord) -> Sawtooth:
    """Sawtooth after the start, with one tooth at least.

    Raises
    ------
    GradingError : the run was too short.
    """
    rows = settled(record)
    found = find_sawtooth(rows["time_s"], rows["cwnd_segments"])
    if not found.period_s.size:
        raise GradingError(f"the run of {record.title} shows no whole tooth after its start.")
    return found


def longest(record: RunRecord) -> tuple[pd.DataFrame, float]:
    """Samples of the longest tooth, from its trough to the next peak, and the time of the loss."""
    found = teeth(record)
    i = int(np.argmax(found.period_s))
    rows = settled(record).iloc[found.trough_index[i] : found.peak_index[i + 1] + 1]
    return rows, float(found.loss_time_s[i])


def slope(record: RunRecord, scale: Callable[[Any], Any]) -> tuple[float, float]:
    """Slope of the longest tooth a round trip: with its mean RTT, and with the empty path's."""
    rows, _ = longest(record)
    per_s = float(np.polyfit(rows["time_s"], scale(rows["cwnd_segments"]), 1)[0])
    return per_s * float(rows["rtt_s"].mean()), per_s * record.experiment.path.rtt_s


def near(value: float, wanted: float, tolerance: float) -> bool:
    """Say whether a value is within a relative tolerance."""
    return abs(value - wanted) <= tolerance * abs(wanted)


def parts(s: Submission, name: str, names: tuple[str, ...]) -> dict[str, float]:
    """Return the numbers of an answer that is a dictionary; what is missing or no number is NaN."""
    if name not in s.answers:
        raise GradingError("there is no answer.")
    answer = s.answers[name]
    if not isinstance(answer, Mapping):
        raise GradingError(f"the answer is no dictionary with {', '.join(names)}.")
    given = {key: answer.get(key) for key in names}
    return {
        key: float("nan") if isinstance(v, bool) or not isinstance(v, (int, float)) else float(v)
        for key, v in given.items()
    }


def score(points: float, shares: Mapping[str, tuple[float, str]]) -> Result:
    """Add up the parts of a task: each a share of its points, and words."""
    earned = sum(share for share, _ in shares.values()) / len(shares)
    words = " ".join(f"{name}: {text}" for name, (_, text) in shares.items())
    return Result(round(points * earned, 3), words)


@task("decrease", points=3)
def decrease(s: Submission) -> Result:
    """Decrease factor of each; the share given up in place of the share kept earns half."""
    shares = {}
    for cc, value in parts(s, "decrease", LOSS_BASED).items():
        wanted = float(np.median(teeth(run(s, cc)).decrease))
        if abs(value - wanted) <= DECREASE_TOLERANCE:
            shares[cc] = (1.0, "right.")
        elif abs(1 - value - wanted) <= DECREASE_TOLERANCE:
            shares[cc] = (0.5, "that is what was given up; what was left?")
        elif abs(1 / value - wanted if value else 1) <= DECREASE_TOLERANCE:
            shares[cc] = (0.5, "before divided by after; the other way round.")
        else:
            shares[cc] = (0.0, "not the factor of your run.")
    return score(3, shares)


@task("growth", points=2)
def growth(s: Submission) -> Result:
    """Reno's segments and Scalable's per cent a round trip."""
    scales = {"reno": lambda w: w, "scalable": lambda w: 100 * np.log(w)}
    shares = {}
    for cc, value in parts(s, "growth", ("reno", "scalable")).items():
        wanted, empty = slope(run(s, cc), scales[cc])
        per_s = empty / (s.variant["rtt_ms"] / 1000)
        if near(value, wanted, GROWTH_TOLERANCE):
            shares[cc] = (1.0, "right.")
        elif near(value, empty, GROWTH_TOLERANCE):
            shares[cc] = (0.5, "which RTT did the packets have, with a queue on the path?")
        elif near(value, per_s, GROWTH_TOLERANCE):
            shares[cc] = (0.5, "that is the growth a second, not an RTT.")
        elif near(100 * value, wanted, GROWTH_TOLERANCE):
            shares[cc] = (0.5, "a fraction; the task wants per cent.")
        else:
            shares[cc] = (0.0, "not the growth of your longest tooth.")
    return score(2, shares)


@task("cubic", points=2)
def cubic(s: Submission) -> Result:
    """Leading coefficient and inflection of CUBIC's longest tooth."""
    rows, loss_time_s = longest(run(s, "cubic"))
    fit = np.polyfit(rows["time_s"] - loss_time_s, rows["cwnd_segments"], 3)
    wanted = {"C": float(fit[0]), "K": float(-fit[1] / (3 * fit[0]))}
    shares = {}
    for name, value in parts(s, "cubic", ("C", "K")).items():
        if near(value, wanted[name], CUBIC_TOLERANCE):
            shares[name] = (1.0, "right.")
        elif name == "K" and near(value, wanted["K"] + loss_time_s, CUBIC_TOLERANCE):
            shares[name] = (0.5, "count the time from the loss, not from the start of the run.")
        elif name == "K" and near(-value, wanted["K"], CUBIC_TOLERANCE):
            shares[name] = (0.5, "the sign: where is the second derivative zero?")
        else:
            shares[name] = (0.0, "not that of the cubic through your longest tooth.")
    return score(2, shares)


@task("recovery", points=3)
def recovery(s: Submission) -> Result:
    """Longest time between two full windows, for each."""
    shares = {}
    for cc, value in parts(s, "recovery", LOSS_BASED).items():
        record = run(s, cc)
        periods = teeth(record).period_s
        if near(value, float(periods.max()), RATIO_TOLERANCE):
            shares[cc] = (1.0, "right.")
        elif near(value, float(np.median(periods)), RATIO_TOLERANCE) or near(
            value, float(periods.mean()), RATIO_TOLERANCE
        ):
            shares[cc] = (0.5, "that is a middle one; the task wants the longest.")
        elif near(value * record.experiment.path.rtt_s, float(periods.max()), 0.1):
            shares[cc] = (0.5, "that is a number of round trips, not seconds.")
        else:
            shares[cc] = (0.0, "not the longest period of your run.")
    return score(3, shares)


@task("hstcp", points=2)
def hstcp(s: Submission) -> Result:
    """HSTCP's growth as measured and as its RFC has it."""
    record = run(s, "highspeed")
    measured, empty = slope(record, lambda w: w)
    rows, _ = longest(record)
    rfc = float(hstcp_increase(float(rows["cwnd_segments"].mean())))
    values = parts(s, "hstcp", ("measured", "rfc"))
    shares = dict.fromkeys(values, (0.0, "not that of your longest tooth."))
    if near(values["measured"], measured, GROWTH_TOLERANCE):
        shares["measured"] = (1.0, "right.")
    elif near(values["measured"], empty, GROWTH_TOLERANCE):
        shares["measured"] = (0.5, "which RTT did the packets have, with a queue on the path?")
    if near(values["rfc"], rfc, GROWTH_TOLERANCE):
        shares["rfc"] = (1.0, "right.")
    return score(2, shares)


@task("scaling", points=3)
def scaling(s: Submission) -> Result:
    """Exponent of the recovery time over the window."""
    shares = {}
    for cc, value in parts(s, "scaling", LADDER).items():
        found = [teeth(run(s, cc, share)) for share in SHARES]
        x = np.log([np.median(each.peak) for each in found])
        y = np.log([each.period_s.max() for each in found])
        wanted = float(np.polyfit(x, y, 1)[0])
        if abs(value - wanted) <= EXPONENT_TOLERANCE:
            shares[cc] = (1.0, "right.")
        elif value and abs(1 / value - wanted) <= EXPONENT_TOLERANCE:
            shares[cc] = (0.5, "you may have exchanged the two axes.")
        elif abs(value + wanted) <= EXPONENT_TOLERANCE:
            shares[cc] = (0.5, "the size is right, the sign is not.")
        else:
            shares[cc] = (0.0, "not the slope of your three points on logarithmic axes.")
    return score(3, shares)


@task("htcp_backoff", points=1)
def htcp_backoff(s: Submission) -> Result:
    """H-TCP's decrease factor with the deeper buffer."""
    value = s.number("htcp_backoff")
    record = run(s, "htcp", buffer_bdp=s.variant["deep_bdp"])
    wanted = float(np.median(teeth(record).decrease))
    if abs(value - wanted) <= DECREASE_TOLERANCE:
        return Result(1, "This is what H-TCP kept in your run.")
    if abs(1 - value - wanted) <= DECREASE_TOLERANCE:
        return Result(0.5, "That is what was given up; what was left?")
    return Result(0, "This is not the decrease factor of your run with the deeper buffer.")


@task("vegas", points=2)
def vegas(s: Submission) -> Result:
    """Vegas's difference of rates, and its packets in the queue."""
    flows = run(s, "vegas").flows
    late = flows[flows["time_s"] >= flows["time_s"].max() - 10]
    window, rtt_s = float(late["cwnd_segments"].mean()), float(late["rtt_s"].mean())
    smallest_s = float(late["min_rtt_s"].iloc[-1])
    rate = window / smallest_s - window / rtt_s
    values = parts(s, "vegas", ("rate", "packets"))
    shares = dict.fromkeys(values, (0.0, "not that of the last 10 s of your run."))
    if near(values["rate"], rate, GROWTH_TOLERANCE):
        shares["rate"] = (1.0, "right.")
    elif near(values["rate"] * 1000, rate, GROWTH_TOLERANCE):
        shares["rate"] = (0.5, "per millisecond; the task wants packets a second.")
    if near(values["packets"], rate * smallest_s, GROWTH_TOLERANCE):
        shares["packets"] = (1.0, "right.")
    elif near(values["packets"], window, GROWTH_TOLERANCE):
        shares["packets"] = (0.0, "that is the whole window; how much of it waits in the queue?")
    return score(2, shares)


@task("kept", points=2)
def kept(s: Submission) -> Result:
    """Share of the path that each keeps under random loss, in per cent."""
    shares = {}
    for cc, value in parts(s, "kept", EVERYBODY).items():
        record = run(s, cc, loss=s.variant["loss"])
        wanted = 100 * record.goodput_bps() / record.experiment.path.rate_bps
        if near(value, wanted, RATIO_TOLERANCE):
            shares[cc] = (1.0, "right.")
        elif near(100 * value, wanted, RATIO_TOLERANCE):
            shares[cc] = (0.5, "a fraction; the task wants per cent.")
        else:
            shares[cc] = (0.0, "not what your run kept.")
    return score(2, shares)


@task("bbr_limit", points=2)
def bbr_limit(s: Submission) -> Result:
    """Two own runs of BBR, close together, one of which holds while the other breaks."""
    values = parts(s, "bbr_limit", ("holds", "breaks"))
    reached, words = {}, []
    for name, loss in values.items():
        if not np.isfinite(loss):
            raise GradingError(f"{name} is no number.")
        record = run(s, "bbr", loss=loss, buffer_bdp=1.0)
        reached[name] = record.goodput_bps() / record.experiment.path.rate_bps
        words.append(f"At a loss of {loss:g} your run keeps {reached[name]:.0%}.")
    holds, breaks = reached["holds"] >= HOLDS, reached["breaks"] <= BREAKS
    apart = values["breaks"] - values["holds"]
    if holds and breaks and 0 < apart <= APART + 1e-9:
        return Result(2, " ".join([*words, "The limit is between the two."]))
    if holds and breaks and apart > 0:
        return Result(1, " ".join([*words, "True, but these two are too far apart."]))
    if reached["holds"] <= BREAKS and reached["breaks"] >= HOLDS:
        return Result(1, " ".join([*words, "You exchanged the two."]))
    return Result(0, " ".join([*words, "These two do not show where BBR stops."]))
