"""Plausible wrong submissions of lab 00: what a mistake makes of the worked answers.

`WRONG` pairs a function, from the worked copy's answers to changed ones, with the points that are
expected for the tasks it touches; every other task keeps full marks.
"""

from typing import Any

Answers = dict[str, Any]


def bits_for_bytes(answers: Answers) -> Answers:
    """Forget that a byte has eight bits."""
    return answers | {
        "bdp_bytes": 8 * answers["bdp_bytes"],
        "goodput_mbit": answers["goodput_mbit"] / 8,
        "window_mbit": answers["window_mbit"] / 8,
    }


def seconds_for_milliseconds(answers: Answers) -> Answers:
    """Hand in times in seconds."""
    return answers | {
        "rtt_ms": answers["rtt_ms"] / 1000,
        "loaded_rtt_ms": answers["loaded_rtt_ms"] / 1000,
    }


def looked_at_the_wrong_line(answers: Answers) -> Answers:
    """Read the control connection, a port without a queue, and the idle ping."""
    return answers | {"cwnd": 10, "drops": 0, "loaded_rtt_ms": answers["rtt_ms"]}


def copied_from_a_neighbour(answers: Answers) -> Answers:
    """Hand in what somebody with another path has measured."""
    return answers | {
        "rtt_ms": answers["rtt_ms"] + 10,
        "bdp_bytes": 1.2 * answers["bdp_bytes"],
        "goodput_mbit": 0.8 * answers["goodput_mbit"],
        "window_mbit": 0.8 * answers["window_mbit"],
        "window_run": "0" * 64,
    }


WRONG = [
    (bits_for_bytes, {"bdp_bytes": 1, "goodput_mbit": 1, "window_mbit": 1}),
    (seconds_for_milliseconds, {"rtt_ms": 0.5, "loaded_rtt_ms": 0}),
    (looked_at_the_wrong_line, {"cwnd": 0, "drops": 0, "loaded_rtt_ms": 1}),
    (
        copied_from_a_neighbour,
        {"rtt_ms": 0, "bdp_bytes": 0, "goodput_mbit": 0, "window_mbit": 0, "window_run": 0},
    ),
]
