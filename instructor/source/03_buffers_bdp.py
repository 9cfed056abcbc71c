# %% [markdown]
# # Buffers: too small at the ends, too large in the middle
#
# **Goal.** Find out, by your own runs of the Linux kernel's TCP, what a host's buffer does to a
# long transfer, what a router's buffer does to everybody on the path, and how much of each you
# should buy.
#
# **Time.** 90 to 120 minutes, of which the runs take about 2.
#
# **You need** labs 00 and 02: round-trip time, congestion window, and a straight line on
# logarithmic axes.
#
# ## 1. The question
#
# Two hosts exchange data at full speed across town. Then one of them moves across the ocean. The
# rate of the path is the same, nothing is lost, and nobody touches the hosts. **How much of the
# rate is left?** Most people say: nearly all of it, only later.
#
# On another path a router is replaced by one with ten times the memory. **What does a download on
# that path gain, and what does a telephone call notice?** Most people say that more memory cannot
# do harm.
#
# There are two kinds of buffer in these two stories:
#
# - The **socket buffers** of the hosts. The sender keeps what is not yet acknowledged, and the
#   receiver keeps what its program has not yet read.
# - The **router's buffer**: the queue in front of the slowest link, the *bottleneck*.
#
# Both are measured against the *bandwidth-delay product* (BDP): rate times round-trip time (RTT).
# It says how much data is on the way when the path is full.

# %%
import numpy as np

from lab_tools.analysis.queues import bufferbloat
from lab_tools.experiment import Experiment, Flow, Host, Path
from lab_tools.figures import buffers, queues
from lab_tools.grading import Lab
from lab_tools.models import buffer_knee, link_efficiency, router_buffer

lab = Lab("03_buffers_bdp")
lab.variant

# %% [markdown]
# These parameters are yours; a neighbour has others, so compare methods rather than numbers.
# Nothing in this lab is random: no packet is lost by chance, only by a full queue.
# The path across town carries 500 Mbit/s with an RTT of 1 ms, and the receiver may buffer
# `rcvbuf_kib` KiB (1 KiB = 1024 bytes).
#
# ## 2. Predict before you measure
#
# No run starts before all four are locked, and after the first run they cannot change. **A wrong
# prediction costs nothing**; you will explain it at the end.
#
# - `ocean_percent`: the same two hosts, now with an RTT of 100 ms between them. How much of the
#   path's 500 Mbit/s, in percent, does one transfer get?
# - `call_factor`: a download fills a path whose router buffers ten BDPs. How many times as long as
#   on the empty path is the RTT of a telephone call there?
# - `deep_gain_percent`: by how many percent does the download get faster when the router buffers
#   ten BDPs, not one?
# - `tenth_percent`: a hundred downloads share a link whose router buffers only a *tenth* of a BDP.
#   How much of the link, in percent, do they use together?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "predict", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.predict("ocean_percent", ...) and so on: four lines
### BEGIN SOLUTION
lab.predict("ocean_percent", 80)
lab.predict("call_factor", 2)
lab.predict("deep_gain_percent", 20)
lab.predict("tenth_percent", 50)
### END SOLUTION

# %% [markdown]
# **Explore before you measure.** Here is the path across town. Move the sliders: how small may the
# receive buffer be in town, and what does a higher rate ask for? The button runs the real thing,
# apart from your graded records.

# %%
from lab_tools.widgets import explore

rcvbuf = lab.variant["rcvbuf_kib"] * 1024
town = Path(500e6, 0.001, mtu_bytes=1500)
base = Experiment(town, Host(rcvbuf_bytes=rcvbuf), duration_s=4, omit_s=1.5)
explore(base, vary=("rcvbuf_bytes", "rate_bps"))

# %% [markdown]
# ## 3. From town to ocean
#
# One CUBIC stream (CUBIC is what Linux uses by default), over six distances. The receiver's
# `rcvbuf_bytes` is the kernel's setting `net.ipv4.tcp_rmem`: the most that one socket may buffer.
# The first 1.5 s, the start, are left out.

