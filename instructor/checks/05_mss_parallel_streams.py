"""Checks of lab 05: every expected value is computed again from the student's own records."""

import math
from typing import Any

import numpy as np

from lab_tools.errors import GradingError
from lab_tools.grading.judge import Result, Submission, task
from lab_tools.models import mathis_goodput, mathis_loss_for
from lab_tools.record import RunRecord

NUMBERS = (1, 2, 4, 8)
STEPS = (1, 2, 3, 4, 6, 8, 10, 14)
ENOUGH = 0.95
PAPER: dict[str, Any] = {"rtt_s": 0.02, "loss": 1e-4, "mtu_bytes": 9000, "mss_bytes": 8960}
#: The deck: 8 streams together carry 900 Mbit/s over 66 ms (Ethernet, so an MSS of 1448 bytes).
DECK_BPS, DECK_STREAMS, DECK_RTT_S, DECK_MSS_BYTES = 900e6, 8, 0.066, 1448
#: Each tolerance is justified in the guide by what was measured over eight seeds.
#: Room for another straight-line fit of the same points.
EXPONENT_TOLERANCE = 0.01
#: Room for rounding to three digits.
RATIO_TOLERANCE = 0.01
#: The loss goes with k squared, and k may be rounded to two decimals.
LOSS_TOLERANCE = 0.02
#: Goodput counted over other samples moves a ratio of drops by up to this.
DROPS_TOLERANCE = 0.05
#: How far from the target the gain of a proof may be; half the points up to twice that.
GAIN_TOLERANCE = 0.1


def one(s: Submission, what: str, **fields: Any) -> RunRecord:
    """Return the student's longest run of a single flow with these fields."""
    wanted = {"rcvbuf_bytes": None, "sndbuf_bytes": None, "offloads": False} | fields
    found = [r for r in s.find(**wanted) if len(r.experiment.flows) == 1]
    if not found:
        raise GradingError(f"there is no calibrated run of {what}.")
    return max(found, key=lambda record: (record.experiment.duration_s, record.experiment.id))


def rtt_of(s: Submission) -> float:
    """Return the student's RTT, in seconds."""
    return float(s.variant["rtt_ms"]) / 1000


def lossy(s: Submission, streams: int, mss_bytes: int = 1460) -> RunRecord:
    """Return the student's run of section 3 or 4 with so many streams."""
    fields = {"cc": "reno", "rate_bps": 10e9, "rtt_s": rtt_of(s), "loss": s.variant["loss"]}
    what = f"{streams} Reno streams, MSS {mss_bytes}, on your lossy path of 10 Gbit/s"
    return one(s, what, streams=streams, mss_bytes=mss_bytes, **fields)


def published_run(s: Submission, cc: str, streams: int, rate_bps: float = 10e9) -> RunRecord:
    """Return the run of section 5 or 6 with this congestion control and so many streams."""
    what = f"{streams} {cc} streams at {rate_bps / 1e9:g} Gbit/s, 20 ms and 0.01 % loss"
    return one(s, what, cc=cc, streams=streams, rate_bps=rate_bps, **PAPER)


def gain(ten: RunRecord, single: RunRecord) -> float:
    """Goodput of ten streams over that of one."""
    return ten.goodput_bps() / single.goodput_bps()


def mss_of(record: RunRecord) -> int:
    """Segment size of a run, in bytes."""
    return int(record.flows["mss_bytes"].iloc[-1])


def dropped(record: RunRecord) -> float:
    """Share of the packets after the start that the router's queue dropped."""
    queue = record.queue[record.queue["time_s"] >= record.experiment.omit_s]
    queue = queue[queue["kind"] == queue["kind"].iloc[0]]
    lost, sent = (float(np.ptp(queue[name])) for name in ("drops", "sent_packets"))
    return lost / (lost + sent)


def near(value: float, wanted: float, tolerance: float = RATIO_TOLERANCE) -> bool:
    """Say whether a value is within a relative tolerance."""
    return abs(value - wanted) <= tolerance * abs(wanted)


def numbers(s: Submission, name: str, keys: tuple[str, ...]) -> dict[str, float | None]:
    """Return an answer's entries as numbers, None where there is none."""
    answer = s.answers.get(name)
    if not isinstance(answer, dict):
        raise GradingError(f"the answer is no dictionary with the keys {', '.join(keys)}.")

    def clean(value: object) -> float | None:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        return float(value) if math.isfinite(value) else None

    return {key: clean(answer.get(key)) for key in keys}


def ratios(found: dict[str, float | None], wanted: dict[str, float], points: float) -> Result:
    """Score several ratios, so many points each; one upside down earns nothing, but a word."""
    score, words = 0.0, []
    for key, target in wanted.items():
        value = found[key]
        if value is None:
            words.append(f"{key}: no number.")
        elif near(value, target):
            score += points
            words.append(f"{key}: right.")
        elif near(value, 1 / target):
            words.append(f"{key}: the other way round.")
        else:
            words.append(f"{key}: not what your two runs show.")
    return Result(score, " ".join(words))


