# %% [markdown]
# # Congestion control: how long one loss hurts
#
# **Goal.** Read from the kernel's own congestion windows how seven congestion controls fall after
# a loss and how they climb back; compare the time they need with theory; find out who suffers
# when packets are lost at random.
#
# **Time.** 90 to 120 minutes, of which the runs take about 2.
#
# **You need** labs 00 and 02: what a congestion window is, Mathis's law, a straight line on
# logarithmic axes.
#
# ## 1. The question
#
# A transfer fills a long clean path. Then the router's queue overflows and **one** packet is lost.
# The sender notices within a round trip, sends it again, and makes its window smaller. Until the
# window is as large as before, part of the path stays empty.
#
# **How long does that last, and does it matter which congestion control you chose?** Most people
# expect a second or so, and much the same for all of them. After all it was one packet in many
# thousands.
#
# A few words. The *congestion window* (cwnd) is how many segments TCP may have on the way; one
# window is sent each *round-trip time* (RTT). The *bandwidth-delay product* (BDP), rate times RTT,
# is the window that just fills the path. What does not fit on the path waits in the router's
# *queue*. A *congestion control* is the rule by which the window grows and shrinks.

# %%
import numpy as np

from lab_tools import models
from lab_tools.analysis.dynamics import find_sawtooth
from lab_tools.experiment import Experiment, Flow, Path
from lab_tools.figures import congestion, windows
from lab_tools.grading import Lab

lab = Lab("04_congestion_control")
print(lab.variant)

# %% [markdown]
# These parameters are yours. Your path carries 500 Mbit/s with an RTT of `rtt_ms` milliseconds and
# an MTU of 9000 bytes. Its router has a buffer of 0.3 BDP. There is no other traffic and, for now,
# no random loss.

# %%
rate_bps, rtt_s = 500e6, lab.variant["rtt_ms"] / 1000
path = Path(rate_bps, rtt_s, buffer_bdp=0.3)
full = models.window_for(rate_bps, rtt_s, path.frame_bytes)
print(f"The path holds {full:.0f} segments; its buffer holds {0.3 * full:.0f} more.")

# %% [markdown]
# ## 2. Predict before you measure
#
# Write down what you expect. No run starts before all five are locked. **A wrong prediction costs
# nothing**; you will explain it at the end.
#
# - `reno_s`, `cubic_s`: the seconds from one loss until the window is full again, on your path, for
#   Reno (the classic) and for CUBIC (what Linux uses by default).
# - `cubic_factor`: on a path that holds *four times* the window, CUBIC needs how many times as long?
# - `reno_percent`, `bbr_percent`: how much of your path's rate, in percent, Reno and BBR keep when
#   the share `loss` of the packets, about one in a thousand, is lost at random.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "predict", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.predict("reno_s", ...) and so on: five lines
### BEGIN SOLUTION
lab.predict("reno_s", 2)
lab.predict("cubic_s", 1)
lab.predict("cubic_factor", 4)
lab.predict("reno_percent", 95)
lab.predict("bbr_percent", 95)
### END SOLUTION

# %% [markdown]
# **Explore before you measure.** Move the sliders: what do the closed forms say about loss, and
# about the congestion controls? The button runs the real thing, apart from your graded records.

# %%
from lab_tools.widgets import explore

base = Experiment(path, flows=(Flow("reno"),), duration_s=20)
explore(base, vary=("loss", "rtt_s", "rate_bps", "cc"))

# %% [markdown]
# ## 3. Seven congestion controls on one path
#
# Each run is one stream alone, and no packet is lost at random. The stream makes its own losses:
# its window grows until the queue overflows, the queue drops a packet, and the story begins again.
# The slow ones run for longer, so that you see several of these *teeth*. The first quarter of each
# run, the start, is left out of the summaries.
#
# Check the assumptions first: is each run what you asked for, and is every drop the bottleneck
# queue's own? The table that the second cell prints shows it. It also says how much of the path each run used,
# and what share of its packets the queue dropped.

# %%
SECONDS = {"reno": 100, "cubic": 70, "htcp": 40, "scalable": 20, "highspeed": 40}
SECONDS |= {"bbr": 30, "vegas": 60}


