"""Checks of lab 06: every expected value is computed again from the student's own records."""

import numpy as np

from lab_tools.errors import GradingError
from lab_tools.grading.judge import Result, Submission, task
from lab_tools.record import RunRecord

PACED_SHARE = 0.95
STEPS = (0.2, 0.4, 0.6, 0.8, 0.95)
DEEP_BDP = 2.0
LONG_S = 20.0
#: Room for rounding to three digits; each is justified in the guide.
RATIO_TOLERANCE = 0.01
#: Room for other lines through the same five points: Theil-Sen (see the guide).
SLOPE_TOLERANCE = 0.05
#: Width of the bracket around the edge, as a share of the router's rate, and what it earns.
BRACKETS = ((0.005, 4.0), (0.01, 3.0), (0.02, 2.0))
ROUNDING = 1e-6


def rate_bps(s: Submission) -> float:
    """The router's rate."""
    return float(s.variant["rate_mbit"] * 1e6)


def one(s: Submission, what: str, **fields: object) -> RunRecord:
    """Return the student's run with these fields on the student's own path, undisturbed."""
    common = {"cc": "cubic", "qdisc": "droptail", "offloads": False, "mtu_bytes": 1500} | fields
    found = [
        r for r in own(s, **common) if r.experiment.host.qdisc == common.get("host", "noqueue")
    ]
    if not found:
        raise GradingError(f"there is no calibrated run of {what}.")
    return found[0]


def own(s: Submission, **fields: object) -> list[RunRecord]:
    """Return the runs at the student's rate and RTT with one stream and no limits but pacing."""
    fields.pop("host", None)
    path = {"rate_bps": rate_bps(s), "rtt_s": s.variant["rtt_ms"] / 1000, "loss": 0.0}
    quiet = {"streams": 1, "app_limit_bps": None, "mss_bytes": None, "sndbuf_bytes": None}
    found = s.find(**path, **quiet, rcvbuf_bytes=None, jitter_s=0.0, buffer_bytes=None, **fields)
    return [r for r in found if len(r.experiment.flows) == 1 and not r.experiment.cross]


def shallow(s: Submission, what: str, **fields: object) -> RunRecord:
    """Return the 20 s run behind the student's small buffer with these fields."""
    fixed = {"buffer_bdp": float(s.variant["buffer_bdp"]), "duration_s": LONG_S, "omit_s": 0.0}
    return one(s, what, **({"pacing_bps": None} | fixed | fields))


def deep(s: Submission, share: float | None) -> RunRecord:
    """Return the 3 s run behind the deep buffer, paced at this share or not at all."""
    pacing_bps = None if share is None else share * rate_bps(s)
    what = "the deep buffer " + ("without a limit" if share is None else f"paced at {share:.0%}")
    times = {"duration_s": 3.0, "sample_interval_s": 0.002}
    return one(s, what, buffer_bdp=DEEP_BDP, pacing_bps=pacing_bps, **times)


def opening(record: RunRecord) -> float:
    """Burst length: the largest backlog before the window reaches one BDP, in bytes."""
    path, flow = record.experiment.path, record.flows
    full = flow["cwnd_segments"] * path.frame_bytes >= path.bdp_bytes
    end_s = flow["time_s"][full].min()
    return float(record.queue["backlog_bytes"][record.queue["time_s"] < end_s].max())


def near(value: float, wanted: float, tolerance: float = RATIO_TOLERANCE) -> bool:
    """Say whether a value is within a relative tolerance."""
    return abs(value - wanted) <= tolerance * abs(wanted)


def percent(value: float, wanted: float, points: float, right: str) -> Result:
    """Score a percentage; the fraction earns half."""
    if near(value, wanted):
        return Result(points, right)
    if near(value, wanted / 100):
        return Result(points / 2, "That is the fraction; the task wants percent.")
    return Result(0, "This is not what your run shows.")


@task("unpaced_percent", points=2)
def unpaced_percent(s: Submission) -> Result:
    """Goodput without a limit, in percent of the router's rate."""
    value = s.number("unpaced_percent")
    wanted = 100 * shallow(s, "20 s without a limit").goodput_bps() / rate_bps(s)
    return percent(value, wanted, 2, "This is what your run without a limit kept.")


