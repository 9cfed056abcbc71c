# %% [markdown]
# # Defending the infrastructure: the fibre or the servers?
#
# **Goal.** Attack a small science infrastructure of three sites, measure what each attack takes away
# from its users, and put these measured losses into a game: where should the defender's money go?
#
# **Time.** 90 to 120 minutes, of which the runs take about 1.
#
# **You need** lab 00, and to know what an expected value is. Game theory is explained as it comes.

# %% [markdown]
# ## 1. The question
#
# Data sit on servers at three sites. Each site hangs on one fibre. Somebody wants to do harm: they
# can cut a fibre, or break into servers one by one. Rao's talk "Some Science Aspects of Wide-area
# Data Transport" (2018) puts it so: **one attack on the fibre equals attacks on all servers behind
# it.** If that is so, every defender guards the fibre first.
#
# Is it so? And how much do the users lose when *half* of a site's servers are gone? Half, say most
# people.

# %%
from functools import partial

from lab_tools.experiment import Cut, Experiment, Flow, Link, Network, Path, Site
from lab_tools.figures.network import sites_figure
from lab_tools.figures.payoff import bimatrix_figure, payoff_figure
from lab_tools.figures.sites import site_losses, site_traces
from lab_tools.games import bimatrix_equilibria, ratio_equilibrium
from lab_tools.grading import Lab
from lab_tools.widgets import game_board

lab = Lab("16_defense_games")
lab.variant

# %% [markdown]
# These parameters are yours; a neighbour has others. `fibre_mbit` is the rate of each site's fibre,
# `server_mbit` what one server wants to send, both in Mbit/s.
#
# ## 2. The infrastructure
#
# Site **a** has four servers, **b** two and **d** three. All fibres meet at the exchange **x**, and
# the users sit behind it at **u**. Every server sends to the users without a pause, as fast as its
# application can: `server_mbit`.

# %%
SITES = {"a": 4, "b": 2, "d": 3}
SERVERS = [f"{site}{n}" for site, count in SITES.items() for n in range(1, count + 1)]
sites_figure(list(SITES.values()), names=list(SITES), title="Three sites, each behind one fibre")


# %%
def infrastructure(spare=False):
    """Sites with a fibre each to the exchange; a spare link between a and b if wanted."""
    delays = {"a": 0.02, "b": 0.03, "d": 0.04}
    fibres = [Link(site, "x", rtt_s=delays[site]) for site in SITES]
    fibres.append(Link("x", "u", rate_bps=100e6, rtt_s=0.01))
    if spare:
        fibres.append(Link("a", "b", rate_bps=lab.variant["spare_mbit"] * 1e6, rtt_s=0.03))
    places = [Site(site, count) for site, count in SITES.items()]
    return Network((*places, Site("x", 0), Site("u")), tuple(fibres))


# %%
def attack(*targets, spare=False):
    """An experiment in which everything named is cut at 4 s; routers react after 1 s."""
    one = partial(Flow, target="u1", app_limit_bps=lab.variant["server_mbit"] * 1e6)
    return Experiment(
        Path(lab.variant["fibre_mbit"] * 1e6, 0.02, mtu_bytes=1500),
        flows=tuple(one(source=server) for server in SERVERS),
        network=infrastructure(spare),
        cuts=tuple(Cut(target, at_s=4, reroute_s=1) for target in targets),
        **{"duration_s": 16, "omit_s": 8, "sample_interval_s": 0.2, "seed": lab.variant["seed"]},
    )


# %% [markdown]
# The first 8 s are left out of every mean: 4 s to warm up, then the attack, then 4 s in which what
# was on its way arrives. So every number below is what the users get *after* the attack.
#
# ## 3. Predict before you measure
#
# No run starts before all three are locked. **A wrong prediction costs nothing.**
#
# - `half_percent`: how much of site a's goodput is lost, in percent, when two of its four servers are
#   destroyed.
# - `fibre_percent`: how much of site a's goodput is lost when its fibre is cut.
# - `spare_percent`: the same cut, but a spare link joins a and b: how much of what *all users
#   together* lost does the spare link give back, in percent?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "predict", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.predict("half_percent", ...) and so on: three lines
### BEGIN SOLUTION
lab.predict("half_percent", 50)
lab.predict("fibre_percent", 100)
lab.predict("spare_percent", 50)
### END SOLUTION

