"""Checks of lab 16: every expected value is computed again from the student's own records."""

from lab_tools.errors import GradingError
from lab_tools.games import bimatrix_equilibria, ratio_equilibrium
from lab_tools.grading.judge import Result, Submission, task
from lab_tools.record import RunRecord

SERVERS = ("a1", "a2", "a3", "a4", "b1", "b2", "d1", "d2", "d3")
OF_SITE_A = SERVERS[:4]
SAMPLE_S = 0.2
#: Each tolerance is justified in the guide. All answers are exact functions of the records, so
#: there is room for rounding only.
RATIO_TOLERANCE = 0.01
PERCENT_TOLERANCE = 0.6
PROBABILITY_TOLERANCE = 0.005


def run(s: Submission, *targets: str, spare: bool = False) -> RunRecord:
    """Return the student's run of an attack on these targets, in the student's own variant."""
    for record in s.records.values():
        e = record.experiment
        if e.network is None or tuple(flow.source for flow in e.flows) != SERVERS:
            continue
        mine = (
            sorted(cut.what for cut in e.cuts) == sorted(targets)
            and any(link.name == "a-b" for link in e.network.links) == spare
            and e.path.rate_bps == s.variant["fibre_mbit"] * 1e6
            and e.flows[0].app_limit_bps == s.variant["server_mbit"] * 1e6
            and e.omit_s >= 8
        )
        if mine:
            return record
    what = " and ".join(targets) or "nothing"
    raise GradingError(
        f"there is no calibrated run of an attack on {what}"
        + (" with the spare link." if spare else ".")
    )


def goodput(record: RunRecord, sites: str = "abd") -> float:
    """Goodput from these sites' servers, in Mbit/s."""
    return sum(record.goodput_bps(n) for n, name in enumerate(SERVERS) if name[0] in sites) / 1e6


def kept(s: Submission) -> list[float]:
    """Goodput of site a with none to four of its servers destroyed, in Mbit/s."""
    return [goodput(run(s, *OF_SITE_A[:n]), "a") for n in range(5)]


def loss(s: Submission, *targets: str) -> float:
    """What all users lose by an attack, in Mbit/s."""
    return goodput(run(s)) - goodput(run(s, *targets))


def near(value: float, wanted: float, tolerance: float) -> bool:
    """Say whether a value is within a relative tolerance."""
    return abs(value - wanted) <= tolerance * abs(wanted)


@task("baseline_mbit", points=1)
def baseline_mbit(s: Submission) -> Result:
    """What all users get before the attack."""
    value, wanted = s.number("baseline_mbit"), goodput(run(s))
    if near(value, wanted, RATIO_TOLERANCE):
        return Result(1, "This is what your run delivered.")
    if near(value, wanted * 1e6, RATIO_TOLERANCE):
        return Result(0.5, "Right, in bit/s; the task wants Mbit/s.")
    return Result(0, "This is not the goodput of all three sites together.")


@task("free_servers", points=2)
def free_servers(s: Submission) -> Result:
    """Servers that can go without a loss of 5 %."""
    value, values = s.number("free_servers"), kept(s)
    wanted = max(n for n in range(5) if values[n] >= 0.95 * values[0])
    if value == wanted:
        return Result(2, "This is what your five runs show.")
    if value == wanted + 1:
        return Result(1, "One too many: that is the first one that the users notice.")
    return Result(0, "Compare each of your runs with 95 % of the first.")


@task("half_percent", points=2)
def half_percent(s: Submission) -> Result:
    """Loss of site a with half of its servers, in percent."""
    value, values = s.number("half_percent"), kept(s)
    return percentage(value, 100 * (1 - values[2] / values[0]), 2)


def percentage(value: float, wanted: float, points: float) -> Result:
    """Score a loss in percent; the fraction, or what is kept, earns half."""
    if abs(value - wanted) <= PERCENT_TOLERANCE:
        return Result(points, "This is what your runs show.")
    if abs(100 * value - wanted) <= PERCENT_TOLERANCE:
        return Result(points / 2, "That is the fraction; the task wants percent.")
    if abs(100 - value - wanted) <= PERCENT_TOLERANCE:
        return Result(points / 2, "That is what is kept; the task wants what is lost.")
    return Result(0, "This is not what your runs show.")


@task("fibre_equals", points=2)
def fibre_equals(s: Submission) -> Result:
    """Loss of site a by its fibre over the loss by all of its servers."""
    value, before = s.number("fibre_equals"), goodput(run(s), "a")
    by_fibre = before - goodput(run(s, "a-x"), "a")
    by_servers = before - goodput(run(s, *OF_SITE_A), "a")
    if near(value, by_fibre / by_servers, RATIO_TOLERANCE):
        return Result(2, "This is the ratio of your two losses.")
    return Result(0, "Divide what site a lost by one attack by what it lost by the other.")


