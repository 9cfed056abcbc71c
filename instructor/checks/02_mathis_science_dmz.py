"""Checks of lab 02: every expected value is computed again from the student's own records."""

import math
from collections.abc import Sequence

import numpy as np

from lab_tools.errors import GradingError
from lab_tools.grading.judge import Result, Submission, task
from lab_tools.models import mathis_goodput, mathis_loss_for, pftk_full
from lab_tools.record import RunRecord

LADDER = (1, 2, 4, 8, 16)
DISTANCES = (0.5, 1, 2, 4)
CARD_LOSS = 1 / 22000
#: Each tolerance is justified in the guide by what was measured over eight seeds.
#: Room for another straight-line fit of the same points (Theil-Sen: up to 0.0094 away).
EXPONENT_TOLERANCE = 0.01
#: Room for rounding to three digits.
CONSTANT_TOLERANCE = 0.005
RATIO_TOLERANCE = 0.01
#: A loss budget goes with k squared, and the segment size may be rounded to the MTU.
BUDGET_TOLERANCE = 0.03
#: Five standard deviations of what a run at the budget reaches.
PROMISE_TOLERANCE = 0.1


def one(s: Submission, what: str, **fields: object) -> RunRecord:
    """Return the student's run with these fields, of 10 s or more."""
    found = [r for r in s.find(**fields) if r.experiment.duration_s >= 10]
    if not found:
        raise GradingError(f"there is no calibrated run of {what}.")
    return found[0]


def grid(s: Submission, rtt_factor: float, loss_factor: float, mtu_bytes: int = 1500) -> RunRecord:
    """Return the run at these multiples of the student's RTT and loss."""
    rtt_s, loss = s.variant["rtt_ms"] / 1000 * rtt_factor, s.variant["loss"] * loss_factor
    what = f"RTT {rtt_s * 1000:g} ms, loss {loss:g}, MTU {mtu_bytes}"
    return one(s, what, cc="reno", rate_bps=10e9, rtt_s=rtt_s, loss=loss, mtu_bytes=mtu_bytes)


def loss_ladder(s: Submission) -> list[RunRecord]:
    """Return the student's five runs over loss."""
    return [grid(s, 1.0, factor) for factor in LADDER]


def distance_ladder(s: Submission) -> list[RunRecord]:
    """Return the student's four runs over the RTT."""
    return [grid(s, factor, 4.0) for factor in DISTANCES]


def per_stream(record: RunRecord) -> float:
    """Mean goodput of one stream, in bit/s."""
    return record.goodput_bps() / record.experiment.streams


def mss_of(record: RunRecord) -> int:
    """Segment size of a run, in bytes."""
    return int(record.flows["mss_bytes"].iloc[-1])


def slope(x: Sequence[float], records: list[RunRecord]) -> float:
    """Slope of the goodput's logarithm over that of x."""
    return float(np.polyfit(np.log(x), np.log([per_stream(r) for r in records]), 1)[0])


def constants(records: list[RunRecord]) -> list[float]:
    """Mathis's k of each run."""
    return [
        per_stream(r)
        / float(mathis_goodput(r.experiment.path.rtt_s, r.experiment.path.loss, mss_of(r), 1.0))
        for r in records
    ]


def own_constant(s: Submission) -> float:
    """Geometric mean of k over the student's eight runs."""
    ladder = loss_ladder(s) + [grid(s, factor, 4.0) for factor in DISTANCES if factor != 1]
    return float(np.exp(np.log(constants(ladder)).mean()))


def near(value: float, wanted: float, tolerance: float) -> bool:
    """Say whether a value is within a relative tolerance."""
    return abs(value - wanted) <= tolerance * abs(wanted)


def exponent(value: float, wanted: float, points: float) -> Result:
    """Score an exponent; the right size with the wrong sign earns a third."""
    if abs(value - wanted) <= EXPONENT_TOLERANCE:
        return Result(points, "This is the slope of your own points.")
    if abs(value + wanted) <= EXPONENT_TOLERANCE:
        return Result(points / 3, "The size fits your points, the sign does not: which way?")
    if value and near(1 / value, wanted, 0.05):
        return Result(points / 3, "You may have exchanged the two axes of the fit.")
    return Result(0, "This is not the slope of your points on logarithmic axes.")


