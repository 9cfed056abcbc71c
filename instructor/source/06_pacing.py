# %% [markdown]
# # Pacing: what a limit on the sender does
#
# **Goal.** See what bursts do to a router with little memory; find the pacing rate at which it stops
# dropping packets; measure how long a burst is before and after.
#
# **Time.** 90 to 120 minutes, of which the runs take about 2.
#
# **You need** labs 00 and 02: what a congestion window is, what slow start is, that TCP takes each
# loss for a sign to slow down.
#
# ## 1. The question
#
# A host with a fast network card sends to a slower path. The router between them has a small buffer:
# it can hold the data of only two or three milliseconds. Nobody else is on the path, and no packet
# is lost at random. One CUBIC stream runs for 20 s.
#
# Now somebody *limits* the sender: it may never send faster than 95 % of the router's rate. **Does
# the transfer get slower or faster, and by how much?** Most people expect to lose those 5 %.
#
# A few words. *RTT* is the round-trip time. The *bandwidth-delay product* (BDP) is rate times RTT,
# the data that fills the path. A *burst* is a group of packets that arrives faster than the router
# can send it on. *Pacing* means that the sender spreads its packets over time and does not send them
# at the speed of its card; RFC 9002, section 7.7, describes it for QUIC. Here the limit is the socket
# option `SO_MAX_PACING_RATE`, the field `pacing_bps` of a `Flow`.

# %%
import numpy as np

from lab_tools.experiment import Experiment, Flow, Host, Path
from lab_tools.figures.pacing import backlog_panels, pacing_figure
from lab_tools.figures.traces import traces
from lab_tools.grading import Lab
from lab_tools.widgets import explore

lab = Lab("06_pacing")
print(lab.variant)

# %% [markdown]
# These parameters are yours: the router's rate, the RTT, the router's buffer in BDPs, and a seed.

# %%
rate_bps, rtt_s = lab.variant["rate_mbit"] * 1e6, lab.variant["rtt_ms"] / 1000
path = Path(rate_bps, rtt_s, buffer_bdp=lab.variant["buffer_bdp"], mtu_bytes=1500)
print(f"The path holds {path.bdp_bytes / path.frame_bytes:.0f} packets,", end=" ")
print(f"the router's buffer {path.router_buffer_bytes / path.frame_bytes:.0f} packets.")

# %% [markdown]
# ## 2. Predict before you measure
#
# Write down what you expect. No run starts before all three are locked. **A wrong prediction costs
# nothing**; you will explain it at the end.
#
# - `unpaced_percent`: how much of the router's rate, in percent, CUBIC gets in 20 s *without* a limit.
# - `limit_percent`: the highest pacing rate, in percent of the router's rate, at which the router
#   drops nothing.
# - `bbr_drop_factor`: BBR is a congestion control that paces by itself. How many times as many
#   packets does the router drop with BBR as with CUBIC, both without a limit? (Below 1: fewer.)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "predict", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.predict("unpaced_percent", ...) and so on: three lines
### BEGIN SOLUTION
lab.predict("unpaced_percent", 98)
lab.predict("limit_percent", 100)
lab.predict("bbr_drop_factor", 0.1)
### END SOLUTION

# %% [markdown]
# **Explore before you measure.** Move the sliders. The model behind this panel knows the rates, but
# it knows nothing about bursts and buffers. Keep in mind what it promises. "Run it" makes a real run,
# apart from your graded records.

# %%
paced_flow = Flow("cubic", pacing_bps=0.95 * rate_bps)
explore(Experiment(path, flows=(paced_flow,), duration_s=5), vary=("pacing_bps", "rtt_s"))

# %% [markdown]
# ## 3. Without a limit


# %%
def transfer(share=None, cc="cubic", **tuning):
    """20 s over your path, paced at this share of the router's rate or not at all."""
    flow = Flow(cc, pacing_bps=None if share is None else share * rate_bps)
    times = {"duration_s": 20.0, "sample_interval_s": 0.02, "seed": lab.variant["seed"]}
    return Experiment(path, Host(**tuning), flows=(flow,), **times)


