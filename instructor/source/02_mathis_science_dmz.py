# %% [markdown]
# # Friction: why one lost packet in 22 000 hurts
#
# **Goal.** Find out, by your own runs of the Linux kernel's TCP, how loss, distance and packet
# size together decide what a transfer gets; then use the law you found to plan a path.
#
# **Time.** 90 to 120 minutes, of which the runs take about 3.
#
# **You need** lab 00 and logarithms. You know what a congestion window is: how much TCP has sent
# and not yet heard about, so that goodput is window divided by round-trip time.

# %% [markdown]
# ## 1. The question
#
# A router's line card begins to fail. It loses one packet in 22 000, and no error counter
# shows it. 99.995 % of all packets arrive. The path carries 10 Gbit/s between two laboratories
# with nobody else on it. **How much of the 10 Gbit/s does one transfer keep?**
#
# ESnet's engineers met this card and made it the opening example of the *Science DMZ* (Dart,
# Rotman, Tierney, Hester, Zurawski, "The Science DMZ: a network design pattern for data-intensive
# science", SC 2013). You are going to build the path and see.

# %%
import numpy as np

from lab_tools.experiment import Experiment, Flow, Path
from lab_tools.figures.mathis import mathis_collapse, mathis_figure
from lab_tools.figures.traces import traces
from lab_tools.grading import Lab
from lab_tools.models import mathis_goodput, mathis_loss_for, pftk_full
from lab_tools.widgets import explore

lab = Lab("02_mathis_science_dmz")
lab.variant

# %% [markdown]
# These parameters are yours; a neighbour has others, so compare methods rather than numbers.
#
# ## 2. Predict before you measure
#
# Write down what you expect. No run starts before all three are locked, and after the first run
# they cannot change. **A wrong prediction costs nothing**; you will explain it at the end.
#
# - `rtt_factor`: goodput at a round-trip time *four times as long*, divided by goodput before.
# - `loss_factor`: goodput at *four times the loss*, divided by goodput before.
# - `kept_percent`: how much of 10 Gbit/s, in percent, one Reno stream with jumbo frames (9000 bytes)
#   keeps over the failing card when the round trip takes `wan_ms` milliseconds. You measure it in
#   section 8, in a task of the same name.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "predict", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.predict("rtt_factor", ...) and so on: three lines
### BEGIN SOLUTION
lab.predict("rtt_factor", 0.25)
lab.predict("loss_factor", 0.25)
lab.predict("kept_percent", 60)
### END SOLUTION

# %% [markdown]
# Now that your predictions are locked, play. The panel shows what a *model* says of one Reno stream
# on your path; move the sliders. "Run it" makes one real run of these settings. Such a run is kept
# apart from your work: it is not graded, and it changes no prediction.

# %%
first = Path(10e9, lab.variant["rtt_ms"] / 1000, loss=lab.variant["loss"], mtu_bytes=1500)
explore(Experiment(first, flows=(Flow("reno"),)), vary=("loss", "rtt_s", "mtu_bytes"))

# %% [markdown]
# ## 3. Loss
#
# Reno is the oldest congestion control still in the kernel and the easiest to understand: one
# segment more each round trip, half the window at each loss. Each run has eight Reno streams side
# by side. The path is so wide that together they never fill the link or its queue, so one run is eight
# independent samples. The
# first 10 s are left out: that is the start, and the law is about what comes after.


# %%
def reno(rtt_s, loss, mtu_bytes=1500, duration_s=40, omit_s=10):
    """Eight independent Reno streams on a path of 10 Gbit/s."""
    path = Path(10e9, rtt_s, loss=loss, mtu_bytes=mtu_bytes)
    times = {"duration_s": duration_s, "omit_s": omit_s, "seed": lab.variant["seed"]}
    return Experiment(path, flows=(Flow("reno", streams=8),), **times)


def per_stream(record):
    """Mean goodput of one stream after the start, in bit/s."""
    return record.goodput_bps() / record.experiment.streams


# %%
rtt_s = lab.variant["rtt_ms"] / 1000
losses = lab.variant["loss"] * np.array([1, 2, 4, 8, 16])
loss_runs = [lab.run(reno(rtt_s, float(p))) for p in losses]

# %% [markdown]
# ### Check the assumptions first
#
# A number from a run that was not what you asked for is worth nothing. Each record carries its own
# calibration: it compares what you asked for with what was achieved. `require_calibrated` refuses a
# record that missed. (The MSS in it, 1460 bytes, is what the two hosts agree on; 12 bytes of each
# segment are TCP's timestamps, so 1448 bytes of data are left. A run's own line gives the goodput of
# all its streams together.)

