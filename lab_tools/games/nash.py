"""Nash equilibria of a defence game by numbers: find one, and check a claimed one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector, whole
from lab_tools.games.game import DefenceGame, attacker_utility, defender_utility
from lab_tools.games.response import (
    BestResponse,
    attacker_best_response,
    defender_best_response,
)


@dataclass(frozen=True)
class EquilibriumCheck:
    """What each player could still gain by a change of its own.

    Attributes
    ----------
    is_equilibrium : neither player gains more than the tolerance.
    defender_gain, attacker_gain : how far the best own change lowers the utility, 0 or more.
    better_defence, better_attack : these changes, shape (n,).
    """

    is_equilibrium: bool
    defender_gain: float
    attacker_gain: float
    better_defence: FloatArray
    better_attack: FloatArray


@dataclass(frozen=True)
class NashResult:
    """Where iterated best responses ended.

    Attributes
    ----------
    defence, attack : the investments, shape (n,).
    rounds : rounds done.
    check : whether they are an equilibrium; False also where the iteration went in a circle.
    """

    defence: FloatArray
    attack: FloatArray
    rounds: int
    check: EquilibriumCheck


def check_equilibrium(
    game: DefenceGame,
    defence: ArrayLike,
    attack: ArrayLike,
    tolerance: float = 1e-6,
    limit: float | None = None,
) -> EquilibriumCheck:
    """Check a claimed equilibrium: can either player improve by a change of its own?

    The definition of Nash (1951), tried with `best_response` for each player.

    Parameters
    ----------
    game : the game, with n systems.
    defence, attack : the claimed investments, shape (n,).
    tolerance : gain that still counts as none, relative to the utility (or to 1 if that is less).
    limit : as in `defender_best_response`.

    Raises
    ------
    InputError, DataError : a value out of range or of the wrong shape.

    The stationary point of the contest with m = 2 is no equilibrium: doing nothing is cheaper
    for the attacker (50 instead of 56).

    >>> game = DefenceGame(100, 50, (1.0,), (1.0,), steepness=2)
    >>> check = check_equilibrium(game, defence=[32.0], attack=[16.0])
    >>> check.is_equilibrium, round(check.attacker_gain, 6), check.better_attack
    (False, 6.0, array([0.]))
    """
    slack = number("tolerance", tolerance, above=0)
    x = vector("defence", defence, non_negative=True, length=game.systems)
    y = vector("attack", attack, non_negative=True, length=game.systems)
    best_x = defender_best_response(game, y, limit, start=x)
    best_y = attacker_best_response(game, x, limit, start=y)
    now_defender, now_attacker = defender_utility(game, x, y), attacker_utility(game, x, y)
    gain_defender = max(0.0, now_defender - best_x.utility)
    gain_attacker = max(0.0, now_attacker - best_y.utility)
    settled = gain_defender <= slack * max(1.0, now_defender)
    settled = settled and gain_attacker <= slack * max(1.0, now_attacker)
    return EquilibriumCheck(
        settled, gain_defender, gain_attacker, best_x.investment, best_y.investment
    )


def find_equilibrium(
    game: DefenceGame,
    defence: ArrayLike,
    attack: ArrayLike,
    rounds: int = 60,
    tolerance: float = 1e-6,
    limit: float | None = None,
) -> NashResult:
    """Search an equilibrium by iterated best responses, each player going half the way.

    Cournot's adjustment, damped by one half; it need not converge, and a game need not have an
    equilibrium in pure strategies: read ``check`` of the result.

    Parameters
    ----------
    game : the game, with n systems.
    defence, attack : where to start, shape (n,).
    rounds : most rounds to do, 1 or more.
    tolerance : stop when no investment moves by more than this part of the largest one.
    limit : as in `defender_best_response`.

    Raises
    ------
    InputError, DataError : a value out of range or of the wrong shape.

    >>> result = find_equilibrium(DefenceGame(100, 50, (1.0,), (1.0,)), defence=[10], attack=[10])
    >>> result.check.is_equilibrium, result.defence.round(2)
    (True, array([22.22]))
    """
    x = vector("defence", defence, non_negative=True, length=game.systems)
    y = vector("attack", attack, non_negative=True, length=game.systems)
    number("tolerance", tolerance, above=0)
    most, done, settled = whole("rounds", rounds, low=1), 0, False
    while done < most and not settled:
        next_x = _half_way(x, defender_best_response(game, y, limit, start=x))
        next_y = _half_way(y, attacker_best_response(game, x, limit, start=y))
        moved = max(np.abs(next_x - x).max(), np.abs(next_y - y).max())
        x, y, done = next_x, next_y, done + 1
        settled = bool(moved <= tolerance * max(x.max(), y.max()))
    return NashResult(x, y, done, check_equilibrium(game, x, y, limit=limit))


def _half_way(now: FloatArray, best: BestResponse) -> FloatArray:
    return (now + best.investment) / 2.0