unpaced, paced = lab.run_all([transfer(), transfer(0.95)])

# %% [markdown]
# **Check the assumptions first.** `require_calibrated` refuses a record that is not what you asked
# for. Then look where packets were lost: only the router's queue may have dropped any.

# %%
for record in (unpaced, paced):
    record.require_calibrated()
    elsewhere = record.counters["drops_outside_bottleneck"]
    print(f"dropped by the router {record.bottleneck_drops}, elsewhere {elsewhere};", end=" ")
    print(f"sent again {record.retransmits}")

# %%
traces(unpaced.total(), unpaced.queue, title="CUBIC without a limit")

# %% [markdown]
# Dotted lines mark drops. Look at the window (second panel): how large was it at the first drops,
# and how long does it need to recover? Nobody else used the path meanwhile. The goodput is a thick
# band because a sample is shorter than a round trip: the window goes out in one piece, and for the
# rest of the round trip the path is empty. (A sample above the router's rate is data that waited
# behind a lost packet and is handed over at once.)
#
# **Task `unpaced_percent`.** Hand in the goodput of this run in percent of the router's rate.
# (`unpaced.goodput_bps()` is the mean over the run.)
#
# **Task `start_percent`.** Hand in how many of the run's drops, in percent, fall into its first
# second. (`unpaced.queue` has the columns `time_s` and `drops`; `drops` counts from the start.)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_unpaced", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("unpaced_percent", ...)
# lab.answer("start_percent", ...)
### BEGIN SOLUTION
lab.answer("unpaced_percent", 100 * unpaced.goodput_bps() / rate_bps)
first_second = unpaced.queue[unpaced.queue["time_s"] <= 1.0]
early = int(first_second["drops"].max())
lab.answer("start_percent", 100 * early / unpaced.bottleneck_drops)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "unpaced_percent", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("unpaced_percent")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "start_percent", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("start_percent")

# %% [markdown]
# This is the burst at the end of slow start, the loss event that you met in lab 02 behind the
# firewall. One event, in the first few round trips, and most of the path stays empty for many
# seconds.
#
# ## 4. With a limit of 95 %

# %%
traces(paced.total(), paced.queue, title="The same stream, paced at 95 % of the router's rate")

# %% [markdown]
# **Task `paced_gain`.** How many times as much does the limited sender carry as the unlimited one?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_gain", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("paced_gain", ...)
### BEGIN SOLUTION
lab.answer("paced_gain", paced.goodput_bps() / unpaced.goodput_bps())
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "paced_gain", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("paced_gain")

# %% [markdown]
# ## 5. A hair too fast
#
# If 95 % is good, is 100 % better? Try some rates around it, 20 s each.

# %%
shares = [0.7, 0.8, 0.9, 0.95, 0.97, 1.0, 1.1]
ladder = lab.run_all([transfer(share) for share in shares])
kept = [record.require_calibrated().goodput_bps() / rate_bps for record in ladder]
drops = [record.bottleneck_drops for record in ladder]
pacing_figure(shares, kept, drops, unpaced=unpaced.goodput_bps() / rate_bps)

# %% [markdown]
# On the left goodput follows the pacing rate: what you allow is what you get, save for the first
# round trips, and nothing is dropped.
# Then comes an edge, and beyond it the drops are back and goodput falls. It stays above the dashed
# line, the run without a limit, because slow start is paced too. (Keep this for the explanation.)
#
# **Task `threshold`.** Where is the edge? Find two pacing rates that lie at most 0.5 % of the
# router's rate apart: at the lower one 20 s pass without a drop, at the higher one the router drops
# packets. Use `lab.run(transfer(share))`, and halve the interval each time. Hand in both rates in
# bit/s as a list, the lower one first.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "find_threshold", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("threshold", [..., ...])
### BEGIN SOLUTION
clean, dirty = 0.95, 0.97
while dirty - clean > 0.005:
    middle = (clean + dirty) / 2
    tried = lab.run(transfer(middle)).require_calibrated()
    clean, dirty = (clean, middle) if tried.bottleneck_drops else (middle, dirty)
