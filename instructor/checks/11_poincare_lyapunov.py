"""Checks of lab 11: every expected value is computed from the student's own records."""

from collections.abc import Callable, Mapping

import numpy as np

from lab_tools.analysis import dynamics as dyn
from lab_tools.analysis.dynamics import reference as ref
from lab_tools.arrays import FloatArray
from lab_tools.errors import GradingError
from lab_tools.grading.judge import Result, Submission, task
from lab_tools.record import RunRecord

PLACES = ("near", "mid", "far")
SIX = tuple(f"{place}_{n}" for place in PLACES for n in (1, 8))
LOSS = 0.0005
#: Each tolerance is justified in the guide. Room for rounding to three digits:
RELATIVE = 0.01
#: and of values near 0 to two decimals.
ABSOLUTE = 0.005
#: Correlations rounded to two decimals, and goodput as the mean of the trace for the record's own.
CORRELATION = 0.01
#: In Mbit/s: the same two ways to a mean goodput.
BULGE = 0.3
#: Generators for which a verdict counts: the bootstrap must not decide.
GENERATORS = (1, 2, 3)

Judgement = Callable[[float, float], str]


def rtt_ms(s: Submission, place: str) -> float:
    """RTT of one of the three places, in ms."""
    return float({"near": 10, "mid": s.variant["mid_ms"], "far": s.variant["far_ms"]}[place])


def run(s: Submission, name: str) -> RunRecord:
    """Return the student's run of this name."""
    fields: dict[str, object] = {
        "rate_bps": 1e8, "mtu_bytes": 9000, "buffer_bdp": 0.5, "duration_s": 100.0, "omit_s": 10.0,
        "sample_interval_s": 0.1, "seed": s.variant["seed"], "cc": "cubic",
    }  # fmt: skip
    if name == "udp":
        place, kind = "mid", {"transport": "udp", "app_limit_bps": 8e7, "loss": 0.0}
    else:
        place, streams = name.split("_")
        loss = 0.0 if place == "clean" else LOSS
        kind = {"transport": "tcp", "streams": int(streams), "loss": loss}
    place = "mid" if place == "clean" else place
    found = s.find(rtt_s=rtt_ms(s, place) / 1000, **fields, **kind)
    if not found:
        raise GradingError(f"there is no calibrated run {name} as the plan of section 5 has it.")
    return found[0]


def series(record: RunRecord, column: str = "goodput_bps", block: int = 5) -> FloatArray:
    """Samples after the start, averaged over blocks."""
    total = record.total()
    kept = total[total["time_s"] > record.experiment.omit_s + 0.05]
    return dyn.block_average(kept[column], block)


def window(s: Submission, name: str) -> FloatArray:
    """The joint window of a run, ten times a second."""
    return series(run(s, name), "cwnd_segments", 1)


def orbit(s: Submission) -> FloatArray:
    """The student's chaotic orbit."""
    return ref.logistic_orbit(s.variant["growth"], 2000)


def static(s: Submission) -> FloatArray:
    """The student's white noise."""
    return ref.noise(2000, np.random.default_rng(s.variant["seed"]))


def one_step(x: FloatArray, interval_s: float = 1.0) -> float:
    """One-step exponent of a series; the generator does not matter for the value."""
    return dyn.neighbour_ratio_exponent(x, np.random.default_rng(1), interval_s=interval_s).value


def shuffled(s: Submission, x: FloatArray) -> FloatArray:
    """The series in the student's random order."""
    return np.asarray(np.random.default_rng(s.variant["seed"]).permutation(x))


def near(value: float, wanted: float) -> bool:
    """Say whether a value is the wanted one, but for rounding."""
    return abs(value - wanted) <= max(RELATIVE * abs(wanted), ABSOLUTE)


def nothing(value: float, wanted: float) -> str:
    """No known slip."""
    return ""


