# %% [markdown]
# # MSS and parallel streams: when ten beat one
#
# **Goal.** Find out on the kernel's own TCP what large segments and parallel streams gain: on a
# lossy path, on a clean one, and for different congestion controls. Test a published result. Then
# see what parallel streams do to the person next to you.
#
# **Time.** 90 to 120 minutes, of which the runs take about 3.
#
# **You need** lab 02 (Mathis's law) and lab 03 (socket buffers). You know straight lines on
# logarithmic axes.
#
# ## 1. The question
#
# Tools that move science data, such as GridFTP, open several TCP connections for one file, called
# *parallel streams*, and send a part of the file over each. Another common advice is to use
# *jumbo frames*. Then each packet carries a larger segment: a larger *MSS* (maximum segment size,
# the payload of one packet).
#
# **What do ten streams gain over one? Ten times, or nothing?** Most people have seen them help and
# use them always. You will find paths where ten streams carry ten times as much, paths where they
# carry exactly the same, and one where they only take from somebody else.

# %%
import numpy as np

from lab_tools import models
from lab_tools.experiment import Experiment, Flow, Host, Path
from lab_tools.figures.streams import gains_figure, sharing_figure, streams_figure
from lab_tools.grading import Lab
from lab_tools.widgets import explore

lab = Lab("05_mss_parallel_streams")
print(lab.variant)

# %% [markdown]
# These parameters are yours; a neighbour has others, so compare methods rather than numbers.
# Your *lossy path* carries 10 Gbit/s, so much that the streams never meet, with your RTT (round-trip
# time) and your random loss.
#
# ## 2. Predict before you measure
#
# No run starts before all five are locked. **A wrong prediction costs nothing**; you will explain
# it at the end. The first three are factors: the goodput of ten streams together divided by that
# of one stream on the same path.
#
# - `ten_random`: Reno on your lossy path.
# - `ten_bbr`: BBR at 10 Gbit/s and an RTT of 20 ms with 0.01 % loss. (BBR measures the bottleneck's
#   rate and sends at that rate; version 1, which this kernel has, ignores single losses.)
# - `ten_clean`: Reno at 100 Mbit/s and your RTT with no random loss; the router's buffer holds one
#   bandwidth-delay product (BDP, rate times RTT).
# - `share_percent`: on the path of `ten_clean` you send over *one* Reno stream. Somebody else opens
#   as many as `rivals` says. What is your share of the goodput of both, in percent?
# - `drops_factor`: on that path, you and a rival with one stream each, then with eight each. By
#   which factor does the share of dropped packets grow?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "predict", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.predict("ten_random", ...) and so on: five lines
### BEGIN SOLUTION
lab.predict("ten_random", 5)
lab.predict("ten_bbr", 4)
lab.predict("ten_clean", 2)
lab.predict("share_percent", 50)
lab.predict("drops_factor", 8)
### END SOLUTION

# %% [markdown]
# **Explore before you measure.** Here is your lossy path. Move the sliders. The closed form says at
# once what it expects; the button runs the real thing, apart from your graded runs. Do streams and
# MSS help *every* congestion control (`cc`)?

# %%
rtt_s, loss = lab.variant["rtt_ms"] / 1000, lab.variant["loss"]
wide = Path(10e9, rtt_s, loss=loss, mtu_bytes=9000)
base = Experiment(wide, flows=(Flow("reno", mss_bytes=1460),), duration_s=10)
explore(base, vary=("streams", "mss_bytes", "loss", "cc"))

# %% [markdown]
# ## 3. Streams on a lossy path: Hacker's law
#
# Hacker, Athey and Noble ("The end-to-end performance effects of parallel TCP sockets on a lossy
# wide-area network", IPDPS 2002) added up Mathis's law over the streams:
#
# $$\text{goodput}\le\frac{k\cdot\mathrm{MSS}}{\mathrm{RTT}}\sum_{i=1}^{n}\frac{1}{\sqrt{p_i}}$$
#
# With the same loss $p$ everywhere that is $n$ times one stream, as long as the streams lose
# *independently* and do not fill the path themselves. Test it with 1, 2, 4 and 8 Reno streams. A
# single stream sees few losses, and chance weighs much. So fewer streams run for longer: every run
# has 160 stream-seconds after the first 10 s, which are left out.