lab.answer("threshold", [clean * rate_bps, dirty * rate_bps])
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 4, "grade_id": "threshold", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("threshold")

# %% [markdown]
# The edge is not at 100 %. The sender keeps to its limit exactly, so somebody must count other bytes
# than you do. Linux's TCP paces what it hands down: the *payload* of its segments. The router of this
# lab counts frames: the payload with 20 bytes of IP header, 20 of TCP header, 12 of TCP timestamps
# and 14 of Ethernet header.
#
# **Task `payload_percent`.** Compute from these sizes where the edge must be, in percent of the
# router's rate. (`path.frame_bytes` is the router's frame; the column `mss_bytes` of
# `unpaced.flows` is the payload of a full segment.) Does it lie between your two rates?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_payload", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("payload_percent", ...)
### BEGIN SOLUTION
mss_bytes = int(unpaced.flows["mss_bytes"].iloc[-1])
lab.answer("payload_percent", 100 * mss_bytes / path.frame_bytes)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "payload_percent", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("payload_percent")

# %% [markdown]
# Why does so little too much do so much harm? At a pacing rate 1 % above the edge the queue grows by
# 1 % of the rate, each second. A buffer of three milliseconds is full after 0.3 s. It makes no
# difference how small the excess is, only how long it takes.
#
# ## 6. How long is a burst?
#
# Packets have no time stamps in our records, but the router's queue has. So let us define: the
# **burst length** is the largest backlog that a sender causes in a router with a *deep* buffer, as
# long as its window is below one BDP. Such a window cannot overload the path on average, so what
# waits in the router are bursts and nothing else. (In network calculus this is the depth of the
# smallest token bucket of the router's rate that the traffic fits into.)
#
# The next runs have a buffer of two BDPs and samples every 2 ms: without a limit, with the queue
# discipline `fq` on the hosts (section 8), and paced at five rates.


# %%
def deep(share=None, **tuning):
    """3 s over your path with a buffer of two BDPs, looked at every 2 ms."""
    return transfer(share, **tuning).replace(
        buffer_bdp=2.0, duration_s=3.0, sample_interval_s=0.002
    )


steps = [0.2, 0.4, 0.6, 0.8, 0.95]
runs = lab.run_all([deep(), deep(qdisc="fq"), *map(deep, steps)])
deep_unpaced, deep_fq, *deep_paced = runs

# %%
start = {"no limit": deep_unpaced, "fq": deep_fq, "95 %": deep_paced[-1]}
early = {name: record.queue[record.queue["time_s"] < 8 * rtt_s] for name, record in start.items()}
backlog_panels(
    {name: (queue["time_s"], queue["backlog_bytes"]) for name, queue in early.items()},
    buffer_bytes=path.router_buffer_bytes,
    title="What waits in the router in the first eight round trips",
)

# %% [markdown]
# Each hump of the upper panel is one round trip of slow start. In slow start each acknowledgement
# allows two packets. Acknowledgements come back at the router's own rate, so packets arrive at twice
# that rate: while the window W passes, half of it goes on and half of it waits. The dashed line is
# your small buffer. Find the hump that would not have fitted.


# %%
def opening(record):
    """Samples of the queue before the window reaches one BDP."""
    flow = record.require_calibrated().flows
    full = flow["cwnd_segments"] * path.frame_bytes >= path.bdp_bytes
    return record.queue[record.queue["time_s"] < flow["time_s"][full].min()]


def burst_packets(record):
    """Burst length as defined above, in full packets."""
    return opening(record)["backlog_bytes"].max() / path.frame_bytes