# %%
for record in loss_runs:
    record.require_calibrated()
[(c.name, c.requested, c.achieved) for c in loss_runs[0].calibration]

# %% [markdown]
# Two more assumptions matter here. The router's queue must have dropped nothing (otherwise the
# loss is not the loss you set), and the segments must be as large as you think: the MSS is what
# fits into the MTU beside the IP and TCP headers *and* TCP's timestamps.

# %%
mss = int(loss_runs[0].flows["mss_bytes"].iloc[-1])
print("MTU", loss_runs[0].experiment.path.mtu_bytes, "leaves an MSS of", mss, "bytes")
print("dropped by the queue:", [record.bottleneck_drops for record in loss_runs])
print("segments sent again:", [record.retransmits for record in loss_runs])

# %%
goodputs = np.array([per_stream(record) for record in loss_runs])
mathis_figure([rtt_s] * 5, losses, mss, goodputs, over="loss")

# %% [markdown]
# The dashed curve below is explained in section 7. The solid line is the law of Mathis, Semke, Mahdavi and Ott ("The macroscopic behavior of the
# TCP congestion avoidance algorithm", ACM CCR 27(3), 1997):
#
# $$\text{goodput}=\frac{k\cdot \mathrm{MSS}}{\mathrm{RTT}\cdot\sqrt{p}}$$
#
# On logarithmic axes a power law $y=c\,x^a$ is a straight line with slope $a$.
#
# **Task `loss_exponent`.** Fit a straight line through the logarithms of your five points and hand
# in its slope with `lab.answer("loss_exponent", slope)`. (`np.polyfit(x, y, 1)` returns slope and
# intercept.) Expect −0.5 and a little: other seeds give slopes that differ by 0.01, and the runs with
# the most loss bend away for a reason that section 7 finds.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "fit_loss", "schema_version": 3, "task": false, "cell_type": "code"}
# slope = ...
# lab.answer("loss_exponent", slope)
### BEGIN SOLUTION
loss_exponent = np.polyfit(np.log(losses), np.log(goodputs), 1)[0]
lab.answer("loss_exponent", loss_exponent)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "loss_exponent", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("loss_exponent")

# %% [markdown]
# ## 4. Distance
#
# Now hold the loss still, at four times your base loss, and change the round-trip time to a half,
# twice and four times yours. The run at your own RTT is there already: `loss_runs[2]`.
#
# **Task `rtt_exponent`.** Make the three runs with `lab.run(reno(...))`, put all four in a list
# `rtt_runs`, **`loss_runs[2]` first**, and hand in the exponent of the RTT.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "fit_rtt", "schema_version": 3, "task": false, "cell_type": "code"}
mid_loss = float(losses[2])
# rtt_runs = [loss_runs[2], ...]
# lab.answer("rtt_exponent", ...)
### BEGIN SOLUTION
rtt_runs = [loss_runs[2]] + [lab.run(reno(rtt_s * f, mid_loss)) for f in (0.5, 2, 4)]
rtts = np.array([record.experiment.path.rtt_s for record in rtt_runs])
over_rtt = np.array([per_stream(record.require_calibrated()) for record in rtt_runs])
rtt_exponent = np.polyfit(np.log(rtts), np.log(over_rtt), 1)[0]
lab.answer("rtt_exponent", rtt_exponent)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "rtt_exponent", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("rtt_exponent")

# %%
mathis_figure(
    [record.experiment.path.rtt_s for record in rtt_runs],
    [mid_loss] * len(rtt_runs),
    mss,
    [per_stream(record) for record in rtt_runs],
    over="rtt",
)

# %% [markdown]
# ## 5. The constant
#
# If the law holds, $k=\text{goodput}\cdot\mathrm{RTT}\cdot\sqrt p/\mathrm{MSS}$ is the same number
# in every run, up to chance and up to the bend at high loss. Theory offers several: $\sqrt{3/2}
# \approx1.22$ if losses come at equal distances, 1.31 if they come at random (Mathis et al., Table 1);
# and 0.87 (equal distances) or 0.93 (random) for *delayed acknowledgements*, where the receiver
# acknowledges every second segment and the sender counts acknowledgements. Linux counts acknowledged
# *segments*, so the last two are out. Your losses are random and still $k$ comes out below 1.31.
# One reason: a real loss costs more than the halving, since the window does not grow while the loss
# is being repaired.
# (Mind bits and bytes, and the difference between MTU and MSS. Take the loss that you asked for.)
#
# **Task `constant`.** Compute `ks`, the value of $k$ for each of your eight runs, and hand in their
# geometric mean: one number.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "fit_constant", "schema_version": 3, "task": false, "cell_type": "code"}
# ks = ...
# k = ...  (one number: the geometric mean of ks)
# lab.answer("constant", k)
### BEGIN SOLUTION
runs = loss_runs + rtt_runs[1:]
paths = [record.experiment.path for record in runs]
frictions = np.array([path.rtt_s * np.sqrt(path.loss) for path in paths])
ks = np.array([per_stream(record) for record in runs]) / 8 * frictions / mss
k = float(np.exp(np.log(ks).mean()))
lab.answer("constant", k)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "constant", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("constant")

