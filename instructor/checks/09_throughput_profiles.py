"""Checks of lab 09: every expected value is computed again from the student's own records."""

import functools

import numpy as np

from lab_tools.analysis.profiles import (
    curvature,
    fit_sigmoid_pair,
    throughput_profile,
    utilisation_concavity,
)
from lab_tools.arrays import FloatArray
from lab_tools.errors import GradingError
from lab_tools.grading.judge import Result, Submission, task
from lab_tools.models import slow_start_profile
from lab_tools.sweeping import shipped_table

RTTS_S = (0.0004, 0.0118, 0.0226, 0.0456, 0.0916, 0.183, 0.366)
RATE_BPS = 10e9
NORMAL_BYTES, LARGE_BYTES, DEFAULT_BYTES = 250_000_000, 1_000_000_000, 250_000
#: Each tolerance is justified in the guide: the spread of TCP is in the records already.
RATIO_TOLERANCE = 0.01
#: In Gbit/s, for a height above a chord that may be near nothing.
GAP_TOLERANCE = 0.02
COEFFICIENT_TOLERANCE = 0.005


def runs(s: Submission, streams: int, buffer_bytes: int, least: int) -> list[FloatArray]:
    """Return the throughputs at each RTT, in bit/s, in the order of their seeds."""
    found = []
    for rtt_s in RTTS_S:
        here = s.find(
            cc=s.variant["cc"],
            streams=streams,
            rate_bps=RATE_BPS,
            rtt_s=rtt_s,
            rcvbuf_bytes=buffer_bytes,
            duration_s=10.0,
        )
        if len(here) < least:
            raise GradingError(
                f"there are {len(here)} calibrated runs at {rtt_s * 1e3:g} ms with {streams} "
                f"streams and {buffer_bytes / 1e6:g} MB; the task needs {least}."
            )
        here.sort(key=lambda record: record.experiment.seed)
        found.append(np.array([record.goodput_bps() for record in here[:least]]))
    return found


def one_stream(s: Submission) -> list[FloatArray]:
    """The student's profile of one stream."""
    return runs(s, 1, NORMAL_BYTES, 4)


def means(groups: list[FloatArray]) -> FloatArray:
    """Mean at each RTT, in bit/s."""
    return np.array([group.mean() for group in groups])