@task("loss_exponent", points=3)
def loss_exponent(s: Submission) -> Result:
    """Slope over loss."""
    value, records = s.number("loss_exponent"), loss_ladder(s)
    return exponent(value, slope([r.experiment.path.loss for r in records], records), 3)


@task("rtt_exponent", points=3)
def rtt_exponent(s: Submission) -> Result:
    """Slope over the RTT; one point for the three runs alone."""
    value, records = s.number("rtt_exponent"), distance_ladder(s)
    result = exponent(value, slope([r.experiment.path.rtt_s for r in records], records), 3)
    if result.score < 1:
        return Result(1, result.message + " One point for the runs.")
    return result


@task("constant", points=3)
def constant(s: Submission) -> Result:
    """The constant k; common slips of units earn a part."""
    value, wanted = s.number("constant"), own_constant(s)
    if near(value, wanted, CONSTANT_TOLERANCE):
        return Result(3, "This is the constant of your own runs.")
    if near(value, wanted * 1448 / 1500, CONSTANT_TOLERANCE):
        return Result(2, "Close: how many bytes of a 1500-byte packet are payload?")
    if near(value, wanted * 8, CONSTANT_TOLERANCE):
        return Result(1, "Off by the factor between two units of data.")
    if near(value, wanted / math.sqrt(8), CONSTANT_TOLERANCE) or near(
        value, wanted / 8, CONSTANT_TOLERANCE
    ):
        return Result(1, "Off by a unit: goodput in which unit, loss as a fraction?")
    if near(value, wanted * 10, CONSTANT_TOLERANCE):
        return Result(1, "Off by ten: is your loss a fraction or a percentage?")
    return Result(0, "This is not the constant of your eight runs.")


@task("mss_gain", points=2)
def mss_gain(s: Submission) -> Result:
    """Gain by jumbo frames."""
    value = s.number("mss_gain")
    wanted = per_stream(grid(s, 1.0, 4.0, 9000)) / per_stream(grid(s, 1.0, 4.0))
    if near(value, wanted, RATIO_TOLERANCE):
        return Result(2, "This is the gain that your two runs show.")
    if near(value, 1 / wanted, RATIO_TOLERANCE):
        return Result(1, "The other way round: larger segments divided by smaller ones.")
    return Result(0, "This is not the ratio of your two runs.")


@task("pftk", points=2)
def pftk(s: Submission) -> Result:
    """Ratio of both models to the run at high loss; a point each."""
    answer = s.answers.get("pftk")
    if not isinstance(answer, dict):
        raise GradingError('the answer is no dictionary {"mathis": …, "pftk": …}.')
    rtt_s, loss = s.variant["rtt_ms"] / 1000, s.variant["high_loss"]
    fields = {"cc": "reno", "rate_bps": 10e9, "rtt_s": rtt_s, "loss": loss, "mtu_bytes": 1500}
    record = one(s, f"RTT {rtt_s * 1000:g} ms at your high loss {loss:g}", **fields)
    model = {
        "mathis": float(mathis_goodput(rtt_s, loss, mss_of(record))),
        "pftk": float(pftk_full(rtt_s, loss, mss_of(record))),
    }
    score, words = 0, []
    for name, predicted in model.items():
        value, wanted = answer.get(name), predicted / per_stream(record)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            words.append(f"{name}: no number.")
        elif near(value, wanted, RATIO_TOLERANCE):
            score += 1
            words.append(f"{name}: right.")
        elif near(value, 1 / wanted, RATIO_TOLERANCE):
            words.append(f"{name}: prediction divided by measurement, not the other way round.")
        else:
            words.append(f"{name}: not this model's prediction for your path over your goodput.")
    return Result(score, " ".join(words))


@task("deck_percent", points=1)
def deck_percent(s: Submission) -> Result:
    """One in 22 000, in percent."""
    value = s.number("deck_percent")
    if near(value, 100 * CARD_LOSS, 0.0005):
        return Result(1, "Right: the slides rounded it wrongly.")
    if near(value, CARD_LOSS, 0.0005):
        return Result(0, "That is the fraction, not the percentage.")
    return Result(0, "Divide again, and keep four significant digits.")