# %% [markdown]
# ## 4. Before the attack
#
# `goodput(record)` is what all users get, in Mbit/s; `goodput(record, "a")` what they get from site
# a alone.


# %%
def goodput(record, sites="abd"):
    """Mean goodput after the omitted head from the servers of these sites, in Mbit/s."""
    mine = [flow for flow, server in enumerate(SERVERS) if server[0] in sites]
    return sum(record.goodput_bps(flow) for flow in mine) / 1e6


before = lab.run(attack()).require_calibrated()
{site: round(goodput(before, site), 2) for site in SITES}

# %% [markdown]
# Compare each site with what its servers *want* to send, and with what its fibre can carry. (About
# 4.4 % of a fibre's rate is headers: 1448 bytes of data in each frame of 1514.) Two of the three
# fibres are full. Their servers have to wait for each other. Keep that in mind.
#
# **Task `baseline_mbit`.** Hand in what all users get together, in Mbit/s.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_baseline", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("baseline_mbit", ...)
### BEGIN SOLUTION
lab.answer("baseline_mbit", goodput(before))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "baseline_mbit", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("baseline_mbit")

# %% [markdown]
# ## 5. Attack the servers
#
# Destroy one, two, three and four servers of site a: `attack("a1")`, `attack("a1", "a2")`, and so on.
# A destroyed server neither sends nor answers. `lab.run_all` takes a list and uses every core.

# %%
names = SERVERS[: SITES["a"]]
server_runs = lab.run_all([attack(*names[:n]) for n in range(1, 5)])
for record in server_runs:
    record.require_calibrated()
kept = [goodput(record, "a") for record in [before, *server_runs]]
site_losses(kept)

# %% [markdown]
# The dashed line is what most people expect: each server carries its share. **What do you see, and
# which part of the network explains it?**
#
# **Task `free_servers`.** How many servers can the attacker destroy so that site a still delivers at
# least 95 % of what it did before?
#
# **Task `half_percent`.** How much of site a's goodput is lost, in percent, when two of four servers
# are destroyed?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_servers", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("free_servers", ...)
# lab.answer("half_percent", ...)
### BEGIN SOLUTION
free = max(n for n in range(5) if kept[n] >= 0.95 * kept[0])
lab.answer("free_servers", free)
lab.answer("half_percent", 100 * (1 - kept[2] / kept[0]))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "free_servers", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("free_servers")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "half_percent", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("half_percent")

# %% [markdown]
# ## 6. Cut the fibre
#
# `attack("a-x")` cuts the fibre of site a. What is in the glass already still arrives; after that
# nothing does. The routers learn of it one second later and look for another way. There is none.

# %%
cut = lab.run(attack("a-x")).require_calibrated()
site_traces(cut.flows, SERVERS, title="Goodput from each site; the fibre of a is cut at 4 s")

# %% [markdown]
# **Task `fibre_equals`.** Test the sentence of the talk: divide what site a loses by the cut of its
# fibre by what it loses when all four of its servers are destroyed.
#
# **Task `server_price`.** Destroying one server costs the attacker `server_cost`, cutting the fibre
# `fibre_cost`. What is the least that the attacker must pay, attacking servers only, to take away *at
# least half* of site a's goodput?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_fibre", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("fibre_equals", ...)
# lab.answer("server_price", ...)
### BEGIN SOLUTION
lost_by_fibre = kept[0] - goodput(cut, "a")
lab.answer("fibre_equals", lost_by_fibre / (kept[0] - kept[4]))
enough = min(n for n in range(5) if kept[n] <= 0.5 * kept[0])
lab.answer("server_price", enough * lab.variant["server_cost"])
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "fibre_equals", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("fibre_equals")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "server_price", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("server_price")

