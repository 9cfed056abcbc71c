"""Plausible wrong submissions of lab 16: what a mistake makes of the worked answers.

`WRONG` pairs a function, from the worked copy's answers to changed ones, with the points that are
expected for the tasks it touches; every other task keeps full marks.
"""

from typing import Any

Answers = dict[str, Any]


def believed_in_equal_shares(answers: Answers) -> Answers:
    """Did not measure: half of the servers are half of the goodput, a spare link heals it all."""
    return answers | {
        "free_servers": 0,
        "half_percent": 50,
        "server_price": 4,
        "outage_s": 1.0,
        "saved": {"site": 100, "all": 100},
    }


def fraction_for_percent(answers: Answers) -> Answers:
    """Hand in fractions, and bit/s."""
    saved = {name: value / 100 for name, value in answers["saved"].items()}
    return answers | {
        "baseline_mbit": answers["baseline_mbit"] * 1e6,
        "half_percent": answers["half_percent"] / 100,
        "saved": saved,
    }


def the_other_players_mixture(answers: Answers) -> Answers:
    """Read the wrong line of the equilibrium, and the failure for the survival."""
    return answers | {
        "guard_fibre": 1 - answers["guard_fibre"],
        "survival": 1 - answers["survival"],
        "steepness_limit": answers["steepness_limit"] + 0.05,
        "deck_word": "reinforced",
    }


def kept_for_lost(answers: Answers) -> Answers:
    """Hand in what is kept where the task wants what is lost, and counts for their prices."""
    return answers | {
        "half_percent": 100 - answers["half_percent"],
        "server_price": 3,
        "free_servers": answers["free_servers"] + 1,
        "outage_s": answers["outage_s"] * 5,
    }


WRONG = [
    (
        believed_in_equal_shares,
        {
            "free_servers": 0,
            "half_percent": 0,
            "server_price": 0.5,
            "outage_s": 0.5,
            "saved": 0,
        },
    ),
    (fraction_for_percent, {"baseline_mbit": 0.5, "half_percent": 1, "saved": 1.5}),
    (
        the_other_players_mixture,
        {"guard_fibre": 1, "survival": 1, "steepness_limit": 1, "deck_word": 0},
    ),
    (
        kept_for_lost,
        {"half_percent": 1, "server_price": 1, "free_servers": 1, "outage_s": 1},
    ),
]
