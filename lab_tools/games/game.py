"""A defence game as one value: the systems, the stakes, the prices."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector
from lab_tools.errors import DataError, UnknownNameError
from lab_tools.games.contest import offset_survival, ratio_survival
from lab_tools.games.structure import series_survival
from lab_tools.games.utility import (
    product_attacker,
    product_defender,
    sum_attacker,
    sum_defender,
)


@dataclass(frozen=True)
class DefenceGame:
    """A provider and an attacker who invest in N systems with linear costs.

    Parameters
    ----------
    defender_gain, attacker_gain : g_D and g_A, above 0 (the product form does not use them).
    defender_costs, attacker_costs : price of a unit of investment in each system, above 0.
    infrastructure : turns the survival of the systems, shape (n,), into P_I: `series_survival`,
        `parallel_survival`, or any function into [0, 1].
    steepness : m of the ratio contests, above 0.
    offset : xi; above 0 selects the offset contest (whose steepness is 1).
    form : "sum" or "product".
    defender_base_cost, attacker_base_cost : costs that are there without any investment.

    Raises
    ------
    InputError, DataError : a value out of range; costs of different lengths; an unknown form; a
        steepness other than 1 together with an offset.

    >>> DefenceGame(100, 50, (1.0, 1.0), (1.0, 1.0)).systems
    2
    """

    defender_gain: float
    attacker_gain: float
    defender_costs: tuple[float, ...]
    attacker_costs: tuple[float, ...]
    infrastructure: Callable[[FloatArray], float] = series_survival
    steepness: float = 1.0
    offset: float = 0.0
    form: Literal["sum", "product"] = "sum"
    defender_base_cost: float = 0.0
    attacker_base_cost: float = 0.0

    def __post_init__(self) -> None:
        number("defender_gain", self.defender_gain, above=0)
        number("attacker_gain", self.attacker_gain, above=0)
        costs = vector("defender_costs", self.defender_costs, positive=True)
        vector("attacker_costs", self.attacker_costs, positive=True, length=costs.size)
        number("steepness", self.steepness, above=0)
        number("offset", self.offset, low=0)
        if self.offset > 0:
            number("steepness", self.steepness, low=1, high=1)
        if self.form not in ("sum", "product"):
            raise UnknownNameError("form", self.form, ["sum", "product"])
        number("defender_base_cost", self.defender_base_cost, low=0)
        number("attacker_base_cost", self.attacker_base_cost, low=0)

    @property
    def systems(self) -> int:
        """The number of systems, N.

        >>> DefenceGame(100, 50, (1.0,), (1.0,)).systems
        1
        """
        return len(self.defender_costs)


def system_survival(game: DefenceGame, defence: ArrayLike, attack: ArrayLike) -> FloatArray:
    """Survival probability of each system, from the game's contest success function.

    Parameters
    ----------
    game : the game, with n systems.
    defence, attack : the investments, shape (n,), 0 or more.

    Raises
    ------
    DataError : wrong shape or a negative investment.

    >>> system_survival(DefenceGame(100, 50, (1, 1), (1, 1)), [2, 1], [1, 1]).round(3)
    array([0.667, 0.5  ])
    """
    x = vector("defence", defence, non_negative=True, length=game.systems)
    y = vector("attack", attack, non_negative=True, length=game.systems)
    if game.offset > 0:
        return np.array([offset_survival(a, b, game.offset) for a, b in zip(x, y, strict=True)])
    return np.array([ratio_survival(a, b, game.steepness) for a, b in zip(x, y, strict=True)])


def infrastructure_survival(game: DefenceGame, defence: ArrayLike, attack: ArrayLike) -> float:
    """Survival probability P_I of the game's infrastructure.

    Parameters
    ----------
    game : the game, with n systems.
    defence, attack : the investments, shape (n,), 0 or more.

    Raises
    ------
    DataError : wrong shape, a negative investment, or an ``infrastructure`` of the game that
        returns no probability.

    >>> infrastructure_survival(DefenceGame(100, 50, (1, 1), (1, 1)), [1, 1], [1, 1])
    0.25
    """
    survival = float(game.infrastructure(system_survival(game, defence, attack)))
    if not -1e-12 <= survival <= 1 + 1e-12:
        raise DataError("infrastructure", f"returned {survival}", "a function into [0, 1]")
    return min(max(survival, 0.0), 1.0)


def defender_utility(game: DefenceGame, defence: ArrayLike, attack: ArrayLike) -> float:
    """What the provider minimises: ``(1 - P_I) g_D + L_D`` or ``(1 - P_I) L_D``.

    ``L_D`` is the base cost plus prices times investments; source as in `sum_defender`.

    Parameters
    ----------
    game : the game, with n systems.
    defence, attack : the investments, shape (n,), 0 or more.

    Raises
    ------
    DataError : wrong shape or a negative investment.

    >>> defender_utility(DefenceGame(100, 50, (1, 1), (1, 1)), [10, 10], [10, 10])
    95.0
    """
    survival = infrastructure_survival(game, defence, attack)
    cost = game.defender_base_cost + float(np.dot(game.defender_costs, defence))
    if game.form == "product":
        return product_defender(survival, cost)
    return sum_defender(survival, game.defender_gain, cost)


def attacker_utility(game: DefenceGame, defence: ArrayLike, attack: ArrayLike) -> float:
    """What the attacker minimises: ``P_I g_A + L_A`` or ``P_I L_A``.

    ``L_A`` is the base cost plus prices times investments; source as in `sum_attacker`.

    Parameters
    ----------
    game : the game, with n systems.
    defence, attack : the investments, shape (n,), 0 or more.

    Raises
    ------
    DataError : wrong shape or a negative investment.

    >>> attacker_utility(DefenceGame(100, 50, (1, 1), (1, 1)), [10, 10], [10, 10])
    32.5
    """
    survival = infrastructure_survival(game, defence, attack)
    cost = game.attacker_base_cost + float(np.dot(game.attacker_costs, attack))
    if game.form == "product":
        return product_attacker(survival, cost)
    return sum_attacker(survival, game.attacker_gain, cost)
