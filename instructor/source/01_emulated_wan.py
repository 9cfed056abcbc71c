# %% [markdown]
# # A WAN in a notebook
#
# **Goal.** Ask an emulator for a long path with delay, jitter, loss, duplicates, reordering, a rate
# and an MTU. Measure what you got, with error bars. Find out which of these faults hurt a transfer.
#
# **Time.** 90 to 120 minutes, of which the runs take about 2.
#
# **You need** lab 00: `ping`, the round-trip time (RTT), goodput, the bandwidth-delay product (BDP,
# rate times RTT). A little statistics: mean, standard deviation.
#
# ## 1. The question
#
# Nobody gives a class an ocean. So we *emulate* one: a router keeps each packet back for a while,
# throws some away, sends some twice. In Linux the part that does this is called **netem** (Hemminger
# 2005). A *token bucket* (TBF) in another router limits the rate: a packet leaves only when enough
# tokens have come, and they come at the rate.
#
#     h1 ──── r1 ═════════════════════════ r2 ──── h2
#     10.0.1.2   token bucket        netem   10.0.3.2
#
# **Which fault hurts a transfer: loss, duplicates, or jitter? And how would you know that you got
# the fault you asked for?** Most people expect that 1 % of loss costs about 1 %, that jitter costs
# nothing if nothing is lost, and that two hundred pings are plenty to measure a loss.

# %%
import re

import numpy as np

from lab_tools.experiment import Experiment, Flow, Path
from lab_tools.figures import congestion, emulation
from lab_tools.grading import Lab
from lab_tools.widgets import explore

lab = Lab("01_emulated_wan")
print(mine := lab.variant)

# %% [markdown]
# These parameters are yours. `rate_mbit` is the rate in Mbit/s and `rtt_ms` the RTT in milliseconds.
# `jitter_ms` is the standard deviation of the delay on the way from `h1` to `h2`. `mtu` is the
# largest IP packet in bytes. `loss`, `reorder` and `duplicate` are shares of the packets.
#
# `wan(...)` makes your path, with only the faults that you name.


# %%
def wan(**faults):
    """Return your path with the faults that you name, such as loss=0.01."""
    return Path(1e6 * mine["rate_mbit"], mine["rtt_ms"] / 1000, mtu_bytes=mine["mtu"], **faults)


# %% [markdown]
# ## 2. Predict before you measure
#
# Nothing starts before all four are locked. **A wrong prediction costs nothing.**
#
# - `worst_batch`: you measure your `loss` with 200 packets, and do so 150 times. What is the highest
#   of the 150 results, in percent?
# - `reordered`: you send 1000 pings, one every 10 ms, and netem lets the share `reorder` of them go
#   early. What percentage of all arrives reordered, that is behind a ping that was sent later?
# - `duplicate_kept`: the share `duplicate` of the packets arrives twice. What goodput is left, in
#   percent of the goodput of the clean path?
# - `jitter_kept`: the same, for a path with your jitter. No packet is lost.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "predict", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.predict("worst_batch", ...) and so on: four lines
### BEGIN SOLUTION
lab.predict("worst_batch", 100 * mine["loss"] + 0.5)
lab.predict("reordered", 100 * mine["reorder"])
lab.predict("duplicate_kept", 100 * (1 - mine["duplicate"]))
lab.predict("jitter_kept", 99)
### END SOLUTION

# %% [markdown]
# **Explore before you measure.** The panel shows what a model says of your path with its loss. "Run
# it" makes a real run, kept apart from your graded ones.

# %%
explore(Experiment(wan(loss=mine["loss"])), vary=("loss", "rtt_s", "rate_bps"))

# %% [markdown]
# ## 3. Delay and jitter
#
# A thousand pings over your path with jitter. (Of what `ping` says only the summary is printed; the
# whole text is kept in `shaken`.) `replies(text)` takes sequence numbers and times out of it, in
# the order of arrival.


