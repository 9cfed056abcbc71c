"""Closed-form stationary points for N independent systems, in series or in parallel."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from lab_tools.arrays import FloatArray, number, vector
from lab_tools.games.structure import parallel_survival, series_survival
from lab_tools.games.utility import sum_attacker, sum_defender


@dataclass(frozen=True)
class InfrastructureEquilibrium:
    """Stationary point of the contest for N systems.

    Attributes
    ----------
    defence, attack, survival : x_i, y_i and P_i of each system, shape (n,).
    infrastructure_survival : P_I.
    defender_utility, attacker_utility : what each player minimises.
    defender_participates, attacker_participates : False where the player does better by
        withdrawing from one system or from all; the point is then no equilibrium.
    """

    defence: FloatArray
    attack: FloatArray
    survival: FloatArray
    infrastructure_survival: float
    defender_utility: float
    attacker_utility: float
    defender_participates: bool
    attacker_participates: bool


def series_equilibrium(
    defender_gain: float,
    attacker_gain: float,
    defender_costs: ArrayLike,
    attacker_costs: ArrayLike,
    steepness: float = 1.0,
) -> InfrastructureEquilibrium:
    """Stationary point where all systems must survive, ``P_I = prod P_i``.

    Sum utilities, linear costs, ratio contests. With ``rho_i = (g_A/c_A,i) / (g_D/c_D,i)``:
    ``P_i = 1 / (1 + rho_i^m)``, ``x_i = m (g_D/c_D,i) P_I (1 - P_i)``, ``y_i = rho_i x_i``.
    Derived from the first-order conditions. Withdrawal does not pay if ``m sum (1 - P_i) <= 1``
    for the defender (who loses all by leaving one system) and ``m P_i <= 1`` for the attacker in
    every system. For m <= 1 these conditions make it an equilibrium; for m > 1 the attacker's
    utility may have further minima: confirm with `check_equilibrium`.

    Parameters
    ----------
    defender_gain, attacker_gain : g_D and g_A, above 0.
    defender_costs, attacker_costs : price of a unit of investment in each system, shape (n,).
    steepness : m, above 0.

    Raises
    ------
    InputError, DataError : a value of 0 or less; costs of different lengths.

    >>> point = series_equilibrium(100, 50, [1, 1], [1, 1])
    >>> point.defence.round(4).tolist(), round(point.infrastructure_survival, 4)
    ([14.8148, 14.8148], 0.4444)
    """
    worth_defender, worth_attacker, survival, m = _contests(
        defender_gain, attacker_gain, defender_costs, attacker_costs, steepness
    )
    contested = m * series_survival(survival) * (1.0 - survival)
    return _point(
        contested * worth_defender,
        contested * worth_attacker,
        survival,
        series_survival,
        (defender_gain, attacker_gain),
        (defender_costs, attacker_costs),
        participates=(bool(m * np.sum(1.0 - survival) <= 1.0), bool((m * survival <= 1.0).all())),
    )


def parallel_equilibrium(
    defender_gain: float,
    attacker_gain: float,
    defender_costs: ArrayLike,
    attacker_costs: ArrayLike,
    steepness: float = 1.0,
) -> InfrastructureEquilibrium:
    """Stationary point where one surviving system is enough, ``P_I = 1 - prod (1 - P_i)``.

    As `series_equilibrium` with the two players' roles exchanged:
    ``x_i = m (g_D/c_D,i) (1 - P_I) P_i``; withdrawal does not pay if ``m sum P_i <= 1`` for the
    attacker and ``m (1 - P_i) <= 1`` for the defender in every system.

    Parameters
    ----------
    defender_gain, attacker_gain : g_D and g_A, above 0.
    defender_costs, attacker_costs : price of a unit of investment in each system, shape (n,).
    steepness : m, above 0.

    Raises
    ------
    InputError, DataError : a value of 0 or less; costs of different lengths.

    >>> point = parallel_equilibrium(100, 200, [1, 1], [1, 1])
    >>> point.attack.round(4).tolist(), round(point.infrastructure_survival, 4)
    ([29.6296, 29.6296], 0.5556)
    """
    worth_defender, worth_attacker, survival, m = _contests(
        defender_gain, attacker_gain, defender_costs, attacker_costs, steepness
    )
    contested = m * (1.0 - parallel_survival(survival)) * survival
    return _point(
        contested * worth_defender,
        contested * worth_attacker,
        survival,
        parallel_survival,
        (defender_gain, attacker_gain),
        (defender_costs, attacker_costs),
        participates=(
            bool((m * (1.0 - survival) <= 1.0).all()),
            bool(m * np.sum(survival) <= 1.0),
        ),
    )


def _contests(
    defender_gain: float,
    attacker_gain: float,
    defender_costs: ArrayLike,
    attacker_costs: ArrayLike,
    steepness: float,
) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    costs_d = vector("defender_costs", defender_costs, positive=True)
    costs_a = vector("attacker_costs", attacker_costs, positive=True, length=costs_d.size)
    worth_defender = number("defender_gain", defender_gain, above=0) / costs_d
    worth_attacker = number("attacker_gain", attacker_gain, above=0) / costs_a
    m = number("steepness", steepness, above=0)
    survival = np.asarray(expit(m * (np.log(worth_defender) - np.log(worth_attacker))))
    return worth_defender, worth_attacker, survival, m


def _point(
    defence: FloatArray,
    attack: FloatArray,
    survival: FloatArray,
    structure: Callable[[ArrayLike], float],
    gains: tuple[float, float],
    costs: tuple[ArrayLike, ArrayLike],
    participates: tuple[bool, bool],
) -> InfrastructureEquilibrium:
    together = structure(survival)
    return InfrastructureEquilibrium(
        defence,
        attack,
        survival,
        together,
        sum_defender(together, gains[0], float(np.dot(costs[0], defence))),
        sum_attacker(together, gains[1], float(np.dot(costs[1], attack))),
        *participates,
    )
