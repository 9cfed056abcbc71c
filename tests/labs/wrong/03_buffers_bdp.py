"""Plausible wrong submissions of lab 03: what a mistake makes of the worked answers.

`WRONG` pairs a function, from the worked copy's answers to changed ones, with the points that are
expected for the tasks it touches; every other task keeps full marks.
"""

from typing import Any

Answers = dict[str, Any]

#: 1448 bytes of data in a frame of 1514.
DATA_SHARE = 1448 / 1514


def buffer_for_window(answers: Answers) -> Answers:
    """Take the whole receive buffer for the window."""
    return answers | {"window_share": 1.0, "knee_ms": 2 * answers["knee_ms"]}


def raw_rate(answers: Answers) -> Answers:
    """Forget the headers, once in the knee and once in the utilisation of Reno."""
    model = [0.75 * (1 + b) ** 2 / (1 + b + b**2) for b in (0.1, 0.25, 0.5, 1.0)]
    gaps = answers["reno_buffers"]["gaps"]
    raw = [
        100 * ((gap / 100 + one) * DATA_SHARE - one) for gap, one in zip(gaps, model, strict=True)
    ]
    return answers | {
        "knee_ms": answers["knee_ms"] * DATA_SHARE,
        "reno_buffers": answers["reno_buffers"] | {"gaps": raw},
    }


def as_the_first_slide_says(answers: Answers) -> Answers:
    """Call the limited region concave, and put the chord's height in the middle."""
    return answers | {"chord": {"ratio": 0.8, "shape": "concave"}}


def the_colleague_is_right(answers: Answers) -> Answers:
    """Believe that doubling the receive buffer doubles the rate, as far as one can."""
    return answers | {
        "who_limits": {"equal": "receive", "doubled": "receive", "gain": 2.0},
        "asked": answers["asked"] | {"kept": answers["asked"]["kept"] // 2},
    }


def upside_down(answers: Answers) -> Answers:
    """Divide and subtract the wrong way round."""
    limits, asked, reno = answers["who_limits"], answers["asked"], answers["reno_buffers"]
    return answers | {
        "window_share": 1 / answers["window_share"],
        "who_limits": limits | {"gain": 1 / limits["gain"]},
        "asked": asked | {"gain": 1 / asked["gain"]},
        "reno_buffers": reno | {"gaps": [-gap for gap in reno["gaps"]]},
    }


def increase_for_multiple(answers: Answers) -> Answers:
    """Hand in by how much more, not how many times."""
    bloat = answers["bloat"]
    return answers | {"bloat": {"factor": bloat["factor"] - 1, "gain": bloat["gain"] - 1}}


def bits_for_bytes(answers: Answers) -> Answers:
    """Buy eight times the memory, and prove another run than the task's."""
    return answers | {
        "backbone_buffer": 8 * answers["backbone_buffer"],
        "backbone_run": answers["pacific_run"],
        "pacific_run": "f" * 64,
    }


WRONG = [
    (buffer_for_window, {"window_share": 0, "knee_ms": 1}),
    (raw_rate, {"knee_ms": 2, "reno_buffers": 2}),
    (as_the_first_slide_says, {"chord": 0}),
    (the_colleague_is_right, {"who_limits": 0.5, "asked": 1}),
    (upside_down, {"window_share": 1, "who_limits": 1.5, "asked": 1.5, "reno_buffers": 3}),
    (increase_for_multiple, {"bloat": 1}),
    (bits_for_bytes, {"backbone_buffer": 0.5, "backbone_run": 0, "pacific_run": 0}),
]
