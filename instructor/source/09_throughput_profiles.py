# %% [markdown]
# # Throughput profiles: how far does ten gigabit reach?
#
# **Goal.** Measure how the throughput of a dedicated 10 Gbit/s connection falls with distance, from
# across the room to round the globe. Find where the curve bends down and where it bends up, why, and
# what parallel streams and buffers do to it.
#
# **Time.** 90 to 120 minutes, of which the runs take 2 to 4.
#
# **You need** labs 00 and 02, what a mean with a confidence band is, and what a second derivative says
# about a curve.

# %% [markdown]
# ## 1. The question
#
# A laboratory rents a dedicated 10 Gbit/s connection: nobody else is on it. Across the room, with a
# round-trip time (RTT) of 0.4 ms, a transfer gets almost everything. **How does the throughput fall
# as the other end moves away?**
#
# The textbook's answer is a law like 1/RTT (lab 02). Such a curve drops steeply at once and flattens
# out: it is **convex**, it bulges *towards* the axes. A curve that stays high for long and drops late
# is **concave**: it bulges *away* from them. For a user the difference is large: on a concave stretch
# a little more distance costs almost nothing.
#
# N. S. V. Rao and others measured such *throughput profiles* between hosts at Oak Ridge ("TCP
# throughput profiles using measurements over dedicated connections", HPDC 2017; talk, 2018) over RTTs
# of 0.4 to 366 ms. They were surprised. You are going to repeat it with the Linux kernel's own TCP.

# %%
import numpy as np

from lab_tools.analysis.profiles import curvature, fit_sigmoid_pair, throughput_profile
from lab_tools.experiment import Experiment, Flow, Host, Path
from lab_tools.figures.concavity import concavity_figure
from lab_tools.figures.profile import profile_figure, sigmoid_figure
from lab_tools.figures.profiles import profiles_figure
from lab_tools.figures.traces import traces

# %%
from lab_tools.grading import Lab
from lab_tools.models import slow_start_profile
from lab_tools.sweeping import shipped_table
from lab_tools.widgets import explore, profile_explorer

lab = Lab("09_throughput_profiles")
lab.variant

# %% [markdown]
# `cc` is your congestion control: CUBIC, H-TCP (`htcp`) or Scalable TCP (`scalable`), the three of the
# measurements at Oak Ridge. Your neighbour may have another one.
#
# ## 2. The connection
#
# `RTTS_S` are the seven RTTs of Rao's testbed: the same room, a state, a country, between continents,
# round the globe. Both hosts may buffer `buffer_mb` megabytes, the router's queue holds 25 MB. Every
# run lasts 10 s and starts cold; nothing is left out, because a short transfer has to start too.
# One packet burst in 200 000 is lost at random, as on a good but real fibre: chance can make two runs
# differ. Segments travel in bursts of up to 64 kB here (`offloads`), as on a real fast host: coarser,
# and several times faster to simulate.

# %%
RTTS_S = (0.0004, 0.0118, 0.0226, 0.0456, 0.0916, 0.183, 0.366)


def point(rtt_s, streams=1, repeat=0, buffer_mb=250):
    """Ten seconds of a dedicated 10 Gbit/s connection."""
    path = Path(10e9, rtt_s, loss=5e-6, buffer_bytes=25_000_000)
    size = round(buffer_mb * 1e6)
    host = Host(sndbuf_bytes=size, rcvbuf_bytes=size, offloads=True)
    flow = Flow(lab.variant["cc"], streams=streams)
    times = {"duration_s": 10, "sample_interval_s": 0.25}
    return Experiment(path, host, (flow,), seed=lab.variant["seed"] + repeat, **times)


# %% [markdown]
# ## 3. Predict before you measure
#
# No run starts before all three are locked. **A wrong prediction costs nothing.**
#
# - `kept_percent`: mean throughput at 91.6 ms, in percent of 10 Gbit/s.
# - `far_percent`: the same at 366 ms.
# - `shape`: `"concave"` or `"convex"`: how the profile begins, from 0.4 to 45.6 ms.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "predict", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.predict("kept_percent", ...) and so on: three lines
### BEGIN SOLUTION
lab.predict("kept_percent", 90)
lab.predict("far_percent", 60)
lab.predict("shape", "convex")
### END SOLUTION