# %% [markdown]
# The talk counts servers: it calls the fibre the better target if it costs less than *all* servers
# behind it. That holds for "everything gone". For "half gone" the price of the servers is lower than
# that, and higher than half of it.
#
# ## 7. A spare link
#
# Now a and b are joined by a spare link of `spare_mbit`. In peace it carries nothing, because the way
# through x is shorter. After the cut the routers need one second to find the way a–b–x.

# %%
spare = lab.run(attack("a-x", spare=True)).require_calibrated()
site_traces(spare.flows, SERVERS, title="The same cut with a spare link between a and b")

# %% [markdown]
# Two things deserve a second look. **How long is site a silent?** The routers needed one second. And
# **what happened to site b**, which nobody attacked?
#
# **Task `outage_s`.** How long, in seconds, did site a deliver less than 1 Mbit/s after the cut? Count
# the samples of the trace (one every 0.2 s) that end after 4 s and lie below 1 Mbit/s.
#
# **Task `saved`.** Hand in `{"site": ..., "all": ...}`: how much of what was lost by the cut without
# a spare link does the spare link give back, in percent, for site a alone, and for all users together?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_spare", "schema_version": 3, "task": false, "cell_type": "code"}
# trace = spare.flows[spare.flows["flow"] < 4].groupby("time_s")["goodput_bps"].sum()
### BEGIN SOLUTION
trace = spare.flows[spare.flows["flow"] < 4].groupby("time_s")["goodput_bps"].sum()
silent = trace[(trace.index > 4.01) & (trace < 1e6)]
lab.answer("outage_s", 0.2 * len(silent))
site = (goodput(spare, "a") - goodput(cut, "a")) / (goodput(before, "a") - goodput(cut, "a"))
everyone = (goodput(spare) - goodput(cut)) / (goodput(before) - goodput(cut))
lab.answer("saved", {"site": 100 * site, "all": 100 * everyone})
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "outage_s", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("outage_s")

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "saved", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("saved")

# %% [markdown]
# ## 8. The game
#
# Now both sides think. The defender can afford to guard *one* thing at site a: its fibre, or its
# servers. What is guarded cannot be harmed. The attacker can cut the fibre for `fibre_cost`, or
# destroy all four servers for four times `server_cost`. Every Mbit/s that the users lose is worth 1
# to the attacker and costs the defender 1. If the attack meets the guard, the attacker has paid for
# nothing.
#
# A table of what each player gains for every pair of choices is a **bimatrix game**. Yours has your
# measured losses in it.

# %%
loss_fibre = goodput(before) - goodput(cut)
loss_servers = goodput(before) - goodput(server_runs[3])
fibre_cost, servers_cost = lab.variant["fibre_cost"], 4 * lab.variant["server_cost"]
defender = [[0, -loss_servers], [-loss_fibre, 0]]
attacker = [[-fibre_cost, loss_servers - servers_cost], [loss_fibre - fibre_cost, -servers_cost]]
guards, attacks = ["guard fibre", "guard servers"], ["cut fibre", "destroy servers"]
who = ("Defender", "Attacker")
bimatrix_figure(defender, attacker, guards, attacks, players=who, tinted=False)

# %% [markdown]
# Go round the table: whatever the two do, one of them would rather have done the other thing. There
# is no pair of choices that both would keep. John Nash proved (1951) that there is always a pair of
# *mixtures* that both would keep: each player throws a coin with the right bias. It is an
# **equilibrium**: nobody gains by changing alone.
#
# **Task `guard_fibre`.** With which probability does the defender guard the fibre at the equilibrium?
# `bimatrix_equilibria(defender, attacker)` lists the equilibria; `.row` holds the probabilities of
# the rows. (Or find it by hand: the mixture that makes the attacker's two choices equally good.)

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_guard", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("guard_fibre", ...)
### BEGIN SOLUTION
equilibrium = bimatrix_equilibria(defender, attacker)[0]
lab.answer("guard_fibre", equilibrium.row[0])
print("the attacker cuts the fibre with probability", round(equilibrium.column[0], 3))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 3, "grade_id": "guard_fibre", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("guard_fibre")