# %%
rtts = np.array([1, 4, 10, 25, 50, 100]) / 1000
ladder = lab.run_all([base.replace(rtt_s=float(rtt)) for rtt in rtts])
goodputs = np.array([record.require_calibrated().goodput_bps() for record in ladder])
for rtt, record in zip(rtts, ladder, strict=True):
    share = record.goodput_bps() / 500e6
    print(f"{1000 * rtt:4.0f} ms {share:7.1%} of the rate, {record.bottleneck_drops} dropped")

# %% [markdown]
# ### Check the assumptions first
#
# `require_calibrated` refused no run: each had the rate and the RTT that you asked for. From 4 ms on
# the queue dropped nothing, so no packet was lost at all. What holds these transfers back is not
# loss. (At 1 ms the window may overflow the queue, which is small there; the path is full anyway.)
#
# In each acknowledgement the receiver says how much more it is ready to take. This is the
# *advertised window*, and the sender may never have more than that on the way. The record keeps it
# as `snd_wnd_bytes`. It also keeps for how long the sender had to wait because of it,
# `rwnd_limited_s`, and for how long it had data to send, `busy_s`.

# %%
ocean = ladder[-1]
last = ocean.flows.iloc[-1]
print(f"receive buffer {rcvbuf} bytes, advertised window {last['snd_wnd_bytes']} bytes")
print(f"waiting for the window: {last['rwnd_limited_s']:.2f} s of {last['busy_s']:.2f} s")

# %% [markdown]
# **Task `window_share`.** Which share of the receive buffer does the receiver advertise on the
# ocean path? Hand in window divided by buffer.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_share", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("window_share", ...)
### BEGIN SOLUTION
lab.answer("window_share", last["snd_wnd_bytes"] / rcvbuf)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "window_share", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("window_share")

# %% [markdown]
# The rest is kept for bookkeeping, since a packet in memory is larger than its data. The share that
# is kept is set by `net.ipv4.tcp_adv_win_scale` (kernel document `ip-sysctl`). This kernel is 6.1;
# from 6.6 on Linux measures the share instead.
#
# Now the law. One window is sent, and no more until the first acknowledgement comes back, one RTT
# later. So with a window of $W$ bytes
#
# $$\text{goodput}=\min\left(C,\;\frac{8W}{\mathrm{RTT}}\right)$$
#
# (RFC 7323, section 1.1, and slide "Generic Model" of Rao's slides, "deck S0" in the Sources, which
# call the window $B$). $C$ is what the path carries *as data*: of a frame of 1514 bytes 1448 are
# yours. The two parts meet at the **knee**: up to there the path is the limit, beyond it the
# buffer.
#
# **Task `knee_ms`.** Estimate $W$ from each of your four runs at 10 ms or more, as goodput × RTT/8,
# and take the mean. At which RTT, in milliseconds, is your knee?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_knee", "schema_version": 3, "task": false, "cell_type": "code"}
capacity = 500e6 * float(link_efficiency(1448, link_bytes=14))
# window = ...
### BEGIN SOLUTION
window = float((goodputs * rtts / 8)[2:].mean())
lab.answer("knee_ms", 1000 * float(buffer_knee(capacity, window)))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "knee_ms", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("knee_ms")

# %%
buffers.window_knee_figure(rtts, goodputs, capacity, window)

# %% [markdown]
# The points lie on the flat part up to the knee, and then on a straight line of slope −1: twice as
# far is half as fast. The point at 4 ms lies a little below the line. There the host's bursts wait
# in the queue, and the RTT that TCP measured (`rtt_s` in `record.flows`) is longer than 4 ms.
#
# ### Concave or convex?
#
# Deck S0 (Rao) reads the *shape* of such a profile. A profile is **concave** where it lies above
# the straight line (the *chord*) between two of its points, and **convex** where it lies below. One
# of its slides says: "Concave region: indicates buffer, IO bottleneck". A second one says:
# "convex region: buffer or IO bottleneck". Both cannot be the sign of a small buffer.
#
# **Task `chord`.** Draw a chord, in your mind, from your point at 25 ms to that at 100 ms, on
# *linear* axes. Hand in `{"ratio": ..., "shape": ...}`: your goodput at 50 ms divided by the
# chord's height there, and the word `"concave"` or `"convex"`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_chord", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("chord", {"ratio": ..., "shape": ...})
### BEGIN SOLUTION
height = float(np.interp(0.05, rtts[[3, 5]], goodputs[[3, 5]]))
ratio = float(goodputs[4]) / height
lab.answer("chord", {"ratio": ratio, "shape": "convex" if ratio < 1 else "concave"})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "chord", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("chord")

