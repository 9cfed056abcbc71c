"""Checks of lab 03: every expected value is computed again from the student's own runs."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from lab_tools.analysis.queues import bufferbloat
from lab_tools.errors import GradingError
from lab_tools.grading.judge import Result, Submission, task
from lab_tools.models import buffer_knee, link_efficiency, router_buffer
from lab_tools.record import RunRecord

#: Each tolerance is justified in the guide by what was measured.
RATIO_TOLERANCE = 0.01
#: Room for the window from the runs at 25 ms or more, or by another mean.
KNEE_TOLERANCE = 0.02
#: iperf3 shows three digits; two of them differ by its start.
SCREEN_TOLERANCE = 0.01
#: Percentage points: a share rounded to three digits.
GAP_TOLERANCE = 0.15
#: The largest sample instead of the one that 95 % stay below.
BLOAT_TOLERANCE = 0.02
SIZES_BDP = (0.1, 0.25, 0.5, 1.0)
RTTS_S = (0.001, 0.004, 0.010, 0.025, 0.050, 0.100)
FIRST_LIMITED = 2
HOST_RATE_BPS, PACIFIC_RATE_BPS, BACKBONE_RATE_BPS = 500e6, 100e6, 300e6
BACKBONE_RTT_S = 0.040
_IPERF = re.compile(r"([\d.]+) ([KMG]?)bits/sec.*\breceiver\b")
_UNIT = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9}


def one(s: Submission, what: str, flows: int = 1, **fields: object) -> RunRecord:
    """Return the student's run with these fields and as many flows, of 4 s or more."""
    found = [
        r
        for r in s.find(**fields)
        if r.experiment.duration_s >= 4 and len(r.experiment.flows) == flows
    ]
    if not found:
        raise GradingError(f"there is no calibrated run of {what}.")
    return found[0]


def rcvbuf(s: Submission) -> int:
    """The student's receive buffer, in bytes."""
    return int(s.variant["rcvbuf_kib"]) * 1024


def host_run(s: Submission, rtt_s: float, factor: int = 1, sndbuf: int | None = None) -> RunRecord:
    """Return the run over 500 Mbit/s with a multiple of the student's receive buffer."""
    what = f"500 Mbit/s over {1000 * rtt_s:g} ms with {factor * rcvbuf(s)} bytes of receive buffer"
    fields = {"rate_bps": HOST_RATE_BPS, "rtt_s": rtt_s, "rcvbuf_bytes": factor * rcvbuf(s)}
    return one(s, what, cc="cubic", streams=1, sndbuf_bytes=sndbuf, mtu_bytes=1500, **fields)


def own_path(s: Submission) -> dict[str, Any]:
    """Fields of the student's path of sections 7 to 9."""
    rate_bps, rtt_s = s.variant["rate_mbit"] * 1e6, s.variant["rtt_ms"] / 1000
    return {"rate_bps": rate_bps, "rtt_s": rtt_s, "mtu_bytes": 1500, "qdisc": "droptail"}


def efficiency() -> float:
    """Share of a frame of 1514 bytes that is data."""
    return float(link_efficiency(1448, link_bytes=14))


def used(record: RunRecord) -> float:
    """Goodput as a share of what the path can carry as data."""
    return record.goodput_bps() / (record.experiment.path.rate_bps * efficiency())


def sawtooth(b: float) -> float:
    """Share of the path that one Reno flow uses behind b BDPs, b at most 1."""
    return 0.75 * (1 + b) ** 2 / (1 + b + b**2)


def near(value: float, wanted: float, tolerance: float) -> bool:
    """Say whether a value is within a relative tolerance."""
    return abs(value - wanted) <= tolerance * abs(wanted)


