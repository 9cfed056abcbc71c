"""Contest success functions: the probability that a system survives, from two investments.

All of them fall with the attack and rise with the defence. The multiplier of each is
``Lambda = (1/P) dP/dx``, the quantity that the equilibrium conditions need.
"""

import math

from scipy.special import expit

from lab_tools.arrays import number, whole


def ratio_survival(defence: float, attack: float, steepness: float = 1.0) -> float:
    """Survival probability of the ratio contest.

    ``P = x^m / (x^m + y^m)``, Tullock's form (Skaperdas 1996, "Contest success functions",
    Economic Theory 7), as used by Rao, Ma and He for networked systems. With neither investment
    the contest is a toss-up, ``P = 1/2``.

    Parameters
    ----------
    defence, attack : the investments x and y, in the same units, 0 or more.
    steepness : m, above 0; how sharply the larger investment wins.

    Raises
    ------
    InputError : a negative or non-finite investment, a steepness of 0 or less.

    >>> ratio_survival(2.0, 1.0)
    0.6666666666666...
    """
    x = number("defence", defence, low=0)
    y = number("attack", attack, low=0)
    m = number("steepness", steepness, above=0)
    if x == y:
        return 0.5
    if x == 0 or y == 0:
        return 1.0 if x > 0 else 0.0
    return float(expit(m * (math.log(x) - math.log(y))))


def ratio_multiplier(defence: float, attack: float, steepness: float = 1.0) -> float:
    """Multiplier of the ratio contest, per unit of defence.

    ``Lambda = (1/P) dP/dx = m (1 - P) / x``, from differentiating `ratio_survival`.

    Parameters
    ----------
    defence : x, above 0; the multiplier is per unit of it.
    attack, steepness : as in `ratio_survival`.

    Raises
    ------
    InputError : a defence of 0 or less, a negative attack, a steepness of 0 or less.

    >>> round(ratio_multiplier(14.8148, 7.4074), 4)
    0.0225
    """
    x = number("defence", defence, above=0)
    m = number("steepness", steepness, above=0)
    return m * (1.0 - ratio_survival(x, attack, m)) / x


def offset_survival(defence: float, attack: float, offset: float) -> float:
    """Survival probability of a system that has some strength without any investment.

    ``P = (xi + x) / (xi + x + y)``: the ratio contest of steepness 1 with an inherent defence.
    This form is stated from memory of the literature on defence games, not from a text.

    Parameters
    ----------
    defence, attack : the investments x and y, 0 or more.
    offset : xi, above 0, in the units of the defence.

    Raises
    ------
    InputError : a value outside these ranges.

    >>> offset_survival(0.0, 2.0, offset=2.0)
    0.5
    """
    strength = number("offset", offset, above=0) + number("defence", defence, low=0)
    return strength / (strength + number("attack", attack, low=0))


def offset_multiplier(defence: float, attack: float, offset: float) -> float:
    """Multiplier of the offset contest: ``Lambda = (1 - P) / (xi + x)``.

    It follows from differentiating `offset_survival`.

    Parameters
    ----------
    defence, attack, offset : as in `offset_survival`.

    Raises
    ------
    InputError : a value outside the ranges of `offset_survival`.

    >>> offset_multiplier(0.0, 2.0, offset=2.0)
    0.25
    """
    survival = offset_survival(defence, attack, offset)
    return (1.0 - survival) / (offset + defence)


def component_survival(
    reinforced: int, components: int, p_reinforced: float, p_plain: float
) -> float:
    """Survival probability of a system all of whose independent components must survive.

    ``P = p_R^x p_W^(N - x)`` with x of N components reinforced. Stated from memory of Rao et al.,
    "Defense strategies for asymmetric networked systems with discrete components", Sensors 18
    (2018) 1421.

    Parameters
    ----------
    reinforced, components : x and N, with 0 <= x <= N and N >= 1.
    p_reinforced, p_plain : survival probability of one component, in (0, 1].

    Raises
    ------
    InputError : a value outside these ranges.

    >>> round(component_survival(2, 3, 0.9, 0.5), 3)
    0.405
    """
    total = whole("components", components, low=1)
    x = whole("reinforced", reinforced, low=0, high=total)
    strong = number("p_reinforced", p_reinforced, above=0, high=1)
    plain = number("p_plain", p_plain, above=0, high=1)
    return float(strong**x * plain ** (total - x))


def component_multiplier(p_reinforced: float, p_plain: float) -> float:
    """Multiplier of independent components: ``Lambda = ln(p_R / p_W)`` per component.

    It follows from differentiating `component_survival` in x as if x were continuous.

    Parameters
    ----------
    p_reinforced, p_plain : survival probability of one component, in (0, 1].

    Raises
    ------
    InputError : a probability outside (0, 1].

    >>> round(component_multiplier(0.9, 0.5), 4)
    0.5878
    """
    strong = number("p_reinforced", p_reinforced, above=0, high=1)
    return math.log(strong / number("p_plain", p_plain, above=0, high=1))