# %%
def replies(text):
    """Return sequence numbers and round-trip times in ms, in the order of arrival."""
    found = re.findall(r"icmp_seq=(\d+) .*time=([\d.]+) ms", text)
    return np.array(found, float).T


with lab.session(wan(jitter_s=mine["jitter_ms"] / 1000)) as net:
    shaken = net["h1"].run("ping -c 1000 -i 0.01 10.0.3.2").output
    print(net["r2"].run("tc qdisc show dev r2-eth1"))
print(shaken.splitlines()[-1])

# %%
number, rtt_ms = replies(shaken)
emulation.delay_figure(rtt_ms, mine["rtt_ms"], mine["jitter_ms"])

# %% [markdown]
# The line that `tc` printed is the whole ocean: half of your RTT, with the jitter. The other half
# waits on the way back. The bars in the figure are your pings; the curve is what was asked for, a
# normal distribution. (No packet can leave before it came: where the curve asks for less than no delay,
# netem sends at once. That is a ping of exactly half of your RTT.)
#
# No measurement is complete without its error. Out of *n* pings with standard deviation *s*, the mean
# has a **standard error** of $s/\sqrt n$: repeat the measurement, and two results in three are that
# near to the truth. The standard deviation itself has one of about $s/\sqrt{2n}$.
#
# **Task `delay`.** Hand in `{"mean": ..., "error": ...}`: mean RTT and its standard error, in ms.
#
# **Task `jitter`.** Hand in `{"std": ..., "error": ...}`: the standard deviation of the RTT and its
# standard error, in ms.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_delay", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("delay", {"mean": ..., "error": ...})
# lab.answer("jitter", ...)
### BEGIN SOLUTION
spread = float(rtt_ms.std(ddof=1))
delay_error = spread / rtt_ms.size**0.5
jitter_error = spread / (2 * rtt_ms.size) ** 0.5
lab.answer("delay", {"mean": float(rtt_ms.mean()), "error": delay_error})
lab.answer("jitter", {"std": spread, "error": jitter_error})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "delay", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("delay")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "jitter", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("jitter")

# %% [markdown]
# Is what you asked for within two standard errors of what you measured? Then nothing contradicts it.
# A slide on the real "WAN in Lab" at Caltech gives a maximum of 10 000 km of fibre and 50 ms one way.
# Light in fibre goes at about 200 000 km/s: do the two numbers agree? Such fibre has a delay, but
# hardly any jitter, and it never reorders: what an emulator shakes is more than what glass does.
#
# ## 4. MTU
#
# The *maximum transmission unit* (MTU) is the largest IP packet that a path takes. `ping -M do -s N`
# sends a packet with N bytes of data that must not be cut into pieces. Around the N bytes there are
# 8 bytes of ICMP header and 20 of IP header.
#
# **Task `mtu`.** Find the largest N that comes through. Show that N passes and N + 1 does not, in a
# session over `wan()`. Hand in `{"payload": N, "mtu": ...}`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "find_mtu", "schema_version": 3, "task": false, "cell_type": "code"}
# with lab.session(wan()) as net: ...
### BEGIN SOLUTION
payload = mine["mtu"] - 28
with lab.session(wan()) as net:
    for size in (payload, payload + 1):
        print(net["h1"].run(f"ping -c 1 -M do -s {size} 10.0.3.2"))
lab.answer("mtu", {"payload": payload, "mtu": payload + 28})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "mtu", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("mtu")

# %% [markdown]
# Here the first link has the path's MTU already, so your own host says no. On a real path a router
# far away may have to say it, by an ICMP message (RFC 1191). Where a firewall drops those messages,
# large packets vanish without a word.
#
# ## 5. Six runs
#
# Now transfers. Four runs have one TCP stream for 10 s each: over the clean path, over one that
# duplicates, over one with jitter, and over one that loses packets. The first 2 s, the start, are
# left out of the goodput. Two more runs have one UDP flow each, 1000 packets a second: over the
# path that loses, and over the one that duplicates. UDP sends nothing again, so it is the right
# tool for counting.