# %% [markdown]
# **Task `burst_of_buffer`.** How many of your *small* buffers (`path.router_buffer_bytes`) would be
# needed to hold the burst of `deep_unpaced`? (A decimal number: both in bytes, one over the other.)
#
# **Task `burst_ratio`.** How many times as long is the burst of `deep_unpaced` as that of the run
# paced at 95 %?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_bursts", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("burst_of_buffer", ...)
# lab.answer("burst_ratio", ...)
### BEGIN SOLUTION
before, after = burst_packets(deep_unpaced), burst_packets(deep_paced[-1])
print(f"bursts of {before:.0f} and {after:.0f} packets")
lab.answer("burst_of_buffer", before * path.frame_bytes / path.router_buffer_bytes)
lab.answer("burst_ratio", before / after)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "burst_of_buffer", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("burst_of_buffer")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "burst_ratio", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("burst_ratio")

# %% [markdown]
# ## 7. Why pacing still has bursts
#
# A perfectly paced sender would never queue a packet here. Yours does. A timer for every packet costs
# too much computing, so Linux sends a small group, waits, and sends the next one. The kernel's manual
# (`ip-sysctl`, at `tcp_tso_rtt_log`) gives the size of a group as the pacing rate divided by a fixed
# number of groups each second. Which number? Measure it.
#
# **Task `quantum_ms`.** For each of the five runs in `deep_paced` (rates `steps` times `rate_bps`)
# take the largest backlog after the first second, in *bits*. Fit a straight line of it over the
# pacing rate in bit/s and hand in its slope, in milliseconds. (The line does not pass through zero:
# the router lets two frames pass at once before it makes anything wait.)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "fit_quantum", "schema_version": 3, "task": false, "cell_type": "code"}
# quantum_ms = ...
### BEGIN SOLUTION
late = [record.queue[record.queue["time_s"] >= 1.0] for record in deep_paced]
backlog_bits = [8 * queue["backlog_bytes"].max() for queue in late]
slope_s = np.polyfit(np.array(steps) * rate_bps, backlog_bits, 1)[0]
lab.answer("quantum_ms", 1000 * slope_s)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "quantum_ms", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("quantum_ms")

# %% [markdown]
# So a group is about one millisecond of data, whatever the rate, in whole segments. The manual says
# 1024 groups a second. The kernel stops at 64 kB, the largest packet that IP knows, which is reached
# near 500 Mbit/s. A buffer that holds less than one group drops packets of a paced sender too.
#
# ## 8. The kernel's own pacing
#
# Without any limit of yours, a host with the queue discipline `fq` paces all its TCP streams at a
# rate of the kernel's choice: some factor times the window per RTT. The column `pacing_bps` of
# a run's `flows` holds this rate. It is in `unpaced` too, there only noted and not acted on.

# %%
with_fq = lab.run(transfer(qdisc="fq")).require_calibrated()
for name, record in {"no limit": unpaced, "fq": with_fq, "95 %": paced}.items():
    print(f"{name}: {record.bottleneck_drops} drops,", end=" ")
    print(f"{record.goodput_bps() / rate_bps:.0%} of the router's rate")
traces(with_fq.total(), with_fq.queue, title="CUBIC with fq on the hosts and no limit")

# %% [markdown]
# Look at the three lines. Of the two runs without a limit of yours, the one with *more* drops
# carried *more*. Compare its window at the first drops with that of `unpaced`.
#
# **Task `ca_ratio`.** In the run `with_fq`, divide `pacing_bps` by the window per RTT,
# `cwnd_segments * mss_bytes * 8 / rtt_s`, for every sample from 2 s on. Hand in the median.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_ratio", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("ca_ratio", ...)
### BEGIN SOLUTION
flow = with_fq.flows[with_fq.flows["time_s"] >= 2.0]
window_bps = flow["cwnd_segments"] * flow["mss_bytes"] * 8 / flow["rtt_s"]
lab.answer("ca_ratio", float((flow["pacing_bps"] / window_bps).median()))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "ca_ratio", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("ca_ratio")