# %%
def transfer(path, cc, streams, mss_bytes=8960, **changes):
    """Parallel streams of one congestion control, alone on a path."""
    times = {"duration_s": 12, "omit_s": 4, "sample_interval_s": 0.5, "seed": lab.variant["seed"]}
    flow = Flow(cc, streams=streams, mss_bytes=mss_bytes)
    return Experiment(path, flows=(flow,), **(times | changes))


def long_run(streams, mss_bytes=1460):
    """Reno on your lossy path: 160 stream-seconds after the start."""
    times = {"duration_s": 10 + 160 / streams, "omit_s": 10, "sample_interval_s": 1.0}
    return transfer(wide, "reno", streams, mss_bytes, **times)


# %%
numbers = [1, 2, 4, 8]
ladder = lab.run_all([long_run(n) for n in numbers])
ladder_bps = np.array([record.require_calibrated().goodput_bps() for record in ladder])
mss = int(ladder[0].flows["mss_bytes"].iloc[-1])
print(f"an MSS of 1460 leaves {mss} bytes beside TCP's timestamps")
print("Mbit/s for each stream:", (ladder_bps / numbers / 1e6).round(1))

# %% [markdown]
# ### Check the assumptions first
#
# `require_calibrated` refused no run: loss, RTT and MSS are what you asked for. Two more things
# must hold. The router's queue must have dropped nothing, or the streams met. And the streams must
# be independent. `together` is the mean correlation of their windows, over all pairs of streams:
# near 0 if each goes its own way, 1 if all rise and fall together.


# %%
def together(record):
    """Mean correlation between the streams' congestion windows after the start."""
    settled = record.flows[record.flows["time_s"] >= record.experiment.omit_s]
    windows = settled.pivot(index="time_s", columns="stream", values="cwnd_segments")
    pairs = np.corrcoef(windows.to_numpy().T)
    return float(pairs[np.triu_indices(len(pairs), 1)].mean())


print("dropped by the queue:", [record.bottleneck_drops for record in ladder])
print(f"correlation of the eight windows: {together(ladder[-1]):+.3f}")

# %%
streams_figure({"Reno, MSS 1460": (numbers, ladder_bps)}, ladder_bps[0])

# %% [markdown]
# The line is `n` times your single stream; the points are your runs. On logarithmic axes
# "proportional to n" is a straight line of slope 1.
#
# **Task `hacker`.** Fit a straight line through the logarithms of your four points (goodput over
# number of streams) and hand in its slope. (`np.polyfit(x, y, 1)` gives slope and intercept. By
# this line ten streams gain 10 to the power of the slope: compare it with your `ten_random`.)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "fit_hacker", "schema_version": 3, "task": false, "cell_type": "code"}
# hacker = ...
### BEGIN SOLUTION
hacker = np.polyfit(np.log(numbers), np.log(ladder_bps), 1)[0]
lab.answer("hacker", hacker)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "hacker", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("hacker")

# %% [markdown]
# ## 4. Large segments
#
# A slide deck of a data-transfer course says: "A typical MSS is 1,500 bytes, but it can be as large
# as 9,000 bytes", and that throughput then "increases six times faster". These are sizes of the
# *MTU* (the packet). The MSS is smaller: 40 bytes go to the IP and TCP headers, and Linux takes 12
# more from each segment for timestamps.
#
# **Task `segments`.** Run eight streams with `long_run(8, mss_bytes=8960)` and hand in
# `{"ratio": ..., "gain": ...}`. `ratio` is the larger MSS divided by the smaller one, as your
# *records* have them (column `mss_bytes`). `gain` is the goodput of the eight large-segment streams
# divided by that of the eight in section 3.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "run_segments", "schema_version": 3, "task": false, "cell_type": "code"}
# jumbo = lab.run(...)
### BEGIN SOLUTION
jumbo = lab.run(long_run(8, 8960)).require_calibrated()
ratio = int(jumbo.flows["mss_bytes"].iloc[-1]) / mss
lab.answer("segments", {"ratio": ratio, "gain": jumbo.goodput_bps() / ladder_bps[3]})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "segments", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("segments")