# %%
def tcp(**faults):
    """One TCP stream over your path with faults."""
    return Experiment(wan(**faults), duration_s=10, omit_s=2, seed=mine["seed"])


def probe(seconds, **faults):
    """UDP: 1000 packets of 1000 bytes a second, counted every 0.2 s."""
    flow = Flow(transport="udp", app_limit_bps=8e6, mss_bytes=1000)
    times = {"duration_s": seconds, "sample_interval_s": 0.2, "seed": mine["seed"]}
    return Experiment(wan(**faults), flows=(flow,), **times)


# %%
faults = {"clean": {}, "duplicates": {"duplicate": mine["duplicate"]}}
faults["jitter"] = {"jitter_s": mine["jitter_ms"] / 1000}
faults["loss"] = {"loss": mine["loss"]}
asked = [tcp(**each) for each in faults.values()]
asked += [probe(31, loss=mine["loss"]), probe(20, duplicate=mine["duplicate"])]
records = lab.run_all(asked)
records = [record.require_calibrated() for record in records]
runs, (lossy, twice) = dict(zip(faults, records, strict=False)), records[-2:]

# %% [markdown]
# `require_calibrated` checks the assumptions: is each run what was asked for? It would stop here if
# not. The table shows what it compared for the clean run.

# %%
for line in runs["clean"].calibration:
    print(f"{line.name:28} asked {line.requested:24} got {line.achieved}")

# %% [markdown]
# ## 6. The rate
#
# Goodput counts your data only. The token bucket counts whole Ethernet frames. A frame has `mtu` + 14
# bytes; your data in it are `mtu` − 52 (20 bytes of IP header, 32 of TCP header with timestamps).
#
# **Task `rate`.** From the clean run take the goodput, compute from it the rate of the frames, and
# with that rate and the RTT that the run measured (`record.counters["achieved_rtt_s"]`) the BDP. Hand
# in `{"goodput": ..., "rate": ..., "bdp": ...}` in Mbit/s, Mbit/s and bytes.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_rate", "schema_version": 3, "task": false, "cell_type": "code"}
clean = runs["clean"]
# lab.answer("rate", {"goodput": ..., "rate": ..., "bdp": ...})
### BEGIN SOLUTION
goodput = clean.goodput_bps() / 1e6
rate = goodput * (mine["mtu"] + 14) / (mine["mtu"] - 52)
bdp = rate * 1e6 * clean.counters["achieved_rtt_s"] / 8
lab.answer("rate", {"goodput": goodput, "rate": rate, "bdp": bdp})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "rate", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("rate")

# %% [markdown]
# ## 7. How many packets does a loss need?
#
# `counts(record)` gives the packets sent and received in each 0.2 s. The first interval is left out:
# in it packets set off that have not arrived yet. So each row is one measurement with 200 packets.


# %%
def counts(record):
    """Return packets sent and packets received in each interval but the first."""
    flows = record.flows
    sent, received = np.diff(flows["bytes_acked"]), np.diff(flows["bytes_received"])
    return sent[1:] / 1000, received[1:] / 1000


sent, received = counts(lossy)
batches = 100 * (sent - received) / sent
print(f"{batches.size} batches: lowest {batches.min():.1f} %, highest {batches.max():.1f} %")
emulation.share_figure(sent, sent - received, mine["loss"])