# %% [markdown]
# ## 6. Packet size
#
# The law has a third quantity that you can change. An MTU of 9000 bytes ("jumbo frames") is an option in most
# laboratories, and costs nothing but a setting on every device along the path.
#
# **Task `mss_gain`.** Run the path of `loss_runs[2]` with `mtu_bytes=9000` and hand in its goodput
# divided by that of `loss_runs[2]`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "run_mss", "schema_version": 3, "task": false, "cell_type": "code"}
# jumbo = lab.run(...)
# lab.answer("mss_gain", ...)
### BEGIN SOLUTION
jumbo = lab.run(reno(rtt_s, mid_loss, mtu_bytes=9000)).require_calibrated()
lab.answer("mss_gain", per_stream(jumbo) / per_stream(loss_runs[2]))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "mss_gain", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("mss_gain")

# %% [markdown]
# Now all your runs in one picture. The horizontal axis joins all three into one number,
# MSS/(RTT √loss). If the law holds, every run lies on one line of slope 1.

# %%
every = [*loss_runs, *rtt_runs[1:], jumbo]
mathis_collapse(
    [record.experiment.path.rtt_s for record in every],
    [record.experiment.path.loss for record in every],
    [int(record.flows["mss_bytes"].iloc[-1]) for record in every],
    [per_stream(record) for record in every],
    k=k,
)

# %% [markdown]
# ## 7. Where the law ends
#
# Mathis assumes that a loss costs half the window and nothing else. A sender notices a loss when three
# acknowledgements come back for the segments after it. With many losses the window is small, and
# often fewer than three come back: then the sender must wait for a timeout. Padhye, Firoiu, Towsley and Kurose (SIGCOMM 1998) added these timeouts; their model is
# named PFTK after them. It was fitted to the TCP of 1998. Today's
# receiver also says *which* segments it has (selective acknowledgements), and today's sender sends
# the last segment again when no answer comes, to learn whether the end of the window was lost
# (tail loss probe, RFC 8985).
#
# **Task `pftk`.** Run your path at `high_loss` (MTU 1500) and hand in
# `{"mathis": ..., "pftk": ...}`: what each model predicts, divided by what you measured. Take
# `mathis_goodput(rtt_s, high_loss, mss)` and `pftk_full(rtt_s, high_loss, mss)` as they are, not with
# your own $k$.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "run_pftk", "schema_version": 3, "task": false, "cell_type": "code"}
high_loss = lab.variant["high_loss"]
# lossy = lab.run(...)
# lab.answer("pftk", {"mathis": ..., "pftk": ...})
### BEGIN SOLUTION
lossy = lab.run(reno(rtt_s, high_loss)).require_calibrated()
mathis_ratio = float(mathis_goodput(rtt_s, high_loss, mss)) / per_stream(lossy)
pftk_ratio = float(pftk_full(rtt_s, high_loss, mss)) / per_stream(lossy)
lab.answer("pftk", {"mathis": mathis_ratio, "pftk": pftk_ratio})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "pftk", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("pftk")

# %% [markdown]
# One model promises too much, the other too little. Keep both numbers for your explanation.

# %%
mathis_figure(
    [rtt_s] * 6,
    [*losses, high_loss],
    mss,
    [per_stream(record) for record in [*loss_runs, lossy]],
    over="loss",
    title="Where the two models part",
)

# %% [markdown]
# ## 8. The failing line card
#
# First the sheer number: slides about this card say that it loses "0.0046 %" of the packets.
#
# **Task `deck_percent`.** Compute one packet in 22 000 as a percentage, to four significant digits,
# and compare it with the slides. Hand in your number.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_percent", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("deck_percent", ...)
### BEGIN SOLUTION
lab.answer("deck_percent", round(100 / 22000, 6))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "deck_percent", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("deck_percent")

# %% [markdown]
# Now the card itself, with jumbo frames over your long path of `wan_ms`. With so little loss each
# sawtooth lasts seconds, so the run is longer: 60 s, the first 20 left out.