@task("start_percent", points=1)
def start_percent(s: Submission) -> Result:
    """Share of the drops in the first second."""
    value, record = s.number("start_percent"), shallow(s, "20 s without a limit")
    queue = record.queue
    early = float(queue["drops"][queue["time_s"] <= 1.0 + ROUNDING].max())
    wanted = 100 * early / record.bottleneck_drops
    return percent(value, wanted, 1, "This is the share of the first second.")


@task("paced_gain", points=2)
def paced_gain(s: Submission) -> Result:
    """Goodput with a limit of 95 % over goodput without."""
    value, unpaced = s.number("paced_gain"), shallow(s, "20 s without a limit")
    limit_bps = PACED_SHARE * rate_bps(s)
    paced = shallow(s, "20 s paced at 95 %", pacing_bps=limit_bps)
    wanted = paced.goodput_bps() / unpaced.goodput_bps()
    if near(value, wanted):
        return Result(2, "This is the gain that your two runs show.")
    if near(value, 1 / wanted):
        return Result(1, "The other way round: the limited sender divided by the unlimited one.")
    if near(value, wanted - 1):
        return Result(1, "That is how much more; the task wants how many times as much.")
    return Result(0, "This is not the ratio of your two runs.")


@task("threshold", points=4)
def threshold(s: Submission) -> Result:
    """Two of the student's own pacing rates with the edge between them."""
    answer = s.answers.get("threshold")
    if not isinstance(answer, list) or len(answer) != 2:
        raise GradingError("the answer is no list of two pacing rates.")
    if any(isinstance(x, bool) or not isinstance(x, (int, float)) for x in answer):
        raise GradingError("the two pacing rates are not both numbers.")
    low, high = sorted(map(float, answer))
    if high < rate_bps(s) / 1000:
        return Result(0, "The rates are wanted in bit/s.")
    clean = shallow(s, f"20 s paced at {low / 1e6:g} Mbit/s", pacing_bps=low)
    dirty = shallow(s, f"20 s paced at {high / 1e6:g} Mbit/s", pacing_bps=high)
    if clean.bottleneck_drops:
        return Result(0, "At the lower of your rates the router dropped packets.")
    if not dirty.bottleneck_drops:
        return Result(0, "At the higher of your rates the router dropped nothing: go higher.")
    width = (high - low) / rate_bps(s)
    points = next((p for widest, p in BRACKETS if width <= widest + ROUNDING), 1.0)
    words = f"The edge lies between your rates, {width:.2%} of the router's rate apart"
    order = "" if list(answer) == [low, high] else " (the lower one comes first)"
    return Result(points, f"{words}{order}.")


@task("payload_percent", points=2)
def payload_percent(s: Submission) -> Result:
    """Payload over frame; forgetting one header earns half."""
    value, record = s.number("payload_percent"), shallow(s, "20 s without a limit")
    mss, frame = int(record.flows["mss_bytes"].iloc[-1]), record.experiment.path.frame_bytes
    if near(value, 100 * mss / frame, 0.001):
        return Result(2, "Right: payload over what the router counts.")
    if near(value, mss / frame, 0.001):
        return Result(1, "That is the fraction; the task wants percent.")
    slips = {
        (mss + 12) / frame: "Which TCP option takes 12 more bytes?",
        mss / record.experiment.path.mtu_bytes: "The router also counts the Ethernet header.",
        mss / (frame + 24): "This router does not count preamble, checksum and gap.",
        frame / mss: "The other way round.",
    }
    for wrong, words in slips.items():
        if near(value, 100 * wrong, 0.001):
            return Result(1, words)
    return Result(0, "Which bytes does TCP count, and which does the router?")


@task("burst_of_buffer", points=2)
def burst_of_buffer(s: Submission) -> Result:
    """Burst length without a limit over the small buffer."""
    value, small = s.number("burst_of_buffer"), shallow(s, "20 s without a limit")
    path = small.experiment.path
    wanted = opening(deep(s, None)) / path.router_buffer_bytes
    if near(value, wanted):
        return Result(2, "This is how many buffers your burst would fill.")
    if near(value, 1 / wanted):
        return Result(1, "The other way round: the burst divided by the buffer.")
    if near(value, wanted / path.frame_bytes):
        return Result(1, "A burst in packets over a buffer in bytes: use one unit for both.")
    return Result(0, "This is not the burst of your run over your small buffer.")