# %% [markdown]
# One stream with large segments is worth six with small ones. It costs a setting on the devices of
# the path, no more connections.
#
# ## 5. A published grid
#
# Crichigno, Csibi, Bou-Harb and Ghani ("Impact of segment size and parallel streams on TCP BBR",
# TSP 2018) ran such tests between real hosts: 10 Gbit/s, an RTT of 20 ms, 0.01 % of the packets
# corrupted. Their abstract says that **parallel streams improve BBR almost 4 times**, and
# **H-TCP, CUBIC and Reno less than 2 times**. Everybody gained by a large MSS, BBR most.
#
# Here are the same path conditions on your kernel, with `other` as the third congestion control.
# Their runs took 70 s; ours are shorter: 4 s after the start for BBR, 8 s and more for the others.
# All have the large segments. (At this rate small ones are 860 000 packets a second, too many to
# emulate in a lab.)

# %%
paper, other = Path(10e9, 0.02, loss=1e-4), lab.variant["other"]
cells = [(cc, n) for cc in ("reno", other) for n in (10, 1)]
grid = {cell: transfer(paper, *cell, duration_s=12 if cell[1] == 10 else 40) for cell in cells}
grid |= {("bbr", n): transfer(paper, "bbr", n, duration_s=6, omit_s=2) for n in (10, 1)}
grid = dict(zip(grid, lab.run_all(list(grid.values())), strict=True))
for (cc, streams), record in grid.items():
    record.require_calibrated()
    print(f"{cc:6} {streams:2} streams: {record.goodput_bps() / 1e9:.2f} Gbit/s")

# %% [markdown]
# **Task `published`.** For each of your three congestion controls hand in the gain: goodput of ten
# streams divided by that of one, as `{"reno": ..., "bbr": ..., ...}` with the name in `other` as
# the third key.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_published", "schema_version": 3, "task": false, "cell_type": "code"}
# gains = {...}
### BEGIN SOLUTION
grid_bps = {cell: record.goodput_bps() for cell, record in grid.items()}
gains = {cc: grid_bps[cc, 10] / grid_bps[cc, 1] for cc in ("reno", other, "bbr")}
lab.answer("published", gains)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "published", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("published")

# %%
PAPER = {"reno": 2, other: 2, "bbr": 4}
gains_figure({"published (bbr: almost 4, others: below 2)": PAPER, "your kernel": gains})

# %% [markdown]
# The two sets of bars are the opposite of each other. Before you doubt the paper or your kernel, look
# at what one stream reached in each case, and at 10 Gbit/s, which nobody can exceed.
#
# BBR's ten streams gained no goodput. Did they cost something? `dropped` counts what the router's
# queue dropped after the start.


# %%
def dropped(record):
    """Share of the packets after the start that the router's queue dropped."""
    queue = record.queue[record.queue["time_s"] >= record.experiment.omit_s]
    queue = queue[queue["kind"] == queue["kind"].iloc[0]]
    lost, sent = (float(np.ptp(queue[name])) for name in ("drops", "sent_packets"))
    return lost / (lost + sent)


print(f"one BBR stream: {dropped(grid['bbr', 1]):.2%}")

# %% [markdown]
# **Task `bbr_price`.** What share of its packets, *in percent*, did the queue drop with ten BBR
# streams?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_price", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("bbr_price", ...)
### BEGIN SOLUTION
lab.answer("bbr_price", 100 * dropped(grid["bbr", 10]))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "bbr_price", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("bbr_price")

