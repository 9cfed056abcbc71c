# %% [markdown]
# # Dynamics: is TCP chaotic, or only noisy?
#
# **Goal.** Look at a transfer as a *dynamical system*: draw its Poincaré map, estimate its Lyapunov
# exponent with an interval, and learn to tell chaos from noise. Then test a published claim about
# exponents and throughput on your own runs.
#
# **Time.** 90 to 120 minutes, of which the runs take 1 to 2.
#
# **You need** labs 00 and 02, logarithms, and what a correlation is. Lab 09 (throughput profiles)
# helps for section 8.
#
# ## 1. The question
#
# A talk on throughput over dedicated connections (N. S. V. Rao, 2018; with Q. Liu and others, HPDC
# 2017) says of TCP's throughput over time:
#
# > Stable trajectories: $L_M<0$. Chaotic trajectories: $L_M>0$. Large $L_M$ implies low throughput.
# > Instability shrinks the concave region.
#
# $L_M$ is a **Lyapunov exponent**: the rate at which two nearly equal states part. *Chaos* means that
# a system without any randomness is unpredictable, because tiny differences grow exponentially.
#
# **Does a positive exponent show that TCP is chaotic, and does it cost throughput?** Most people who
# have read the slide say yes to both. You are going to test each step.

# %%
import numpy as np

from lab_tools.analysis import dynamics as dyn
from lab_tools.analysis.dynamics import reference as ref
from lab_tools.experiment import Experiment, Flow, Host, Path
from lab_tools.figures import claim, exponents, look, maps, noise, traces
from lab_tools.grading import Lab
from lab_tools.widgets import explore, poincare_explorer

# %% [markdown]
# The path of this lab carries 100 Mbit/s with an MTU of 9000 bytes. The router's queue holds half a
# bandwidth-delay product (BDP: what fits into the path). A run lasts 100 s and is sampled every 0.1 s;
# the first 10 s, the start, are left out. `offloads` lets segments travel in bursts, as on a real host.

# %%
lab = Lab("11_poincare_lyapunov")
SEED = lab.variant["seed"]


def tcp(rtt_ms, streams=1, loss=0.0):
    """100 s of CUBIC over 100 Mbit/s."""
    path = Path(1e8, rtt_ms / 1000, loss=loss, mtu_bytes=9000, buffer_bdp=0.5)
    flow = Flow("cubic", streams=streams)
    times = {"duration_s": 100, "omit_s": 10, "sample_interval_s": 0.1, "seed": SEED}
    return Experiment(path, Host(offloads=True), (flow,), **times)


lab.variant

# %% [markdown]
# ## 2. Predict before you measure
#
# No run starts before all four are locked. **A wrong prediction costs nothing**; you will explain it.
#
# - `more_chaotic`: the *one-step exponent* of a measured series says how fast two nearly equal
#   values part within one step. Which has the larger one: `"logistic"` (a famous chaotic map) or
#   `"noise"` (independent random numbers)?
# - `eight_streams`: eight TCP streams share a path that loses nothing at random. Is the sum of
#   their windows two seconds ahead, from its own past, `"predictable"` or `"unpredictable"`?
# - `correlation`: over six runs at three distances, the correlation (from −1 to 1) between a run's
#   exponent and its throughput. The talk's claim says: negative.
# - `after_shuffling`: the same correlation after each trace was *shuffled in time*, which leaves its
#   mean as it was and destroys its dynamics.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "predict", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.predict("more_chaotic", ...) and so on: four lines
### BEGIN SOLUTION
lab.predict("more_chaotic", "logistic")
lab.predict("eight_streams", "predictable")
lab.predict("correlation", -0.8)
lab.predict("after_shuffling", 0)
### END SOLUTION

# %% [markdown]
# Before you measure, play. The panel shows what a *model* says of the mean goodput; move the sliders.
# "Run it" makes one real run of these settings, which counts for nothing. Note what the models do *not*
# show: how the throughput moves over time. That is this lab's subject.