# %% [markdown]
# ## 4. Three windows, and the smallest wins
#
# A sender may have on the way at most
#
# 1. its congestion window (`cwnd_segments`),
# 2. the receiver's advertised window (`snd_wnd_bytes`),
# 3. what fits into its own **send buffer**, where data waits until it is acknowledged
#    (`sndbuf_bytes`, the kernel's `net.ipv4.tcp_wmem`).
#
# Somebody finds your ocean host and sets both buffers to your `rcvbuf_kib`. A colleague says:
# "Double the receive buffer and you get twice the rate." Try it.

# %%
equal = base.replace(rtt_s=0.1, sndbuf_bytes=rcvbuf)
doubled = equal.replace(rcvbuf_bytes=2 * rcvbuf)
hosts = dict(zip(["equal", "doubled"], lab.run_all([equal, doubled]), strict=True))
for name, record in hosts.items():
    row, rate = record.require_calibrated().flows.iloc[-1], record.goodput_bps() / 1e6
    print(f"{name:8}{rate:6.2f} Mbit/s, of {row['busy_s']:.2f} s busy", end=" ")
    print(f"{row['rwnd_limited_s']:.2f} s rwnd_limited, {row['sndbuf_limited_s']:.2f} s", end=" ")
    print(f"sndbuf_limited; {row['unacked_segments']} segments under way, cwnd", end=" ")
    print(row["cwnd_segments"])

# %% [markdown]
# **Task `who_limits`.** For each run, who limits it: `"receive"` (the receive buffer), `"send"`
# (the send buffer) or `"congestion"` (the congestion window)? And by which factor did the goodput
# grow? Hand in `{"equal": ..., "doubled": ..., "gain": ...}`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_limits", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("who_limits", {...})
### BEGIN SOLUTION
gain = hosts["doubled"].goodput_bps() / hosts["equal"].goodput_bps()
lab.answer("who_limits", {"equal": "receive", "doubled": "send", "gain": gain})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "who_limits", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("who_limits")

# %% [markdown]
# ## 5. What you ask for, and what you get
#
# A program may ask for a buffer itself, with the system call `setsockopt`. `iperf3` does so with
# `-w`. Ask for the very number that `rcvbuf_bytes` had, on the same ocean path, and look at the
# socket with `ss -tm`. In `skmem:(...)`, `rb` is the size of the receive buffer that the kernel
# keeps, and `tb` that of the send buffer, both in bytes. `snd_wnd` is again the advertised window.
# (Two connections are shown: the transfer, and one by which `iperf3` talks about it.)

# %%
kib = lab.variant["rcvbuf_kib"]
transfer = f"iperf3 -c 10.0.3.2 -w {kib}K -t 6 | tail -4"
with lab.session(Path(500e6, 0.1, mtu_bytes=1500)) as net:
    net["h2"].run("iperf3 -s -D")
    look = f"{transfer} & sleep 4; ss -tmin dst 10.0.3.2 | tr -s ' '; wait"
    seen = net["h1"].run(look).output
print(seen)

# %% [markdown]
# **Task `asked`.** Hand in `{"kept": ..., "gain": ...}`: the bytes that the kernel keeps as the
# transfer's receive buffer (`rb`), and the receiver's rate in `iperf3`'s last line divided by the
# goodput of your `ocean` run, which had the *same number* in `tcp_rmem`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_asked", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("asked", {"kept": ..., "gain": ...})
### BEGIN SOLUTION
kept = max(int(part.split(",")[0]) for part in seen.split(",rb")[1:])
receiver = next(line for line in seen.splitlines() if line.endswith("receiver"))
rate_bps = 1e6 * float(receiver.split("Mbits/sec")[0].split()[-1])
lab.answer("asked", {"kept": kept, "gain": rate_bps / ocean.goodput_bps()})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "asked", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("asked")