# %% [markdown]
# Each BBR stream allows itself twice the BDP that it believes to be its own. Together they keep the
# queue full, and nobody slows down for a loss (Hock, Bless and Zitterbart, "Experimental evaluation
# of BBR congestion control", ICNP 2017, saw it too).
#
# ## 6. Could the paper still be right?
#
# An abstract does not tell everything. Which condition, not mentioned, would give its numbers? Try
# two.
#
# **Suspicion 1: a slower path.** Perhaps their hosts never reached 10 Gbit/s. Then ten Reno
# streams fill what there is long before they are ten times one.
#
# **Task `slower`.** Repeat Reno and BBR with one and ten streams (`transfer(slow, cc, n)`) on the
# path `slow`, 1 Gbit/s and everything else as before. Hand in the two gains,
# `{"reno": ..., "bbr": ...}`, and keep this dictionary as `slow_gains`: a later figure needs it.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "run_slower", "schema_version": 3, "task": false, "cell_type": "code"}
slow = Path(1e9, 0.02, loss=1e-4)
# slow_runs = lab.run_all([...])
### BEGIN SOLUTION
four = [(cc, n) for cc in ("reno", "bbr") for n in (10, 1)]
slow_runs = lab.run_all([transfer(slow, cc, n) for cc, n in four])
slow_bps = [record.require_calibrated().goodput_bps() for record in slow_runs]
slow_gains = {"reno": slow_bps[0] / slow_bps[1], "bbr": slow_bps[2] / slow_bps[3]}
lab.answer("slower", slow_gains)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "slower", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("slower")

# %% [markdown]
# **Suspicion 2: small socket buffers.** A stream has at most one window on the way per RTT, and
# Linux uses half of a receive buffer as window (lab 03). If that is less than the path holds, one
# stream cannot fill the path, BBR or not; $n$ streams have $n$ windows.
#
# **Task `buffer_run`.** On the path `slow`, choose a receive buffer for which ten BBR streams carry
# `target_gain` times as much as one. Work it out first. Then prove it with
# `transfer(slow, "bbr", n, host=Host(rcvbuf_bytes=...))` for one and for ten streams. Call the two
# records `small_one` and `small_ten`: the next figure needs them. Hand in the run with *one*
# stream, as `small_one.experiment.id`. A gain within 10 % of the target counts.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "run_buffer", "schema_version": 3, "task": false, "cell_type": "code"}
# rcvbuf_bytes = ...
### BEGIN SOLUTION
rcvbuf_bytes = round(2 * slow.bdp_bytes / lab.variant["target_gain"])
small = Host(rcvbuf_bytes=rcvbuf_bytes)
small_ten, small_one = lab.run_all([transfer(slow, "bbr", n, host=small) for n in (10, 1)])
print(rcvbuf_bytes, "bytes:", small_ten.goodput_bps() / small_one.goodput_bps(), "times")
lab.answer("buffer_run", small_one.experiment.id)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "buffer_run", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("buffer_run")

# %% [markdown]
# Now Reno with the same hosts. Compare its bar with the paper's "less than 2 times".

# %%
same = small_one.experiment.host
reno_pair = lab.run_all([transfer(slow, "reno", n, host=same) for n in (10, 1)])
small_gains = {
    "reno": reno_pair[0].goodput_bps() / reno_pair[1].goodput_bps(),
    "bbr": small_ten.goodput_bps() / small_one.goodput_bps(),
}
gains_figure({"published": PAPER, "10 Gbit/s": gains, "1 Gbit/s": slow_gains,
              "1 Gbit/s, small buffers": small_gains})  # fmt: skip

# %% [markdown]
# Which claim does each suspicion rescue, and which not? A socket buffer limits every congestion
# control alike. The paper's two claims together need something that holds back a single BBR stream
# and no other. BBR *paces*: it sends packets one by one, by a timer, and that costs a real host
# computing time. Here computing takes no time at all, so this lab can neither confirm nor refute
# that explanation. Say so when you write about it.
#
# ## 7. How many streams?
#
# Another deck shows tests with 1 to 10 streams between Oak Ridge and Sunnyvale, with the highest
# rates at "7-8 streams". Why there? Take Hacker's law with its end: streams help until together
# they fill the path. The path below has your RTT and loss, but only `rate_mbit` Mbit/s and a
# router with a buffer of a quarter BDP.