# %%
wan_s = lab.variant["wan_ms"] / 1000
card = lab.run(reno(wan_s, 1 / 22000, mtu_bytes=9000, duration_s=60, omit_s=20))
card.require_calibrated()
traces(card.total(), title="Eight streams over the failing line card, together")

# %% [markdown]
# The figure adds eight windows up, so their eight sawteeth blur into one line.
#
# **Task `kept_percent`.** How much of the path's 10 Gbit/s, in percent, does *one* of these
# streams keep? Compare it with your prediction. (Your law may be off by 15 % here: with so few losses
# chance is large.)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_kept", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("kept_percent", ...)
### BEGIN SOLUTION
lab.answer("kept_percent", 100 * per_stream(card) / card.experiment.path.rate_bps)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "kept_percent", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("kept_percent")

# %% [markdown]
# ## 9. Through the enterprise, or beside it
#
# A campus usually sends everything through a firewall. Firewalls inspect packets well, but many of
# them have little memory: a burst that arrives faster than it can leave does not fit. A *Science DMZ* puts the
# data transfer node outside of it, behind a router with a deep buffer and simple filters.
#
# Both paths below carry 1 Gbit/s over `wan_ms` with jumbo frames, **with no random loss at all**. One
# has a buffer of one bandwidth-delay product (BDP), the other of `firewall_kb` kilobytes. Nothing is
# left out at the beginning: the start is the point.

# %%
flow, wan = (Flow("reno"),), {"rate_bps": 1e9, "rtt_s": wan_s, "buffer_bdp": 1.0}
clear = Experiment(Path(**wan), flows=flow, duration_s=30, seed=lab.variant["seed"])
guarded = clear.replace(buffer_bytes=1000 * lab.variant["firewall_kb"])
dmz = lab.run(clear).require_calibrated()
firewall = lab.run(guarded).require_calibrated()
for name, record in {"Science DMZ": dmz, "enterprise": firewall}.items():
    sent = record.queue["sent_packets"].iloc[-1]
    print(f"{name}: {sent} packets sent on, {record.bottleneck_drops} dropped")

# %%
display(traces(dmz.total(), dmz.queue, title="Science DMZ: a deep buffer, one BDP"))
display(traces(firewall.total(), firewall.queue, title="Enterprise: the same, a small buffer"))

# %% [markdown]
# Compare the two with care, and mind that their axes have different units. Which path dropped more
# packets, and which carried more? It is not the same path, and no label was swapped: slow start
# overshoots a large buffer by more. When do the drops (dotted lines, within the first 2 s) happen?
# What does the window do after them? (A sample above the path's rate is no magic: data that waited
# behind a missing packet is handed over all at once when that packet arrives.)
#
# **Task `firewall`.** How many times as much does the Science DMZ's path carry as the enterprise
# path in these 30 s?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_firewall", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("firewall", ...)
### BEGIN SOLUTION
lab.answer("firewall", dmz.goodput_bps() / firewall.goodput_bps())
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "firewall", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("firewall")

# %% [markdown]
# ## 10. Plan a path
#
# Turn the law round. You promise a group `target_mbit` Mbit/s for each Reno stream over your
# `rtt_ms`, with an MTU of 9000 bytes. How clean must the path be?
#
# **Task `loss_budget`.** Hand in the largest loss, as a fraction, that the law allows with your own
# constant $k$ (and its exponents −1 and −1/2). Mind the MSS: this path has jumbo frames.
#
# **Task `budget_run`.** Prove it: run the path at that loss with `reno(...)` and hand in the run
# as `record.experiment.id`. A run within 10 % of the promise counts; if yours misses it, make a
# longer one with `duration_s=80`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "plan", "schema_version": 3, "task": false, "cell_type": "code"}
target_bps = lab.variant["target_mbit"] * 1e6
# budget = ...
### BEGIN SOLUTION
jumbo_mss = int(jumbo.flows["mss_bytes"].iloc[-1])
budget = float(mathis_loss_for(target_bps, rtt_s, jumbo_mss, k))
lab.answer("loss_budget", budget)
proof = lab.run(reno(rtt_s, budget, mtu_bytes=9000)).require_calibrated()
lab.answer("budget_run", proof.experiment.id)
print(f"one packet in {1 / budget:.0f}; reached {per_stream(proof) / target_bps:.1%} of it")
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "loss_budget", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("loss_budget")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "budget_run", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("budget_run")

# %% [markdown]
# How rare must losses be for the whole 10 Gbit/s in *one* Reno stream over your long path?