# %%
explore(tcp(40, loss=0.0005), vary=("rtt_s", "loss", "streams"))

# %% [markdown]
# ## 3. A map whose answer is known
#
# A **Poincaré map** plots each sample of a series against the next: $X_{i+1}=M(X_i)$. Before TCP, take
# the logistic map $x'=r\,x(1-x)$ (May, *Nature* 1976), with your `growth` as $r$. Nothing in it is
# random. (`static`, which is random through and through, and the generator `rng` are for section 4.)

# %%
growth = lab.variant["growth"]
orbit = ref.logistic_orbit(growth, 2000)
static, rng = ref.noise(2000, np.random.default_rng(SEED)), np.random.default_rng(1)
curve = dyn.map_curve(orbit, bins=64)
plain = look.Scale(1.0, "no unit")
maps.poincare_figure(dyn.poincare_map(orbit), plain, curve_of_map=curve, name="x")

# %% [markdown]
# Look at the dots: they all lie on one curve, a parabola. Colour is time, and the colours are mixed: the
# orbit jumps about on the curve and never settles. *Determinism* in the legend is the share of the
# variance of "later" that "now" explains.
#
# The slide defines $L_M=\ln|dM/dX|$. Read closely: that is a number for *each point* of the map. The
# Lyapunov exponent is its **mean along the orbit** (Oseledec, 1968),
#
# $$L=\frac1n\sum_i\ln|M'(X_i)|,\qquad M'(x)=r(1-2x).$$
#
# At $r=4$ it is $\ln 2=0.693$ exactly. The unit is 1/step.
#
# **Task `logistic`.** Hand in `{"chaos": ..., "calm": ..., "negative_share": ...}`: the exponent for
# your `growth`, the exponent for your `calm` value of $r$ (2000 samples each), and the share of the
# points of the *chaotic* orbit at which $\ln|M'|$ is negative. Take natural logarithms.
# (`ref.logistic_slope(orbit, r)` is $M'$ along an orbit.)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_logistic", "schema_version": 3, "task": false, "cell_type": "code"}
# chaos = ...
### BEGIN SOLUTION
logs = np.log(np.abs(ref.logistic_slope(orbit, growth)))
calm_orbit = ref.logistic_orbit(lab.variant["calm"], 2000)
calm = np.log(np.abs(ref.logistic_slope(calm_orbit, lab.variant["calm"]))).mean()
means = {"chaos": float(logs.mean()), "calm": float(calm)}
lab.answer("logistic", means | {"negative_share": float((logs < 0).mean())})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "logistic", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("logistic")

# %% [markdown]
# So the slide's rule "$L_M<0$ stable, $L_M>0$ chaotic" is about the mean. At a single point of a chaotic
# map the sign may be either.
#
# ## 4. The trap
#
# Of a measured trace nobody knows $M'$. The usual way out: take for each sample $X_i$ its **nearest
# neighbour** $X_j$ (not close to it in *time*), and see how far apart the two are one step later:
#
# $$L\approx\Big\langle\ln\frac{|X_{i+1}-X_{j+1}|}{|X_i-X_j|}\Big\rangle$$
#
# `dyn.neighbour_ratio_exponent(series, rng)` does it. `rng` is for the bootstrap (drawing the data again
# and again to get an interval); the `.value` does not depend on it.
#
# **Task `one_step`.** Hand in `{"logistic": ..., "noise": ...}`: this exponent for your `orbit` and for
# the independent random numbers `static`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_one_step", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("one_step", {...})
### BEGIN SOLUTION
both = {"logistic": orbit, "noise": static}
one_step = {name: dyn.neighbour_ratio_exponent(x, rng) for name, x in both.items()}
lab.answer("one_step", {name: found.value for name, found in one_step.items()})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "one_step", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("one_step")

