# %% [markdown]
# # Start here: an empty road and a slow car
#
# **Goal.** Type commands on a live network, read what the four tools of every network engineer say
# (`ping`, `iperf3`, `ss`, `tc`), lock a prediction, hand in answers. All later labs work this way.
#
# **Time.** About 60 minutes.
#
# **You need** a little Python and the idea of a packet. No account, no root, no network card: the
# network is a real Linux kernel that runs inside this notebook, on a clock of its own.

# %% [markdown]
# ## 1. The question
#
# Two hosts, `h1` and `h2`, are joined by two routers. Nobody else is on the path, and it loses
# nothing. A program sends from `h1` to `h2`, but it never has more than `window_kib` kibibytes
# under way (sent, and not yet acknowledged). **How much of the path's rate does it get?**
#
#     h1 ──── r1 ════════════════ r2 ──── h2
#     10.0.1.2   rate_mbit, rtt_ms      10.0.3.2

# %%
from contextlib import ExitStack

from lab_tools.experiment import Experiment, Flow, Host, Path
from lab_tools.figures.traces import traces
from lab_tools.grading import Lab
from lab_tools.widgets import explore

lab = Lab("00_start_here")
lab.variant

# %% [markdown]
# These numbers are yours; your neighbour has others: the rate in Mbit/s, the round-trip time in
# milliseconds, and the window in KiB (1 KiB = 1024 bytes).

# %% [markdown]
# ## 2. Predict
#
# Write down what you expect, before you measure. No network starts before both predictions are
# locked, and once you have measured they cannot change. A wrong one costs nothing.
#
# - `window_mbit`: the goodput in Mbit/s of a transfer with a window of `window_kib`.
# - `loaded_rtt_ms`: the longest time in milliseconds that `ping` shows while another transfer,
#   one *without* that small window, fills the path.
#
# In every cell to fill in, replace `raise NotImplementedError()` by your own lines, one call a
# line. The comment above it shows their form; your value takes the place of the dots.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "predict", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.predict("window_mbit", ...)
# lab.predict("loaded_rtt_ms", ...)
### BEGIN SOLUTION
lab.predict("window_mbit", lab.variant["rate_mbit"])
lab.predict("loaded_rtt_ms", lab.variant["rtt_ms"])
### END SOLUTION

# %% [markdown]
# Before you measure, play. The panel below shows what a *model* says of a transfer over such a
# path; move the sliders and see what the goodput depends on. (The receive buffer sets the window:
# half of the buffer, see section 9. Streams are connections side by side.) "Run it" makes a real
# run of the same settings, on the Linux kernel. It is kept apart from your work and changes no
# prediction.

# %%
mine = Path(lab.variant["rate_mbit"] * 1e6, lab.variant["rtt_ms"] / 1000, mtu_bytes=1500)
explore(Experiment(mine), vary=("rtt_s", "rcvbuf_bytes", "streams"))

# %% [markdown]
# ## 3. `ping`: how far is it?
#
# The next cell starts your network; that takes two or three seconds. After that it stands still
# whenever you ask for nothing, so you can think as long as you like between two commands.

# %%
rate_bps, rtt_s = lab.variant["rate_mbit"] * 1e6, lab.variant["rtt_ms"] / 1000
path = Path(rate_bps, rtt_s, mtu_bytes=1500)
network = ExitStack()
net = network.enter_context(lab.session(path))
print(net["h1"].run("ping -c 5 10.0.3.2"))

# %% [markdown]
# Each line is one packet that went to `h2` and came back. The last line sums up: the shortest,
# mean and longest round-trip time, and how much it varied.
#
# **Task `rtt_ms`.** Hand in the mean round-trip time in milliseconds, as `ping` says it.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_rtt", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("rtt_ms", ...)
### BEGIN SOLUTION
summary = net["h1"].run("ping -c 5 10.0.3.2").output
lab.answer("rtt_ms", float(summary.split(" = ")[1].split("/")[1]))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "rtt_ms", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("rtt_ms")

# %% [markdown]
# **Task `bdp_bytes`.** The *bandwidth-delay product* (BDP) is what fits onto the path: its rate
# times its round-trip time. Compute it for your path, in **bytes** (8 bits each). Compare it with
# your window.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_bdp", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("bdp_bytes", ...)
### BEGIN SOLUTION
lab.answer("bdp_bytes", rate_bps * rtt_s / 8)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "bdp_bytes", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("bdp_bytes")

# %% [markdown]
# ## 4. `iperf3`: how much gets through?
#
# `iperf3` sends as fast as TCP lets it. One side waits (`-s`, in the background with `-D`), the
# other connects (`-c`) and sends, here for 8 s.