def entries(
    s: Submission,
    name: str,
    wanted: Mapping[str, float],
    points: float,
    slip: Judgement = nothing,
    right: Callable[[float, float], bool] = near,
) -> Result:
    """Score a dictionary of numbers, each entry an equal share; a known slip earns half of it."""
    answer = s.answers.get(name)
    if not isinstance(answer, dict):
        raise GradingError(f"the answer is no dictionary with the keys {', '.join(wanted)}.")
    score, words = 0.0, []
    for key, expected in wanted.items():
        value = answer.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            words.append(f"{key}: no number.")
        elif right(value, expected):
            score += 1
        elif hint := slip(value, expected):
            score += 0.5
            words.append(f"{key}: {hint}")
        else:
            words.append(f"{key}: not the value of your own data.")
    return Result(points * score / len(wanted), " ".join(words) or "Right.")


@task("logistic", points=3)
def logistic(s: Submission) -> Result:
    """Exponents of the logistic map, and the share of contracting points."""
    logs = {}
    for key, growth in (("chaos", s.variant["growth"]), ("calm", s.variant["calm"])):
        slopes = ref.logistic_slope(ref.logistic_orbit(growth, 2000), growth)
        logs[key] = np.log(np.abs(slopes))
    wanted = {key: float(values.mean()) for key, values in logs.items()}
    wanted["negative_share"] = float((logs["chaos"] < 0).mean())

    def slip(value: float, expected: float) -> str:
        if near(value / np.log10(np.e), expected) or near(value * np.log(2), expected):
            return "which logarithm is this?"
        if near(value, 1 - expected):
            return "this is the other share."
        if near(value, 100 * expected):
            return "a share is a number from 0 to 1."
        return ""

    return entries(s, "logistic", wanted, 3, slip)


@task("one_step", points=2)
def one_step_task(s: Submission) -> Result:
    """One-step exponents of the map and of noise."""
    return entries(s, "one_step", {"logistic": one_step(orbit(s)), "noise": one_step(static(s))}, 2)


@task("gaps", points=1)
def gaps(s: Submission) -> Result:
    """Gap between the innermost shells."""
    wanted = {"logistic": dyn.shell_gap(orbit(s)), "noise": dyn.shell_gap(static(s))}
    return entries(s, "gaps", wanted, 1)


@task("spread", points=1)
def spread(s: Submission) -> Result:
    """Relative standard deviation of the goodput."""
    chosen = {name: series(run(s, name)) for name in ("udp", "clean_1", "far_1")}
    wanted = {name: float(x.std() / x.mean()) for name, x in chosen.items()}

    def close(value: float, expected: float) -> bool:
        # n or n - 1 in the variance: 0.3 % of 180 samples.
        return abs(value - expected) <= 0.01 * expected + 0.0001

    def slip(value: float, expected: float) -> str:
        return "a share, not a percentage." if close(value / 100, expected) else ""

    return entries(s, "spread", wanted, 1, slip, close)


@task("forecast", points=2)
def forecast(s: Submission) -> Result:
    """Prediction error of the window two seconds ahead."""
    windows = {name: window(s, name) for name in ("clean_1", "mid_1", "clean_8")}
    near_ones = {name: dyn.prediction_error(x) for name, x in windows.items()}
    wanted = {name: dyn.prediction_error(x, horizon=20) for name, x in windows.items()}

    def slip(value: float, expected: float) -> str:
        key = next(name for name, one in wanted.items() if one == expected)
        return "this looks one sample ahead." if near(value, near_ones[key]) else ""

    return entries(s, "forecast", wanted, 2, slip)


def six_exponents(s: Submission) -> dict[str, float]:
    """One-step exponents of the goodput of the six runs, per second."""
    return {name: one_step(series(run(s, name)), 0.5) for name in SIX}


def six_goodputs(s: Submission) -> list[float]:
    """Mean goodput of the six runs."""
    return [run(s, name).goodput_bps() for name in SIX]


