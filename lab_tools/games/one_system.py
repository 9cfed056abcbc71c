"""Closed-form equilibria of the contest for one system, sum utilities, linear costs."""

import math
from dataclasses import dataclass

from scipy.special import expit

from lab_tools.arrays import number
from lab_tools.games.contest import offset_survival
from lab_tools.games.utility import sum_attacker, sum_defender


@dataclass(frozen=True)
class ContestEquilibrium:
    """Stationary point of a contest for one system.

    Attributes
    ----------
    defence, attack : the investments x and y.
    survival : P at these investments.
    defender_utility, attacker_utility : what each player minimises, at these investments.
    defender_participates, attacker_participates : False where the player does better by
        investing nothing; the point is then no equilibrium.
    """

    defence: float
    attack: float
    survival: float
    defender_utility: float
    attacker_utility: float
    defender_participates: bool
    attacker_participates: bool

    @property
    def is_equilibrium(self) -> bool:
        """Whether the point is a Nash equilibrium.

        >>> ratio_equilibrium(100, 50, steepness=2).is_equilibrium
        False
        """
        return self.defender_participates and self.attacker_participates


def ratio_equilibrium(
    defender_gain: float,
    attacker_gain: float,
    defender_cost: float = 1.0,
    attacker_cost: float = 1.0,
    steepness: float = 1.0,
) -> ContestEquilibrium:
    """Stationary point of the ratio contest with ``U_D = (1-P) g_D + c_D x``.

    With ``rho = (g_A/c_A) / (g_D/c_D)``: ``P = 1 / (1 + rho^m)``, ``x = m (g_D/c_D) P (1 - P)``,
    ``y = rho x``. It is an equilibrium if and only if ``m P <= 1`` and ``m (1 - P) <= 1``:
    otherwise the attacker or the defender prefers to do nothing. Derived from the two first-order
    conditions; the contest is Tullock's.

    Parameters
    ----------
    defender_gain, attacker_gain : g_D and g_A, above 0.
    defender_cost, attacker_cost : price of a unit of investment, c_D and c_A, above 0.
    steepness : m, above 0.

    Raises
    ------
    InputError : a value of 0 or less.

    >>> point = ratio_equilibrium(defender_gain=100, attacker_gain=50)
    >>> round(point.survival, 4), round(point.defence, 3), round(point.attack, 3)
    (0.6667, 22.222, 11.111)
    """
    worth_defender = number("defender_gain", defender_gain, above=0) / number(
        "defender_cost", defender_cost, above=0
    )
    worth_attacker = number("attacker_gain", attacker_gain, above=0) / number(
        "attacker_cost", attacker_cost, above=0
    )
    m = number("steepness", steepness, above=0)
    survival = float(expit(m * (math.log(worth_defender) - math.log(worth_attacker))))
    contested = m * survival * (1.0 - survival)
    defence, attack = contested * worth_defender, contested * worth_attacker
    return ContestEquilibrium(
        defence,
        attack,
        survival,
        sum_defender(survival, defender_gain, defender_cost * defence),
        sum_attacker(survival, attacker_gain, attacker_cost * attack),
        defender_participates=m * (1.0 - survival) <= 1.0,
        attacker_participates=m * survival <= 1.0,
    )


def offset_equilibrium(
    defender_gain: float,
    attacker_gain: float,
    offset: float,
    defender_cost: float = 1.0,
    attacker_cost: float = 1.0,
) -> ContestEquilibrium:
    """Equilibrium of the offset contest ``P = (xi + x) / (xi + x + y)``, linear costs.

    The inherent strength replaces investment: ``x + xi`` is the defence of the ratio contest with
    m = 1, as long as that is at least xi. Otherwise ``x = 0`` and the attacker answers with
    ``y = sqrt(xi g_A / c_A) - xi``, or nothing. Derived; both utilities are convex in the player's
    own investment, so this is always an equilibrium.

    Parameters
    ----------
    defender_gain, attacker_gain : g_D and g_A, above 0.
    offset : xi, above 0, in units of the defence.
    defender_cost, attacker_cost : price of a unit of investment, above 0.

    Raises
    ------
    InputError : a value of 0 or less.

    >>> point = offset_equilibrium(defender_gain=100, attacker_gain=50, offset=2)
    >>> round(point.survival, 4), round(point.defence, 3), round(point.attack, 3)
    (0.6667, 20.222, 11.111)
    """
    xi = number("offset", offset, above=0)
    bare = ratio_equilibrium(defender_gain, attacker_gain, defender_cost, attacker_cost)
    if bare.defence >= xi:
        defence, attack = bare.defence - xi, bare.attack
    else:
        defence, attack = 0.0, max(0.0, math.sqrt(xi * attacker_gain / attacker_cost) - xi)
    survival = offset_survival(defence, attack, xi)
    return ContestEquilibrium(
        defence,
        attack,
        survival,
        sum_defender(survival, defender_gain, defender_cost * defence),
        sum_attacker(survival, attacker_gain, attacker_cost * attack),
        defender_participates=True,
        attacker_participates=True,
    )