# %%
narrow = Path(lab.variant["rate_mbit"] * 1e6, rtt_s, loss=loss, mtu_bytes=1500, buffer_bdp=0.25)
steps = [1, 2, 3, 4, 6, 8, 10, 14]
sweep = lab.run_all([transfer(narrow, "reno", n, 1460, duration_s=20) for n in steps])
sweep_bps = np.array([record.require_calibrated().goodput_bps() for record in sweep])
for streams, record in zip(steps, sweep, strict=True):
    used = record.goodput_bps() / narrow.rate_bps
    print(f"{streams:2} streams: {used:5.1%} used, {dropped(record):.3%} dropped by the queue")

# %%
streams_figure({"Reno": (steps, sweep_bps)}, ladder_bps[0], rate_bps=narrow.rate_bps)

# %% [markdown]
# Follow the points: first along the line, then below it, then flat, while the drops grow. There is
# no sharp peak.
#
# **Task `peak`.** Hand in `{"model": ..., "measured": ...}`. `model` is where the line bends: the
# path's rate divided by the goodput of your single stream of section 3 (a decimal number).
# `measured` is the smallest number of streams in your sweep that reaches at least 95 % of the
# sweep's best goodput.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_peak", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("peak", {"model": ..., "measured": ...})
### BEGIN SOLUTION
bend = narrow.rate_bps / ladder_bps[0]
enough = steps[int(np.argmax(sweep_bps >= 0.95 * sweep_bps.max()))]
lab.answer("peak", {"model": bend, "measured": enough})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "peak", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("peak")

# %% [markdown]
# The deck's path carried 900 Mbit/s with about 8 streams over an RTT of 66 ms. It does not say why
# one stream got so little. *If* it was random loss, how much?
#
# **Task `deck_loss`.** First compute Mathis's $k=\text{goodput}\cdot\mathrm{RTT}\sqrt p/\mathrm{MSS}$
# of one stream from your eight-stream run of section 3 (mind bits and bytes). Then hand in the loss,
# as a fraction, at which each of 8 streams carries an eighth of 900 Mbit/s over 66 ms with that $k$
# and an MSS of 1448 bytes. (`models.mathis_loss_for(rate_bps, rtt_s, mss_bytes, k)` turns the law
# round.)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_deck_loss", "schema_version": 3, "task": false, "cell_type": "code"}
# k = ...
### BEGIN SOLUTION
k = ladder_bps[3] / 8 / float(models.mathis_goodput(rtt_s, loss, mss, 1.0))
deck_loss = float(models.mathis_loss_for(900e6 / 8, 0.066, 1448, k))
print(f"k = {k:.3f}: one packet in {1 / deck_loss:,.0f}")
lab.answer("deck_loss", deck_loss)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "deck_loss", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("deck_loss")

# %% [markdown]
# Be careful: a socket buffer would give the same number of streams with no loss at all. An eighth of
# 900 Mbit/s over 66 ms is a window of 0.93 MB. You will be asked how to tell the two apart.
#
# ## 8. A clean path
#
# Now no random loss at all. The only losses are those that the streams cause when they overflow the
# router's queue. Then they are no longer independent: what one stream sends, the others cannot.
# One path has a *deep* buffer of one BDP, the other a *shallow* one of 0.05 BDP.
#
# **Task `clean`.** Hand in the gain of ten Reno streams over one on both paths,
# `{"deep": ..., "shallow": ...}`. The next cell makes the runs.

# %%
clean = Path(100e6, rtt_s, mtu_bytes=1500)
long = {"duration_s": 40, "omit_s": 10}
cases = [(buffer_bdp, n) for buffer_bdp in (1.0, 0.05) for n in (10, 1)]
runs = [transfer(clean, "reno", n, 1460, **long).replace(buffer_bdp=b) for b, n in cases]
clean_runs = dict(zip(cases, lab.run_all(runs), strict=True))
for (buffer_bdp, streams), record in clean_runs.items():
    used = record.require_calibrated().goodput_bps() / clean.rate_bps
    print(f"{buffer_bdp} BDP, {streams:2} streams: {used:.1%} used, {dropped(record):.3%} dropped")
