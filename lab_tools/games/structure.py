"""Survival of an infrastructure from the survival of its systems."""

import math

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector
from lab_tools.errors import DataError, InputError


def _probabilities(name: str, values: ArrayLike) -> FloatArray:
    array = vector(name, values, non_negative=True)
    if (array > 1).any():
        raise DataError(name, f"has the value {array.max()}", "probabilities, at most 1")
    return array


def series_survival(survival: ArrayLike) -> float:
    """Survival of independent systems that must all survive: ``P_I = prod P_i``.

    Elementary reliability theory.

    Parameters
    ----------
    survival : probabilities P_i, shape (n,).

    Raises
    ------
    DataError : wrong shape, or a value outside [0, 1].

    >>> series_survival([0.5, 0.5])
    0.25
    """
    return float(np.prod(_probabilities("survival", survival)))


def parallel_survival(survival: ArrayLike) -> float:
    """Survival of independent systems of which one is enough: ``P_I = 1 - prod (1 - P_i)``.

    Elementary reliability theory.

    Parameters
    ----------
    survival : probabilities P_i, shape (n,).

    Raises
    ------
    DataError : wrong shape, or a value outside [0, 1].

    >>> parallel_survival([0.5, 0.5])
    0.75
    """
    return float(1.0 - np.prod(1.0 - _probabilities("survival", survival)))


def correlated_survival(system: float, rest: float, correlation: float) -> float:
    """Survival of a system and the rest of its infrastructure, with aggregated correlation.

    ``P_I = P_b + P_-b - 1 + C_b (1 - P_b)``, where the aggregated correlation ``C_b`` is the
    probability that the rest fails given that system b fails. It is ``Pr(not b and not rest) =
    C_b (1 - P_b)`` put into inclusion-exclusion. Independence is ``C_b = 1 - P_-b``; a network
    whose failure takes all the rest with it has ``C_b = 1``, hence ``P_I = P_-b``.

    The papers of Rao et al. (SYSCON 2017, FUSION 2018) describe ``C_b`` in words; this reading
    is a reconstruction, chosen because it reproduces their survival estimate.

    Parameters
    ----------
    system, rest : the survival probabilities P_b and P_-b, in [0, 1].
    correlation : C_b in [0, 1].

    Raises
    ------
    InputError : a value outside [0, 1], or three values that no joint probability has.

    >>> round(correlated_survival(0.9, 0.8, correlation=0.2), 12)   # independent: 0.9 x 0.8
    0.72
    """
    p = number("system", system, low=0, high=1)
    others = number("rest", rest, low=0, high=1)
    both_fail = number("correlation", correlation, low=0, high=1) * (1.0 - p)
    joint = p + others - 1.0 + both_fail
    if joint < -1e-12 or both_fail > 1.0 - others + 1e-12:
        low, high = max(0.0, 1.0 - p - others), min(1.0 - p, 1.0 - others)
        raise InputError(
            "correlation",
            correlation,
            f"such that correlation * (1 - system) lies in [{low:g}, {high:g}]",
        )
    return min(max(joint, 0.0), 1.0)


def aggregated_correlation(system: float, rest: float, joint: float) -> float:
    """Aggregated correlation from the survival of a system, of the rest, and of both.

    ``C_b = (P_I + 1 - P_b - P_-b) / (1 - P_b)``: `correlated_survival` solved for C_b.

    Parameters
    ----------
    system, rest, joint : P_b (below 1), P_-b and P_I = Pr(both survive), in [0, 1].

    Raises
    ------
    InputError : a value out of range, or a joint probability that the two others exclude.

    >>> round(aggregated_correlation(2 / 3, 2 / 3, 4 / 9), 4)
    0.3333
    """
    p = number("system", system, low=0, below=1)
    others = number("rest", rest, low=0, high=1)
    low, high = max(0.0, p + others - 1.0), min(p, others)
    both = number("joint", joint, low=low - 1e-12, high=high + 1e-12)
    return min(max((both + 1.0 - p - others) / (1.0 - p), 0.0), 1.0)


def cyber_physical_survival(cyber: float, physical: float, slope: float, base: float) -> float:
    """Survival of an infrastructure of a cyber and a physical part with a linear correlation.

    ``P_CP = P_C + P_P - 1 + f (1 - P_P)`` with ``f = Pr(cyber fails | physical fails) =
    a (1 - P_C) + b`` (Rao, Ma, He, Yau and Zhuang, Games 9(3) 52, 2018, Sec. 3.1).
    ``a = 1, b = 0``: independent parts. ``a = 0, b = 1``: a physical failure takes the cyber
    part with it. ``a = b = 0``: the "OR systems", whose parts never fail together. A linear
    correlation other than independence is possible for some survival probabilities only (such as
    P_C <= P_P where b = 1); elsewhere this is an error.

    Parameters
    ----------
    cyber, physical : survival probabilities P_C and P_P, in [0, 1].
    slope, base : a and b, 0 or more, with a (1 - P_C) + b at most 1.

    Raises
    ------
    InputError : a value out of range, or a correlation that no joint probability has.

    >>> cyber_physical_survival(0.5, 0.5, slope=1, base=0)
    0.25
    """
    p = number("cyber", cyber, low=0, high=1)
    number("physical", physical, low=0, high=1)
    a = number("slope", slope, low=0)
    conditional = a * (1.0 - p) + number("base", base, low=0)
    if conditional > 1.0 and not math.isclose(conditional, 1.0):
        raise InputError("slope", slope, "such that slope * (1 - cyber) + base is at most 1")
    return correlated_survival(physical, p, min(conditional, 1.0))
