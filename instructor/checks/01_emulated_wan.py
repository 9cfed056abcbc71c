"""Checks of lab 01: every expected value is computed again from the student's own measurements."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from lab_tools.errors import GradingError
from lab_tools.grading.judge import Result, Submission, task
from lab_tools.record import RunRecord

#: Bytes of the Ethernet header, of IP and TCP headers with timestamps, of IP and ICMP headers.
ETHERNET, IP_TCP, IP_ICMP = 14, 52, 28
PROBE_BYTES = 1000
#: Each tolerance is justified in the guide. What is read from one's own run is right to rounding.
READING = 0.002
#: Room for the requested value in place of the measured one inside a standard error, and for n - 1.
ERROR = 0.15
#: Room for one interval more or fewer at the start.
COUNT = 0.03
#: Fewest replies that a statement about a distribution needs.
FEWEST = 200
#: ssthresh_segments that are no limit.
UNLIMITED = 1_000_000
_REPLY = re.compile(r"icmp_seq=(\d+) .*time=([\d.]+) ms")


def wan(s: Submission, **faults: float) -> dict[str, Any]:
    """Return the fields of the student's path with faults, and without all others."""
    wanted: dict[str, Any] = {"loss": 0.0, "jitter_s": 0.0, "reorder": 0.0, "duplicate": 0.0}
    wanted |= {"rate_bps": 1e6 * s.variant["rate_mbit"], "rtt_s": s.variant["rtt_ms"] / 1000}
    return wanted | {"mtu_bytes": s.variant["mtu"]} | faults


def outputs(s: Submission, **faults: float) -> list[tuple[str, str]]:
    """Return each ping on the student's path with these faults, and what it printed."""
    wanted = wan(s, **faults)
    found = []
    for entry in s.commands:
        about = entry.get("path", {})
        same = all(abs(float(about.get(k, 0)) - v) <= 1e-6 * abs(v) for k, v in wanted.items())
        if same and re.search(r"\bping\b", entry["command"]):
            found.append((entry["command"], entry["output"]))
    return found


def replies(s: Submission, what: str, **faults: float) -> list[np.ndarray]:
    """Return numbers and times in ms of the replies to each long ping, in order of arrival.

    Raises
    ------
    GradingError : there is none.
    """
    found = [np.array(_REPLY.findall(text), float).T for _, text in outputs(s, **faults)]
    found = [each for each in found if each.size >= 2 * FEWEST]
    if not found:
        raise GradingError(f"the submission has no ping of {FEWEST} replies on your path {what}.")
    return found


def run(s: Submission, what: str, transport: str, **faults: float) -> RunRecord:
    """Return the student's longest run of one flow over the path with these faults.

    Raises
    ------
    GradingError : there is none.
    """
    found = [r for r in s.find(**wan(s, **faults)) if r.experiment.streams == 1]
    found = [r for r in found if r.experiment.flows[0].transport == transport]
    own = [r for r in found if r.experiment.seed == s.variant["seed"]]
    if not own:
        raise GradingError(f"there is no calibrated {transport.upper()} run on your path {what}.")
    return max(own, key=lambda r: r.experiment.duration_s)


def counts(record: RunRecord) -> tuple[float, float]:
    """Packets sent and received, without the first interval."""
    if len(record.flows) < 4:
        raise GradingError("the UDP run has too few samples to count packets in.")
    sent = np.diff(record.flows["bytes_acked"])[1:]
    received = np.diff(record.flows["bytes_received"])[1:]
    return float(sent.sum()) / PROBE_BYTES, float(received.sum()) / PROBE_BYTES


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


def part(value: float, wanted: float, tolerance: float, **mistakes: float) -> tuple[float, str]:
    """Full marks for the value, half for a known mistake; its name with underscores is the hint."""
    if near(value, wanted, tolerance):
        return 1.0, "right."
    for hint, wrong in mistakes.items():
        if near(value, wrong, tolerance):
            return 0.5, hint.replace("_", " ") + "."
    return 0.0, "not what your own measurement gives."


def best(results: list[Result]) -> Result:
    """Return the best of several, one for each ping that could be meant."""
    return max(results, key=lambda result: result.score)