# %% [markdown]
# Before you measure, play with the closed forms: move the sliders and watch what the *model* says.
# "Run it" makes one real run of these settings; it does not count for anything.

# %%
explore(point(0.0456), vary=("rtt_s", "streams"))

# %% [markdown]
# ## 4. Your profile
#
# Four runs at each RTT: 28 runs on all your processors, one or two minutes. A dot in the figure is one
# run; the band holds the true mean with a probability of 95 %.


# %%
def profile_runs(streams=1, repeats=4, buffer_mb=250):
    """Return the throughputs at each RTT, in bit/s, from calibrated runs."""
    points = [point(rtt, streams, n, buffer_mb) for rtt in RTTS_S for n in range(repeats)]
    records = lab.run_all(points)
    rates = [record.require_calibrated().goodput_bps() for record in records]
    return np.array(rates).reshape(len(RTTS_S), repeats)


one = profile_runs()
mean = one.mean(axis=1)  # at each RTT, in bit/s
profile_figure(throughput_profile(RTTS_S, one), capacity_bps=10e9, runs_bps=one)

# %% [markdown]
# Look at the dots. Where do runs of the same experiment agree, and where do they differ widely? There
# a single run would tell you little. (The band is an interval around the mean of four runs; it knows
# nothing of the capacity and may pass it.)
#
# **Task `means`.** Hand in your mean throughput at 45.6 ms, 91.6 ms and 366 ms in Gbit/s, as
# `{"45.6": ..., "91.6": ..., "366": ...}`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_means", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("means", {...})
### BEGIN SOLUTION
lab.answer("means", {"45.6": mean[3] / 1e9, "91.6": mean[4] / 1e9, "366": mean[6] / 1e9})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "means", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("means")

# %% [markdown]
# ## 5. Concave or convex?
#
# The eye is easily fooled by unequal steps. The test: at each inner RTT, does the mean lie *above* the
# straight line (the chord) between its two neighbours? Then the curve is concave there. If the
# interval of that gap holds zero, the data cannot tell. The test is Welch's, corrected for asking five
# times (`curvature`).

# %%
bends = curvature(RTTS_S, one)
concavity_figure(throughput_profile(RTTS_S, one), bends)

# %% [markdown]
# **Task `gaps`.** Compute the height of your mean above the chord of its neighbours yourself, at 45.6 ms
# and at 183 ms, in Gbit/s: `{"45.6": ..., "183": ...}`. Positive is concave. (For neighbours $a<r<b$ the
# chord at $r$ is $wA+(1-w)B$ with $w=(b-r)/(b-a)$.)
#
# **Task `verdict`.** What does `curvature` say of your whole profile? Hand in its `verdict`.


# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_gaps", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("gaps", {...})
# lab.answer("verdict", ...)
### BEGIN SOLUTION
def gap(i):
    """Height of the mean above its neighbours' chord, in Gbit/s."""
    a, r, b = RTTS_S[i - 1 : i + 2]
    w = (b - r) / (b - a)
    return (mean[i] - w * mean[i - 1] - (1 - w) * mean[i + 1]) / 1e9


lab.answer("gaps", {"45.6": gap(3), "183": gap(5)})
lab.answer("verdict", bends.verdict)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "gaps", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("gaps")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "verdict", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("verdict")

# %% [markdown]
# ## 6. The transition
#
# Rao's group fits two sigmoids to a profile, one for the concave part and one for the convex part; the
# RTT at which the first hands over to the second is the **transition RTT** $\tau_T$. Its true place is
# known only to the grid of RTTs; the shaded strip shows what fits about equally well.
#
# One caution. A sigmoid is concave exactly where it is above one half, so the fit puts $\tau_T$ near
# the RTT where the profile crosses *half the capacity*, whatever the bend looks like. Compare the strip
# with the test of section 5. The two branches need not meet: each is fitted to its own side.

# %%
profile = throughput_profile(RTTS_S, one)
noise = float(np.mean(profile.standard_error_bps))
pair = fit_sigmoid_pair(RTTS_S, profile.mean_bps, 10e9, noise_bps=noise)
sigmoid_figure(profile, pair, 10e9)

# %% [markdown]
# **Task `transition_ms`.** Hand in the transition RTT of your one-stream profile, in milliseconds.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_transition", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("transition_ms", ...)
### BEGIN SOLUTION
lab.answer("transition_ms", 1000 * pair.transition_s)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "transition_ms", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("transition_ms")