# %% [markdown]
# Look at what each probability depends on. The *defender's* coin is set by the *attacker's* payoffs,
# and the attacker's coin by the defender's losses. A good guard keeps the attacker from having a
# favourite.
#
# ## 9. How much to spend
#
# A guard that cannot be beaten is a fiction. In a **contest** both sides spend: the defender $x$, the
# attacker $y$, and the system survives with probability
#
# $$P=\frac{x^m}{x^m+y^m}$$
#
# (Tullock's contest; the talk uses it). The steepness $m$ says how sharply the larger budget wins. The
# defender pays $(1-P)\,g_D + c_D\,x$ on average and wants that small; the attacker pays
# $P\,g_A+c_A\,y$. Take $g_D=g_A=$ your measured loss by the cut, $c_D=1$ and $c_A=$ `effort_cost`.
# `ratio_equilibrium` gives the point where neither can improve by a small change.
#
# Play it before you compute: on this board the defender loses 100, you win 50, and the computer answers
# each of your attacks with the best defence. Can you find an attack that neither of you would leave?

# %%
game_board()

# %% [markdown]
# **Task `survival`.** What is the survival probability of the fibre there for $m=1$?

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_survival", "schema_version": 3, "task": false, "cell_type": "code"}
# point = ratio_equilibrium(...)
### BEGIN SOLUTION
point = ratio_equilibrium(loss_fibre, loss_fibre, 1.0, lab.variant["effort_cost"], steepness=1.0)
lab.answer("survival", point.survival)
print(f"defence {point.defence:.2f}, attack {point.attack:.2f}: equilibrium {point.is_equilibrium}")
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "survival", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("survival")

# %%
from lab_tools.games import DefenceGame, payoff_surface

game = DefenceGame(loss_fibre, loss_fibre, (1.0,), (lab.variant["effort_cost"],))
grid = [loss_fibre * share for share in (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)]
payoff_figure(payoff_surface(game, grid, grid), point, unit="Mbit/s")

# %% [markdown]
# (The figure's colour is the defender's *utility*, the negative of what the defender pays: high is
# good.) Each curve is one player's best answer to the other's budget; they cross at the star. Did the size of
# the loss change the *probability*? Try another $g$. Only the ratio of the two sides' stakes per cost
# matters.
#
# Now make the contest steeper. At some $m$ one of the two does better by spending nothing at all: the
# crossing is then no equilibrium. `point.is_equilibrium` says so.
#
# **Task `steepness_limit`.** What is the largest steepness at which the crossing is still an
# equilibrium? Two digits after the point, rounded up or down. (By trial, or from the conditions in the
# docstring of `ratio_equilibrium`.)


# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_steepness", "schema_version": 3, "task": false, "cell_type": "code"}
# def holds(m): return ratio_equilibrium(..., steepness=m).is_equilibrium
### BEGIN SOLUTION
def holds(m):
    """Whether the crossing is an equilibrium at this steepness."""
    cost = lab.variant["effort_cost"]
    return ratio_equilibrium(loss_fibre, loss_fibre, 1.0, cost, m).is_equilibrium


lab.answer("steepness_limit", max(n / 1000 for n in range(500, 2500) if holds(n / 1000)))
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 2, "grade_id": "steepness_limit", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("steepness_limit")

# %% [markdown]
# ## 10. Read the source with care
#
# The talk's slide defines the two investments like this:
#
# > $x_i$: defender's investment in defending $S_i$; example: number of **reinforced** components of
# > $S_i$.
# > $y_i$: attacker's investment in attacking $S_i$; example: number of **reinforced** components of
# > $S_i$.
#
# **Task `deck_word`.** One of the two bold words is a slip of copying. What does an attacker do to
# components? Hand in the one word that should stand in its place.