# %%
knowns = {"logistic": orbit, "tent, m = 2": ref.tent_orbit(2.0, 2000), "white noise": static}
rows = {name: dyn.neighbour_ratio_exponent(x, rng) for name, x in knowns.items()}
exponents.exponents_figure(rows, title="One-step exponents (a step counts as 1 s)")

# %% [markdown]
# Surprised? The logistic map comes out right, and so does the tent map (another chaotic map, of two
# straight lines; its exponent is exactly $\ln 2$). *Noise* has an exponent more than ten times as
# large, with an interval far from 0. In noise the next value has nothing to do with this one, so
# two samples that happen to be close fly apart at once. The more samples, the closer the nearest
# neighbour and the larger the "exponent". **A positive one-step exponent does not show chaos.**
#
# How do they differ? In chaos, distances grow by the *same factor* at every small scale. In noise, the
# later distance does not depend on the first one. So sort pairs into **shells** of starting distance and
# follow each shell (the *time-dependent exponents* of Gao and Zheng, 1994).

# %%
shells = {"largest_shell": 5, "smallest_shell": 8, "steps": 5, "dimension": 2, "lag": 1}
for name, x in {"Logistic map": orbit, "White noise": static}.items():
    curves = dyn.time_dependent_exponents(x, **shells)
    display(exponents.shells_figure(curves, title=f"{name} (a step counts as 1 s)"))

# %% [markdown]
# In the first figure the inner curves run together in one rising line. In the second each jumps and
# then stays, and neighbouring shells lie $\ln2\approx0.69$ apart, because a shell half as wide leaves
# twice as much to jump.
#
# **Task `gaps`.** `dyn.shell_gap(series)` gives the mean distance between the two innermost curves. Hand
# it in for both: `{"logistic": ..., "noise": ...}`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_gaps", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("gaps", {...})
### BEGIN SOLUTION
lab.answer("gaps", {"logistic": dyn.shell_gap(orbit), "noise": dyn.shell_gap(static)})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "gaps", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("gaps")

# %% [markdown]
# Two more references, which you will need. The first is a **surrogate** of TCP, made up for this lab and
# *not* from the papers: a window that adds 1 each step and halves above 60 segments (AIMD: additive
# increase, multiplicative decrease). Rao and Chua (2002) derive chaos for AIMD beside a UDP stream; their
# map is another one, and we have not seen its formula. The second is a random walk.
#
# The panel draws the logistic map, the tent map and this surrogate as a **cobweb**: up to the curve,
# across to the diagonal, and again. Move the parameter and the start, and find where the exponent
# changes its sign.

# %%
poincare_explorer()
aimd = ref.surrogate_aimd_orbit(60.0, 900)
walk = ref.noise(900, np.random.default_rng(SEED), memory=1.0)
segments = look.Scale(1.0, "segments")
maps.poincare_figure(dyn.poincare_map(aimd), segments, name="Window", title="AIMD surrogate")

# %% [markdown]
# Two straight pieces: up by one along the identity line, and the fall to a half. Slopes 1 and ½: the
# exponent of this surrogate can never be above 0.
#
# ## 5. The real thing: four ways to move data
#
# Now the kernel. `near`, `mid` and `far` are 10 ms and your `mid_ms` and `far_ms`, each with 1 and with 8
# streams over a path that loses one packet burst in 2000 at random. `clean_1` and `clean_8` have *no*
# random loss: what is lost there, the queue dropped. `udp` sends 80 Mbit/s at a constant rate.

# %%
RTTS_MS = {"near": 10, "mid": lab.variant["mid_ms"], "far": lab.variant["far_ms"]}
plan = {f"{name}_{n}": tcp(ms, n, 0.0005) for name, ms in RTTS_MS.items() for n in (1, 8)}
plan |= {f"clean_{n}": tcp(RTTS_MS["mid"], n) for n in (1, 8)}
plan["udp"] = tcp(RTTS_MS["mid"]).replace(transport="udp", app_limit_bps=8e7)
runs = dict(zip(plan, lab.run_all(list(plan.values())), strict=True))