@task("kept_percent", points=2)
def kept_percent(s: Submission) -> Result:
    """What one stream keeps over the failing card, in percent."""
    value, rtt_s = s.number("kept_percent"), s.variant["wan_ms"] / 1000
    fields = {"cc": "reno", "rate_bps": 10e9, "rtt_s": rtt_s, "loss": CARD_LOSS, "mtu_bytes": 9000}
    record = one(s, "the failing line card over your long path", **fields)
    wanted = 100 * per_stream(record) / record.experiment.path.rate_bps
    if near(value, wanted, RATIO_TOLERANCE):
        return Result(2, "This is what one of your streams kept.")
    if near(value, wanted / 100, RATIO_TOLERANCE):
        return Result(1, "That is the fraction; the task wants percent.")
    if near(value, wanted * record.experiment.streams, RATIO_TOLERANCE):
        return Result(1, "That is all streams together; the task wants one.")
    return Result(0, "This is not what one of your streams kept of 10 Gbit/s.")


@task("firewall", points=2)
def firewall(s: Submission) -> Result:
    """The Science DMZ's goodput over the enterprise path's."""
    value = s.number("firewall")
    fields = {"cc": "reno", "rate_bps": 1e9, "rtt_s": s.variant["wan_ms"] / 1000, "loss": 0.0}
    small = 1000 * s.variant["firewall_kb"]
    dmz = one(s, "the Science DMZ's path", buffer_bytes=None, buffer_bdp=1.0, **fields)
    guarded = one(s, "the enterprise path", buffer_bytes=small, **fields)
    wanted = dmz.goodput_bps() / guarded.goodput_bps()
    if near(value, wanted, RATIO_TOLERANCE):
        return Result(2, "This is the ratio of your two runs.")
    if near(value, 1 / wanted, RATIO_TOLERANCE):
        return Result(1, "The other way round: how many times as much the Science DMZ carries.")
    return Result(0, "This is not the ratio of your two runs.")


@task("loss_budget", points=2)
def loss_budget(s: Submission) -> Result:
    """Largest loss for the promised rate, from the student's own constant."""
    value, rtt_s = s.number("loss_budget"), s.variant["rtt_ms"] / 1000
    jumbo, target_bps = grid(s, 1.0, 4.0, 9000), s.variant["target_mbit"] * 1e6
    wanted = float(mathis_loss_for(target_bps, rtt_s, mss_of(jumbo), own_constant(s)))
    if near(value, wanted, BUDGET_TOLERANCE):
        return Result(2, "This is what your law allows.")
    if near(value, wanted * 100, BUDGET_TOLERANCE):
        return Result(1, "That is a percentage; the task wants a fraction.")
    if near(value, wanted / 64, BUDGET_TOLERANCE) or near(value, wanted * 64, BUDGET_TOLERANCE):
        return Result(1, "Off by the square of the factor between bits and bytes.")
    if near(value, wanted * (1448 / 8948) ** 2, 0.1):
        return Result(1, "That is the budget for small packets; the path has jumbo frames.")
    if near(value, math.sqrt(wanted), BUDGET_TOLERANCE):
        return Result(1, "Off by a power: the law has the root of the loss.")
    return Result(0, "Solve the law for the loss, with your own constant.")


@task("budget_run", points=2)
def budget_run(s: Submission) -> Result:
    """A run of the student's at the budget that keeps the promise."""
    if "budget_run" not in s.answers:
        raise GradingError("there is no answer.")
    record = s.record(s.answers["budget_run"])
    path, flow = record.experiment.path, record.experiment.flows[0]
    target_bps, rtt_s = s.variant["target_mbit"] * 1e6, s.variant["rtt_ms"] / 1000
    asked = (flow.cc, path.rate_bps, path.mtu_bytes, round(path.rtt_s, 6))
    if asked != ("reno", 10e9, 9000, round(rtt_s, 6)) or len(record.experiment.flows) > 1:
        return Result(0, "That run is not on the path of the task.")
    if record.experiment.duration_s - record.experiment.omit_s < 20 or path.loss <= 0:
        return Result(0, "That run has no loss, or is too short to say anything.")
    reached = per_stream(record) / target_bps
    if abs(reached - 1) <= PROMISE_TOLERANCE:
        return Result(2, f"Your run reaches {reached:.0%} of the promise.")
    if abs(reached - 1) <= 2 * PROMISE_TOLERANCE:
        return Result(1, f"Your run reaches {reached:.0%} of the promise: near, not there.")
    return Result(0, f"Your run reaches {reached:.0%} of the promise.")