@task("exponents", points=3)
def exponents(s: Submission) -> Result:
    """Six exponents; per sample instead of per second earns half."""

    def slip(value: float, expected: float) -> str:
        return "per sample, not per second." if near(2 * value, expected) else ""

    return entries(s, "exponents", six_exponents(s), 3, slip)


def correlation(value: float, wanted: float, right: str) -> Result:
    """Score a correlation; the wrong sign earns half."""
    if abs(value - wanted) <= CORRELATION:
        return Result(2, right)
    if abs(value + wanted) <= CORRELATION:
        return Result(1, "The size fits your runs, the sign does not.")
    return Result(0, "This is not the correlation over your six runs.")


@task("claim", points=2)
def claim(s: Submission) -> Result:
    """Correlation of exponent and goodput."""
    wanted = float(np.corrcoef(list(six_exponents(s).values()), six_goodputs(s))[0, 1])
    return correlation(s.number("claim"), wanted, "So it is in your six runs.")


@task("shuffled", points=2)
def shuffled_task(s: Submission) -> Result:
    """The same after the shuffle; the unshuffled one earns nothing."""
    value = s.number("shuffled")
    mixed = [one_step(shuffled(s, series(run(s, name))), 0.5) for name in SIX]
    wanted = float(np.corrcoef(mixed, six_goodputs(s))[0, 1])
    return correlation(value, wanted, "So it is without any dynamics.")


@task("bulge", points=2)
def bulge(s: Submission) -> Result:
    """Height of the middle of both profiles above their chords."""
    wanted = {}
    for n in ("1", "8"):
        first, middle, last = (run(s, f"{place}_{n}").goodput_bps() / 1e6 for place in PLACES)
        at = [rtt_ms(s, place) for place in PLACES]
        wanted[n] = middle - float(np.interp(at[1], [at[0], at[2]], [first, last]))
        if n == "1":
            halfway = middle - (first + last) / 2

    def close(value: float, expected: float) -> bool:
        return abs(value - expected) <= BULGE

    def slip(value: float, expected: float) -> str:
        if abs(expected) > 2 * BULGE and close(-value, expected):
            return "the right size, but which lies higher, the point or the chord?"
        if expected == wanted["1"] and close(value, halfway):
            return "the chord at your mid RTT, not its middle."
        return ""

    return entries(s, "bulge", wanted, 2, slip, close)


@task("diffusion", points=2)
def diffusion(s: Submission) -> Result:
    """Diffusion exponents of two windows and a random walk."""
    walk = ref.noise(900, np.random.default_rng(s.variant["seed"]), memory=1.0)
    series_of = {name: window(s, name) for name in ("far_1", "clean_8")} | {"walk": walk}
    wanted = {
        name: dyn.diffusion_exponent(x, largest_lag=30).exponent for name, x in series_of.items()
    }

    def slip(value: float, expected: float) -> str:
        twice = abs(expected) > 0.05 and near(value, 2 * expected)
        return "this is the slope 2H." if twice else ""

    return entries(s, "diffusion", wanted, 2, slip)


@task("verdicts", points=2)
def verdicts(s: Submission) -> Result:
    """Verdicts on three references and three runs; those that the bootstrap may give count."""
    answer = s.answers.get("verdicts")
    if not isinstance(answer, dict):
        raise GradingError("the answer is no dictionary from a name to a verdict.")
    subjects = {
        "logistic": orbit(s), "noise": static(s), "aimd": ref.surrogate_aimd_orbit(60.0, 900),
    }  # fmt: skip
    subjects |= {name: series(run(s, name)) for name in ("clean_8", "far_1", "udp")}
    wrong = [
        name
        for name, x in subjects.items()
        if answer.get(name)
        not in {dyn.assess_chaos(x, np.random.default_rng(k)).verdict for k in GENERATORS}
    ]
    said = f"Not what the tests say of {', '.join(wrong)}." if wrong else "All as the tests say."
    return Result(2 * (1 - len(wrong) / len(subjects)), said)