def clean(cc, share=1.0, **changes):
    """One stream on your path, or on one with a share of its rate (then 0.6 times as long)."""
    length_s = SECONDS[cc] * (1 if share == 1 else 0.6)
    times = {"duration_s": length_s, "omit_s": length_s / 4, "seed": lab.variant["seed"]}
    run = Experiment(path, flows=(Flow(cc),), sample_interval_s=SECONDS[cc] / 800, **times)
    return run.replace(rate_bps=share * rate_bps, **changes)


# %%
runs = dict(zip(SECONDS, lab.run_all([clean(cc) for cc in SECONDS]), strict=True))
for cc, record in runs.items():
    record.require_calibrated()
    drops, outside = record.bottleneck_drops, record.counters["drops_outside_bottleneck"]
    sent = drops + int(record.queue["sent_packets"].iloc[-1])
    used = record.goodput_bps() / rate_bps
    print(f"{cc:10}{used:6.1%} used, {drops:5} dropped = {drops / sent:.3%}, elsewhere {outside}")
shown = {cc: (r.flows["time_s"], r.flows["cwnd_segments"]) for cc, r in runs.items()}
congestion.window_panels(shown, full)

# %% [markdown]
# One panel a congestion control, from the same start. The dashed line is the window that fills the
# path. Look for three things: how deep each fall is, how the climb is bent, and how long it takes.
#
# - The first second is *slow start*, which doubles the window each round trip until it overflows the
#   queue: everybody begins with a loss. The peak of `cubic` is lower than the others', because it
#   watches the RTT and leaves slow start when that begins to rise (*HyStart*; RFC 9406 describes
#   its successor, HyStart++).
# - `reno`, `cubic`, `htcp` (H-TCP), `scalable` (Scalable TCP) and `highspeed` (HSTCP) are
#   *loss-based*: after the start only a loss makes them stop growing.
# - `vegas`, after the start, stops without a loss: it sees that the queue makes the RTT longer.
# - `bbr` measures the rate of the bottleneck and sends at that rate. Its window is only a safety
#   limit, twice the BDP. Every 10 s it falls to 4 segments for a moment, to see the RTT of the
#   empty path. Look in the table at what it drops.
#
# ## 4. How deep they fall
#
# The *decrease factor* is the window after a loss divided by the window before. Textbooks know
# one number for it, a half, and the slides this lab grew from say that traditional congestion
# controls follow "additive increase, multiplicative decrease" without saying how much. (Only one of
# the five adds the same number each time, as you will see in sections 5 to 7.)
#
# `teeth(record)` finds the falls in the settled part of a run: `peak` and `trough` are the windows
# before and after each, `decrease` is their ratio, `period_s` the time from peak to peak.


# %%
def settled(record):
    """The samples after the start."""
    return record.flows[record.flows["time_s"] >= record.experiment.omit_s]


def teeth(record):
    """The sawtooth of the window after the start."""
    return find_sawtooth(settled(record)["time_s"], settled(record)["cwnd_segments"])


rows = settled(runs["cubic"])
windows.sawtooth_figure(rows["time_s"], rows["cwnd_segments"], teeth(runs["cubic"]))

# %% [markdown]
# **Task `decrease`.** Hand in the median decrease factor of each of the five loss-based controls:
# `{"reno": ..., "cubic": ..., "htcp": ..., "scalable": ..., "highspeed": ...}`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "read_decrease", "schema_version": 3, "task": false, "cell_type": "code"}
LOSS_BASED = ["reno", "cubic", "htcp", "scalable", "highspeed"]
# decrease = {...}
### BEGIN SOLUTION
decrease = {cc: float(np.median(teeth(runs[cc]).decrease)) for cc in LOSS_BASED}
lab.answer("decrease", decrease)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "decrease", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("decrease")

# %% [markdown]
# Compare with what was published: Reno 1/2 (RFC 5681), CUBIC 0.7 (RFC 9438; Linux takes 717/1024),
# Scalable 7/8 (Kelly 2003). HSTCP gives up less the larger its window is (RFC 3649 §7;
# `models.hstcp_decrease(w)` is the share given up). H-TCP adapts: section 8.
#
# ## 5. How they climb
#
# Now the shape of the climb, the *growth law*. Reno adds a fixed number of segments each RTT: a
# straight line. Scalable adds a fixed *percentage* each RTT: an exponential, which is a straight
# line in the logarithm of the window.
#
# The RTT here is not the empty path's: towards the end of each tooth the queue adds to it. The
# samples carry the RTT that the kernel measured (`rtt_s`).