# %%
whole = float(mathis_loss_for(10e9, wan_s, jumbo.flows["mss_bytes"].iloc[-1], 1.22))
apart_s = 1 / whole * 9000 * 8 / 10e9
print(f"at most one packet in {1 / whole:,.0f}, that is one in {apart_s / 60:.0f} minutes")

# %% [markdown]
# ## 11. What virtual time hides
#
# Your network ran on a clock that moves only when something happens, so a slow computer measures
# the same as a fast one: the same experiment gives the same numbers, bit for bit. Run one again:

# %%
first = lab.run(reno(rtt_s, high_loss))
again = lab.run(reno(rtt_s, high_loss), fresh=True)
print("the same trace:", again.flows.equals(first.flows))
print(f"clock: {dmz.clock}; the DMZ's run took {dmz.virtual_s:.0f} s on it, set-up included")

# %% [markdown]
# That is also what it hides. Computing takes no virtual time here, so a host is never too slow: no
# interrupt load, no memory bus, no network card with a ring of its own. `dmz` shows it: a host that
# really was too slow for 1 Gbit/s would show here as if it were fast. And this line card loses each
# packet independently of the others, while a real one may lose them in bursts, which costs *less* at
# the same loss rate: your Science DMZ's path lost thousands of packets in one burst and halved its
# window once.
#
# ## 12. Explain (graded by a person, 6 points)
#
# In your own words, in 200 to 400 words and with numbers from your runs:
#
# 1. Why does four times the loss cost a factor of two and four times the distance a factor of
#    four? Argue with the sawtooth of the window: how many segments does one tooth hold? Where was
#    your prediction wrong, and which picture of TCP was behind it?
# 2. What share of its packets (dropped over sent) did each of the two paths of section 9 drop? What does Mathis's law
#    predict for these shares, what did you measure, and why does the law not apply to either?
# 3. How far off is each of the two models at `high_loss`, and what does today's kernel do that each of
#    them leaves out?

# %% [markdown] nbgrader={"grade": true, "solution": true, "locked": false, "points": 6, "grade_id": "explanation", "schema_version": 3, "task": false, "cell_type": "markdown"}
# 1. Between two losses the window climbs from W/2 to W, one segment a round trip: W/2 round trips
#    that carry 3W²/8 segments. That number is 1/p, so W goes with 1/√p: four times the loss, half
#    the window. The window does not know the distance, but it is sent once each round trip, so four
#    times the RTT is a quarter of the goodput. I had predicted a quarter for both, as if each loss
#    cost a fixed share of the goodput, and 60 % for the card; 1.6 % was left. Losses that
#    rare still come often when counted in round trips, and each costs W/2 round trips of climbing.
# 2. The firewall dropped 44 of 61 000 packets, 0.07 %; the law gives 33 Mbit/s for that, I measured
#    145. The Science DMZ's router dropped far more, 0.7 %, for which the law gives 11 Mbit/s, and
#    carried 964. The law describes the balance of many losses, each followed by a climb. Here all
#    drops of a run are one loss event, the end of slow start. What matters is how large the window
#    was then: with the small buffer slow start overflowed at a few dozen segments, and the rest of
#    the run is one climb by a segment each round trip that has reached 352 of 1400 after 30 s; with
#    the deep buffer it ended with the path full, and half of that window still fills it.
# 3. PFTK is somewhat nearer, but below the measurement, while Mathis is above. Mathis leaves out
#    timeouts and the small window's discreteness. PFTK counts too many timeouts, because the kernel
#    finds most losses by selective acknowledgements and by probing the tail (RACK-TLP), not by
#    waiting.

# %% [markdown]
# ## Before you hand in
#
# Restart the kernel and run all cells: your runs are kept, so it takes seconds. Then *Validate*
# and *Submit*, as in lab 00.
#
# ## Sources
#
# - M. Mathis, J. Semke, J. Mahdavi, T. Ott, "The macroscopic behavior of the TCP congestion
#   avoidance algorithm", ACM Computer Communication Review 27(3), 1997: the law, its constants.
# - J. Padhye, V. Firoiu, D. Towsley, J. Kurose, "Modeling TCP throughput: a simple model and its
#   empirical validation", SIGCOMM 1998: timeouts.
# - E. Dart, L. Rotman, B. Tierney, M. Hester, J. Zurawski, "The Science DMZ: a network design
#   pattern for data-intensive science", SC 2013: the line card, firewalls and what to do.
# - Y. Cheng, N. Cardwell, N. Dukkipati, P. Jha, "The RACK-TLP loss detection algorithm for TCP",
#   RFC 8985, 2021: how today's kernel finds losses.