# %% [markdown]
# What you measured is `tcp_pacing_ca_ratio` of the kernel's manual. During slow start the factor is
# 2 (`tcp_pacing_ss_ratio`). Both are above 1 on purpose: a sender that paces at exactly the window
# per RTT never learns that there is more to have. So `fq` alone makes bursts shorter, but it still
# overflows a small buffer as soon as the window has filled the path.
#
# Must a host have `fq` for `SO_MAX_PACING_RATE`? Older guides say so, among them earlier versions
# of ESnet's page on pacing. Your hosts had no queue discipline at all in the runs with a limit, and
# the limit worked: since version 4.13 Linux's TCP paces by itself.
#
# ## 9. Super-packets
#
# To save computing, a host hands *super-packets* of up to 64 kB to its card, which cuts them into
# frames and sends those back to back ("TSO"). So far this lab ran with such offloads off. With
# `Host(offloads=True)` super-packets cross this emulated network whole: the router queues and drops
# them whole, as bursts that cannot be split.

# %%
fast = lab.run(transfer(offloads=True)).require_calibrated()
print(
    f"exact: {unpaced.bottleneck_drops} drops, {unpaced.retransmits} segments sent again,", end=" "
)
print(f"{unpaced.goodput_bps() / rate_bps:.1%} of the rate")
print(f"fast:  {fast.bottleneck_drops} drops, {fast.retransmits} segments sent again,", end=" ")
print(f"{fast.goodput_bps() / rate_bps:.1%} of the rate")

# %% [markdown]
# **Task `segments_per_drop`.** How many segments were lost with each drop in the run `fast`? (Every
# segment that is sent again was lost.)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_super", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("segments_per_drop", ...)
### BEGIN SOLUTION
lab.answer("segments_per_drop", fast.retransmits / fast.bottleneck_drops)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "segments_per_drop", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("segments_per_drop")

# %% [markdown]
# A warning about this mode. To let super-packets through, its router grants a burst of 132 kB before
# anything waits, more than your whole buffer may be. That is why the rest of this lab does without
# offloads. A count of drops, too, means little unless you know what was counted.
#
# ## 10. BBR paces by itself
#
# BBR does not ask for losses. It estimates the rate of the path and sends at that rate, so it *must*
# pace: without, it would send whole windows at the card's speed. One would expect few drops.

# %%
bbr = lab.run(transfer(cc="bbr")).require_calibrated()
print(f"{bbr.bottleneck_drops} drops, {bbr.goodput_bps() / rate_bps:.0%} of the router's rate")
traces(bbr.total(), bbr.queue, title="BBR without a limit")

# %% [markdown]
# **Task `bbr_drop_percent`.** Which share of the packets that reached the router did it drop, in
# percent? (The column `sent_packets` of the queue counts those it sent on.)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_bbr", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("bbr_drop_percent", ...)
### BEGIN SOLUTION
sent_on = int(bbr.queue["sent_packets"].max())
lab.answer("bbr_drop_percent", 100 * bbr.bottleneck_drops / (sent_on + bbr.bottleneck_drops))
print("times CUBIC's drops:", round(bbr.bottleneck_drops / unpaced.bottleneck_drops))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "bbr_drop_percent", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("bbr_drop_percent")

# %% [markdown]
# The kernel's BBR probes for more rate by sending 25 % too fast for one round trip in eight, and has
# up to two BDPs on the way. A buffer of a few hundredths of a BDP cannot hold that. Version 1 of BBR
# does not react to the losses, and so keeps its goodput. Pacing spreads packets at a rate; whether it
# is the right rate is another question.
#
# ## 11. What virtual time hides
#
# In your network the sender's card is infinitely fast, its timers fire on time, and computing takes
# no time. Real cards pace less evenly, some pace in hardware, and other traffic shares the router.
# Then the edge is not a sharp one, and people stay further below it. Without random loss your runs
# also do not depend on the seed: the same path gives the same drops.
#
# ## 12. Explain (graded by a person, 6 points)
#
# In your own words, in 150 to 300 words and with numbers from your runs:
#
# 1. Why does a limit make the transfer faster? Argue with the burst length, the small buffer and
#    the window at the first drops. Name your prediction.
# 2. Why is the edge where it is, and what would you advise a colleague who wants to pace at
#    "exactly the rate of the circuit"? What changes with an MTU of 9000 bytes?
# 3. Aggarwal, Savage and Anderson (INFOCOM 2000) found that pacing can make TCP *slower*. Order your
#    runs without limit, with `fq`, and BBR by drops and by goodput. Why do drops say so little about
#    goodput? When might pacing at twice the window per RTT, as in slow start, be harmful?