@task("server_price", points=2)
def server_price(s: Submission) -> Result:
    """Least cost of taking half of site a's goodput away, by servers alone."""
    value, values, cost = s.number("server_price"), kept(s), s.variant["server_cost"]
    enough = min(n for n in range(5) if values[n] <= 0.5 * values[0])
    if near(value, enough * cost, RATIO_TOLERANCE):
        return Result(2, "This is the cheapest of your four attacks that is enough.")
    if near(value, enough, RATIO_TOLERANCE):
        return Result(1, "That is the number of servers; the task wants their price.")
    if near(value, 2 * cost, RATIO_TOLERANCE):
        return Result(
            0.5, "That is the price of half of the servers. Are they half of the goodput?"
        )
    return Result(0, "Which of your runs lost at least half, and what did it cost?")


@task("outage_s", points=2)
def outage_s(s: Submission) -> Result:
    """How long site a was silent after the cut, with the spare link."""
    value, flows = s.number("outage_s"), run(s, "a-x", spare=True).flows
    trace = flows[flows["flow"] < 4].groupby("time_s")["goodput_bps"].sum()
    wanted = SAMPLE_S * int(((trace.index > 4.01) & (trace < 1e6)).sum())
    if abs(value - wanted) <= SAMPLE_S + 1e-9:
        return Result(2, "This is how long your trace is silent.")
    if abs(value - 1.0) < 0.01:
        return Result(0.5, "That is how long the routers took. Look at the trace.")
    if abs(value - wanted / SAMPLE_S) <= 1:
        return Result(1, "That is the number of samples; the task wants seconds.")
    return Result(0, "Count the samples after 4 s that lie below 1 Mbit/s.")


@task("saved", points=3)
def saved(s: Submission) -> Result:
    """What the spare link gives back: one point for site a, two for all."""
    answer = s.answers.get("saved")
    if not isinstance(answer, dict):
        raise GradingError('the answer is no dictionary {"site": …, "all": …}.')
    runs = run(s), run(s, "a-x"), run(s, "a-x", spare=True)
    score, words = 0.0, []
    for name, sites, points in (("site", "a", 1), ("all", "abd", 2)):
        before, cut, spare = (goodput(record, sites) for record in runs)
        wanted, value = 100 * (spare - cut) / (before - cut), answer.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            words.append(f"{name}: no number.")
            continue
        result = percentage(float(value), wanted, points)
        score += result.score
        words.append(f"{name}: {result.message}")
    return Result(score, " ".join(words))


@task("guard_fibre", points=3)
def guard_fibre(s: Submission) -> Result:
    """Probability of guarding the fibre at the equilibrium."""
    value = s.number("guard_fibre")
    by_fibre, by_servers = loss(s, "a-x"), loss(s, *OF_SITE_A)
    cut, destroy = s.variant["fibre_cost"], 4 * s.variant["server_cost"]
    defender = [[0, -by_servers], [-by_fibre, 0]]
    attacker = [[-cut, by_servers - destroy], [by_fibre - cut, -destroy]]
    found = bimatrix_equilibria(defender, attacker)
    if any(abs(value - each.row[0]) <= PROBABILITY_TOLERANCE for each in found):
        return Result(3, "At this mixture the attacker has no favourite.")
    if any(abs(value - each.row[1]) <= PROBABILITY_TOLERANCE for each in found):
        return Result(1, "That is the probability of guarding the servers.")
    if any(abs(value - each.column[0]) <= PROBABILITY_TOLERANCE for each in found):
        return Result(1, "That is the attacker's mixture; the task wants the defender's.")
    return Result(0, "Find the mixture that makes the attacker's two choices equally good.")


@task("survival", points=2)
def survival(s: Submission) -> Result:
    """Survival probability of the contest at steepness 1."""
    value, stake = s.number("survival"), loss(s, "a-x")
    point = ratio_equilibrium(stake, stake, 1.0, s.variant["effort_cost"])
    if abs(value - point.survival) <= PROBABILITY_TOLERANCE:
        return Result(2, "This is the survival probability where both stop improving.")
    if abs(1 - value - point.survival) <= PROBABILITY_TOLERANCE:
        return Result(1, "That is the probability that it fails.")
    return Result(0, "Use your measured loss for both gains, and your effort_cost for c_A.")


@task("steepness_limit", points=2)
def steepness_limit(s: Submission) -> Result:
    """Largest steepness with an equilibrium: m P = 1 or m (1 - P) = 1 there."""
    value, stake = s.number("steepness_limit"), loss(s, "a-x")

    def holds(m: float) -> bool:
        return ratio_equilibrium(stake, stake, 1.0, s.variant["effort_cost"], m).is_equilibrium

    if value > 0.02 and holds(value - 0.01) and not holds(value + 0.01):
        return Result(2, "Above it one of the two had better spend nothing.")
    if value > 0.2 and holds(value - 0.1) and not holds(value + 0.1):
        return Result(1, "Near; the task wants two digits after the point.")
    return Result(0, "Try larger and smaller values of the steepness.")


@task("deck_word", points=1)
def deck_word(s: Submission) -> Result:
    """The attacker's investment counts attacked components."""
    value = s.answers.get("deck_word")
    if not isinstance(value, str):
        raise GradingError("the answer is no text.")
    if value.strip().strip(".\"'").lower() in ("attacked", "targeted"):
        return Result(1, "Right: an attacker reinforces nothing.")
    return Result(0, "What does an attacker do to a component?")
