"""Numeric best response: the cheapest investments against what the other player does."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize

from lab_tools.arrays import FloatArray, number, vector, whole
from lab_tools.errors import InputError
from lab_tools.games.game import DefenceGame, attacker_utility, defender_utility

START_FRACTIONS = (0.001, 0.01, 0.05, 0.2, 0.5)
"""Where searches start, as parts of the largest investment: the minima lie at any scale."""

POLISHED_STARTS = 8
"""Starts, the cheapest first, that are followed down to a minimum."""


@dataclass(frozen=True)
class BestResponse:
    """The cheapest strategy found.

    Attributes
    ----------
    investment : shape (n,).
    utility : its utility (players minimise).
    """

    investment: FloatArray
    utility: float


def best_response(
    utility: Callable[[FloatArray], float], systems: int, limit: float, start: ArrayLike = ()
) -> BestResponse:
    """Minimise a player's utility over investments between 0 and ``limit`` in each system.

    Sequential quadratic programming (SLSQP; Kraft 1988) from several starts (nothing, everything
    alike, one system alone, and ``start``), because the utility need not be convex. The result is
    the best of these minima, which no numeric method proves to be global.

    Parameters
    ----------
    utility : the player's utility as a function of its own investments, shape (systems,).
    systems : number of systems, 1 or more.
    limit : largest investment in one system, above 0.
    start : one more start, shape (systems,) (optional).

    Raises
    ------
    InputError, DataError : a value out of range, or a start of the wrong shape.

    >>> best_response(lambda x: float((x[0] - 3) ** 2), systems=1, limit=10).investment.round(4)
    array([3.])
    """
    n = whole("systems", systems, low=1)
    top = number("limit", limit, above=0)
    starts = [np.zeros(n)]
    if np.size(start):
        starts.append(vector("start", start, non_negative=True, length=n).clip(0.0, top) / top)
    for fraction in START_FRACTIONS:
        starts.append(np.full(n, fraction))
        if n > 1:
            starts.extend(fraction * row for row in np.eye(n))

    def scaled(fractions: FloatArray) -> float:
        return utility(np.clip(fractions, 0.0, 1.0) * top)

    best = min(starts, key=scaled)
    for point in sorted(starts, key=scaled)[:POLISHED_STARTS]:
        found = minimize(
            scaled,
            point,
            method="SLSQP",
            bounds=[(0.0, 1.0)] * n,
            options={"ftol": 1e-15},
        )
        best = min(best, np.clip(found.x, 0.0, 1.0), key=scaled)
    return BestResponse(best * top, scaled(best))


def defender_best_response(
    game: DefenceGame, attack: ArrayLike, limit: float | None = None, start: ArrayLike = ()
) -> BestResponse:
    """The provider's best defence against an attack.

    Parameters
    ----------
    game : the game, with n systems.
    attack : the attacker's investments, shape (n,).
    limit : largest investment in one system; by default the gain over the lowest price, beyond
        which no player of the sum form ever goes. The product form needs it.
    start : as in `best_response`.

    Raises
    ------
    InputError, DataError : a value out of range or of the wrong shape; no limit for a product form.

    >>> game = DefenceGame(100, 50, (1.0,), (1.0,))
    >>> defender_best_response(game, attack=[11.111]).investment.round(2)
    array([22.22])
    """
    y = vector("attack", attack, non_negative=True, length=game.systems)
    top = _limit(game, game.defender_gain / min(game.defender_costs), limit)
    return best_response(lambda x: defender_utility(game, x, y), game.systems, top, start)


def attacker_best_response(
    game: DefenceGame, defence: ArrayLike, limit: float | None = None, start: ArrayLike = ()
) -> BestResponse:
    """The attacker's best attack on a defence.

    Parameters
    ----------
    game : the game, with n systems.
    defence : the provider's investments, shape (n,).
    limit, start : as in `defender_best_response`.

    Raises
    ------
    InputError, DataError : a value out of range or of the wrong shape.

    >>> game = DefenceGame(100, 50, (1.0,), (1.0,))
    >>> attacker_best_response(game, defence=[22.222]).investment.round(2)
    array([11.11])
    """
    x = vector("defence", defence, non_negative=True, length=game.systems)
    top = _limit(game, game.attacker_gain / min(game.attacker_costs), limit)
    return best_response(lambda y: attacker_utility(game, x, y), game.systems, top, start)


def _limit(game: DefenceGame, worth: float, limit: float | None) -> float:
    if limit is not None:
        return limit
    if game.form == "product":
        raise InputError("limit", limit, "a number above 0 in a game of product form")
    return worth