# %% [markdown]
# ## 7. Why it can begin concave
#
# Suppose TCP did everything right: slow start doubles the window every round trip until the path is
# full, and from then on it stays full. Then the only loss is the start, which takes longer when the
# round trips are longer. `slow_start_profile` computes that mean over 10 s. (The talk prints a form
# that counts one round too many; `last_round_in_rampup=False` counts right.)

# %%
ideal = slow_start_profile(RTTS_S, 10e9, 8948, 10, initial_window=10, last_round_in_rampup=False)
profiles_figure(RTTS_S, {"measured": mean, "slow start, then full": ideal}, capacity_bps=10e9)

# %% [markdown]
# The ideal curve is concave everywhere. So a concave profile is the sign of a transfer that loses
# nothing but its start. Up to some RTT your kernel keeps up with it. Two other closed forms do worse
# here: the panel of section 3 has a law for streams that live long enough to see many losses; yours
# live for 10 s. And a window that may use only half of its buffer (section 9) limits one stream to
# 5.5 Gbit/s at 183 ms and 2.7 Gbit/s at 366 ms.
#
# What goes wrong beyond that RTT? Here is the first of your runs at 183 ms.

# %%
slow = lab.run(point(0.183))
print(f"The path holds {slow.experiment.path.bdp_bytes / 8948:,.0f} segments,", end=" ")
print(f"its router's queue {25_000_000 / 9014:,.0f} more.")
traces(slow.total(), slow.queue, title="One stream, 183 ms")

# %% [markdown]
# Look at the second panel. How far does the window get in slow start, compared with what the path
# holds? What ends it: look at the queue in the fourth panel at that moment. And how fast does the
# window grow afterwards?
#
# **Task `model_ratio`.** Divide your mean by the ideal at 22.6 ms and at 366 ms:
# `{"22.6": ..., "366": ...}`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_model", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("model_ratio", {...})
### BEGIN SOLUTION
lab.answer("model_ratio", {"22.6": mean[2] / ideal[2], "366": mean[6] / ideal[6]})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "model_ratio", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("model_ratio")

# %% [markdown]
# ## 8. Ten streams
#
# Ten streams start ten times as fast, and a loss hits one of ten windows. Three runs at each RTT are
# enough here.

# %%
from lab_tools.analysis.profiles import utilisation_concavity

ten = profile_runs(streams=10, repeats=3)
profile_ten = throughput_profile(RTTS_S, ten)
noise_ten = float(np.mean(profile_ten.standard_error_bps))
pair_ten = fit_sigmoid_pair(RTTS_S, profile_ten.mean_bps, 10e9, noise_bps=noise_ten)
sigmoid_figure(profile_ten, pair_ten, 10e9, title="Ten streams")

# %% [markdown]
# **Task `stream_gain`.** By which factor do ten streams raise the mean throughput at 183 ms?
#
# **Task `coefficients`.** The *utilisation-concavity coefficient* $C_{UC}$ puts height and shape into one
# number between 0 and 1 (Liu and Rao, HPCC 2018). `utilisation_concavity(RTTS_S, mean, 10e9).coefficient`
# computes it. Hand in `{"one": ..., "ten": ...}`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_ten", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("stream_gain", ...)
# lab.answer("coefficients", {...})
### BEGIN SOLUTION
mean_ten = ten.mean(axis=1)
lab.answer("stream_gain", mean_ten[5] / mean[5])
both = {"one": mean, "ten": mean_ten}
lab.answer(
    "coefficients",
    {name: utilisation_concavity(RTTS_S, m, 10e9).coefficient for name, m in both.items()},
)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "stream_gain", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("stream_gain")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "coefficients", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("coefficients")

# %% [markdown]
# ## 9. The default buffer
#
# Many hosts are never tuned. Take buffers of 250 kB, the default of Rao's hosts. A sender can have no
# more in flight than the receiver has promised room for, so the throughput cannot exceed $B/\tau$: a
# convex curve if there ever was one.

# %%
small = profile_runs(repeats=1, buffer_mb=0.25)[:, 0]
bound = np.minimum(10e9, 8 * 250_000 / np.array(RTTS_S))
profiles_figure(
    RTTS_S,
    {"measured": small, "B/RTT, B = 250 kB": bound},
    capacity_bps=10e9,
    log_rtt=True,
    log_rate=True,
)

