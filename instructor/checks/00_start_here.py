"""Checks of lab 00: answers against the outputs of the student's own commands and runs."""

import re
from collections.abc import Iterator

from lab_tools.errors import GradingError
from lab_tools.grading.judge import Result, Submission, task

#: A number read from a screen is right to the digits that were shown.
READING_TOLERANCE = 0.005
#: The recorded run against W/RTT: see the guide for what was measured.
WINDOW_TOLERANCE = 0.05
_PING = re.compile(r"rtt min/avg/max/mdev = ([\d.]+)/([\d.]+)/([\d.]+)/")
_IPERF = re.compile(r"([\d.]+) ([KMG]?)bits/sec.*\b(sender|receiver)\b")
_UNIT = {"": 1e-6, "K": 1e-3, "M": 1.0, "G": 1e3}


def outputs(s: Submission, program: str) -> Iterator[tuple[str, str]]:
    """Yield command and output of each use of a program on the student's own path."""
    rate_bps, rtt_s = s.variant["rate_mbit"] * 1e6, s.variant["rtt_ms"] / 1000
    for entry in s.commands:
        about = entry.get("path", {})
        own = (
            abs(about.get("rate_bps", 0) - rate_bps) < 1
            and abs(about.get("rtt_s", 0) - rtt_s) < 1e-9
        )
        if own and re.search(rf"\b{program}\b", entry["command"]):
            yield entry["command"], entry["output"]


def pings(s: Submission) -> list[tuple[float, float, float]]:
    """Return minimum, mean and maximum of every ping, in ms.

    Raises
    ------
    GradingError : there is none.
    """
    found = [match for _, text in outputs(s, "ping") for match in _PING.findall(text)]
    if not found:
        raise GradingError("the submission has no ping on your path.")
    return [(float(a), float(b), float(c)) for a, b, c in found]


def bitrates(s: Submission, *, windowed: bool) -> dict[str, list[float]]:
    """Return what senders and receivers said, in Mbit/s, with or without the small window.

    Raises
    ------
    GradingError : there is no such transfer.
    """
    own_window = re.compile(rf"-w ?{s.variant['window_kib']}[kK]\b")
    said: dict[str, list[float]] = {"sender": [], "receiver": []}
    for command, text in outputs(s, "iperf3"):
        if windowed != ("-w" in command) or (windowed and not own_window.search(command)):
            continue
        for value, unit, side in _IPERF.findall(text):
            said[side].append(float(value) * _UNIT[unit])
    if not said["receiver"]:
        what = "with your window" if windowed else "without -w"
        raise GradingError(f"the submission has no iperf3 {what} on your path that shows its end.")
    return said


def among(value: float, wanted: list[float], tolerance: float = READING_TOLERANCE) -> bool:
    """Say whether a value is one of several, to a relative tolerance."""
    return any(abs(value - each) <= tolerance * abs(each) for each in wanted)


@task("rtt_ms", points=1)
def rtt_ms(s: Submission) -> Result:
    """The mean that ping said."""
    value, found = s.number("rtt_ms"), pings(s)
    if among(value, [mean for low, mean, _ in found if mean < 1.05 * low]):
        return Result(1, "This is what ping said on the idle path.")
    if among(value * 1000, [mean for _, mean, _ in found]):
        return Result(0.5, "That is in seconds; the task wants milliseconds.")
    return Result(0, "No ping of yours on the idle path has this mean.")


@task("bdp_bytes", points=2)
def bdp_bytes(s: Submission) -> Result:
    """Rate times RTT over 8."""
    value = s.number("bdp_bytes")
    wanted = s.variant["rate_mbit"] * 1e6 * s.variant["rtt_ms"] / 1000 / 8
    if among(value, [wanted], 0.01):
        return Result(2, "This is what fits onto your path.")
    if among(value, [8 * wanted], 0.01):
        return Result(1, "That is in bits; the task wants bytes.")
    if among(value, [wanted / 2, wanted * 1000, wanted / 1000, wanted / 1e6], 0.01):
        return Result(0.5, "Off by a simple factor: look at the units, and at one way or both.")
    return Result(0, "Multiply the path's rate and its round-trip time, and mind the units.")