# %% [markdown]
# ### Check the assumptions first
#
# `require_calibrated` stops if a run is not what you asked for, or if packets were lost anywhere
# but in the queue and by the random loss that you asked for. (A drop can be a burst of several
# segments, so more segments are sent again than drops are counted.)

# %%
for name, record in runs.items():
    record.require_calibrated()
    mean, lost = record.goodput_bps() / 1e6, record.bottleneck_drops
    print(
        f"{name:8} {mean:6.1f} Mbit/s, {record.retransmits} sent again, {lost} drops in the queue"
    )


# %%
def series(record, column="goodput_bps", block=5):
    """Samples after the start, averaged over blocks of 0.1 s."""
    total = record.total()
    kept = total[total["time_s"] > record.experiment.omit_s + 0.05]
    return dyn.block_average(kept[column], block)


for name in ("clean_1", "far_1"):
    display(traces.traces(runs[name].total(), runs[name].queue, title=name))

# %% [markdown]
# `series(record)` is the goodput in blocks of 0.5 s, 180 numbers a run. (The talk uses samples of 1 s: 90
# numbers would be few.) `clean_1` repeats one tooth. `far_1` falls when chance says so.
#
# **Task `spread`.** How much does the goodput move? Hand in the standard deviation of `series(record)`
# divided by its mean, for `{"udp": ..., "clean_1": ..., "far_1": ...}`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_spread", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("spread", {...})
### BEGIN SOLUTION
chosen = {name: series(runs[name]) for name in ("udp", "clean_1", "far_1")}
lab.answer("spread", {name: float(x.std() / x.mean()) for name, x in chosen.items()})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "spread", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("spread")

# %%
for name in ("clean_1", "mid_1", "clean_8"):
    window = series(runs[name], "cwnd_segments", block=1)
    points = dyn.poincare_map(window)
    title = f"Poincaré map of the window: {name}"
    display(maps.poincare_figure(points, segments, interval_s=0.1, name="Window", title=title))

# %% [markdown]
# Compare with the surrogate. `clean_1`: a thin line just above the identity, and a column of falls at its
# upper end, as in AIMD. The line bends because CUBIC's growth slows near the old peak. `mid_1` has the same
# line, but it falls from anywhere. `clean_8` is a cloud, like noise, **although nothing random happens on
# that path**.
#
# How far ahead can one see? `dyn.prediction_error(window, horizon=20)` predicts the window 2 s ahead from
# what followed the most similar moment in the past (Farmer and Sidorowich, 1987). 0 is perfect, 1 means
# that the past says nothing.
#
# **Task `forecast`.** Hand it in for the windows, `series(record, "cwnd_segments", block=1)`, of
# `{"clean_1": ..., "mid_1": ..., "clean_8": ...}`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_forecast", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("forecast", {...})
### BEGIN SOLUTION
names = ("clean_1", "mid_1", "clean_8")
windows = {name: series(runs[name], "cwnd_segments", block=1) for name in names}
errors = {name: dyn.prediction_error(x, horizon=20) for name, x in windows.items()}
lab.answer("forecast", errors)
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "forecast", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("forecast")

# %% [markdown]
# Run `clean_8` again and you get the same trace, bit for bit: it *is* deterministic. It has eight windows,
# a queue and hundreds of packets in flight; you see one sum of them, ten times a second. Unpredictable *to
# you* does not yet mean chaotic. Veres and Boda (Infocom 2000) argued that TCP's own dynamics may be
# chaotic; a sum of eight windows cannot decide it.
#
# ## 6. The claim: exponent and throughput
#
# **Task `exponents`.** For the six runs with random loss, hand in a dictionary from name (`near_1`,
# `near_8`, `mid_1`, ...) to the one-step exponent of the goodput, in 1/s:
# `dyn.neighbour_ratio_exponent(series(record), rng, interval_s=0.5).value`. (Keep the results
# without `.value` in a dictionary `found`: section 7 draws them.)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_exponents", "schema_version": 3, "task": false, "cell_type": "code"}
six = [f"{name}_{n}" for name in RTTS_MS for n in (1, 8)]


