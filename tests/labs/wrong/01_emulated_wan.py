"""Plausible wrong submissions of lab 01: what a mistake makes of the worked answers.

`WRONG` pairs a function, from the worked copy's answers to changed ones, with the points that are
expected for the tasks it touches; every other task keeps full marks.
"""

from typing import Any

Answers = dict[str, Any]


def change(answers: Answers, task: str, **values: Any) -> Answers:
    """Change some numbers of an answer that is a dictionary."""
    return answers | {task: answers[task] | values}


def spread_for_error(answers: Answers) -> Answers:
    """Take the spread of single pings for the error of the mean, and that for the spread's own."""
    wrong = change(answers, "delay", error=answers["jitter"]["std"])
    return change(wrong, "jitter", error=answers["delay"]["error"])


def what_was_asked_for(answers: Answers) -> Answers:
    """Hand in the requested values as if they had been measured."""
    wrong = change(answers, "loss", percent=1.0)
    wrong = change(wrong, "duplicates", percent=5.0)
    return change(wrong, "reordering", early=2.5, reordered=2.5)


def fractions_for_per_cent(answers: Answers) -> Answers:
    """Mix up fractions and per cent."""
    wrong = answers
    for task, names in {"loss": ("percent", "error"), "duplicates": ("percent", "kept")}.items():
        wrong = change(wrong, task, **{name: wrong[task][name] / 100 for name in names})
    return wrong


def headers_forgotten(answers: Answers) -> Answers:
    """Forget ping's headers in the MTU and Ethernet's in the rate, and leave the BDP in bits."""
    wrong = change(answers, "mtu", mtu=answers["mtu"]["payload"])
    rate = answers["rate"]["rate"] * 1400 / 1414
    return change(wrong, "rate", rate=rate, bdp=8 * answers["rate"]["bdp"])


def error_falls_with_n(answers: Answers) -> Answers:
    """Believe that ten times the packets give a tenth of the error."""
    return answers | {"packets_needed": 1000}


def resent_for_lost(answers: Answers) -> Answers:
    """Take every packet that was sent again for a lost one; leave one number out."""
    cost = dict(answers["jitter_cost"])
    cost["lost"] = cost["resent"]
    del cost["left"]
    return answers | {"jitter_cost": cost, "reordering": 17}


WRONG = [
    (spread_for_error, {"delay": 1.5, "jitter": 1.5}),
    (what_was_asked_for, {"loss": 1, "duplicates": 1, "reordering": 0}),
    (fractions_for_per_cent, {"loss": 1, "duplicates": 1}),
    (headers_forgotten, {"mtu": 1.5, "rate": 2}),
    (error_falls_with_n, {"packets_needed": 1}),
    (resent_for_lost, {"jitter_cost": 2, "reordering": 0}),
]