# %% [markdown]
# Each pale point is one batch of 200 packets, drawn at the place where it was sent. The blue line
# counts all packets so far. The band is what chance allows: two standard errors. Look how often one
# batch alone would have told you that your path loses nothing, or twice what was asked for.
#
# If each of *n* packets is lost with probability *p*, independently of the others, the measured share
# has the *binomial* standard error $\sqrt{p(1-p)/n}$.
#
# **Task `loss`.** Hand in `{"percent": ..., "error": ...}`: the loss that all batches together show,
# and its standard error, both in percent.
#
# **Task `packets_needed`.** How many packets does it take until the standard error is a tenth of your
# requested `loss`? Hand in the number.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "count_loss", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("loss", {"percent": ..., "error": ...})
# lab.answer("packets_needed", ...)
### BEGIN SOLUTION
share = float((sent - received).sum() / sent.sum())
loss_error = (share * (1 - share) / sent.sum()) ** 0.5
lab.answer("loss", {"percent": 100 * share, "error": float(100 * loss_error)})
lab.answer("packets_needed", (1 - mine["loss"]) / (0.1**2 * mine["loss"]))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "loss", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("loss")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "packets_needed", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("packets_needed")

# %% [markdown]
# ## 8. Duplicates
#
# `twice` is the UDP run over the path that duplicates. More packets arrive in it than were sent.
#
# **Task `duplicates`.** Hand in `{"percent": ..., "kept": ...}`: the share of the packets that arrived
# twice, and the goodput of the TCP run with duplicates over that of the clean run, both in percent.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "count_twice", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("duplicates", {"percent": ..., "kept": ...})
### BEGIN SOLUTION
doubled_sent, doubled = counts(twice)
extra = float(doubled.sum() / doubled_sent.sum() - 1)
extra_error = (extra * (1 - extra) / doubled_sent.sum()) ** 0.5
kept = {name: 100 * run.goodput_bps() / clean.goodput_bps() for name, run in runs.items()}
lab.answer("duplicates", {"percent": 100 * extra, "kept": kept["duplicates"]})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "duplicates", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("duplicates")

# %% [markdown]
# Why do the copies cost so little? netem makes them *behind* the narrow place, so they take no room
# there. And the receiver knows by the sequence number that it has the data already. It says so in
# its acknowledgement (*D-SACK*, RFC 2883), so the sender does not take it for a sign of loss.
#
# ## 9. Reordering
#
# netem reorders in a simple way: the share `reorder` of the packets skips the delay and leaves at
# once. The pings come over that path:

# %%
with lab.session(wan(reorder=mine["reorder"])) as net:
    early = net["h1"].run("ping -c 1000 -i 0.01 10.0.3.2").output
sequence, early_ms = replies(early)
emulation.arrival_figure(sequence)

# %% [markdown]
# The figure shows the sequence numbers in the order of arrival. A packet that was sent early jumps
# above the line. RFC 4737 calls a packet **reordered** if its number is smaller than one that arrived
# before: not the early one, but all that it overtook.
#
# **Task `reordering`.** Hand in `{"early": ..., "reordered": ...}`, both in percent of the replies. The
# early ones took half of your RTT; count those below three quarters of it. Count the reordered ones by
# the rule of RFC 4737 (`np.maximum.accumulate(sequence)` is the largest number so far).

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "count_order", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("reordering", {"early": ..., "reordered": ...})
### BEGIN SOLUTION
skipped = 100 * float(np.mean(early_ms < 0.75 * mine["rtt_ms"]))
behind = 100 * float(np.mean(sequence < np.maximum.accumulate(sequence)))
lab.answer("reordering", {"early": skipped, "reordered": behind})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "reordering", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("reordering")

# %% [markdown]
# So "reorder 2 %" is no property of the path alone. One early packet overtakes all that were sent in
# the last half RTT: many if they follow closely, none if they are further apart than that. And
# jitter reorders as well, whenever it is larger than the gap between packets: netem draws a new
# delay for each packet and sends them in the order of their times.

# %%
print(
    f"reordered by jitter alone: {np.mean(number < np.maximum.accumulate(number)):.1%} of the pings"
)

# %% [markdown]
# ## 10. What jitter does to TCP
#
# At full speed the packets of your path follow each other within 0.1 to 0.2 ms, far closer than your
# jitter. Nothing is lost. What is left of the transfer?

