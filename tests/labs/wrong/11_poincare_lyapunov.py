"""Plausible wrong submissions of lab 11: what a mistake makes of the worked answers.

`WRONG` pairs a function, from the worked copy's answers to changed ones, with the points that are
expected for the tasks it touches; every other task keeps full marks.
"""

from typing import Any

Answers = dict[str, Any]


def other_units(answers: Answers) -> Answers:
    """Hand in exponents per sample, the slope 2H, and a share in percent."""
    logistic = answers["logistic"]
    share = 100 * logistic["negative_share"]
    return answers | {
        "exponents": {name: value / 2 for name, value in answers["exponents"].items()},
        "diffusion": {name: 2 * value for name, value in answers["diffusion"].items()},
        "logistic": logistic | {"negative_share": share},
    }


def signs_turned(answers: Answers) -> Answers:
    """Mix up the signs of the correlations and of the bulge, and forget the shuffle."""
    return answers | {
        "claim": -answers["claim"],
        "shuffled": answers["claim"],
        "bulge": {n: -value for n, value in answers["bulge"].items()},
    }


def believed_the_slide(answers: Answers) -> Answers:
    """Did not measure: what is positive is chaotic, and noise has no exponent."""
    return answers | {
        "one_step": answers["one_step"] | {"noise": 0.0},
        "gaps": {"logistic": 0.69, "noise": 0.0},
        "verdicts": {name: "chaotic" for name in answers["verdicts"]},
        "forecast": {name: 1.0 for name in answers["forecast"]},
    }


WRONG = [
    # far_1 and walk are near one half; clean_8 is near 0, where twice the value is nearly the same.
    (other_units, {"exponents": 1.5, "diffusion": 2 / 3, "logistic": 2.5}),
    # The flat profile of eight streams has no bulge, whatever its sign.
    (signs_turned, {"claim": 1, "shuffled": 0, "bulge": 1.5}),
    (believed_the_slide, {"one_step": 1, "gaps": 0, "verdicts": 2 * (1 - 5 / 6), "forecast": 0}),
]