# %%
print(net["h2"].run("iperf3 -s -D"))
print(net["h1"].run("iperf3 -c 10.0.3.2 -t 8"))

# %% [markdown]
# `Bitrate` is what the program handed over, `Retr` the packets sent again, `Cwnd` the *congestion
# window*: how much TCP itself dares to have under way. The lines marked `sender` and `receiver`
# differ: the sender's counts what it gave to its own kernel, where it may still sit; the
# receiver's counts what arrived. Only the latter is **goodput**.
#
# **Task `goodput_mbit`.** Hand in the goodput of this transfer in Mbit/s.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_goodput", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("goodput_mbit", ...)
### BEGIN SOLUTION
said = net["h1"].run("iperf3 -c 10.0.3.2 -t 8").output
receiver = next(line for line in said.splitlines() if line.endswith("receiver"))
lab.answer("goodput_mbit", float(receiver.split("Mbits/sec")[0].split()[-1]))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "goodput_mbit", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("goodput_mbit")

# %% [markdown]
# It is a few percent under the path's rate although nothing is wrong: each packet of 1500 bytes
# carries 1448 of your data beside its headers, and the start took a moment.
#
# ## 5. `ss`: what does TCP think?
#
# `ss -tin` asks the kernel about its TCP connections *while they run*. So start a transfer in the
# background (`&`), wait 3 s, look, and wait for the end. The transfer is the connection that has
# sent the most; the other one is `iperf3`'s own.

# %%
look = "iperf3 -c 10.0.3.2 -t 4 > /dev/null & sleep 3; ss -tin dst 10.0.3.2; wait"
print(net["h1"].run(look))

# %% [markdown]
# Some words of that long line: `cubic` the congestion control, `rtt` smoothed round-trip time and
# its variation in ms, `mss` bytes of data in a packet, `cwnd` the congestion window *in packets*,
# `bytes_retrans` what was sent again, `minrtt` the shortest round trip seen.
#
# **Task `cwnd`.** Hand in the `cwnd` of the transfer. (How many bytes is that? Is it more or less
# than the BDP, and where is the rest?)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_cwnd", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("cwnd", ...)
### BEGIN SOLUTION
seen = net["h1"].run(look).output
lab.answer("cwnd", max(int(part.split()[0]) for part in seen.split(" cwnd:")[1:]))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "cwnd", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("cwnd")

# %% [markdown]
# ## 6. `tc`: where did the packets die?
#
# The path loses nothing, and yet packets were sent again. Each router's port has a queue; `tc -s`
# shows its counters. `r1-eth1` is the port of `r1` onto the long link, the only narrow place.

# %%
print(net["r1"].run("tc -s qdisc show dev r1-eth1"))

# %% [markdown]
# **Task `drops`.** How many packets did this queue drop so far? (Packets sent again are a second
# witness: add the sender's `Retr` of section 4 and `bytes_retrans` over `mss` of section 5. Do the
# two agree?)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_drops", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("drops", ...)
### BEGIN SOLUTION
counters = net["r1"].run("tc -s qdisc show dev r1-eth1").output
lab.answer("drops", int(counters.split("dropped ")[1].split(",")[0]))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "drops", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("drops")

# %% [markdown]
# ## 7. The queue costs time, too
#
# A queue that is full must be waited for. Let `ping` run on `h1` in the background while `iperf3`
# sends, and show only the summary.
#
# **Task `loaded_rtt_ms`.** Hand in the *longest* round-trip time of that `ping` in milliseconds,
# and compare it with your prediction.

# %%
loaded = "ping -c 40 -i 0.1 10.0.3.2 | tail -3 & iperf3 -c 10.0.3.2 -t 5 > /dev/null; wait"
print(net["h1"].run(loaded))

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_loaded", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("loaded_rtt_ms", ...)
### BEGIN SOLUTION
summary = net["h1"].run(loaded).output
lab.answer("loaded_rtt_ms", float(summary.split(" = ")[1].split("/")[2]))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "loaded_rtt_ms", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("loaded_rtt_ms")

# %% [markdown]
# ## 8. The slow car
#
# Back to the question. `iperf3 -w 64K` limits what is under way to 64 KiB.
#
# **Task `window_mbit`.** Run `iperf3` for 8 s with *your* window and hand in its goodput in Mbit/s.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_window", "schema_version": 3, "task": false, "cell_type": "code"}
# print(net["h1"].run(...))
### BEGIN SOLUTION
said = net["h1"].run(f"iperf3 -c 10.0.3.2 -t 8 -w {lab.variant['window_kib']}K").output
receiver = next(line for line in said.splitlines() if line.endswith("receiver"))
lab.answer("window_mbit", float(receiver.split("Mbits/sec")[0].split()[-1]))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "window_mbit", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("window_mbit")