# %% [markdown]
# The gain is a little under 2, because `iperf3` counts its start. The kernel doubles what a program
# asks for (manual page `socket(7)`), and then advertises half. So the program gets the window that
# it named, but whoever sets `tcp_rmem` gets half of the number. **The same number in two places
# differs by a factor of two**, so a plan has to say which of the two it means.
# (A program that asks also switches off the kernel's own tuning, which grows the buffer as the
# window grows. In most cases it is better not to ask.)
#
# ## 6. "Tuned for 200 ms"
#
# Deck S0 measured with "TCP buffers tuned for 200ms rtt": at 10 Gbit/s that is a BDP of 250 MB. It
# does not say where the 250 MB were set. Your path here has a hundredth of that rate and the RTT
# `pacific_ms` of your variant. At 200 ms its BDP is a hundredth of that, 2.5 MB.

# %%
pacific = Path(100e6, lab.variant["pacific_ms"] / 1000, mtu_bytes=1500)
one_bdp = Host(rcvbuf_bytes=round(pacific.bdp_bytes))
tuned = lab.run(Experiment(pacific, one_bdp, duration_s=10, omit_s=4)).require_calibrated()
print(f"tcp_rmem of one BDP: {tuned.goodput_bps() / pacific.rate_bps:.1%} of the path")

# %% [markdown]
# **Task `pacific_run`.** Choose a receive buffer of at most three BDPs with which this path gives
# at least 95 % of what it can carry as data. Run it with
# `lab.run(tuned.experiment.replace(rcvbuf_bytes=...))`, in whole bytes, and hand in the run as
# `record.experiment.id`. (`used(record)`, in the next cell, is the share of what the path can carry
# as data.)


# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "plan_pacific", "schema_version": 3, "task": false, "cell_type": "code"}
def used(record):
    """Goodput as a share of what the path can carry as data."""
    efficiency = float(link_efficiency(1448, link_bytes=14))
    return record.goodput_bps() / (record.experiment.path.rate_bps * efficiency)


### BEGIN SOLUTION
wide = lab.run(tuned.experiment.replace(rcvbuf_bytes=round(2 * pacific.bdp_bytes)))
lab.answer("pacific_run", wide.require_calibrated().experiment.id)
print(f"{used(wide):.1%} of what the path can carry")
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "pacific_run", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("pacific_run")

# %% [markdown]
# ## 7. The router's buffer, one flow
#
# Now the hosts have all the buffer they want, and the router is the question. The path is yours:
# `rate_mbit` Mbit/s over `rtt_ms` ms. One Reno stream, since Reno is easy to calculate: its window
# grows by a segment each round trip until the queue overflows, and then halves.
#
# When the router buffers $b$ BDPs, the window swings between $(1+b)/2$ and $1+b$ BDPs. While it is
# below 1 BDP, a round trip takes one RTT and part of the path is empty. Above 1 BDP the path is
# full, what is too much waits in the queue, and a round trip takes longer in the same measure. Add
# up what is sent in a tooth and how long the tooth takes, and for $b\le1$ there remains
#
# $$U(b)=\frac34\cdot\frac{(1+b)^2}{1+b+b^2}$$
#
# as the share of the path that is used (derived for this lab). Without a buffer it is 75 %, with one
# BDP 100 %. The latter is the old rule "buffer = rate × RTT" of Villamizar and Song (1994).

# %%
rate_bps, rtt_s = lab.variant["rate_mbit"] * 1e6, lab.variant["rtt_ms"] / 1000
path = Path(rate_bps, rtt_s, mtu_bytes=1500)
alone = Experiment(path, flows=(Flow("reno"),), duration_s=40, omit_s=10)
sizes = [0.1, 0.25, 0.5, 1.0]
reno_runs = lab.run_all([alone.replace(buffer_bdp=size) for size in sizes])
for size, record in zip(sizes, reno_runs, strict=True):
    drops = record.require_calibrated().bottleneck_drops
    print(f"{size:5} BDP: {used(record):.1%} used, {drops} packets dropped")

# %% [markdown]
# **Task `reno_buffers`.** Compare the four shares with $U(b)$, and turn the formula round. Hand in
# `{"gaps": [...], "buffer": ...}`:
#
# - `gaps`: *measured minus calculated* in percentage points, for 0.1, 0.25, 0.5 and 1 BDP.
#   (Measured is `used(record)`, goodput over what the path can carry as data.)
# - `buffer`: the buffer in BDPs with which the formula gives `wanted_percent` percent.


# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_reno", "schema_version": 3, "task": false, "cell_type": "code"}
def sawtooth(b):
    """Share of the path that one Reno flow uses behind a buffer of b BDPs, b at most 1."""
    return 0.75 * (1 + b) ** 2 / (1 + b + b**2)


# lab.answer("reno_buffers", {"gaps": [...], "buffer": ...})
### BEGIN SOLUTION
gaps = [100 * (used(r) - sawtooth(b)) for b, r in zip(sizes, reno_runs, strict=True)]
fine = np.linspace(0, 1, 100001)
buffer = float(np.interp(lab.variant["wanted_percent"] / 100, sawtooth(fine), fine))
lab.answer("reno_buffers", {"gaps": gaps, "buffer": buffer})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 4, "grade_id": "reno_buffers", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("reno_buffers")

# %% [markdown]
# The formula leaves out the time to recover a lost packet, and the time that a packet needs to be
# sent at all, and comes within a few points. And the last percents are the dearest: half of the old
# rule's buffer already gives about 95 %.
#
# ## 8. Ten times the buffer
#
# Memory is cheap, so the next router has ten BDPs. Next to a CUBIC download somebody makes a
# telephone call over the same path: a stream of 64 kbit/s, which hardly needs anything. What does
# the call see? First the call alone, then with the download behind one BDP, then behind ten.

# %%
call = Flow("cubic", app_limit_bps=64e3)
quiet = Experiment(path, flows=(call,), duration_s=30, omit_s=5)
shared = Experiment(path, flows=(Flow("cubic"), call), duration_s=30, omit_s=5)
ten = shared.replace(buffer_bdp=10.0)
idle, one, deep = lab.run_all([quiet, shared, ten])

# %% [markdown]
# **Task `bloat`.** `call_rtt(record)`, in the next cell, gives the call's RTTs after the start.
# `bufferbloat(idle_rtts, loaded_rtts)` takes two such series. Its `.factor` is the RTT under load
# that 95 % of the samples stay below, divided by the median without load. Hand in
# `{"factor": ..., "gain": ...}`: the `.factor` behind ten BDPs, and the download's goodput
# (`record.goodput_bps(0)`) with ten BDPs divided by that with one.


# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_bloat", "schema_version": 3, "task": false, "cell_type": "code"}
def call_rtt(record):
    """RTTs in seconds of the call, which is the last flow, after the start."""
    flows = record.require_calibrated().flows
    return flows.query(f"flow == {flows['flow'].max()} and time_s >= 5")["rtt_s"]


### BEGIN SOLUTION
bloat = bufferbloat(call_rtt(idle), call_rtt(deep))
lab.answer("bloat", {"factor": bloat.factor, "gain": deep.goodput_bps(0) / one.goodput_bps(0)})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "bloat", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("bloat")

# %%
before, loaded = call_rtt(idle), call_rtt(deep)
queues.bufferbloat_figure(before, loaded, bufferbloat(before, loaded))

# %% [markdown]
# The figure shows how many samples lie below each RTT. The blue step is the idle path. The red
# curve is the same call while the download runs: no sample is anywhere near the idle RTT.
#
# This is **bufferbloat** (Gettys and Nichols, "Bufferbloat: dark buffers in the Internet", ACM
# Queue 9(11), 2011). A TCP that waits for loss fills any buffer, and only then slows down. What lies
# in the queue makes nothing faster: the link was busy before. It only makes everybody wait. Now both
# kinds of run in one picture:

# %%
cubic_rtts = [float(call_rtt(record).quantile(0.95)) for record in (one, deep)]
reno_rtts = [float(r.flows.query("time_s >= 10")["rtt_s"].quantile(0.95)) for r in reno_runs]
buffers.router_buffer_figure(
    {
        "one Reno flow": (sizes, [used(record) for record in reno_runs], reno_rtts),
        "CUBIC and a call": ([1, 10], [used(record) for record in (one, deep)], cubic_rtts),
    },
    rtt_s,
    models={"sawtooth": (fine := np.linspace(0.05, 1, 50), sawtooth(fine))},
)

