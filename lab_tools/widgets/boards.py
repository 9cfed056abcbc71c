"""What a board knows of a game: the attacker's controls, the defender's answer, the payoffs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import plotly.graph_objects as go


@dataclass(frozen=True)
class Round:
    """One round: the attack, the defender's best answer to it, and what both get.

    Parameters
    ----------
    attack, defence : in words.
    attacker, defender : what each gets.
    possible : what the attacker's best attack on this defence would get.
    settled : whether neither player wants to change.
    why : the same in words.
    """

    attack: str
    defence: str
    attacker: float
    defender: float
    possible: float
    settled: bool
    why: str


class Board(Protocol):
    """One kind of game, as a board sees it."""

    #: Names of the attacker's sliders, the values of their steps, and the unit.
    controls: tuple[str, ...]
    steps: tuple[float, ...]
    #: What the sliders say, and what is paid: "cost" (players minimise) or "payoff" (maximise).
    unit: str
    stake: str
    rules: str

    def play(self, values: Sequence[float]) -> Round:
        """Return the round of an attack."""

    def solution(self) -> str:
        """Say where the equilibrium is."""

    def picture(self, played: Sequence[Sequence[float]]) -> go.Figure:
        """Draw the equilibrium, and the attacks that were played where that can be seen."""


def amounts(names: Sequence[str], values: Iterable[float]) -> str:
    """Return names and numbers in one line.

    >>> amounts(["a", "b"], [1.0, 2.5])
    'a 1, b 2.5'
    """
    return ", ".join(
        f"{name} {amount(value)}".strip() for name, value in zip(names, values, strict=True)
    )


def wish(stake: str, possible: float) -> str:
    """Say that the attacker would rather have done something else."""
    return (
        f"Another attack on this defence would have brought you a {stake} of {amount(possible)}: "
        "you want to change."
    )


def amount(value: float) -> str:
    """Return a number in short; what is next to nothing is 0.

    >>> amount(4.4e-10), amount(44.4444)
    ('0', '44.44')
    """
    return f"{0.0 if abs(value) < 5e-7 else value:.4g}"