# %% [markdown]
# You are done with the live network; close it.

# %%
network.close()

# %% [markdown]
# ## 9. An experiment that keeps its own record
#
# Typing is good for looking. For measuring, say everything a run depends on in one `Experiment`;
# `lab.run` returns a *record*: traces over time, counters, and the calibration, which compares what
# was asked for with what was achieved. Here is your path with a plain transfer:

# %%
plain = lab.run(Experiment(path, flows=(Flow("cubic"),), duration_s=8))
plain.require_calibrated()
traces(plain.total(), plain.queue)

# %% [markdown]
# The small window can be said here as well: `Host(rcvbuf_bytes=...)` limits the receiver's buffer.
# The kernel keeps half of that buffer for its own bookkeeping, so the window is **half** of what
# you give. (With `iperf3 -w` the kernel doubles the number first; lab 03 comes back to this.)
#
# **Task `window_run`.** Run your path with a receive buffer that leaves a window of `window_kib`,
# and hand in the run as `record.experiment.id`. Does its goodput agree with `iperf3`'s?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "run_window", "schema_version": 3, "task": false, "cell_type": "code"}
# record = lab.run(Experiment(path, host=Host(...), flows=(Flow("cubic"),), duration_s=8, omit_s=1))
### BEGIN SOLUTION
host = Host(rcvbuf_bytes=2 * 1024 * lab.variant["window_kib"])
record = lab.run(Experiment(path, host=host, flows=(Flow("cubic"),), duration_s=8, omit_s=1))
lab.answer("window_run", record.require_calibrated().experiment.id)
print(f"{record.goodput_bps() / 1e6:.1f} Mbit/s")
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "window_run", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("window_run")

# %% [markdown]
# ## 10. What this network hides
#
# Its clock moves only when something happens, so the speed of your computer plays no part. `plain`
# sent for 8 s of this virtual time, however long you waited for it. (The clock printed below also
# counts the time before and after the transfer.) So a run gives the same on every computer, and
# you see nothing here of slow disks, busy processors or network cards.

# %%
print(f"clock: {plain.clock}, {plain.virtual_s:.1f} s")
print(f"goodput: {plain.goodput_bps() / 1e6:.1f} Mbit/s")

# %% [markdown]
# ## 11. Explain (graded by a person, 4 points)
#
# In your own words, in 80 to 150 words, with your numbers: Why does the small window cap the
# goodput although the path is empty? Which formula gives the cap, and how near does it come to
# what you measured? Was your prediction wrong, and why? How large would the window have to be to
# fill the path?

# %% [markdown] nbgrader={"grade": true, "solution": true, "locked": false, "points": 4, "grade_id": "explanation", "schema_version": 3, "task": false, "cell_type": "markdown"}
# A sender with a window of W bytes sends W, then must wait until the first acknowledgement comes
# back, one round trip later. So W bytes go out in each round trip and the goodput is W/RTT, however
# fast the path is. For 32 KiB and 60 ms that is 4.37 Mbit/s; the recorded run reached 97 % of it,
# because a window holds no whole number of packets, and iperf3 91 %. I had predicted the path's
# whole rate, because the path was empty: but an empty path must be filled, and that takes a window
# of one bandwidth-delay product, 750 kB, which is 23 times what this program allowed itself.

# %% [markdown]
# ## 12. Hand in
#
# 1. Restart the kernel and run all cells: the kept runs are not run again.
# 2. Press **Validate**: it says whether every cell runs. It gives no points.
# 3. In a class, open *Nbgrader → Assignment List* and press **Submit**. Your answers, predictions,
#    commands and runs lie in the folder `work` beside this notebook and go with it. At a workshop,
#    keep the folder.
#
# The points come from checks that look at your answers *and* your own runs, so an answer that is
# copied from a neighbour does not fit.
#
# ## Sources
#
# - W. R. Stevens, *TCP/IP Illustrated*, volume 1, chapter 20: window and bandwidth-delay product.
# - RFC 9293 (TCP), RFC 7323 (window scaling: why windows above 64 KiB are possible at all).
# - Manual pages `ping(8)`, `iperf3(1)`, `ss(8)`, `tc(8)`, `tc-tbf(8)`, `tcp(7)` (`tcp_rmem`).