# found = {...}
### BEGIN SOLUTION
def exponent(x):
    return dyn.neighbour_ratio_exponent(x, rng, interval_s=0.5)


found = {name: exponent(series(runs[name])) for name in six}
lab.answer("exponents", {name: one.value for name, one in found.items()})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "exponents", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("exponents")

# %% [markdown]
# **Task `claim`.** Hand in the correlation (`np.corrcoef(x, y)[0, 1]`) over the six runs between the
# exponent and the mean goodput, `record.goodput_bps()`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_claim", "schema_version": 3, "task": false, "cell_type": "code"}
# goodputs = ...
### BEGIN SOLUTION
goodputs = [runs[name].goodput_bps() for name in six]
values = [found[name].value for name in six]
lab.answer("claim", np.corrcoef(values, goodputs)[0, 1])
display(exponents.exponents_figure(found, title="Six runs, one-step exponents of the goodput"))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "claim", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("claim")

# %% [markdown]
# So the claim holds: a large exponent goes with a low throughput. A slide would stop here.
#
# ## 7. The control experiment
#
# Shuffle each trace: the same numbers in random order. Mean, spread and histogram stay; whatever was
# *dynamics* is gone. If the exponent measured dynamics, the correlation should go too.
#
# **Task `shuffled`.** For each of the six compute the exponent of
# `np.random.default_rng(SEED).permutation(series(record))` (a new generator for each run), as in
# section 6 with `interval_s=0.5`. Hand in the correlation of *these* with the goodput. Then draw
# both with `claim.exponent_goodput_figure(found, goodputs, shuffled=mixed)`. `found` and `mixed`
# are dictionaries from name to the whole result of `dyn.neighbour_ratio_exponent`, not only its
# `.value`; `goodputs` is a list in the same order.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_shuffled", "schema_version": 3, "task": false, "cell_type": "code"}
# mixed = {...}
### BEGIN SOLUTION
order = np.random.default_rng
mixed = {name: exponent(order(SEED).permutation(series(runs[name]))) for name in six}
mixed_values = [mixed[name].value for name in six]
lab.answer("shuffled", np.corrcoef(mixed_values, goodputs)[0, 1])
display(claim.exponent_goodput_figure(found, goodputs, shuffled=mixed))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "shuffled", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("shuffled")

# %% [markdown]
# In the figure each run is a filled dot, and an open one at the same height for its shuffled self. Look at
# the run with the low goodput: where is its open dot? Look at the bars: do the intervals of the filled
# dots overlap? Compare the runs of equal goodput, too: do their exponents agree?
#
# Here is another candidate for what hides behind both: the spread of the trace.

# %%
spreads = [float(series(runs[name]).std() / series(runs[name]).mean()) for name in six]
goodput_mbps = [runs[name].goodput_bps() / 1e6 for name in six]
print("spread:", np.round(spreads, 3), "goodput in Mbit/s:", np.round(goodput_mbps, 1))
print("correlation of goodput and spread:", round(np.corrcoef(spreads, goodput_mbps)[0, 1], 2))

# %% [markdown]
# ## 8. And the concave region?
#
# A throughput profile (mean goodput over RTT, lab 09) is *concave* where it bulges above its chord, the
# straight line between two of its points. The claim says that the less stable transfer has the *narrower*
# concave region. Three RTTs cannot measure a region, but they can tell which way each profile bends.
#
# **Task `bulge`.** Hand in `{"1": ..., "8": ...}`, for 1 and 8 streams: how many Mbit/s the goodput at
# `mid` lies above the chord from `near` to `far` (negative if below).

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_bulge", "schema_version": 3, "task": false, "cell_type": "code"}
rtts = list(RTTS_MS.values())
# lab.answer("bulge", {...})
### BEGIN SOLUTION
bulge = {}
for n in ("1", "8"):
    near, mid, far = (runs[f"{name}_{n}"].goodput_bps() / 1e6 for name in RTTS_MS)
    bulge[n] = mid - np.interp(rtts[1], [rtts[0], rtts[2]], [near, far])