def table(s: Submission, name: str, keys: tuple[str, ...]) -> dict[str, Any]:
    """Return an answer that is a dictionary with these keys.

    Raises
    ------
    GradingError : it is no dictionary, or a key is missing.
    """
    answer = s.answers.get(name)
    if not isinstance(answer, dict):
        raise GradingError("the answer is no dictionary.")
    missing = [key for key in keys if key not in answer]
    if missing:
        raise GradingError(f"the answer has no {missing[0]!r}.")
    return answer


def numeric(value: object) -> float:
    """Return a number that is part of an answer.

    Raises
    ------
    GradingError : it is no finite number.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not np.isfinite(value):
        raise GradingError("a part of the answer is no number.")
    return float(value)


@task("window_share", points=2)
def window_share(s: Submission) -> Result:
    """Advertised window over receive buffer, on the ocean path."""
    value, record = s.number("window_share"), host_run(s, 0.1)
    wanted = float(record.flows["snd_wnd_bytes"].iloc[-1]) / rcvbuf(s)
    if near(value, wanted, RATIO_TOLERANCE):
        return Result(2, "This is what your receiver advertised.")
    if near(value, 1 / wanted, RATIO_TOLERANCE):
        return Result(1, "The other way round: window divided by buffer.")
    if near(value, 100 * wanted, RATIO_TOLERANCE):
        return Result(1, "That is in percent; the task wants a share.")
    return Result(0, "This is not the window over the buffer: are both in bytes?")


@task("knee_ms", points=3)
def knee_ms(s: Submission) -> Result:
    """RTT at which one window a round trip meets the capacity."""
    value = s.number("knee_ms")
    runs = [host_run(s, rtt_s) for rtt_s in RTTS_S[FIRST_LIMITED:]]
    windows = [r.goodput_bps() * r.experiment.path.rtt_s / 8 for r in runs]
    capacity = HOST_RATE_BPS * efficiency()
    wanted = 1000 * float(buffer_knee(capacity, float(np.mean(windows))))
    if near(value, wanted, KNEE_TOLERANCE):
        return Result(3, "This is the knee of your own runs.")
    if near(value, wanted * efficiency(), KNEE_TOLERANCE):
        return Result(2, "Close: how much of the rate is left for data?")
    if near(value, wanted / 1000, KNEE_TOLERANCE):
        return Result(2, "That is in seconds; the task wants milliseconds.")
    if near(value, wanted / 8, KNEE_TOLERANCE) or near(value, wanted * 8, KNEE_TOLERANCE):
        return Result(1, "Off by the factor between bits and bytes.")
    if near(value, 2 * wanted, 3 * KNEE_TOLERANCE):
        return Result(1, "That is the knee of the buffer. Which part of it is the window?")
    return Result(0, "Where does one window a round trip equal what the path carries as data?")


@task("chord", points=2)
def chord(s: Submission) -> Result:
    """The goodput at 50 ms over the chord's height, and the shape's name."""
    answer = table(s, "chord", ("ratio", "shape"))
    left, middle, right = (host_run(s, rtt_s).goodput_bps() for rtt_s in RTTS_S[-3:])
    height = float(np.interp(RTTS_S[-2], [RTTS_S[-3], RTTS_S[-1]], [left, right]))
    wanted, value = middle / height, numeric(answer["ratio"])
    shape = "convex" if wanted < 1 else "concave"
    score, words = 0, []
    if near(value, wanted, RATIO_TOLERANCE):
        score, words = 1, ["ratio: right."]
    elif near(value, 1 / wanted, RATIO_TOLERANCE):
        words = ["ratio: the other way round."]
    elif near(value, middle / ((left + right) / 2), RATIO_TOLERANCE):
        words = ["ratio: 50 ms is not in the middle between 25 and 100 ms."]
    else:
        words = ["ratio: not your goodput over the chord's height at 50 ms."]
    if str(answer["shape"]).strip().lower() == shape:
        return Result(score + 1, " ".join([*words, "shape: right."]))
    return Result(score, " ".join([*words, "shape: is the point above or below the chord?"]))


def limit_of(record: RunRecord) -> str:
    """Say who held a sender back for most of the time it was busy."""
    last = record.flows.iloc[-1]
    shares = {"receive": last["rwnd_limited_s"], "send": last["sndbuf_limited_s"]}
    name = max(shares, key=lambda key: float(shares[key]))
    return name if shares[name] > 0.5 * last["busy_s"] else "congestion"


@task("who_limits", points=2)
def who_limits(s: Submission) -> Result:
    """Who limits each of the two runs, and what doubling brought."""
    answer = table(s, "who_limits", ("equal", "doubled", "gain"))
    runs = {
        "equal": host_run(s, 0.1, 1, rcvbuf(s)),
        "doubled": host_run(s, 0.1, 2, rcvbuf(s)),
    }
    score, words = 0.0, []
    for name, record in runs.items():
        said = str(answer[name]).strip().lower()
        right = said.startswith(limit_of(record))
        score += 0.5 if right else 0
        words.append(f"{name}: {'right' if right else 'look at who made the sender wait'}.")
    wanted = runs["doubled"].goodput_bps() / runs["equal"].goodput_bps()
    value = numeric(answer["gain"])
    if near(value, wanted, RATIO_TOLERANCE):
        return Result(score + 1, " ".join([*words, "gain: right."]))
    if near(value, 1 / wanted, RATIO_TOLERANCE):
        return Result(score + 0.5, " ".join([*words, "gain: the other way round."]))
    return Result(score, " ".join([*words, "gain: not the ratio of your two runs."]))


def asking(s: Submission) -> Iterator[str]:
    """Yield the output of each command with the student's own ``-w`` on the ocean path."""
    own = re.compile(rf"\biperf3\b.*-w ?{s.variant['rcvbuf_kib']}[kK]\b")
    for entry in s.commands:
        path = entry.get("path", {})
        there = near(path.get("rate_bps", 0), HOST_RATE_BPS, 1e-6) and near(
            path.get("rtt_s", 0), 0.1, 1e-6
        )
        if there and own.search(entry["command"]):
            yield entry["output"]