@task("hacker", points=3)
def hacker(s: Submission) -> Result:
    """Slope of goodput over the number of streams; one point for exchanged axes."""
    value = s.number("hacker")
    goodputs = [lossy(s, n).goodput_bps() for n in NUMBERS]
    wanted = float(np.polyfit(np.log(NUMBERS), np.log(goodputs), 1)[0])
    each = wanted - 1
    if abs(value - wanted) <= EXPONENT_TOLERANCE:
        return Result(3, "This is the slope of your own points.")
    if abs(value - each) <= EXPONENT_TOLERANCE:
        return Result(1, "That is the slope of the goodput of one stream; take all together.")
    straight = float(np.polyfit(np.log(goodputs), np.log(NUMBERS), 1)[0])
    if abs(value - straight) <= EXPONENT_TOLERANCE:
        return Result(1, "You may have exchanged the two axes of the fit.")
    return Result(0, "This is not the slope of your points on logarithmic axes.")


@task("segments", points=2)
def segments(s: Submission) -> Result:
    """Ratio of the segment sizes and the gain in goodput; a point each."""
    found = numbers(s, "segments", ("ratio", "gain"))
    small, large = lossy(s, 8), lossy(s, 8, 8960)
    ratio, wanted = mss_of(large) / mss_of(small), gain(large, small)
    result = ratios({"gain": found["gain"]}, {"gain": wanted}, 1)
    size = found["ratio"]
    if size is not None and near(size, ratio, 0.002):
        return Result(result.score + 1, "ratio: right. " + result.message)
    if size is not None and (near(size, 6, 0.002) or near(size, 8960 / 1460, 0.002)):
        return Result(result.score, "ratio: read the MSS in the records. " + result.message)
    return Result(result.score, "ratio: not that of your two segment sizes. " + result.message)


@task("published", points=3)
def published(s: Submission) -> Result:
    """The three gains under the paper's conditions; a point each."""
    names = ("reno", "bbr", s.variant["other"])
    wanted = {cc: gain(published_run(s, cc, 10), published_run(s, cc, 1)) for cc in names}
    return ratios(numbers(s, "published", names), wanted, 1)


@task("bbr_price", points=1)
def bbr_price(s: Submission) -> Result:
    """Share of the packets that the queue dropped with ten BBR streams, in percent."""
    value, wanted = s.number("bbr_price"), 100 * dropped(published_run(s, "bbr", 10))
    if near(value, wanted, DROPS_TOLERANCE):
        return Result(1, "This is what the queue dropped.")
    if near(value, wanted / 100, DROPS_TOLERANCE):
        return Result(0, "That is the fraction; the task wants percent.")
    return Result(0, "This is not the queue's share in your run of ten BBR streams.")


@task("slower", points=2)
def slower(s: Submission) -> Result:
    """The gains at 1 Gbit/s; a point each."""
    wanted = {
        cc: gain(published_run(s, cc, 10, 1e9), published_run(s, cc, 1, 1e9))
        for cc in ("reno", "bbr")
    }
    return ratios(numbers(s, "slower", ("reno", "bbr")), wanted, 1)


@task("buffer_run", points=2)
def buffer_run(s: Submission) -> Result:
    """A receive buffer for which ten BBR streams gain the target."""
    if "buffer_run" not in s.answers:
        raise GradingError("there is no answer.")
    single = s.record(s.answers["buffer_run"])
    experiment = single.experiment
    fields = {"cc": "bbr", "rate_bps": 1e9, **PAPER, "rcvbuf_bytes": experiment.host.rcvbuf_bytes}
    if single not in s.find(streams=1, **fields) or len(experiment.flows) > 1:
        return Result(0, "That run is not one BBR stream on the path of the task.")
    if experiment.host.rcvbuf_bytes is None:
        return Result(0, "That run has no limit to its receive buffer.")
    ten = one(s, "ten BBR streams with the same buffer", streams=10, **fields)
    reached, target = gain(ten, single), s.variant["target_gain"]
    if near(reached, target, GAIN_TOLERANCE):
        return Result(2, f"Your runs gain {reached:.2f} times; {target} were asked for.")
    if near(reached, target, 2 * GAIN_TOLERANCE):
        return Result(1, f"Your runs gain {reached:.2f} times: near {target}, not there.")
    return Result(0, f"Your runs gain {reached:.2f} times: what of a buffer is the window?")