# %% [markdown]
# Both axes are logarithmic here: $B/\tau$ is a straight line of slope −1. Is your curve on it?
#
# **Task `window_kb`.** Which $B$ does your kernel really use? Compute throughput × RTT at 11.8 ms and
# beyond (six runs), in kilobytes (1000 bytes), and hand in the median.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_window", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("window_kb", ...)
### BEGIN SOLUTION
used = small[1:] * np.array(RTTS_S[1:]) / 8 / 1000
lab.answer("window_kb", float(np.median(used)))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "window_kb", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("window_kb")

# %% [markdown]
# The rest of the buffer is kept for the kernel's own bookkeeping: Linux promises the sender only a part
# of what a socket may hold (`tcp_adv_win_scale` in the kernel's documentation of `ip-sysctl`).
#
# ## 10. The whole table
#
# The course ships the same measurement for all three congestion controls, for 1, 4 and 10 streams, and
# for buffers of 250 kB and 250 MB, two runs each; and for 1 GB with ten streams at the three longest
# RTTs, where it could matter. Every number in it was made by the same kernel as yours. (The table
# below is in Mbit/s; its columns are the buffer in bytes, then the streams.)

# %%
table = shipped_table("09_throughput_profiles")
table["goodput_mbps"] = table["goodput_bps"] / 1e6
mine = table[table["cc"] == lab.variant["cc"]]
mine.pivot_table(index="rtt_s", columns=["rcvbuf_bytes", "streams"], values="goodput_mbps").round()

# %%
curves = {
    f"{cc} x {streams}": part.groupby("rtt_s")["goodput_bps"].mean()
    for (cc, streams), part in table[table["rcvbuf_bytes"] == 250e6].groupby(["cc", "streams"])
    if streams in (1, 10)
}
profiles_figure(RTTS_S, curves, capacity_bps=10e9, title="Buffers of 250 MB; x 10 is ten streams")

# %% [markdown]
# **Task `transitions`.** Fit the sigmoid pair to the table's mean profiles of *your* congestion control
# with 250 MB, and hand in the transition RTTs in ms for 1, 4 and 10 streams:
# `{"1": ..., "4": ..., "10": ...}`. Use `fit_sigmoid_pair(RTTS_S, means, 10e9)`.
#
# **Task `buffer_verdict`.** At 366 ms with ten streams and your congestion control: what does the table
# give for 1 GB of buffer, divided by what it gives for 250 MB? (250 MB is what 10 Gbit/s need over
# 200 ms, if a window could use all of it.)


# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_table", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("transitions", {...})
# lab.answer("buffer_verdict", ...)
### BEGIN SOLUTION
def means(streams, buffer_bytes):
    """Mean profile of my congestion control in the table, in bit/s."""
    rows = mine[(mine["streams"] == streams) & (mine["rcvbuf_bytes"] == buffer_bytes)]
    return rows.groupby("rtt_s")["goodput_bps"].mean().to_numpy()


fits = {n: fit_sigmoid_pair(RTTS_S, means(n, 250_000_000), 10e9) for n in (1, 4, 10)}
lab.answer("transitions", {str(n): 1000 * fit.transition_s for n, fit in fits.items()})
lab.answer("buffer_verdict", means(10, 1_000_000_000)[-1] / means(10, 250_000_000)[-1])
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "transitions", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("transitions")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "buffer_verdict", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("buffer_verdict")

# %% [markdown]
# Now look at the rest of the table: which setting moves the transition most, the streams, the buffer, or
# the congestion control? And where does the model of slow start stop describing what was measured?

# %%
profile_explorer()

# %% [markdown]
# ## 11. Read the source with care
#
# A slide of the talk describes a start that is "faster than slow start" by $n=\tau^{\epsilon}\log_2 C$
# rounds and says that it sends $2^{1+\tau^{\epsilon}}\,C$ packets.
#
# **Task `deck_sent`.** Doubling for $n$ rounds sends about $2^{n+1}$ packets. How many are that for
# $C=1024$ and $\tau^{\epsilon}=1.5$? Compare with the slide's expression, and hand in the right number.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_deck", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("deck_sent", ...)
### BEGIN SOLUTION
rounds = 1.5 * np.log2(1024)
print("the slide's expression:", 2**2.5 * 1024)
lab.answer("deck_sent", 2 ** (rounds + 1))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "deck_sent", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("deck_sent")