# %% nbgrader={"grade": false, "solution": true, "locked": false, "grade_id": "say_word", "schema_version": 3, "task": false, "cell_type": "code"}
# lab.answer("deck_word", "...")
### BEGIN SOLUTION
lab.answer("deck_word", "attacked")
### END SOLUTION

# %% nbgrader={"grade": true, "solution": false, "locked": true, "points": 1, "grade_id": "deck_word", "schema_version": 3, "task": false, "cell_type": "code"}
lab.check("deck_word")

# %% [markdown]
# ## 11. What virtual time and the emulation hide
#
# Your servers never tire, and the routers found the other way after exactly one second because you
# said so. Real routing protocols take from milliseconds to minutes, and operators may have to do it
# by hand. What is real is TCP: its silence after the cut is the kernel's own timer, which doubles with
# every try (RFC 6298). The run repeats to the byte, so you can show it to others:

# %%
again = lab.run(attack("a-x", spare=True), fresh=True)
print("the same trace:", again.flows.equals(spare.flows))

# %% [markdown]
# ## 12. Explain (graded by a person, 6 points)
#
# In your own words, in 150 to 300 words and with numbers from your runs:
#
# 1. Why do the first servers cost the users little, and the later ones more than their share? Was your
#    prediction wrong, and which picture of the network was behind it?
# 2. The spare link gave site a something back. Who paid for it, and what would you build instead? Why
#    was site a silent for longer than the routers needed?
# 3. The sentence "one fibre equals all servers behind it" is true and still a bad guide for the
#    defender. Why? Use the game.

# %% [markdown] nbgrader={"grade": true, "solution": true, "locked": false, "points": 6, "grade_id": "explanation", "schema_version": 3, "task": false, "cell_type": "markdown"}
# 1. Site a's four servers want to send more than its fibre carries: the fibre is the bottleneck, not
#    the servers. When one server is gone the others take its share at once, and the users lose
#    nothing (0 % for the first). Two servers are half of them and cost 21 %, three cost 61 %. Only
#    when the rest want less than the fibre carries does a server count, and then it counts in full:
#    each of the last ones takes 39 % away. I had predicted half for half, as if each server owned a
#    quarter of the way.
# 2. The way through b is shared: b's fibre has only a little room beside its own two servers, and TCP
#    shares it among all flows, so b's users lost a part of what a's users got: 58 % came back for
#    site a, but only 21 % for all users together, the room that had been free. A spare link straight
#    to the exchange would help. Site a was silent for 1.8 s, not for 1 s, because TCP's timer doubles
#    with every try: the attempt after the routers were ready came late.
# 3. It says what is lost if nobody guards. If the defender always guards the fibre, the attacker takes
#    the servers and pays 8 instead of 6. At the equilibrium the defender guards the fibre in 55 of 100
#    cases, so that both attacks are equally good, and the mixture follows from the attacker's costs.

# %% [markdown]
# ## Before you hand in
#
# Restart the kernel and run all cells: your runs are kept, so it takes seconds. Then *Validate* and
# *Submit*, as in lab 00.
#
# ## Sources
#
# - N. S. V. Rao, "Some science aspects of wide-area data transport", talk, 2018: the sentence on
#   fibres and servers, the contest function, the slide of section 10.
# - N. S. V. Rao, C. Y. T. Ma, F. He, "Defense strategies for multi-site cloud computing server
#   infrastructures", ICDCN 2018: sites of servers behind a network as a game.
# - J. Nash, "Non-cooperative games", Annals of Mathematics 54, 1951: equilibria in mixtures.
# - G. Tullock, "Efficient rent seeking", 1980; S. Skaperdas, "Contest success functions", Economic
#   Theory 7, 1996: the contest.
# - V. Paxson, M. Allman, J. Chu, M. Sargent, "Computing TCP's retransmission timer", RFC 6298, 2011:
#   the timer that doubles.