# %%
traces = {n: (r.flows["time_s"], r.flows["cwnd_segments"]) for n, r in runs.items()}
full = clean.experiment.path.bdp_bytes / (mine["mtu"] + 14)
for name, run in runs.items():
    print(f"{name:11}{run.goodput_bps() / 1e6:6.1f} Mbit/s, {run.retransmits:4} sent again")
congestion.window_panels(traces, full, title="Congestion windows with and without faults")

# %% [markdown]
# The *congestion window* is how many packets TCP may have on the way. The dashed line is the window
# that fills the path. *Slow start* doubles the window each round trip, until TCP sees a sign of a full
# queue. It keeps half or more of that window as `ssthresh_segments` and goes on slowly. Look at
# the first second of the run with jitter.
#
# **Task `jitter_cost`.** For the run with jitter hand in `{"kept": ..., "left": ..., "resent": ...,
# "lost": ...}`:
#
# - `kept`: its goodput in percent of the clean run's;
# - `left`: where slow start ended, the first `ssthresh_segments` in `record.flows` that is between 1
#   and 1 000 000 (before that it is "unlimited", a huge number);
# - `resent`: how many packets were sent again (`record.retransmits`);
# - `lost`: how many packets were lost in fact, the sum of those lost in the queue
#   (`record.bottleneck_drops`), in netem (`record.counters["random_losses"]`) and elsewhere
#   (`record.counters["drops_outside_bottleneck"]`).

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "count_cost", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("jitter_cost", {"kept": ..., "left": ..., "resent": ..., "lost": ...})
### BEGIN SOLUTION
late = runs["jitter"]
lost = late.bottleneck_drops + late.counters["random_losses"]
lost += late.counters["drops_outside_bottleneck"]
limit = late.flows["ssthresh_segments"]
left = int(limit[(limit > 1) & (limit < 1e6)].iloc[0])
cost = {"kept": kept["jitter"], "left": left, "resent": late.retransmits, "lost": lost}
lab.answer("jitter_cost", cost)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 4, "grade_id": "jitter_cost", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("jitter_cost")

# %% [markdown]
# What happened? A receiver that misses a packet acknowledges the later ones. The sender waits a little
# and then takes the missing one for lost (RFC 8985, *RACK*). Under jitter the packet is only late. It
# is sent again for nothing, and the window shrinks as if the path were full. CUBIC, the congestion
# control of Linux, has a second reason to leave slow start: it watches the RTT (*HyStart*; RFC 9406
# describes its successor, HyStart++) and may take jitter for a queue. Either way slow start ends
# far below the dashed line, and the slow climb takes seconds.
#
# Yet Linux learns. The D-SACKs tell it that the packet had only been late, and it waits longer the
# next time. Compare this with the run that loses packets. There, too, only a few dozen are sent
# again. But the losses go on to the end, each makes the window smaller, and far less is left.
# Textbooks say that TCP cannot tell reordering from loss. Is that still so?
#
# ## 11. The calibration in one figure
#
# All of it on one axis: measured over asked for, with bars of two standard errors. About one bar in
# twenty should miss the line. Fill in your numbers for the RTT, the jitter, the rate, the loss, the
# duplicates and the early packets, in the same unit for all three of a row. The rate has no
# standard error here: put 0. The last three are shares, with the binomial error of section 7. Call
# the figure `figure`; the cell after it shows it. (No points, but question 1 needs it.)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "draw_calibration", "schema_version": 3, "task": false, "cell_type": "code"}
# emulation.calibration_figure({"RTT": (asked, measured, error), ...})
### BEGIN SOLUTION
rows = {"RTT": (mine["rtt_ms"], float(rtt_ms.mean()), delay_error)}
rows["jitter"] = (mine["jitter_ms"], spread, jitter_error)
rows["rate"] = (mine["rate_mbit"], rate, 0)
rows["loss"] = (mine["loss"], share, loss_error)
rows["duplicates"] = (mine["duplicate"], extra, extra_error)
reorder_error = (mine["reorder"] * (1 - mine["reorder"]) / sequence.size) ** 0.5
rows["early"] = (mine["reorder"], skipped / 100, reorder_error)
figure = emulation.calibration_figure(rows)
### END SOLUTION

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "show_calibration", "schema_version": 3, "task": false, "cell_type": "code"}
# show your figure
### BEGIN SOLUTION
figure
### END SOLUTION