# %% [markdown] nbgrader={"grade": true, "solution": true, "locked": false, "points": 6, "grade_id": "explanation", "schema_version": 3, "task": false, "cell_type": "markdown"}
# 1. Without a limit I got 40 % of the router's rate, with one of 95 % I got 93 %: 2.3 times as
#    much. I had predicted 98 %. In slow start each acknowledgement allows two packets, so while a
#    window passes half of it waits in the router. My burst before the window filled the path was 320
#    packets, the buffer holds 59. So the buffer overflowed in the fifth round trip, at a window of
#    about 160 of the 991 packets that fill the path. CUBIC went on from 196 and had 539 after 15 s.
#    With pacing the burst was 25 packets, which fit.
# 2. TCP paces payload, 1448 bytes of each segment; the router counts frames of 1514 bytes. So the
#    edge is at 95.64 %, between my 95.5 and 95.75 %. I had predicted 100 %. Above it the queue
#    grows a little all the time, so it overflows sooner or later. I would pace at 93 to 95 % of the
#    circuit, less if somebody else uses it. With an MTU of 9000 the edge is at 8948/9014, 99.3 %.
# 3. No limit: 90 drops, 40 %. With fq: 838 drops, 83 %. BBR: 15 456 drops, 89 %, and I had expected
#    fewer drops from BBR, not 172 times as many. Without a limit slow start broke at 0.16 BDP; paced
#    at twice the window per RTT it went on to a full path before the first drop, so it lost more
#    packets and still had a large window. BBR does not slow down for losses. Drops count packets; what
#    costs goodput is how far the window is from full, and for how long. With other traffic on the
#    path, late and large overflows hit everybody at once, which is what Aggarwal et al. describe.

# %% [markdown]
# ## Before you hand in
#
# Restart the kernel and run all cells: your runs are kept, so it takes seconds. Then *Validate*
# and *Submit*, as in lab 00.
#
# ## Sources
#
# - A. Aggarwal, S. Savage, T. Anderson, "Understanding the performance of TCP pacing", INFOCOM 2000:
#   pacing helps in some situations, and delays the signal of congestion in others.
# - Y. Cheng, N. Cardwell, "TSO, fair queuing, pacing: three's a charm", IETF 88, 2013; J. Corbet,
#   "TSO sizing and the FQ scheduler", LWN 564978, 2013: groups of about a millisecond, `fq`.
# - Linux, `Documentation/networking/ip-sysctl.rst`: `tcp_pacing_ss_ratio`, `tcp_pacing_ca_ratio`,
#   `tcp_tso_rtt_log`.
# - J. Iyengar, I. Swett, RFC 9002, section 7.7, 2021: what pacing is.
# - N. Cardwell, Y. Cheng, C. S. Gunn, S. H. Yeganeh, V. Jacobson, "BBR: congestion-based congestion
#   control", ACM Queue 14(5), 2016.
# - ESnet, fasterdata.es.net, "Packet pacing": two to four times the throughput on some long paths.
# - The decks: "Burstiness (pacing helps)" in the slides on FAST TCP; "Inability of small-buffer
#   routers/switches to absorb traffic bursts" in those of the University of South Carolina, whose
#   labs 12 and 15 of the Network Tools and Protocols series treat pacing and router buffers.