# %%
def longest(record):
    """The samples of the longest tooth, from its trough to the next peak, and when the loss was."""
    found = teeth(record)
    i = int(np.argmax(found.period_s))
    rows = settled(record).iloc[found.trough_index[i] : found.peak_index[i + 1] + 1]
    return rows, found.loss_time_s[i]


# %% [markdown]
# **Task `growth`.** Fit a straight line through the longest tooth of Reno, and through the
# logarithm of that of Scalable (`np.polyfit(x, y, 1)` gives slope and intercept; the slope is per
# second). Hand in `{"reno": ..., "scalable": ...}`: segments per RTT, and *percent* per RTT, with
# the mean RTT of that tooth.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "fit_growth", "schema_version": 3, "task": false, "cell_type": "code"}
# growth = {"reno": ..., "scalable": ...}
### BEGIN SOLUTION
rows, _ = longest(runs["reno"])
line = np.polyfit(rows["time_s"], rows["cwnd_segments"], 1)[0] * rows["rtt_s"].mean()
rows, _ = longest(runs["scalable"])
power = np.polyfit(rows["time_s"], np.log(rows["cwnd_segments"]), 1)[0] * rows["rtt_s"].mean()
lab.answer("growth", {"reno": float(line), "scalable": float(100 * power)})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "growth", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("growth")

# %% [markdown]
# Scalable's law has a floor: Linux adds one segment for every 100 acknowledged *or* for every
# window, whichever is less. Below 100 segments the climb is a straight line like Reno's.
#
# ## 6. CUBIC's cubic
#
# CUBIC does not count round trips. It looks at a clock: *t* seconds after a loss its window is
# (RFC 9438 §4.2)
#
# $$W(t)=C\,(t-K)^3+W_{\max}$$
#
# in segments, with $C=0.4$ segments/s³. $W_{\max}$ is the window before the loss. The curve rises
# fast, becomes flat at $t=K$ where the window reaches $W_{\max}$, stays near it for a while, and
# then rises ever faster to look for more. At $K$ its bend turns from concave (like a hill) to
# convex (like a bowl): the *inflection*.
#
# **Task `cubic`.** Fit a polynomial of the third degree through CUBIC's longest tooth, over the
# time since the loss. Its leading coefficient is $C$. The inflection of $ax^3+bx^2+\dots$ is at
# $-b/3a$: that is $K$. Hand in `{"C": ..., "K": ...}`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "fit_cubic", "schema_version": 3, "task": false, "cell_type": "code"}
rows, loss_time_s = longest(runs["cubic"])
elapsed_s, cwnd = rows["time_s"] - loss_time_s, rows["cwnd_segments"]
# coefficients = ...
### BEGIN SOLUTION
coefficients = np.polyfit(elapsed_s, cwnd, 3)
K = float(-coefficients[1] / (3 * coefficients[0]))
lab.answer("cubic", {"C": float(coefficients[0]), "K": K})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "cubic", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("cubic")

# %%
W = float(np.median(teeth(runs["cubic"]).peak))
print("K without fast convergence:", round(float(models.cubic_recovery_time(W)), 2), "s")
print("K with fast convergence:   ", round(float(models.cubic_recovery_time(W, beta=0.85)), 2), "s")
fit = np.polyfit(elapsed_s, cwnd, 3)
congestion.tooth_figure(elapsed_s, cwnd, fit, title="CUBIC's longest tooth")

# %% [markdown]
# The height at the inflection should be $W_{\max}$, the window before the loss. It is lower. And in
# the figure of section 4 short and long teeth alternate. Both have one cause, *fast convergence*
# (RFC 9438 §4.7): if a peak was lower than the one before, CUBIC thinks that somebody new wants
# room, and aims at only $(1+0.7)/2=0.85$ of that peak. Here nobody came; two peaks differ by a
# segment or two. Then the climb has two halves of length $K=\sqrt[3]{0.15\,W/C}$ each. The two lines
# above the figure give K with and without: which is yours?
#
# ## 7. How long one loss hurts
#
# **Task `recovery`.** Hand in, for each of the five loss-based controls, the longest time from one
# full window to the next (the largest `period_s`), in seconds.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "read_recovery", "schema_version": 3, "task": false, "cell_type": "code"}
# recovery = {...}
### BEGIN SOLUTION
recovery = {cc: float(teeth(runs[cc]).period_s.max()) for cc in LOSS_BASED}
lab.answer("recovery", recovery)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "recovery", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("recovery")