@task("asked", points=2)
def asked(s: Submission) -> Result:
    """What the kernel keeps when a program asks, and the rate it gives."""
    answer, ocean = table(s, "asked", ("kept", "gain")), host_run(s, 0.1)
    outputs = list(asking(s))
    sizes = [max(map(int, found)) for text in outputs if (found := re.findall(r"\brb(\d+)", text))]
    rates = [float(x) * _UNIT[unit] for text in outputs for x, unit in _IPERF.findall(text)]
    if not sizes or not rates:
        raise GradingError("no iperf3 -w of yours on the ocean path shows ss -tm and its own end.")
    kept, gain = numeric(answer["kept"]), numeric(answer["gain"])
    score, words = 0.0, []
    if kept in sizes:
        score, words = 1, ["kept: right."]
    elif near(kept, rcvbuf(s), RATIO_TOLERANCE):
        words = ["kept: that is what you asked for."]
    else:
        words = ["kept: not the receive buffer (rb) of the transfer."]
    ratios = [rate / ocean.goodput_bps() for rate in rates]
    if any(near(gain, each, SCREEN_TOLERANCE) for each in ratios):
        return Result(score + 1, " ".join([*words, "gain: right."]))
    if any(near(gain, 1 / each, SCREEN_TOLERANCE) for each in ratios):
        return Result(score + 0.5, " ".join([*words, "gain: the other way round."]))
    return Result(score, " ".join([*words, "gain: not the receiver's rate over your ocean run's."]))