def spread(s: Submission) -> list[np.ndarray]:
    """Times of the pings over the path with jitter, in ms."""
    found = replies(s, "with jitter", jitter_s=s.variant["jitter_ms"] / 1000)
    return [times for _, times in found]


@task("delay", points=2)
def delay(s: Submission) -> Result:
    """Mean round-trip time, with its standard error."""
    given = parts(s, "delay", ("mean", "error"))

    def one(times: np.ndarray) -> Result:
        mean, std = float(times.mean()), float(times.std(ddof=1))
        error = std / times.size**0.5
        about = "that_is_the_spread_of_one_ping,_not_of_the_mean"
        shares = {"mean": part(given["mean"], mean, READING, seconds_and_not_ms=mean / 1000)}
        shares["error"] = part(given["error"], error, ERROR, **{about: std})
        return score(2, shares)

    return best([one(times) for times in spread(s)])


@task("jitter", points=2)
def jitter(s: Submission) -> Result:
    """Standard deviation of the round-trip time, with its standard error."""
    given = parts(s, "jitter", ("std", "error"))

    def one(times: np.ndarray) -> Result:
        std = float(times.std(ddof=1))
        error = std / (2 * times.size) ** 0.5
        variance = {"that_is_the_variance": std**2, "seconds_and_not_ms": std / 1000}
        mean = {"that_is_the_error_of_the_mean": error * 2**0.5}
        shares = {"std": part(given["std"], std, 10 * READING, **variance)}
        shares["error"] = part(given["error"], error, ERROR, **mean)
        return score(2, shares)

    return best([one(times) for times in spread(s)])


@task("mtu", points=2)
def mtu(s: Submission) -> Result:
    """Largest payload that passes, with the next one refused, and the MTU that follows."""
    given = parts(s, "mtu", ("payload", "mtu"))
    passed, refused = set(), set()
    for command, text in outputs(s):
        size = re.search(r"-s ?(\d+)", command)
        if size and re.search(r"-M ?do", command):
            came = re.search(r"[1-9]\d* received", text)
            (passed if came else refused).add(int(size.group(1)))
    if not passed or not refused:
        raise GradingError("the submission does not show one ping that passes and one that fails.")
    largest = max(passed)
    shown = largest + 1 in refused
    shares = {
        "payload": (0.0, "not the largest of your pings that came through."),
        "mtu": part(given["mtu"], largest + IP_ICMP, 1e-9, which_headers_are_missing=largest),
    }
    if given["payload"] == largest:
        text = "right." if shown else "show that one byte more does not pass."
        shares["payload"] = (1.0 if shown else 0.5, text)
    return score(2, shares)


@task("rate", points=3)
def rate(s: Submission) -> Result:
    """Goodput, the rate of the frames that follows, and the BDP."""
    given = parts(s, "rate", ("goodput", "rate", "bdp"))
    record = run(s, "without faults", "tcp")
    size = s.variant["mtu"]
    goodput = record.goodput_bps() / 1e6
    frames = goodput * (size + ETHERNET) / (size - IP_TCP)
    bdp = frames * 1e6 * record.counters["achieved_rtt_s"] / 8
    no_frame = {"and_the_Ethernet_header": goodput * size / (size - IP_TCP)}
    shares = {
        "goodput": part(given["goodput"], goodput, READING, bits_and_not_Mbit=goodput * 1e6),
        "rate": part(given["rate"], frames, READING, **no_frame),
        "bdp": part(given["bdp"], bdp, 5 * READING, that_is_in_bits=8 * bdp, one_way=bdp / 2),
    }
    return score(3, shares)


@task("loss", points=2)
def loss(s: Submission) -> Result:
    """Share lost of all packets counted, with its binomial standard error."""
    given = parts(s, "loss", ("percent", "error"))
    sent, received = counts(run(s, "with loss", "udp", loss=s.variant["loss"]))
    share = (sent - received) / sent
    error = (share * (1 - share) / sent) ** 0.5
    batch = {"that_is_the_error_of_one_batch_of_200": 100 * error * (sent / 200) ** 0.5}
    shares = {
        "percent": part(given["percent"], 100 * share, COUNT, a_fraction_and_not_percent=share),
        "error": part(given["error"], 100 * error, ERROR, a_fraction=error, **batch),
    }
    return score(2, shares)