# %% [markdown]
# ## 12. What virtual time hides
#
# Here the clock moves only when something happens, so netem's delays are exact to microseconds. On a
# real host they are as good as the kernel's timers and as the host is idle: the same commands under
# load give more jitter than you ask for. Real losses come in bursts and real jitter comes from
# queues, which keep packets in order. netem's are independent from packet to packet: kinder in one
# way, harsher in the other.
#
# ## 13. Explain (graded by a person, 6 points)
#
# In your own words, in 150 to 300 words and with your numbers:
#
# 1. Which of your measurements has the largest relative error, and why? Which loss did 200 packets
#    show, at worst and at best, and how many packets are enough?
# 2. Why do more packets arrive reordered than were sent early? What would you measure with one ping a
#    second?
# 3. Rank duplicates, jitter and loss by what they cost. How can a path on which nothing is lost slow
#    TCP down, and why does loss hurt more? Where was your prediction wrong?

# %% [markdown] nbgrader={"grade": true, "solution": true, "locked": false, "points": 6, "grade_id": "explanation", "schema_version": 3, "task": false, "cell_type": "markdown"}
# 1. The share of early pings: 2.0 ± 0.4 %, a relative error of 22 %, because only 20 of 1000 pings carry
#    the information. The loss, 1.06 ± 0.06 %, has 5 % after 30 800 packets, the RTT 0.6 % (47.9 ± 0.3 ms).
#    Batches of 200 showed losses from 0 % to 4.5 % on the same path; I had predicted 1.5 %. With 200
#    packets the standard error is 0.7 %, nearly the loss itself. 9900 packets bring it to a tenth.
# 2. 2.0 % of the pings were early, 17.7 % arrived reordered. An early packet saves 24 ms and overtakes
#    all that left in the 24 ms before it; RFC 4737 counts those, not the early one. With one ping a
#    second nobody is near enough to be overtaken, and I would measure 0 %.
# 3. Duplicates cost nothing (100 % kept with 5 % of them), jitter of 9 ms leaves 26 %, a loss of 1 %
#    leaves 3 %. I had predicted 99 % for jitter, because nothing is lost. But TCP took late packets for
#    lost ones: 17 were sent again, 0 were lost. Slow start ended at 31 segments where about 340 fill
#    the path, and CUBIC climbs for the rest of the run. D-SACK told the sender of its mistake and it
#    became more patient. A lost packet is no mistake: it happens again every hundred packets, and each
#    time the window shrinks, so it never recovers.

# %% [markdown]
# ## Before you hand in
#
# Restart the kernel and run all cells: your runs are kept, so it takes seconds. Then *Validate*
# and *Submit*, as in lab 00.
#
# ## Sources
#
# - S. Hemminger, "Network emulation with NetEm", linux.conf.au, 2005; manual pages `tc-netem(8)`,
#   `tc-tbf(8)`, `ping(8)`.
# - A. Morton et al., "Packet reordering metrics", RFC 4737, 2006, §3: what counts as reordered.
# - S. Floyd et al., "An extension to the SACK option for TCP", RFC 2883, 2000: D-SACK.
# - Y. Cheng et al., "The RACK-TLP loss detection algorithm for TCP", RFC 8985, 2021.
# - P. Balasubramanian et al., "HyStart++: modified slow start for TCP", RFC 9406, 2023.
# - J. Mogul, S. Deering, "Path MTU discovery", RFC 1191, 1990.
# - FAST project, Caltech: the slides on "WAN in Lab" (lengths, delays, rates).
# - *Network Tools and Protocols*, University of South Carolina, labs 3 to 5: the same faults, by
#   hand, on a network of containers.