@task("pacific_run", points=2)
def pacific_run(s: Submission) -> Result:
    """A run over the long path with enough receive buffer, and not too much."""
    if "pacific_run" not in s.answers:
        raise GradingError("there is no answer.")
    record = s.record(s.answers["pacific_run"])
    experiment, rtt_s = record.experiment, s.variant["pacific_ms"] / 1000
    path = experiment.path
    if not (near(path.rate_bps, PACIFIC_RATE_BPS, 1e-6) and near(path.rtt_s, rtt_s, 1e-6)):
        return Result(0, "That run is not on the path of the task.")
    if experiment.streams > 1 or experiment.duration_s - experiment.omit_s < 5:
        return Result(0, "That run has several streams, or is too short to say anything.")
    size, share = experiment.host.rcvbuf_bytes, used(record)
    if size is None or size > 3 * path.bdp_bytes * 1.001:
        return Result(0, "That run has no limit on its receive buffer, or one above three BDPs.")
    if share >= 0.95:
        return Result(2, f"Your run gets {share:.0%} of what the path carries.")
    if share >= 0.8:
        return Result(1, f"Your run gets {share:.0%} of what the path carries: near, not there.")
    return Result(0, f"Your run gets {share:.0%} of what the path carries.")


@task("reno_buffers", points=4)
def reno_buffers(s: Submission) -> Result:
    """Measured minus calculated utilisation, and the formula turned round."""
    answer = table(s, "reno_buffers", ("gaps", "buffer"))
    score, words = 0.0, []
    wanted = s.variant["wanted_percent"] / 100
    grid = np.linspace(0, 1, 100001)
    best = float(np.interp(wanted, [sawtooth(b) for b in grid], grid))
    value = numeric(answer["buffer"])
    if near(value, best, RATIO_TOLERANCE):
        score, words = 1, ["buffer: right."]
    elif near(value, 100 * best, RATIO_TOLERANCE):
        words = ["buffer: in BDPs, not in percent."]
    else:
        words = ["buffer: not where the formula gives your percentage."]
    if not isinstance(answer["gaps"], list) or len(answer["gaps"]) != len(SIZES_BDP):
        return Result(score, " ".join([*words, "gaps: no list of four numbers."]))
    gaps = np.array([numeric(each) for each in answer["gaps"]])
    shares = np.array([used(reno_run(s, size)) for size in SIZES_BDP])
    model = np.array([sawtooth(size) for size in SIZES_BDP])
    for points, wrong, said in (
        (3, 100 * (shares - model), "right."),
        (2, 100 * (model - shares), "calculated minus measured has the other sign."),
        (2, shares - model, "in percentage points, not in fractions."),
        (1, 100 * (shares * efficiency() - model), "the raw rate holds headers too."),
    ):
        room = GAP_TOLERANCE if np.abs(wrong).max() > 0.2 else GAP_TOLERANCE / 100
        if np.abs(gaps - wrong).max() <= room:
            return Result(score + points, " ".join([*words, f"gaps: {said}"]))
    return Result(score, " ".join([*words, "gaps: not those of your four runs."]))


def reno_run(s: Submission, size_bdp: float) -> RunRecord:
    """Return the Reno run on the student's path behind a buffer."""
    fields = {"cc": "reno", "streams": 1, "buffer_bdp": size_bdp, "buffer_bytes": None}
    return one(s, f"one Reno flow behind {size_bdp} BDP", **own_path(s), **fields)


def call_rtt(record: RunRecord) -> Any:
    """RTTs of the call, the last flow, after the start."""
    flows = record.flows
    return flows[(flows["flow"] == flows["flow"].max()) & (flows["time_s"] >= 5)]["rtt_s"]


