"""Plausible wrong submissions of lab 04: what a mistake makes of the worked answers.

`WRONG` pairs a function, from the worked copy's answers to changed ones, with the points that are
expected for the tasks it touches; every other task keeps full marks.
"""

from typing import Any

Answers = dict[str, Any]


def each(answers: Answers, task: str, change: Any) -> Answers:
    """Change every number of an answer that is a dictionary."""
    return answers | {task: {name: change(value) for name, value in answers[task].items()}}


def given_up_for_left(answers: Answers) -> Answers:
    """Hand in the share of the window that was lost."""
    changed = each(answers, "decrease", lambda value: 1 - value)
    return changed | {"htcp_backoff": 1 - answers["htcp_backoff"]}


def textbook_half(answers: Answers) -> Answers:
    """Believe that everybody halves the window."""
    return each(answers, "decrease", lambda value: 0.5)


def fractions_for_per_cent(answers: Answers) -> Answers:
    """Mix up fractions and per cent."""
    kept = each(answers, "kept", lambda value: value / 100)
    growth = answers["growth"] | {"scalable": answers["growth"]["scalable"] / 100}
    return kept | {"growth": growth}


def round_trips_for_seconds(answers: Answers) -> Answers:
    """Count recovery in round trips of the empty path."""
    return each(answers, "recovery", lambda value: value / 0.082)


def axes_exchanged(answers: Answers) -> Answers:
    """Fit the window over the time."""
    return each(answers, "scaling", lambda value: 1 / value)


def time_from_the_start(answers: Answers) -> Answers:
    """Answer with numbers of another kind: a whole window, milliseconds, two runs exchanged."""
    limit = {"holds": answers["bbr_limit"]["breaks"], "breaks": answers["bbr_limit"]["holds"]}
    vegas = answers["vegas"] | {"rate": answers["vegas"]["rate"] / 1000}
    return answers | {"bbr_limit": limit, "vegas": vegas}


def what_the_rfc_says(answers: Answers) -> Answers:
    """Hand in the RFC's growth for the measured one, and only a part of a dictionary."""
    hstcp = {"measured": answers["hstcp"]["rfc"], "rfc": answers["hstcp"]["rfc"]}
    return answers | {"hstcp": hstcp, "cubic": {"C": answers["cubic"]["C"]}, "kept": 7}


WRONG = [
    (given_up_for_left, {"decrease": 1.8, "htcp_backoff": 0.5}),
    (textbook_half, {"decrease": 0.6}),
    (fractions_for_per_cent, {"kept": 1, "growth": 1.5}),
    (round_trips_for_seconds, {"recovery": 1.5}),
    (axes_exchanged, {"scaling": 1.5}),
    (time_from_the_start, {"bbr_limit": 1, "vegas": 1.5}),
    (what_the_rfc_says, {"hstcp": 1, "cubic": 1, "kept": 0}),
]