# %% [markdown]
# Now theory. Each model knows the window before the loss and the RTT:
#
# - Reno has to win back W/2 segments, one each RTT (RFC 3649 §2);
# - CUBIC needs $2K$, as you have just seen;
# - H-TCP adds more each RTT the longer the last loss is ago (Shorten and Leith 2004);
# - Scalable needs ln(8/7)/ln(1.01) = 13.4 RTTs, whatever the window (Kelly 2003);
# - HSTCP adds a(w) segments each RTT, more for a larger window (RFC 3649 §7).


# %%
def theory(cc, w, rtt):
    """Recovery time in seconds from a window of w segments, at a round-trip time in seconds."""
    return {
        "reno": lambda: models.reno_recovery_time(rtt, w),
        "cubic": lambda: 2 * models.cubic_recovery_time(w, beta=0.85),
        "htcp": lambda: models.htcp_recovery_time(rtt, w),
        "scalable": lambda: models.scalable_recovery_time(rtt),
        "highspeed": lambda: models.hstcp_recovery_time(rtt, w),
    }[cc]()


# %%
for cc in LOSS_BASED:
    found, rtt = teeth(runs[cc]), settled(runs[cc])["rtt_s"].mean()
    model_s = float(theory(cc, np.median(found.peak), rtt))
    seen_s = found.period_s.max()
    print(f"{cc:10} seen {seen_s:6.2f} s, model {model_s:6.2f} s, ratio {seen_s / model_s:.2f}")

# %% [markdown]
# Seeing and resending the lost packets takes one or two round trips more than the models count,
# which shows in the short teeth. One of the five is much slower than its model all the same. Which?
#
# Its RFC lets the window grow by a(w) segments each RTT: `models.hstcp_increase(w)`. Linux has the
# same table of a(w), but look at how it uses it (`net/ipv4/tcp_highspeed.c`): it adds a(w)/w for
# each **acknowledgement** that arrives. And a receiver acknowledges only every second segment
# (*delayed acknowledgements*, RFC 5681 §4.2). The others count the segments acknowledged.
#
# **Task `hstcp`.** Hand in `{"measured": ..., "rfc": ...}` in segments per RTT: the straight-line
# slope of HSTCP's longest tooth, as in section 5, and a(w) at the mean window of the same tooth.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "fit_hstcp", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("hstcp", {"measured": ..., "rfc": ...})
### BEGIN SOLUTION
rows, _ = longest(runs["highspeed"])
measured = np.polyfit(rows["time_s"], rows["cwnd_segments"], 1)[0] * rows["rtt_s"].mean()
rfc = models.hstcp_increase(rows["cwnd_segments"].mean())
lab.answer("hstcp", {"measured": float(measured), "rfc": float(rfc)})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "hstcp", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("hstcp")

# %% [markdown]
# ### Larger windows
#
# Networks became a thousand times faster, distances did not change, packets hardly grew. So windows
# grew. What happens to the recovery time? Run four controls at a quarter and at half of your rate:
# a quarter and half of the window, at the same RTT.

# %%
LADDER = ["reno", "cubic", "htcp", "scalable"]
rungs = lab.run_all([clean(cc, share) for cc in LADDER for share in (0.25, 0.5)])
ladder = {cc: [*rungs[2 * i : 2 * i + 2], runs[cc]] for i, cc in enumerate(LADDER)}
for record in rungs:
    record.require_calibrated()

# %% [markdown]
# **Task `scaling`.** If recovery goes with a power of the window, the exponent is a slope on
# logarithmic axes. Fit it for each of the four through its three runs in `ladder`: the median
# `peak` on the horizontal axis, the largest `period_s` on the vertical one. Hand in
# `{"reno": ..., "cubic": ..., "htcp": ..., "scalable": ...}`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "fit_scaling", "schema_version": 3, "task": false, "cell_type": "code"}
# exponents = {...}
### BEGIN SOLUTION
exponents = {}
for cc in LADDER:
    peaks = [np.median(teeth(record).peak) for record in ladder[cc]]
    times = [teeth(record).period_s.max() for record in ladder[cc]]
    exponents[cc] = float(np.polyfit(np.log(peaks), np.log(times), 1)[0])