@task("bloat", points=2)
def bloat(s: Submission) -> Result:
    """What ten BDPs do to a call, and what they bring the download."""
    answer, path = table(s, "bloat", ("factor", "gain")), own_path(s)
    idle = one(s, "the call alone", **path, app_limit_bps=64e3)
    loaded = {
        size: one(
            s, f"download and call behind {size:g} BDP", 2, **path,
            app_limit_bps=None, buffer_bdp=size, buffer_bytes=None,
        )
        for size in (1.0, 10.0)
    }  # fmt: skip
    factor = bufferbloat(call_rtt(idle), call_rtt(loaded[10.0])).factor
    median = bufferbloat(call_rtt(idle), call_rtt(loaded[10.0]), quantile=0.5).factor
    gain = loaded[10.0].goodput_bps(0) / loaded[1.0].goodput_bps(0)
    score, words = 0.0, []
    value = numeric(answer["factor"])
    if near(value, factor, BLOAT_TOLERANCE):
        score, words = 1, ["factor: right."]
    elif near(value, factor - 1, BLOAT_TOLERANCE):
        score, words = 0.5, ["factor: that is the increase; the task wants the multiple."]
    elif near(value, median, BLOAT_TOLERANCE):
        score, words = 0.5, ["factor: that is the median; 95 % of the samples lie below what?"]
    elif near(value, bufferbloat(call_rtt(idle), call_rtt(loaded[1.0])).factor, BLOAT_TOLERANCE):
        words = ["factor: that is behind one BDP."]
    else:
        words = ["factor: not the call's RTT under load over its idle one."]
    value = numeric(answer["gain"])
    if near(value, gain, RATIO_TOLERANCE):
        return Result(score + 1, " ".join([*words, "gain: right."]))
    if abs(value - (gain - 1)) <= RATIO_TOLERANCE:
        return Result(score + 0.5, " ".join([*words, "gain: the ratio, not the increase."]))
    return Result(score, " ".join([*words, "gain: not the ratio of the download's two goodputs."]))


@task("backbone_buffer", points=1)
def backbone_buffer(s: Submission) -> Result:
    """Appenzeller's buffer in bytes."""
    value, flows = s.number("backbone_buffer"), s.variant["flows"]
    wanted = float(router_buffer(BACKBONE_RATE_BPS, BACKBONE_RTT_S, flows=flows))
    if near(value, wanted, RATIO_TOLERANCE):
        return Result(1, "This is the formula's buffer.")
    if near(value, 8 * wanted, RATIO_TOLERANCE):
        return Result(0.5, "That is in bits; the task wants bytes.")
    if near(value, wanted / flows**0.5, RATIO_TOLERANCE):
        return Result(0.5, "That divides by the number of flows, not by its root.")
    if near(value, wanted * 25 / 40, RATIO_TOLERANCE):
        return Result(0.5, "That takes the nearest place's RTT, not the mean.")
    return Result(0, "Rate times mean RTT over the root of the number of flows, in bytes.")


@task("backbone_run", points=2)
def backbone_run(s: Submission) -> Result:
    """A run of the backbone with the small buffer that keeps the link busy."""
    if "backbone_run" not in s.answers:
        raise GradingError("there is no answer.")
    record = s.record(s.answers["backbone_run"])
    experiment, flows = record.experiment, s.variant["flows"]
    offsets = [round(1000 * flow.rtt_offset_s) for flow in experiment.flows]
    if not near(experiment.path.rate_bps, BACKBONE_RATE_BPS, 1e-6) or offsets != [0, 10, 20, 30]:
        return Result(0, "That run is not on the backbone with its four places.")
    if experiment.streams != flows or experiment.duration_s - experiment.omit_s < 10:
        return Result(0, f"That run has not your {flows} flows, or is too short.")
    if any(flow.cc != "reno" for flow in experiment.flows):
        return Result(0, "That run's flows are not Reno.")
    size, share = experiment.path.router_buffer_bytes, used(record)
    rule = float(router_buffer(BACKBONE_RATE_BPS, BACKBONE_RTT_S, flows=flows))
    if share < 0.97:
        return Result(0, f"That run uses {share:.1%} of the link.")
    if size <= 1.1 * rule:
        return Result(2, f"{share:.1%} of the link with a buffer as small as the formula's.")
    if size <= 2 * rule:
        return Result(1, f"{share:.1%} of the link, with more memory than you need.")
    return Result(0, "The link is busy, but the buffer is not small.")