@task("burst_ratio", points=2)
def burst_ratio(s: Submission) -> Result:
    """Burst length without a limit over that at 95 %."""
    value = s.number("burst_ratio")
    free, limited = deep(s, None), deep(s, PACED_SHARE)
    wanted = opening(free) / opening(limited)
    if near(value, wanted):
        return Result(2, "This is the ratio of your two bursts.")
    if near(value, 1 / wanted):
        return Result(1, "The other way round: how many times as long without a limit.")
    whole = free.queue["backlog_bytes"].max() / limited.queue["backlog_bytes"].max()
    if near(value, float(whole)):
        return Result(1, "You took the whole run: above one BDP the window itself waits, no burst.")
    return Result(0, "This is not the ratio of your two bursts.")


@task("quantum_ms", points=2)
def quantum_ms(s: Submission) -> Result:
    """Slope of the late backlog over the pacing rate."""
    value, rates = s.number("quantum_ms"), np.array(STEPS) * rate_bps(s)
    queues = [deep(s, share).queue for share in STEPS]
    bits = np.array([8.0 * q["backlog_bytes"][q["time_s"] >= 1.0].max() for q in queues])
    wanted = 1000 * float(np.polyfit(rates, bits, 1)[0])
    if near(value, wanted, SLOPE_TOLERANCE):
        return Result(2, "This is the slope of your five points.")
    for factor, words in (
        (1e-3, "That is in seconds; the task wants milliseconds."),
        (1 / 8, "Off by the factor between bits and bytes."),
        (1e-3 / 8, "The backlog is wanted in bits, and the slope in milliseconds."),
    ):
        if near(value, wanted * factor, SLOPE_TOLERANCE):
            return Result(1, words)
    through_zero = 1000 * float((rates * bits).sum() / (rates**2).sum())
    if near(value, through_zero, RATIO_TOLERANCE):
        return Result(1, "That line passes through zero; this one does not have to.")
    return Result(0, "This is not the slope of your five points.")


@task("ca_ratio", points=2)
def ca_ratio(s: Submission) -> Result:
    """The kernel's pacing rate over window per RTT."""
    value, record = s.number("ca_ratio"), shallow(s, "20 s with fq and no limit", host="fq")
    flow = record.flows[record.flows["time_s"] >= 2.0 - ROUNDING]
    window_bps = flow["cwnd_segments"] * flow["mss_bytes"] * 8 / flow["rtt_s"]
    wanted = float((flow["pacing_bps"] / window_bps).median())
    if near(value, wanted):
        return Result(2, "This is the factor in your run.")
    if near(value, 1 / wanted):
        return Result(1, "The other way round: the pacing rate divided by the window per RTT.")
    if near(value, 8 * wanted) or near(value, wanted / 8):
        return Result(1, "Off by the factor between bits and bytes.")
    return Result(0, "This is not the median of your run.")


@task("segments_per_drop", points=2)
def segments_per_drop(s: Submission) -> Result:
    """Segments sent again for each drop of a super-packet."""
    value = s.number("segments_per_drop")
    record = shallow(s, "20 s with offloads and no limit", offloads=True)
    wanted = record.retransmits / record.bottleneck_drops
    if near(value, wanted):
        return Result(2, "This is what each drop of your run cost.")
    if near(value, 1 / wanted):
        return Result(1, "The other way round: segments for each drop.")
    return Result(0, "This is not the ratio in your run with offloads.")


@task("bbr_drop_percent", points=1)
def bbr_drop_percent(s: Submission) -> Result:
    """Share of BBR's packets that the router dropped."""
    value = s.number("bbr_drop_percent")
    record = shallow(s, "20 s of BBR without a limit", cc="bbr")
    sent = int(record.queue["sent_packets"].max())
    wanted = 100 * record.bottleneck_drops / (sent + record.bottleneck_drops)
    if near(value, 100 * record.bottleneck_drops / sent):
        return Result(0.5, "What reached the router is what it sent on and what it dropped.")
    return percent(value, wanted, 1, "This is the share that your router dropped.")