def near(value: object, wanted: float, tolerance: float = RATIO_TOLERANCE) -> bool:
    """Say whether a value is a number within a relative tolerance."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and abs(value - wanted) <= tolerance * abs(wanted)  # type: ignore[operator]


def table_of(s: Submission, name: str, wanted: dict[str, float], points: float) -> Result:
    """Score a dictionary of numbers, in equal parts; a factor of a thousand earns half."""
    answer = s.answers.get(name)
    if not isinstance(answer, dict):
        keys = ", ".join(f'"{key}": …' for key in wanted)
        raise GradingError(f"the answer is no dictionary {{{keys}}}.")
    score, words = 0.0, []
    for key, number in wanted.items():
        value = answer.get(key)
        if near(value, number):
            score += points / len(wanted)
            words.append(f"{key}: right.")
        elif any(near(value, number * factor) for factor in (1e9, 1e3, 1e-3)):
            score += points / len(wanted) / 2
            words.append(f"{key}: right but for the unit.")
        elif number and near(value, 1 / number):
            score += points / len(wanted) / 2
            words.append(f"{key}: the other way round.")
        else:
            words.append(f"{key}: not what your runs show.")
    return Result(score, " ".join(words))


@task("means", points=3)
def means_at(s: Submission) -> Result:
    """Mean throughput at three RTTs, in Gbit/s."""
    mean = means(one_stream(s)) / 1e9
    return table_of(s, "means", {"45.6": mean[3], "91.6": mean[4], "366": mean[6]}, 3)


@task("gaps", points=2)
def gaps(s: Submission) -> Result:
    """Height above the chord of the neighbours, in Gbit/s; the sign turned round earns half."""
    answer, mean = s.answers.get("gaps"), means(one_stream(s)) / 1e9
    if not isinstance(answer, dict):
        raise GradingError('the answer is no dictionary {"45.6": …, "183": …}.')
    score, words = 0.0, []
    for key, i in (("45.6", 3), ("183", 5)):
        a, r, b = RTTS_S[i - 1 : i + 2]
        w = (b - r) / (b - a)
        wanted, value = mean[i] - w * mean[i - 1] - (1 - w) * mean[i + 1], answer.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            words.append(f"{key}: no number.")
        elif abs(value - wanted) <= GAP_TOLERANCE:
            score += 1
            words.append(f"{key}: right.")
        elif abs(value + wanted) <= GAP_TOLERANCE:
            score += 0.5
            words.append(f"{key}: the sign is turned round: above the chord is positive.")
        elif abs(value - (mean[i] - (mean[i - 1] + mean[i + 1]) / 2)) <= GAP_TOLERANCE:
            score += 0.5
            words.append(f"{key}: the neighbours are not equally far away: use the weights.")
        else:
            words.append(f"{key}: not the gap of your means.")
    return Result(score, " ".join(words))


@task("verdict", points=1)
def verdict(s: Submission) -> Result:
    """What the test says of the whole profile."""
    if s.answers.get("verdict") == curvature(RTTS_S, one_stream(s)).verdict:
        return Result(1, "This is what the test says of your runs.")
    return Result(0, "Hand in the verdict of `curvature` for your own runs, as it stands.")


@task("transition_ms", points=2)
def transition_ms(s: Submission) -> Result:
    """Transition RTT of the one-stream profile; a neighbour on the grid earns half."""
    value, profile = s.number("transition_ms"), throughput_profile(RTTS_S, one_stream(s))
    noise = float(np.mean(profile.standard_error_bps))
    pair = fit_sigmoid_pair(RTTS_S, profile.mean_bps, RATE_BPS, noise_bps=noise)
    grid = [1e3 * rtt for rtt in RTTS_S]
    place = RTTS_S.index(min(RTTS_S, key=lambda rtt: abs(rtt - pair.transition_s)))
    if near(value, 1e3 * pair.transition_s):
        return Result(2, "This is the transition of your profile.")
    if near(value, pair.transition_s):
        return Result(1, "Right, in seconds; the task wants milliseconds.")
    if any(near(value, rtt) for rtt in grid[max(0, place - 1) : place + 2]):
        return Result(1, "One step of the grid away: which branch does that RTT belong to?")
    return Result(0, "This is not the transition of the pair fitted to your profile.")


@task("model_ratio", points=2)
def model_ratio(s: Submission) -> Result:
    """Measured over the ideal of slow start and a full path."""
    mean = means(one_stream(s))
    ideal = slow_start_profile(
        RTTS_S, RATE_BPS, 8948, 10, initial_window=10, last_round_in_rampup=False
    )
    wanted = {"22.6": mean[2] / ideal[2], "366": mean[6] / ideal[6]}
    return table_of(s, "model_ratio", {key: float(v) for key, v in wanted.items()}, 2)


@task("stream_gain", points=2)
def stream_gain(s: Submission) -> Result:
    """Ten streams over one at 183 ms."""
    value = s.number("stream_gain")
    wanted = means(runs(s, 10, NORMAL_BYTES, 3))[5] / means(one_stream(s))[5]
    if near(value, wanted):
        return Result(2, "This is the gain that your runs show.")
    if near(value, 1 / wanted):
        return Result(1, "The other way round: ten streams divided by one.")
    return Result(0, "This is not the ratio of your two means at 183 ms.")


@task("coefficients", points=2)
def coefficients(s: Submission) -> Result:
    """Utilisation-concavity coefficients of both profiles."""
    answer = s.answers.get("coefficients")
    if not isinstance(answer, dict):
        raise GradingError('the answer is no dictionary {"one": …, "ten": …}.')
    profiles = {"one": means(one_stream(s)), "ten": means(runs(s, 10, NORMAL_BYTES, 3))}
    score, words = 0.0, []
    for key, mean in profiles.items():
        wanted, value = utilisation_concavity(RTTS_S, mean, RATE_BPS).coefficient, answer.get(key)
        good = isinstance(value, (int, float)) and abs(value - wanted) <= COEFFICIENT_TOLERANCE
        score += good
        words.append(f"{key}: {'right' if good else 'not the coefficient of your profile'}.")
    return Result(score, " ".join(words))


@task("window_kb", points=2)
def window_kb(s: Submission) -> Result:
    """What the kernel really has in flight with a buffer of 250 kB."""
    value = s.number("window_kb")
    small = means(runs(s, 1, DEFAULT_BYTES, 1))
    wanted = float(np.median(small[1:] * np.array(RTTS_S[1:]))) / 8 / 1000
    if near(value, wanted):
        return Result(2, "This is what your runs had in flight.")
    if near(value, 8 * wanted) or near(value, wanted / 8):
        return Result(1, "Bits or bytes?")
    if near(value, 250, 0.001):
        return Result(0, "That is what was asked for. What was used?")
    return Result(0, "Throughput times RTT, the median of the six runs from 11.8 ms on.")


@functools.cache
def course_means(cc: str, streams: int, buffer_bytes: int) -> FloatArray:
    """Mean profile in the table that the course ships, in bit/s."""
    table = shipped_table("09_throughput_profiles")
    chosen = (table["cc"] == cc) & (table["streams"] == streams)
    rows = table[chosen & (table["rcvbuf_bytes"] == buffer_bytes)]
    return np.asarray(rows.groupby("rtt_s")["goodput_bps"].mean())


@task("transitions", points=2)
def transitions(s: Submission) -> Result:
    """Transition RTTs of the course's table for the student's congestion control."""
    wanted = {
        str(n): 1e3
        * fit_sigmoid_pair(
            RTTS_S, course_means(s.variant["cc"], n, NORMAL_BYTES), RATE_BPS
        ).transition_s
        for n in (1, 4, 10)
    }
    return table_of(s, "transitions", wanted, 2)


@task("buffer_verdict", points=1)
def buffer_verdict(s: Submission) -> Result:
    """A large buffer over a normal one, at 366 ms with ten streams."""
    cc, value = s.variant["cc"], s.number("buffer_verdict")
    wanted = course_means(cc, 10, LARGE_BYTES)[-1] / course_means(cc, 10, NORMAL_BYTES)[-1]
    if near(value, wanted):
        return Result(1, "This is what the table gives.")
    if near(value, 1 / wanted):
        return Result(0.5, "The other way round: 1 GB divided by 250 MB.")
    return Result(0, "Compare the means of the two buffers at 366 ms, with ten streams.")


@task("deck_sent", points=1)
def deck_sent(s: Submission) -> Result:
    """Two to the power of the rounds and one."""
    value = s.number("deck_sent")
    if near(value, 2 * 1024**1.5, 1e-4):
        return Result(1, "Right: the exponent stands over C, not beside it.")
    if near(value, 2**2.5 * 1024, 1e-3):
        return Result(0, "That is the slide's expression. Count the rounds first.")
    if near(value, 1024**1.5, 1e-4):
        return Result(0.5, "Nearly: all rounds together, not the last one alone.")
    return Result(0, "How many rounds are they? Then double so many times.")