lab.answer("scaling", exponents)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "scaling", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("scaling")

# %%
measured = {cc: ([], []) for cc in LADDER}
for cc in LADDER:
    for record in ladder[cc]:
        measured[cc][0].append(np.median(teeth(record).peak))
        measured[cc][1].append(teeth(record).period_s.max())
wide = np.geomspace(100, 1e5, 40)
lines = {cc: (wide, np.broadcast_to(theory(cc, wide, rtt_s), wide.shape)) for cc in LADDER}
congestion.recovery_figure(measured, lines)

# %% [markdown]
# Your points are on the left. The lines go on to 100 000 segments. A path of 10 Gbit/s and 100 ms
# with packets of 1500 bytes holds 83 333 segments: `theory("reno", 83333, 0.1)` says how long one
# loss hurts there. (RFC 3649 §1: on such a path Reno reaches 10 Gbit/s on average only if there is
# at most one loss in 1⅔ hours.)
#
# ## 8. H-TCP reads the buffer
#
# H-TCP asks how far it must fall so that the queue empties and the path stays just full. The
# largest RTT contains the full queue and the smallest does not, so it falls to RTTmin/RTTmax, but
# never below 0.5 nor above 0.8. (Look at its first falls in the figure of section 3: it takes 0.5
# as long as its highest throughput still changes by more than 20 % from tooth to tooth.)
#
# Slides of one of our sources compare H-TCP with CUBIC on clean paths of 10 Gbit/s and say "Hamilton
# TCP: not much difference". Keep that for your explanation.
#
# **Task `htcp_backoff`.** Think first: what should the decrease factor be with a buffer of
# `deep_bdp` BDPs? Then run H-TCP with `clean("htcp", buffer_bdp=...)` and hand in the median decrease
# factor that you measure.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "run_backoff", "schema_version": 3, "task": false, "cell_type": "code"}
deep_bdp = lab.variant["deep_bdp"]
# deep = lab.run(...)
### BEGIN SOLUTION
deep = lab.run(clean("htcp", buffer_bdp=deep_bdp)).require_calibrated()
lab.answer("htcp_backoff", float(np.median(teeth(deep).decrease)))
print("expected:", models.htcp_backoff(rtt_s, rtt_s * (1 + deep_bdp)))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "htcp_backoff", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("htcp_backoff")

# %% [markdown]
# ## 9. Vegas, and a formula without a unit
#
# Vegas grows by one segment an RTT as long as too little of its window waits in the queue, shrinks
# by one if too much does, and so comes to rest. The slides give its rule in one line: *if
# W/RTTmin − W/RTT < α then W grows*. They do not say in which unit α is. Brakmo and Peterson (1995)
# and Linux (`tcp_vegas.c`, α = 2, β = 4) count *packets* in the queue: the same difference, times
# RTTmin.
#
# **Task `vegas`.** From the last 10 s of the Vegas run take the mean window, the mean RTT, and the
# last `min_rtt_s`. Hand in `{"rate": ..., "packets": ...}`: the slide's difference as it stands, in
# packets per second, and the packets in the queue. Which of the two can Linux compare with 2 and 4?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "read_vegas", "schema_version": 3, "task": false, "cell_type": "code"}
flows = runs["vegas"].flows
late = flows[flows["time_s"] >= SECONDS["vegas"] - 10]
# lab.answer("vegas", {"rate": ..., "packets": ...})
### BEGIN SOLUTION
window, rtt = late["cwnd_segments"].mean(), late["rtt_s"].mean()
smallest = float(late["min_rtt_s"].iloc[-1])
difference = float(window / smallest - window / rtt)
lab.answer("vegas", {"rate": difference, "packets": difference * smallest})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "vegas", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("vegas")

# %% [markdown]
# Your number is a little larger than 4 because you took the mean RTT. Linux takes the smallest RTT
# of each round, which misses the packets of its own burst. And mind the other reading: the same
# slides simulate Vegas with "2 packets *per ms*". On your path that would be 2 × `rtt_ms` packets
# in the queue, not 2.
#
# ## 10. Who suffers from random loss?
#
# So far every loss meant a full queue. Now the path itself loses packets, `loss` of them, as the
# failing line card of lab 02 did: at random, with the queue empty. A loss then says nothing about
# congestion, but a loss-based sender cannot know that.

