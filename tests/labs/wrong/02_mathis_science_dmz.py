"""Plausible wrong submissions of lab 02: what a mistake makes of the worked answers.

`WRONG` pairs a function, from the worked copy's answers to changed ones, with the points that are
expected for the tasks it touches; every other task keeps full marks.
"""

from typing import Any

Answers = dict[str, Any]


def sign_flipped(answers: Answers) -> Answers:
    """Fit the right slope and lose its sign."""
    return answers | {name: -answers[name] for name in ("loss_exponent", "rtt_exponent")}


def percent_for_fraction(answers: Answers) -> Answers:
    """Mix up percentages and fractions, each way."""
    return answers | {
        "kept_percent": answers["kept_percent"] / 100,
        "deck_percent": answers["deck_percent"] / 100,
        "loss_budget": answers["loss_budget"] * 100,
    }


def bits_in_the_constant(answers: Answers) -> Answers:
    """Divide bits by bytes, in the constant and again in the budget."""
    return answers | {
        "constant": 8 * answers["constant"],
        "loss_budget": 64 * answers["loss_budget"],
    }


def mtu_for_mss(answers: Answers) -> Answers:
    """Take a packet's 1500 bytes for its payload."""
    return answers | {"constant": answers["constant"] * 1448 / 1500}


def upside_down(answers: Answers) -> Answers:
    """Divide the wrong way round."""
    return answers | {
        "mss_gain": 1 / answers["mss_gain"],
        "firewall": 1 / answers["firewall"],
        "pftk": {name: 1 / value for name, value in answers["pftk"].items()},
    }


def all_streams_together(answers: Answers) -> Answers:
    """Hand in the goodput of eight streams for that of one, and a run that does not exist."""
    return answers | {"kept_percent": 8 * answers["kept_percent"], "budget_run": "f" * 64}


WRONG = [
    (sign_flipped, {"loss_exponent": 1, "rtt_exponent": 1}),
    (percent_for_fraction, {"kept_percent": 1, "deck_percent": 0, "loss_budget": 1}),
    (bits_in_the_constant, {"constant": 1, "loss_budget": 1}),
    (mtu_for_mss, {"constant": 2}),
    (upside_down, {"mss_gain": 1, "firewall": 1, "pftk": 0}),
    (all_streams_together, {"kept_percent": 1, "budget_run": 0}),
]