# %% [markdown]
# ## 12. What virtual time hides
#
# A host that fills 10 Gbit/s is usually near its limits: copying, interrupts and the memory bus cost
# time, and Rao's traces vary for that reason too. Your hosts compute in no time at all. So your curves
# show what *TCP and the path* do, and a real curve can only be lower. The bursts of `offloads` make
# losses come in groups of up to seven segments, and the router's queue counts a burst as one.
#
# ## 13. Explain (graded by a person, 6 points)
#
# In your own words, in 150 to 300 words and with numbers from your runs:
#
# 1. Why can a profile begin concave, although the law of lab 02 is convex? Does yours? ("Cannot tell"
#    is an answer; say what is missing.) Up to which RTT does your kernel keep up with the ideal, and
#    what goes wrong beyond it? Where was your prediction wrong?
# 2. How do ten streams and larger buffers move the transition, and which of the two helps where?
#    Use your runs and the table.
# 3. Is "transition RTT" a good name for what the sigmoid pair finds? Compare it with your curvature
#    test and with the RTT at which the profile crosses 5 Gbit/s.

# %% [markdown] nbgrader={"grade": true, "solution": true, "locked": false, "points": 6, "grade_id": "explanation", "schema_version": 3, "task": false, "cell_type": "markdown"}
# 1. Lab 02's law is about a stream that loses packets for ever. Here a 10 s transfer often loses none, and
#    then only its start is missing, which takes longer with the RTT: slow start needs log2 of the window
#    many round trips. That curve is concave. My kernel keeps up with it up to 22.6 ms (98 % of the ideal);
#    at 366 ms only 14 % are left. Beyond 22.6 ms slow start ends too early: at 183 ms its bursts overflow the router's queue
#    at 12 000 segments, half of what the path holds, and CUBIC would need far more than ten seconds to
#    grow from there. I had predicted 90 % at 91.6 ms and 60 % at 366 ms
#    and a convex beginning: it was 51 % and 8 %, and at 45.6 ms the mean lies 0.46 Gbit/s *above* the chord.
# 2. Streams move the transition outwards: in the table it is at 45.6, 91.6 and 183 ms for 1, 4 and 10
#    streams, and in my runs ten streams carry 2.4 times as much at 183 ms, because they start together
#    with ten windows and a loss halves a tenth. A larger buffer helps where the buffer is the limit: with
#    250 kB the window is 125 kB and the throughput 125 kB/RTT everywhere, so 250 MB are worth a factor of
#    a hundred at 11.8 ms. A further step to 1 GB changes nothing (1.00): in 10 s the window does not get
#    that far.
# 3. The pair says 91.6 ms. My profile is at 5.1 Gbit/s there, so it crosses half the capacity just beyond,
#    and that is what a sigmoid's bend is tied to. The curvature test asks about the bend itself: concave at
#    45.6 ms by its sign, but with an interval that holds zero, so "cannot tell" overall; at 183 ms the
#    mean lies 1.4 Gbit/s below the chord, clearly convex. "Half-capacity RTT" would be the better name.

# %% [markdown]
# ## Before you hand in
#
# Restart the kernel and run all cells: your runs are kept, so it takes seconds. Then *Validate* and
# *Submit*, as in lab 00.
#
# ## Sources
#
# - N. S. V. Rao, Q. Liu, S. Sen, D. Towsley, G. Vardoyan, R. Kettimuthu, I. Foster, "TCP throughput
#   profiles using measurements over dedicated connections", HPDC 2017: the profiles, the sigmoid pair.
# - N. S. V. Rao, "Some science aspects of wide-area data transport", talk, 2018: RTTs, buffers, ramp-up
#   and sustainment, the slide of section 11.
# - Q. Liu, N. S. V. Rao, "On concavity and utilization analytics of wide-area network transport
#   protocols", HPCC 2018: the utilisation-concavity coefficient.
# - B. L. Welch, "The generalization of Student's problem when several different population variances
#   are involved", Biometrika 34, 1947: the test behind the curvature.
# - The Linux kernel's documentation, "IP Sysctl": `tcp_rmem`, `tcp_adv_win_scale`.