# %%
loss = lab.variant["loss"]
times = {"duration_s": 60, "omit_s": 10, "sample_interval_s": 0.1}
lossy = lab.run_all([clean(cc, loss=loss, **times) for cc in SECONDS])
lossy = {cc: record.require_calibrated() for cc, record in zip(SECONDS, lossy, strict=True)}

# %% [markdown]
# **Task `kept`.** Hand in what each of the seven keeps, in percent of your path's rate: a
# dictionary with all seven names.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "read_kept", "schema_version": 3, "task": false, "cell_type": "code"}
# kept = {...}
### BEGIN SOLUTION
kept = {cc: 100 * record.goodput_bps() / rate_bps for cc, record in lossy.items()}
lab.answer("kept", kept)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "kept", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("kept")

# %%
response = {"reno": models.reno_mean_window(loss)}
response["cubic"] = models.cubic_operating_window(rtt_s, loss)
response["htcp"] = models.htcp_mean_window(rtt_s, loss)
response["scalable"] = models.scalable_operating_window(loss)
response["highspeed"] = models.hstcp_mean_window(loss)
for cc, window in response.items():
    bps = lossy[cc].goodput_bps()
    print(f"{cc:10} model {float(window) / full:6.1%}, measured {bps / rate_bps:6.1%}")
congestion.kept_figure({cc: r.goodput_bps() / rate_bps for cc, r in lossy.items()})

# %% [markdown]
# The figure shows the seven shares. Is there a law behind the low bars? The table above it compares
# five of them with the *response functions*: the mean window that theory lets a control keep at
# your loss.
#
# ## 11. Is BBR independent of loss?
#
# The slides say of BBR: "The sending rate is independent of current packet losses; no AIMD rule".
# The kernel here has BBR version 1 (Cardwell et al. 2016), of which this is said. It keeps the
# highest rate at which packets *arrived* in the last ten rounds, and now and then tries 1.25 times
# that rate. With a share p of the packets lost, a trial at 1.25 times the rate delivers
# 1.25 (1 − p) times the rate. How large may p be before even the trial brings no more than before?
#
# **Task `bbr_limit`.** Work out that p. Then show it by runs of
# `clean("bbr", loss=..., buffer_bdp=1.0, omit_s=10, sample_interval_s=0.1)`: find two losses, at
# most 0.1 apart, at one of which BBR still `holds` at least 40 % of your path while at the other it
# `breaks` to 20 % or less. Hand in `{"holds": loss, "breaks": loss}`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "find_limit", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("bbr_limit", {"holds": ..., "breaks": ...})
### BEGIN SOLUTION
trials = [0.02, 0.1, 0.2]
how = {"buffer_bdp": 1.0, "omit_s": 10, "sample_interval_s": 0.1}
held = lab.run_all([clean("bbr", loss=p, **how) for p in trials])
for p, record in zip(trials, held, strict=True):
    share = record.require_calibrated().goodput_bps() / rate_bps
    print(f"loss {p:4.0%}: keeps {share:6.1%}, a share 1 - p would be {1 - p:4.0%}")
lab.answer("bbr_limit", {"holds": 0.1, "breaks": 0.2})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "bbr_limit", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("bbr_limit")

# %% [markdown]
# Even below its limit "independent" says too much: compare what your runs keep with 1 − p. And BBR
# has a price. Go back to the table under section 3: on the *clean* path with its small
# buffer, which control dropped the largest share of its packets, and why does it not care?
# (Version 3 does: it slows down when a round loses more than 2 %, as its Internet-Draft
# draft-ietf-ccwg-bbr says.)
#
# ## 12. What virtual time hides
#
# Hosts cost no time here: a real sender at these rates can lose packets in its own network card,
# and a loss-based control would pay for that too. One stream was alone on the path: what two of
# them do to each other is lab 07. And the random losses were independent. Only they differ from
# seed to seed; without them a run is the same to the last bit, whatever the seed:

# %%
first = runs["scalable"].flows
other_seed = lab.run(clean("scalable", seed=lab.variant["seed"] + 1000)).flows
print("the same trace with another seed:", other_seed.equals(first))

# %% [markdown]
# ## 13. Explain (graded by a person, 6 points)
#
# In your own words, in 150 to 300 words and with numbers from your runs:
#
# 1. Why does Reno's recovery time grow with the window, CUBIC's with its cube root, and Scalable's
#    not at all? Argue with what each adds to its window and when. Where was your prediction wrong?
# 2. Who suffers from random loss and who does not, and why? Which price does the winner make others
#    pay, and at which loss does it stop winning?
# 3. "Hamilton TCP: not much difference" to CUBIC. Which of your numbers agree with that sentence and
#    which do not? And which congestion control is not what its RFC says, by which detail?

# %% [markdown] nbgrader={"grade": true, "solution": true, "locked": false, "points": 6, "grade_id": "explanation", "schema_version": 3, "task": false, "cell_type": "markdown"}
# 1. Reno gives up half of its 740 segments and adds one each RTT: 370 RTTs of 88 ms are 32.8 s, and
#    twice the window takes twice as long (exponent 0.98). CUBIC's distance from its plateau is C t³,
#    so the 0.15 W that it lost takes the cube root (0.32): 13.3 s. Scalable adds 1 % each RTT, so the
#    eighth that it lost always takes 13 RTTs: 1.6 s, exponent 0. I had predicted 2 s and 1 s, as if
#    a loss cost the time to send one packet again. It costs the climb. I also predicted a factor of
#    4 for CUBIC with four times the window; it is 1.57.
# 2. With one packet lost in 1000 all that take a loss for congestion suffer: Reno 7.5 %, CUBIC 8.3 %,
#    even Scalable only 15.6 %, and Vegas 7.6 % although its queue is empty, because it halves at a
#    loss too. BBR keeps 95.6 %: it follows the rate at which packets arrive. Its price: on the clean
#    path it drops 0.76 % of its packets, CUBIC 0.03 %, and whoever shares the queue takes these losses
#    for congestion. It stops where a trial at 1.25 times the rate brings no gain, at 1 − 1/1.25 =
#    20 %: 74 % kept at a loss of 10 %, 1.3 % at 20 %.
# 3. Goodput agrees: 98.2 % and 98.7 % of the clean path. Recovery does not, 4.0 s and 13.3 s, nor
#    random loss, 11.8 % and 8.3 %. With a deep buffer and no loss the climb costs nothing, and that
#    is what the slide measured. HSTCP is not what RFC 3649 says: 3.6 segments each RTT, not 5.8,
#    because Linux counts acknowledgements, of which there is one for two segments.

# %% [markdown]
# ## Before you hand in
#
# Restart the kernel and run all cells: your runs are kept, so it takes seconds. Then *Validate*
# and *Submit*, as in lab 00.
#
# ## Sources
#
# - M. Allman, V. Paxson, E. Blanton, "TCP congestion control", RFC 5681, 2009: Reno, delayed
#   acknowledgements.
# - L. Xu, S. Ha, I. Rhee, V. Goel, L. Eggert, "CUBIC for fast and long-distance networks", RFC 9438,
#   2023: the cubic, fast convergence, response function.
# - S. Floyd, "HighSpeed TCP for large congestion windows", RFC 3649, 2003.
# - T. Kelly, "Scalable TCP: improving performance in highspeed wide area networks", ACM CCR 33(2),
#   2003.
# - R. Shorten, D. Leith, "H-TCP: TCP for high-speed and long-distance networks", PFLDnet 2004.
# - N. Cardwell, Y. Cheng, C. S. Gunn, S. H. Yeganeh, V. Jacobson, "BBR: congestion-based congestion
#   control", ACM Queue 14(5), 2016.
# - L. Brakmo, L. Peterson, "TCP Vegas: end to end congestion avoidance on a global Internet", IEEE
#   JSAC 13(8), 1995.
# - Linux 6.1, `net/ipv4/tcp_*.c`: what the kernel of these runs does.
# - The slides quoted in this lab: J. Crichigno, "Role of TCP in large data transfers" (AIMD, BBR);
#   FAST project, Caltech (Vegas); N. Rao, "Some science aspects of wide-area data transport", 2018
#   ("Hamilton TCP: not much difference").