@task("packets_needed", points=2)
def packets_needed(s: Submission) -> Result:
    """Packets until the binomial standard error is a tenth of the loss."""
    value, p = s.number("packets_needed"), s.variant["loss"]
    wanted = (1 - p) / (0.01 * p)
    if near(value, wanted, COUNT):
        return Result(2, "So many packets it takes.")
    if near(value, 4 * wanted, COUNT):
        return Result(1, "That is for two standard errors; the task wants one.")
    if near(value, 10 / p, COUNT) or near(value, (1 - p) / (0.1 * p), COUNT):
        return Result(1, "The error falls with the root of the number, not with the number.")
    return Result(0, "Set the binomial standard error to a tenth of p, and solve for n.")


@task("duplicates", points=2)
def duplicates(s: Submission) -> Result:
    """Share that arrived twice, and the goodput that is left."""
    given = parts(s, "duplicates", ("percent", "kept"))
    share = s.variant["duplicate"]
    sent, received = counts(run(s, "with duplicates", "udp", duplicate=share))
    extra = 100 * (received / sent - 1)
    goodput = run(s, "with duplicates", "tcp", duplicate=share).goodput_bps()
    kept = 100 * goodput / run(s, "without faults", "tcp").goodput_bps()
    shares = {
        "percent": part(given["percent"], extra, COUNT, a_fraction_and_not_percent=extra / 100),
        "kept": part(given["kept"], kept, READING, a_fraction_and_not_percent=kept / 100),
    }
    return score(2, shares)


@task("reordering", points=3)
def reordering(s: Submission) -> Result:
    """Share sent early, and share reordered in the sense of RFC 4737."""
    given = parts(s, "reordering", ("early", "reordered"))

    def one(numbers: np.ndarray, times: np.ndarray) -> Result:
        early = 100 * float(np.mean(times < 0.75 * s.variant["rtt_ms"]))
        behind = 100 * float(np.mean(numbers < np.maximum.accumulate(numbers)))
        back = 100 * float(np.mean(np.diff(numbers) < 0))
        steps = {"that_counts_the_steps_back,_not_all_that_were_overtaken": back}
        steps["a_fraction_and_not_percent"] = behind / 100
        fraction = {"a_fraction_and_not_percent": early / 100}
        shares = {"early": part(given["early"], early, READING, **fraction)}
        shares["reordered"] = part(given["reordered"], behind, 5 * READING, **steps)
        return score(3, shares)

    found = replies(s, "with reordering", reorder=s.variant["reorder"])
    return best([one(numbers, times) for numbers, times in found])


@task("jitter_cost", points=4)
def jitter_cost(s: Submission) -> Result:
    """What jitter leaves, where slow start ended, what was sent again and what was lost."""
    given = parts(s, "jitter_cost", ("kept", "left", "resent", "lost"))
    record = run(s, "with jitter", "tcp", jitter_s=s.variant["jitter_ms"] / 1000)
    clean = run(s, "without faults", "tcp")
    kept = 100 * record.goodput_bps() / clean.goodput_bps()
    of_path = 100 * record.goodput_bps() / record.experiment.path.rate_bps
    limit = record.flows["ssthresh_segments"]
    limit = limit[(limit > 1) & (limit < UNLIMITED)]
    if not len(limit):
        raise GradingError("slow start did not end in your run with jitter.")
    lost = record.bottleneck_drops + record.counters["random_losses"]
    lost += record.counters["drops_outside_bottleneck"]
    words = {"a_fraction_and_not_percent": kept / 100}
    words["percent_of_the_path,_not_of_the_clean_run"] = of_path
    lowest = {"that_is_the_lowest;_where_did_slow_start_end": float(limit.min())}
    largest = {"that_is_the_largest_window": float(record.flows["cwnd_segments"].max())}
    shares = {
        "kept": part(given["kept"], kept, READING, **words),
        "left": part(given["left"], float(limit.iloc[0]), READING, **lowest, **largest),
        "resent": part(given["resent"], record.retransmits, 0),
        "lost": part(given["lost"], lost, 0),
    }
    return score(4, shares)