lab.answer("bulge", {n: float(value) for n, value in bulge.items()})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "bulge", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("bulge")

# %% [markdown]
# Which of the two has the larger exponents at `far`, and which bends down more? The flat profile of eight
# streams has nothing to bend yet: its concave region *begins* further out than your path goes.
#
# ## 9. Does it diffuse?
#
# Another test from the literature: how far does the window wander in a time $k$? Fit
# $\langle|x(t+k)-x(t)|^2\rangle\propto k^{2H}$. Slides on Internet windows (Gao and Rao) call a large $H$
# "typical of chaotic systems with" noise. A random walk has $H=\frac12$ and no chaos at all.
#
# **Task `diffusion`.** Hand in `{"far_1": ..., "walk": ..., "clean_8": ...}`: `.exponent` of
# `dyn.diffusion_exponent(x, largest_lag=30)` for the windows (`block=1`) of both runs, and for `walk`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_diffusion", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("diffusion", {...})
### BEGIN SOLUTION
wanderers = {name: series(runs[name], "cwnd_segments", 1) for name in ("far_1", "clean_8")}
wanderers["walk"] = walk
spread_over = {n: dyn.diffusion_exponent(x, largest_lag=30) for n, x in wanderers.items()}
lab.answer("diffusion", {name: one.exponent for name, one in spread_over.items()})
display(noise.diffusion_figure(spread_over["far_1"], segments, interval_s=0.1, title="far_1"))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "diffusion", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("diffusion")

# %% [markdown]
# ## 10. The verdict of all tests together
#
# No single test decides, so `dyn.assess_chaos` asks for all of them: no drift, neighbours that part *for
# good*, shells that share an envelope, a linear random process ruled out (surrogate data, Theiler et al.
# 1992), and an exponent whose interval lies above 0. It says `"chaotic"`, `"stable"` or `"cannot tell"`,
# and why. The combination is this project's own; each part is published.
#
# **Task `verdicts`.** Hand in the `.verdict` of `dyn.assess_chaos(x, np.random.default_rng(1))` for
# `logistic`, `noise` (your `orbit` and `static`), `aimd`, and the goodput `series(record)` of `clean_8`,
# `far_1` and `udp`, as a dictionary. Print each `.reason`.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_verdicts", "schema_version": 3, "task": false, "cell_type": "code"}
subjects = {"logistic": orbit, "noise": static, "aimd": aimd}
subjects |= {name: series(runs[name]) for name in ("clean_8", "far_1", "udp")}
# verdicts = {...}
### BEGIN SOLUTION
weighed = {n: dyn.assess_chaos(x, np.random.default_rng(1)) for n, x in subjects.items()}
for name, one in weighed.items():
    print(f"{name:8} {one.verdict:12} {one.reason}")
lab.answer("verdicts", {name: one.verdict for name, one in weighed.items()})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "verdicts", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("verdicts")

# %%
curves = dyn.time_dependent_exponents(series(runs["far_1"]), **shells | {"largest_shell": 3})
exponents.shells_figure(curves, interval_s=0.5, title="far_1: chaos or noise?")

