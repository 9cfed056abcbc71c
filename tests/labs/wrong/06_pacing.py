"""Plausible wrong submissions of lab 06: what a mistake makes of the worked answers.

`WRONG` pairs a function, from the worked copy's answers to changed ones, with the points that are
expected for the tasks it touches; every other task keeps full marks.
"""

from typing import Any

Answers = dict[str, Any]

#: The router's rate in the worked copy's variant.
RATE_BPS = 250e6
PERCENT = ("unpaced_percent", "start_percent", "payload_percent", "bbr_drop_percent")
RATIOS = ("paced_gain", "burst_of_buffer", "burst_ratio", "ca_ratio", "segments_per_drop")


def fractions(answers: Answers) -> Answers:
    """Hand in fractions where percent is wanted."""
    return answers | {name: answers[name] / 100 for name in PERCENT}


def upside_down(answers: Answers) -> Answers:
    """Divide the wrong way round."""
    return answers | {name: 1 / answers[name] for name in RATIOS}


def exactly_the_rate(answers: Answers) -> Answers:
    """Expect the edge at the router's rate: hand in runs of the ladder, both with drops."""
    return answers | {"threshold": [0.97 * RATE_BPS, RATE_BPS], "payload_percent": 100.0}


def coarse_bracket(answers: Answers) -> Answers:
    """Stop at the ladder's own two rates around the edge."""
    return answers | {"threshold": [0.95 * RATE_BPS, 0.97 * RATE_BPS]}


def forgotten_headers(answers: Answers) -> Answers:
    """Forget that the router counts the Ethernet header; take bytes for bits in the slope."""
    return answers | {"payload_percent": 100 * 1448 / 1500, "quantum_ms": answers["quantum_ms"] / 8}


def rates_in_mbit(answers: Answers) -> Answers:
    """Hand in the edge in Mbit/s, and the slope in seconds."""
    return answers | {
        "threshold": [rate / 1e6 for rate in answers["threshold"]],
        "quantum_ms": answers["quantum_ms"] / 1000,
    }


WRONG = [
    (
        fractions,
        {"unpaced_percent": 1, "start_percent": 0.5, "payload_percent": 1, "bbr_drop_percent": 0.5},
    ),
    (
        upside_down,
        {
            "paced_gain": 1,
            "burst_of_buffer": 1,
            "burst_ratio": 1,
            "ca_ratio": 1,
            "segments_per_drop": 1,
        },
    ),
    (exactly_the_rate, {"threshold": 0, "payload_percent": 0}),
    (coarse_bracket, {"threshold": 2}),
    (forgotten_headers, {"payload_percent": 1, "quantum_ms": 1}),
    (rates_in_mbit, {"threshold": 0, "quantum_ms": 1}),
]