print(f"windows together, shallow: {together(clean_runs[0.05, 10]):+.2f}")

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_clean", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("clean", {"deep": ..., "shallow": ...})
### BEGIN SOLUTION
carried = {case: record.goodput_bps() for case, record in clean_runs.items()}
deep, shallow = (carried[b, 10] / carried[b, 1] for b in (1.0, 0.05))
lab.answer("clean", {"deep": deep, "shallow": shallow})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "clean", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("clean")

# %% [markdown]
# For a path without a buffer Altman, Barman, Tuffin and Vojnović ("Parallel TCP sockets: simple
# model, throughput and validation", INFOCOM 2006) have a law: $n$ streams of which one at a time
# halves its window use $1-1/(1+3n)$ of the path: 75 % with one stream, 97 % with ten, a gain of
# 1.29. Compare it with your shallow path. The law has smooth flows and a single victim at each
# overflow; real packets come in bursts, and a small queue drops some of them earlier. (The model is
# `models.aimd_utilisation`.)
#
# ## 9. Somebody else on the path
#
# On a full path the streams' gain must come from somewhere. You send over **one** Reno stream. A
# neighbour opens `rivals` streams on the same 100 Mbit/s. TCP shares among *streams*.
#
# Is a router with a fair queue the remedy? `fq_codel` gives every connection a queue of its own and
# serves them in turn (RFC 8290).


# %%
def neighbours(mine, theirs, qdisc="droptail"):
    """Two users on your clean path, with so many streams each."""
    flows = (Flow("reno", streams=mine), Flow("reno", streams=theirs))
    one = transfer(clean, "reno", 1, 1460, duration_s=50, omit_s=15, sample_interval_s=1.0)
    return one.replace(flows=flows, qdisc=qdisc)


# %%
rivals = lab.variant["rivals"]
plans = [(1, rivals), (1, rivals, "fq_codel"), (1, 1), (8, 8)]
pairs = lab.run_all([neighbours(*plan) for plan in plans])
droptail, fair_queue, peace, race = (record.require_calibrated() for record in pairs)
flows = droptail.flows.pivot_table(
    index="time_s", columns="flow", values="goodput_bps", aggfunc="sum"
)
sharing_figure(flows.index, {"you, 1 stream": flows[0], f"they, {rivals} streams": flows[1]})

# %% [markdown]
# **Task `share`.** Your share of the goodput of both, *in percent*, with the plain queue and with
# the fair one: `{"droptail": ..., "fq_codel": ...}`. (`record.goodput_bps(0)` is the goodput of the
# first flow, yours; `record.goodput_bps()` that of both.)
#
# So you do as your neighbour does: `peace` is one stream each, `race` is eight each.
#
# **Task `arms_race`.** Divide the share of dropped packets (`dropped`) in `race` by that in
# `peace`. Look also at what each of you gets in the two runs.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_share", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("share", {"droptail": ..., "fq_codel": ...})
# lab.answer("arms_race", ...)
### BEGIN SOLUTION
both = {"droptail": droptail, "fq_codel": fair_queue}
share = {name: 100 * run.goodput_bps(0) / run.goodput_bps() for name, run in both.items()}
print(f"equal for every stream would be {100 / (1 + rivals):.1f} %")
lab.answer("share", share)
for name, record in {"one each": peace, "eight each": race}.items():
    mbits = [record.goodput_bps(flow) / 1e6 for flow in (0, 1)]
    print(f"{name}: {mbits[0]:.1f} and {mbits[1]:.1f} Mbit/s, {dropped(record):.3%} dropped")
lab.answer("arms_race", dropped(race) / dropped(peace))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "share", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("share")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "arms_race", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("arms_race")