# %% [markdown]
# "Cannot tell" is an answer, and often the honest one: 180 samples, rounded to whole packets, with random
# loss on top, do not carry the evidence. It does *not* say that TCP is not chaotic.
#
# ## 11. What virtual time hides
#
# The network ran on a clock that moves only when something happens: each run repeats bit for bit, and the
# only chance is the loss that you asked for. On a real path other traffic, interrupts and timers add noise
# at every scale; then the evidence for chaos is harder still to find, and one-step exponents are larger.
#
# ## 12. Explain (graded by a person, 6 points)
#
# In your own words, in 150 to 300 words and with numbers from your runs:
#
# 1. Why does noise have a larger one-step exponent than a chaotic map, and what would you look at instead?
#    Name your prediction.
# 2. Is "large exponents imply low throughput" true of your six runs? Is it *because* of unstable dynamics?
#    Argue with the shuffled traces, the spread and the intervals, and say what six runs cannot show.
# 3. `clean_8` has no random loss and cannot be predicted. What is it: chaos, noise, something else? What
#    would you have to measure to know?

# %% [markdown] nbgrader={"grade": true, "solution": true, "locked": false, "points": 6, "grade_id": "explanation", "schema_version": 3, "task": false, "cell_type": "markdown"}
# 1. The one-step exponent compares a distance with the one before. In noise the later distance has
#    nothing to do with the earlier one, so a small distance "grows" at once: 7.2 against 0.34 for the
#    logistic map, where nothing is random. I had predicted the opposite, because I thought that
#    exponents measure disorder. Look at whether distances grow by the same factor at every scale: the
#    innermost shells lie 0.003 apart for the map and 0.75, about ln 2, for noise.
# 2. The correlation over my six runs is −0.64, so the sentence is true as a description. It is not
#    because of unstable dynamics: shuffled traces have no dynamics, and they give −0.87. What stays after
#    shuffling is the spread, and spread and goodput correlate with −0.97: a stream that often halves its
#    window has a low mean and a large spread. Most intervals overlap, and runs of equal goodput (99.2
#    Mbit/s) have exponents from 2.3 to 3.5. Six runs at three distances cannot show a cause, and one
#    run, `far_1`, makes most of the correlation.
# 3. `clean_8` is deterministic (the run repeats bit for bit), but what I see of it is one sum of eight
#    windows, ten times a second. Its past says nothing about 2 s ahead (error 0.95, with one stream
#    0.14), its shells lie apart as in noise, and the tests say "cannot tell". To know, one would start
#    the network twice with a tiny difference, such as one packet sent a microsecond later, and see
#    whether all eight windows part exponentially; or look at the eight windows and the queue at once.

# %% [markdown]
# ## Before you hand in
#
# Restart the kernel and run all cells: your runs are kept, so it takes seconds. Then *Validate* and
# *Submit*, as in lab 00.
#
# ## Sources
#
# - N. S. V. Rao, "Some science aspects of wide-area data transport", talk, 2018, and N. S. V. Rao, Q. Liu,
#   S. Sen, D. Towsley, G. Vardoyan, R. Kettimuthu, I. Foster, "TCP throughput profiles using measurements
#   over dedicated connections", HPDC 2017: maps, exponents, the claim of section 1.
# - R. M. May, "Simple mathematical models with very complicated dynamics", Nature 261, 1976.
# - V. I. Oseledec, "A multiplicative ergodic theorem", Trans. Moscow Math. Soc. 19, 1968.
# - J. B. Gao, Z. M. Zheng, "Direct dynamical test for deterministic chaos and optimal embedding of a chaotic
#   time series", Physical Review E 49, 1994: shells.
# - J. Gao, N. S. V. Rao, "TCP AIMD dynamics over Internet connections", IEEE Communications Letters 9, 2005:
#   diffusion and exponents of Internet windows.
# - N. S. V. Rao, L. O. Chua, "On dynamics of network transport protocols", 2002: AIMD beside a UDP stream.
# - A. Veres, M. Boda, "The chaotic nature of TCP congestion control", Infocom 2000.
# - J. D. Farmer, J. J. Sidorowich, "Predicting chaotic time series", Physical Review Letters 59, 1987.
# - J. Theiler, S. Eubank, A. Longtin, B. Galdrikian, J. D. Farmer, "Testing for nonlinearity in time
#   series: the method of surrogate data", Physica D 58, 1992.