def goodput(value: float, said: dict[str, list[float]]) -> Result:
    """Score a goodput read from iperf3; the sender's line earns half."""
    if among(value, said["receiver"]):
        return Result(2, "This is what arrived at the receiver.")
    if among(value, said["sender"]):
        return Result(1, "That is the sender's line. What counts is what arrived.")
    if among(8 * value, said["receiver"], 0.06):
        return Result(1, "That is in bytes; the task wants bits.")
    return Result(0, "No such transfer of yours has this goodput.")


@task("goodput_mbit", points=2)
def goodput_mbit(s: Submission) -> Result:
    """The receiver's line of the plain transfer."""
    return goodput(s.number("goodput_mbit"), bitrates(s, windowed=False))


@task("cwnd", points=1)
def cwnd(s: Submission) -> Result:
    """The congestion window that ss showed for the transfer."""
    value = s.number("cwnd")
    shown = [re.findall(r"\bcwnd:(\d+)", text) for _, text in outputs(s, "ss")]
    if not any(shown):
        raise GradingError("the submission has no ss that shows a connection on your path.")
    if value in {max(map(int, one)) for one in shown if one}:
        return Result(1, "This is the transfer's window.")
    if any(value in map(int, one) for one in shown):
        return Result(0, "That is the control connection of iperf3, not the transfer.")
    return Result(0, "No ss of yours shows this window.")


@task("drops", points=2)
def drops(s: Submission) -> Result:
    """What tc counted at the bottleneck."""
    value, found = s.number("drops"), []
    for _, text in outputs(s, "tc"):
        for block in text.split("qdisc ")[1:]:
            if block.startswith("tbf"):
                found += [int(n) for n in re.findall(r"dropped (\d+)", block)]
    if not any(found):
        raise GradingError("no tc -s of yours shows the narrow port after a transfer.")
    if value in found and value > 0:
        return Result(2, "This is what the queue counted.")
    return Result(0, "No tc -s of yours shows this number as dropped at the narrow port.")


@task("loaded_rtt_ms", points=2)
def loaded_rtt_ms(s: Submission) -> Result:
    """The longest ping while the path is full."""
    value = s.number("loaded_rtt_ms")
    loaded = [each for each in pings(s) if each[2] > 1.2 * each[0]]
    if not loaded:
        raise GradingError("the submission has no ping during a transfer.")
    if among(value, [longest for *_, longest in loaded]):
        return Result(2, "This is how long a packet waited at the worst moment.")
    if among(value, [each for low, mean, _ in loaded for each in (low, mean)]):
        return Result(1, "That is another number of the same line; the task wants the longest.")
    return Result(0, "No ping of yours during a transfer has this longest time.")


@task("window_mbit", points=2)
def window_mbit(s: Submission) -> Result:
    """The receiver's line of the transfer with the small window."""
    return goodput(s.number("window_mbit"), bitrates(s, windowed=True))


@task("window_run", points=2)
def window_run(s: Submission) -> Result:
    """A recorded run whose window is the student's."""
    if "window_run" not in s.answers:
        raise GradingError("there is no answer.")
    record = s.record(s.answers["window_run"])
    path, window = record.experiment.path, 1024 * s.variant["window_kib"]
    rate_bps, rtt_s = s.variant["rate_mbit"] * 1e6, s.variant["rtt_ms"] / 1000
    if abs(path.rate_bps - rate_bps) > 1 or abs(path.rtt_s - rtt_s) > 1e-9 or path.loss > 0:
        return Result(0, "That run is not on your path.")
    if record.experiment.streams != 1:
        return Result(0, "That run has several streams; the task is about one.")
    filled = record.goodput_bps() * rtt_s / 8 / window
    if abs(filled - 1) <= WINDOW_TOLERANCE:
        return Result(2, "This run has your window.")
    if abs(2 * filled - 1) <= WINDOW_TOLERANCE:
        return Result(1, "Its window is half of yours: what does the kernel do with a buffer?")
    return Result(0, "Its goodput is not what your window gives over your RTT.")