# %% [markdown]
# The fair queue is fair to connections, not to people. And in the race nobody has won anything.
#
# ## 10. What virtual time hides
#
# Your network's clock moves only when something happens; computing takes no time on it. So no host
# here is ever too slow: no pacing timer, no core at its limit, no network card that gives up. On
# real hosts these often decide how many streams are best, and section 5's paper may be a case. And
# the random loss here strikes each packet on its own. A failing device that loses bursts would hit
# fewer streams, each of them harder.
#
# ## 11. Explain (graded by a person, 6 points)
#
# In your own words, in 200 to 350 words and with numbers from your runs:
#
# 1. Why do ten Reno streams gain about ten times on the lossy path and nothing on the clean one with
#    the deep buffer? Argue with what one loss does to one stream and to the others. Which of your
#    predictions was wrong, and which picture was behind it?
# 2. Do the two published claims hold? Say for each of your three settings which claim it agrees with.
#    What can you conclude about the paper, and what not? Name one measurement that could tell random
#    loss from small buffers as the reason why a deck's path needed eight streams.
# 3. Is it right to open ten streams? Distinguish the lossy path that nobody else uses from the shared
#    one. Use your numbers of section 9, and say what you gain if everybody does it.

# %% [markdown] nbgrader={"grade": true, "solution": true, "locked": false, "points": 6, "grade_id": "explanation", "schema_version": 3, "task": false, "cell_type": "markdown"}
# 1. On the lossy path a loss strikes one stream, which halves its window; the others do not notice (the
#    windows' correlation is 0.08). So every stream keeps what it would have alone, and the slope over their
#    number is 1.00. On the clean path the streams lose because the queue is full, so they share what one
#    stream already filled: 95.5 % with one, 95.6 % with ten, a gain of 1.00. With the shallow buffer one
#    stream empties the path at each halving (49 %), ten do not all halve at once (84 %, 1.72 times). My
#    predictions for the lossy path (5) and BBR (4) were wrong: I thought of streams as lanes of one road,
#    all stuck in the same jam.
# 2. At 10 Gbit/s both claims fail: BBR gains 1.01, Reno 8.4 and H-TCP 8.0. At 1 Gbit/s Reno comes nearer
#    (2.95) and BBR still gains 1.01. With small buffers BBR gains 3.1, but Reno gains 3.6. No setting gives
#    both. I conclude that something in the paper's hosts, not in its path, held back single BBR streams;
#    I cannot conclude that the paper is wrong, because hosts here compute in no time. Large segments tell
#    loss from buffers: under random loss they gain six times, with a limiting buffer nothing. Or count the
#    segments sent again: a buffer causes none.
# 3. Alone on a lossy path it repairs what the operators should repair, and harms nobody: the queue
#    dropped nothing. On the shared path my one stream kept 9.1 % beside ten, and a fair queue gave it 10.0 %,
#    because it is fair to connections. If both of us open eight, we have 47 and 48 Mbit/s as before (49 and
#    46), and 42 times the share of drops. So: not on a path that others use.

# %% [markdown]
# ## Before you hand in
#
# Restart the kernel and run all cells: your runs are kept, so it takes seconds. Then *Validate*
# and *Submit*, as in lab 00.
#
# ## Sources
#
# - T. Hacker, B. Athey, B. Noble, "The end-to-end performance effects of parallel TCP sockets on a
#   lossy wide-area network", IPDPS 2002: the sum over the streams.
# - M. Mathis, J. Semke, J. Mahdavi, T. Ott, "The macroscopic behavior of the TCP congestion
#   avoidance algorithm", ACM CCR 27(3), 1997: one stream.
# - E. Altman, D. Barman, B. Tuffin, M. Vojnović, "Parallel TCP sockets: simple model, throughput and
#   validation", INFOCOM 2006: streams that fill the path.
# - J. Crichigno, Z. Csibi, E. Bou-Harb, N. Ghani, "Impact of segment size and parallel streams on TCP
#   BBR", TSP 2018: the published grid.
# - M. Hock, R. Bless, M. Zitterbart, "Experimental evaluation of BBR congestion control", ICNP 2017:
#   several BBR streams and their losses.
# - T. Høiland-Jørgensen, P. McKenney, D. Täht, J. Gettys, E. Dumazet, "The Flow Queue CoDel packet
#   scheduler and active queue management algorithm", RFC 8290, 2018.
# - "Ultra-science network" and "Science DMZ" course decks: 7-8 streams; the advantages of streams and
#   of a large MSS.
