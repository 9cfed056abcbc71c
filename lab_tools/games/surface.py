"""Payoff surface of a game with one system, with both players' best responses."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, vector
from lab_tools.errors import DataError
from lab_tools.games.game import DefenceGame, attacker_utility, defender_utility
from lab_tools.games.response import attacker_best_response, defender_best_response


@dataclass(frozen=True)
class PayoffSurface:
    """Utilities on a grid of investments; players minimise.

    Attributes
    ----------
    defence, attack : the grid, shapes (m,) and (n,).
    defender, attacker : the utilities, shape (m, n).
    best_defence : the best defence against each attack, shape (n,).
    best_attack : the best attack on each defence, shape (m,).
    """

    defence: FloatArray
    attack: FloatArray
    defender: FloatArray
    attacker: FloatArray
    best_defence: FloatArray
    best_attack: FloatArray


def payoff_surface(
    game: DefenceGame, defence: ArrayLike, attack: ArrayLike, limit: float | None = None
) -> PayoffSurface:
    """Utilities of both players over a grid, and where each player's best responses lie.

    The best-response curves cross at the equilibria. Utilities as in `defender_utility` and
    `attacker_utility`, responses as in `best_response`.

    Parameters
    ----------
    game : a game with one system.
    defence, attack : increasing investments, shapes (m,) and (n,), 0 or more.
    limit : as in `defender_best_response`.

    Raises
    ------
    DataError : more than one system, or a grid that is not increasing.

    >>> surface = payoff_surface(DefenceGame(100, 50, (1.0,), (1.0,)), [10, 20, 30], [5, 10])
    >>> surface.defender.shape, surface.best_defence.round(1)
    ((3, 2), array([17.4, 21.6]))
    """
    if game.systems != 1:
        raise DataError("game", f"has {game.systems} systems", "exactly 1 for a surface")
    xs = vector("defence", defence, non_negative=True, increasing=True)
    ys = vector("attack", attack, non_negative=True, increasing=True)
    best_defence = [defender_best_response(game, [y], limit).investment[0] for y in ys]
    best_attack = [attacker_best_response(game, [x], limit).investment[0] for x in xs]
    return PayoffSurface(
        xs,
        ys,
        np.array([[defender_utility(game, [x], [y]) for y in ys] for x in xs]),
        np.array([[attacker_utility(game, [x], [y]) for y in ys] for x in xs]),
        np.array(best_defence),
        np.array(best_attack),
    )