# %% [markdown]
# Upper panel: the utilisation climbs to 100 % at one BDP and has nowhere to go from there. Lower
# panel: the RTT under load goes on and on, close to (1 + b) times the empty path's.
#
# ## 9. Many flows
#
# A router in the middle of the network carries many flows. Does each of them need its BDP? Keep the
# path and a buffer of an *eighth* of a BDP, and let 1, 4 and 16 Reno flows share it.

# %%
eighth = alone.replace(buffer_bdp=0.125, duration_s=30, sample_interval_s=0.5)
counts = [1, 4, 16]
few = [eighth.replace(streams=count) for count in counts]
names = [f"{count} flow{'s' if count > 1 else ''}" for count in counts]
shares = [used(record.require_calibrated()) for record in lab.run_all(few)]
buffers.sharing_figure(dict(zip(names, shares, strict=True)))

# %% [markdown]
# The more flows, the fuller the link, behind the same small buffer. The flows halve at different
# times, so their sum swings less than each of them. If they were independent, the swing of the sum
# would go with $1/\sqrt n$, and so would the buffer that it needs:
#
# $$B=\frac{C\cdot\mathrm{RTT}}{\sqrt n}$$
#
# (Appenzeller, Keslassy and McKeown, "Sizing router buffers", SIGCOMM 2004. Here $B$ is the
# router's buffer, $C$ the rate of the link, and RTT the mean over the flows, without queues.)
#
# ## 10. Buy a backbone router
#
# A backbone of 300 Mbit/s carries `flows` Reno flows. They come from four places at RTTs of 25, 35,
# 45 and 55 ms, a quarter of the flows from each: 40 ms in the mean. The vendor sells you one BDP.
#
# **Task `backbone_buffer`.** How many *bytes* of buffer do you need by the formula?
#
# **Task `backbone_run`.** Run it with `backbone(your_bytes)` and hand in the run as
# `record.experiment.id`. It should use at least 97 % of the link, with at most 1.1 times the
# formula's buffer. (`rtt_offset_s` is how much further away a flow's sender is than the path says.)


# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "plan_backbone", "schema_version": 3, "task": false, "cell_type": "code"}
def backbone(buffer_bytes, places=4, nearest_s=0.025):
    """Reno flows that share 300 Mbit/s, from places that are 10 ms apart from each other."""
    link = Path(300e6, nearest_s, mtu_bytes=1500, buffer_bytes=round(buffer_bytes))
    each = lab.variant["flows"] // places
    flows = [Flow("reno", streams=each, rtt_offset_s=0.01 * place) for place in range(places)]
    times = {"duration_s": 20, "omit_s": 8, "sample_interval_s": 0.5}
    return Experiment(link, flows=tuple(flows), **times)


### BEGIN SOLUTION
small = float(router_buffer(300e6, 0.040, flows=lab.variant["flows"]))
lab.answer("backbone_buffer", small)
lab.answer("backbone_run", lab.run(backbone(small)).require_calibrated().experiment.id)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "backbone_buffer", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("backbone_buffer")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "backbone_run", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("backbone_run")

# %% [markdown]
# Compare with your prediction `tenth_percent`: for 100 flows the formula's buffer is a tenth of a
# BDP, for 64 it is an eighth.
#
# ### The assumption
#
# The flows must not all halve together. What if they come from a single place, all at 40 ms, so that
# they see the same drops at the same time? And what would the vendor's whole BDP have given, for
# flows from four places? (The router's memory is that of the formula in the first two runs.)

# %%
four = backbone(router_buffer(300e6, 0.040, flows=lab.variant["flows"]))
one_place = backbone(four.path.buffer_bytes, places=1, nearest_s=0.040)
trio = [four, one_place, backbone(300e6 * 0.040 / 8)]
for name, record in zip(["four places", "one place", "whole BDP"], lab.run_all(trio), strict=True):
    mean_ms = 1000 * record.require_calibrated().total()["rtt_s"].iloc[16:].mean()
    print(f"{name}: {used(record):.1%} used, mean RTT {mean_ms:.0f} ms, ", end="")
    print(f"{record.bottleneck_drops} packets dropped")

