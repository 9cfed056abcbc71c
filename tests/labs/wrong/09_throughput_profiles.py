"""Plausible wrong submissions of lab 09: what a mistake makes of the worked answers.

`WRONG` pairs a function, from the worked copy's answers to changed ones, with the points that are
expected for the tasks it touches; every other task keeps full marks.
"""

from typing import Any

Answers = dict[str, Any]


def units_mixed_up(answers: Answers) -> Answers:
    """Hand in bit/s for Gbit/s, seconds for milliseconds, bits for bytes."""
    return answers | {
        "means": {key: value * 1e9 for key, value in answers["means"].items()},
        "transition_ms": answers["transition_ms"] / 1000,
        "window_kb": answers["window_kb"] * 8,
    }


def upside_down(answers: Answers) -> Answers:
    """Divide the wrong way round, and turn the sign of the gap."""
    return answers | {
        "gaps": {key: -value for key, value in answers["gaps"].items()},
        "model_ratio": {key: 1 / value for key, value in answers["model_ratio"].items()},
        "stream_gain": 1 / answers["stream_gain"],
    }


def believed_the_slides(answers: Answers) -> Answers:
    """Did not measure: the whole buffer is used, the slide is right, the profile is convex."""
    return answers | {
        "verdict": "convex",
        "window_kb": 250,
        "deck_sent": 2**2.5 * 1024,
        "coefficients": {"one": 0.75, "ten": answers["coefficients"]["ten"]},
    }


WRONG = [
    (units_mixed_up, {"means": 1.5, "transition_ms": 1, "window_kb": 1}),
    (upside_down, {"gaps": 1, "model_ratio": 1, "stream_gain": 1}),
    (believed_the_slides, {"verdict": 0, "window_kb": 0, "deck_sent": 0, "coefficients": 1}),
]
