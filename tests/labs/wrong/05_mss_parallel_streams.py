"""Plausible wrong submissions of lab 05: what a mistake makes of the worked answers.

`WRONG` pairs a function, from the worked copy's answers to changed ones, with the points that are
expected for the tasks it touches; every other task keeps full marks.
"""

from typing import Any

Answers = dict[str, Any]


def upside_down(answers: Answers) -> Answers:
    """Divide one by ten streams, and peace by race."""
    return answers | {
        "published": {cc: 1 / value for cc, value in answers["published"].items()},
        "clean": {name: 1 / value for name, value in answers["clean"].items()},
        "arms_race": 1 / answers["arms_race"],
    }


def units_mixed_up(answers: Answers) -> Answers:
    """Fractions for percent, and percent for a fraction."""
    return answers | {
        "share": {name: value / 100 for name, value in answers["share"].items()},
        "bbr_price": answers["bbr_price"] / 100,
        "deck_loss": 100 * answers["deck_loss"],
    }


def believed_the_decks(answers: Answers) -> Answers:
    """Did not measure: segments six times as large, a goodput of each stream alone, eight streams."""
    return answers | {
        "segments": {"ratio": 6, "gain": 6},
        "hacker": answers["hacker"] - 1,
        "slower": {"reno": 2, "bbr": 4},
        "peak": answers["peak"] | {"measured": 14},
    }


def one_stream_for_eight(answers: Answers) -> Answers:
    """Let one stream carry all of the deck's rate, and hand in a run that does not exist."""
    return answers | {"deck_loss": answers["deck_loss"] / 64, "buffer_run": "f" * 64}


WRONG = [
    # With the deep buffer the gain is 1.00, upside down too.
    (upside_down, {"published": 0, "clean": 1, "arms_race": 0}),
    (units_mixed_up, {"share": 0, "bbr_price": 0, "deck_loss": 1}),
    (believed_the_decks, {"segments": 0, "hacker": 1, "slower": 0, "peak": 2}),
    (one_stream_for_eight, {"deck_loss": 1, "buffer_run": 0}),
]