# %% [markdown]
# The same memory is worth more when the flows do not halve together. With a whole BDP the link is
# as full as with the small buffer, and the mean RTT is far longer.
#
# ## 11. What virtual time hides
#
# The network ran on a clock that moves only when something happens. So computing takes no time here.
# On a real host the receiving program is sometimes late, data waits in the receive buffer, and the
# window shrinks: real hosts need somewhat *more* buffer than you found. Network cards have queues of
# their own, in front of which bufferbloat happens too; these hosts have none. And all flows here are
# long. Short ones, such as most of the Web's, never leave slow start, and ask for other buffers
# (Appenzeller et al., section 4).
#
# ## 12. Explain (graded by a person, 6 points)
#
# In your own words, in 150 to 300 words and with numbers from your runs:
#
# 1. Why does a buffer that is fine across town give a few percent over the ocean? Name the numbers
#    that a colleague needs to set `tcp_rmem` for a path "tuned for 200 ms", and the two factors of
#    two that you met.
# 2. Where do nine further BDPs of router buffer go, and who pays for them? Argue with the window's
#    sawtooth. Where was your prediction wrong, and which picture of buffers was behind it?
# 3. Deck S4 complains of the "inability of small-buffer routers/switches to absorb traffic bursts";
#    lab 02 saw a small buffer ruin a transfer; Appenzeller et al. say that routers have far too much.
#    Who is right, and for which traffic?

# %% [markdown] nbgrader={"grade": true, "solution": true, "locked": false, "points": 6, "grade_id": "explanation", "schema_version": 3, "task": false, "cell_type": "markdown"}
# 1. TCP sends one window a round trip. My receive buffer of 256 KiB gives a window of 128 KiB, since
#    the kernel advertises half. Over 1 ms that is more than the path carries, over 100 ms it is
#    10.4 Mbit/s, 2 % of 500. I had predicted 80 %: I thought of the buffer as a store that matters
#    only when the receiver is slow. Needed are the rate and the RTT, hence the BDP, and whether the
#    number goes into tcp_rmem (then twice the BDP: with one BDP I got 50 %) or into setsockopt (then
#    the BDP itself, because the kernel doubles it first).
# 2. The window climbs until the queue overflows. With one BDP it falls from 2 BDPs to 1.4 (CUBIC
#    keeps 0.7), which still fills the link. With ten it swings between 7.7 and 11, and all above 1 is
#    queue. The link was full before, so the gain is 0.0 %. The call pays: its RTT grows by a factor
#    of ten, from 16 to 170 ms. I had expected a fifth more goodput, as if memory were capacity.
# 3. Both. One flow behind an eighth of a BDP used 80 % here, because nobody fills the gap when it
#    halves; a science transfer is such a flow, and lab 02's burst of slow start is the worst case. A
#    hundred flows halve one after another: a tenth of a BDP gave 99.8 %, against 97.1 % when all come
#    from the same distance and halve together. So size by the number of flows that are not
#    synchronised, and do not copy a backbone's buffer to the edge of a laboratory.

# %% [markdown]
# ## Before you hand in
#
# Restart the kernel and run all cells: your runs are kept, so it takes seconds. Then *Validate* and
# *Submit*, as in lab 00.
#
# ## Sources
#
# - N. Rao, "Some science aspects of wide-area data transport", 2018 (deck S0): the limit B/RTT,
#   concave and convex regions, "tuned for 200ms rtt". J. Crichigno, "Role of TCP in large data
#   transfers" (deck S4): small buffers.
# - University of South Carolina, "Network tools and protocols" lab series, labs 8, 11 and 14: the
#   same subjects on Mininet.
# - D. Borman, B. Braden, V. Jacobson, R. Scheffenegger, "TCP extensions for high performance",
#   RFC 7323, 2014: windows over long fat paths.
# - Linux manual pages `tcp(7)` and `socket(7)`, kernel document `ip-sysctl`: `tcp_rmem`,
#   `tcp_wmem`, `tcp_adv_win_scale`, the doubling by `setsockopt`.
# - C. Villamizar, C. Song, "High performance TCP in ANSNET", ACM Computer Communication Review
#   24(5), 1994: one BDP for one flow.
# - G. Appenzeller, I. Keslassy, N. McKeown, "Sizing router buffers", SIGCOMM 2004: BDP over √n.
# - J. Gettys, K. Nichols, "Bufferbloat: dark buffers in the Internet", ACM Queue 9(11), 2011.