@task("peak", points=3)
def peak(s: Submission) -> Result:
    """Where the law ends (one point), and how many streams are enough (two)."""
    found = numbers(s, "peak", ("model", "measured"))
    rate_bps = s.variant["rate_mbit"] * 1e6
    path = {"rate_bps": rate_bps, "rtt_s": rtt_of(s), "loss": s.variant["loss"]}
    sweep = [
        one(s, f"{n} Reno streams at {rate_bps / 1e6:g} Mbit/s", cc="reno", streams=n,
            mtu_bytes=1500, buffer_bdp=0.25, **path).goodput_bps()
        for n in STEPS
    ]  # fmt: skip
    enough = next(n for n, bps in zip(STEPS, sweep, strict=True) if bps >= ENOUGH * max(sweep))
    bend = rate_bps / lossy(s, 1).goodput_bps()
    score, words = 0, []
    model, measured = found["model"], found["measured"]
    if model is not None and near(model, bend):
        score += 1
        words.append("model: right.")
    elif model is not None and near(model, rate_bps / sweep[0]):
        words.append("model: take the single stream of section 3, which nothing else slowed.")
    else:
        words.append("model: not the path's rate over your single stream's goodput.")
    if measured == enough:
        score += 2
        words.append("measured: right.")
    elif measured == STEPS[int(np.argmax(sweep))]:
        score += 1
        words.append("measured: that is the highest point; how many streams are nearly as good?")
    else:
        words.append("measured: not the first of your runs with 95 % of the best goodput.")
    return Result(score, " ".join(words))


@task("deck_loss", points=2)
def deck_loss(s: Submission) -> Result:
    """The random loss that explains the deck's eight streams, with the student's own k."""
    value, record = s.number("deck_loss"), lossy(s, 8)
    per_stream_bps = record.goodput_bps() / 8
    k = per_stream_bps / float(mathis_goodput(rtt_of(s), s.variant["loss"], mss_of(record), 1.0))

    def loss_for(rate_bps: float) -> float:
        return float(mathis_loss_for(rate_bps, DECK_RTT_S, DECK_MSS_BYTES, k))

    wanted = loss_for(DECK_BPS / DECK_STREAMS)
    if near(value, wanted, LOSS_TOLERANCE):
        return Result(2, "This is what your law says.")
    if near(value, wanted * 100, LOSS_TOLERANCE):
        return Result(1, "That is a percentage; the task wants a fraction.")
    if near(value, wanted / 64, LOSS_TOLERANCE) and near(64, DECK_STREAMS**2):
        return Result(1, "Off by 64: one stream carries an eighth, or a byte has eight bits.")
    if near(value, wanted * 64, LOSS_TOLERANCE):
        return Result(1, "Off by the square of the factor between bits and bytes.")
    if near(value, wanted / k**2, LOSS_TOLERANCE):
        return Result(1, "That is the law with k = 1; use your own k.")
    return Result(0, "Solve Mathis's law for the loss, for one of the eight streams.")


@task("clean", points=2)
def clean(s: Submission) -> Result:
    """The gains on the clean path with both buffers; a point each."""
    wanted = {}
    for name, buffer_bdp in {"deep": 1.0, "shallow": 0.05}.items():
        path = {"rate_bps": 100e6, "rtt_s": rtt_of(s), "loss": 0.0, "buffer_bdp": buffer_bdp}
        ten, single = (
            one(s, f"{n} Reno streams, {name} buffer", cc="reno", streams=n, mtu_bytes=1500, **path)
            for n in (10, 1)
        )
        wanted[name] = gain(ten, single)
    return ratios(numbers(s, "clean", ("deep", "shallow")), wanted, 1)


def shared(s: Submission, mine: int, theirs: int, qdisc: str = "droptail") -> RunRecord:
    """Return the run in which the student has so many streams and the neighbour so many."""
    path = {"rate_bps": 100e6, "rtt_s": rtt_of(s), "loss": 0.0, "buffer_bdp": 1.0, "qdisc": qdisc}
    found = [
        r for r in s.find(cc="reno", **path)
        if [flow.streams for flow in r.experiment.flows] == [mine, theirs]
    ]  # fmt: skip
    if not found:
        raise GradingError(f"there is no calibrated run of {mine} and {theirs} streams, {qdisc}.")
    return max(found, key=lambda record: (record.experiment.duration_s, record.experiment.id))


@task("share", points=2)
def share(s: Submission) -> Result:
    """The student's share in percent behind both queues; a point each."""
    found, score, words = numbers(s, "share", ("droptail", "fq_codel")), 0, []
    for qdisc, value in found.items():
        record = shared(s, 1, s.variant["rivals"], qdisc)
        wanted = 100 * record.goodput_bps(0) / record.goodput_bps()
        if value is None:
            words.append(f"{qdisc}: no number.")
        elif near(value, wanted):
            score += 1
            words.append(f"{qdisc}: right.")
        elif near(value, wanted / 100):
            words.append(f"{qdisc}: that is the fraction; the task wants percent.")
        elif near(value, 100 - wanted):
            words.append(f"{qdisc}: that is the other user's share.")
        else:
            words.append(f"{qdisc}: not your share in your run.")
    return Result(score, " ".join(words))


@task("arms_race", points=1)
def arms_race(s: Submission) -> Result:
    """How many times the share of dropped packets grows from one stream each to eight each."""
    value, wanted = s.number("arms_race"), dropped(shared(s, 8, 8)) / dropped(shared(s, 1, 1))
    if near(value, wanted, DROPS_TOLERANCE):
        return Result(1, "This is what the race costs.")
    if near(value, 1 / wanted, DROPS_TOLERANCE):
        return Result(0, "The other way round: the race divided by the peace.")
    return Result(0, "This is not the ratio of your two runs' shares of dropped packets.")
