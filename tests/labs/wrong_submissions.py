"""Plausible wrong submissions: what a mistake makes of the worked answers, and what it scores.

``WRONG[lab]`` lists pairs of a function, from the worked copy's answers to changed ones, and the
points that are expected for the tasks it touches; every other task keeps full marks.
"""

from collections.abc import Callable
from typing import Any

Answers = dict[str, Any]
Mistake = Callable[[Answers], Answers]


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


WRONG: dict[str, list[tuple[Mistake, dict[str, float]]]] = {
    "00_start_here": [
        (bits_for_bytes, {"bdp_bytes": 1, "goodput_mbit": 1, "window_mbit": 1}),
        (seconds_for_milliseconds, {"rtt_ms": 0.5, "loaded_rtt_ms": 0}),
        (looked_at_the_wrong_line, {"cwnd": 0, "drops": 0, "loaded_rtt_ms": 1}),
        (
            copied_from_a_neighbour,
            {"rtt_ms": 0, "bdp_bytes": 0, "goodput_mbit": 0, "window_mbit": 0, "window_run": 0},
        ),
    ],
    "02_mathis_science_dmz": [
        (sign_flipped, {"loss_exponent": 1, "rtt_exponent": 1}),
        (percent_for_fraction, {"kept_percent": 1, "deck_percent": 0, "loss_budget": 1}),
        (bits_in_the_constant, {"constant": 1, "loss_budget": 1}),
        (mtu_for_mss, {"constant": 2}),
        (upside_down, {"mss_gain": 1, "firewall": 1, "pftk": 0}),
        (all_streams_together, {"kept_percent": 1, "budget_run": 0}),
    ],
}
