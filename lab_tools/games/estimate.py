"""Survival probability that a provider can estimate at a Nash equilibrium."""

from lab_tools.arrays import number
from lab_tools.errors import InputError


def survival_estimate(
    correlation: float, correlation_slope: float, multiplier: float, ratio: float
) -> float:
    """Provider's estimate of a system's survival probability at an interior equilibrium.

    ``P_b = (dC_b/dx_b + F/L) / (dC_b/dx_b - (1 - C_b) Lambda_b)``, printed by Rao ("Some science
    aspects of wide-area data transport", 2018; Rao, Ma and He, FUSION 2018). It is the first-order
    condition of the provider, and holds wherever the defence of system b is an interior optimum.

    Parameters
    ----------
    correlation : C_b, the probability that the rest fails given that b fails, in [0, 1].
    correlation_slope : dC_b/dx_b, per unit of defence.
    multiplier : Lambda_b = (1/P_b) dP_b/dx_b, per unit of defence, 0 or more.
    ratio : F/L of the utility: `sum_ratio`, `product_ratio` or
        `composite_ratio`.

    Returns
    -------
    The estimate. A value outside [0, 1] says that no interior equilibrium has these data.

    Raises
    ------
    InputError : a value out of range, or C_b = 1 with dC_b/dx_b = 0 (the defence of b then has
        no effect, and nothing can be said of it).

    Two sites in series with gain 100, unit costs and equilibrium defence 14.81:

    >>> round(survival_estimate(1 / 3, 0.0, 0.0225, sum_ratio(100.0, 1.0)), 4)
    0.6667
    """
    c = number("correlation", correlation, low=0, high=1)
    slope = number("correlation_slope", correlation_slope)
    effect = slope - (1.0 - c) * number("multiplier", multiplier, low=0)
    if effect == 0:
        raise InputError(
            "correlation",
            correlation,
            "below 1, with a multiplier above 0, unless correlation_slope differs from 0",
        )
    return (slope + number("ratio", ratio)) / effect


def sum_ratio(gain: float, cost_slope: float) -> float:
    """F/L of the sum form: ``-L_D' / g_D``.

    Derived from ``U_D = (1 - P_I) g_D + L_D``.

    Parameters
    ----------
    gain : g_D, above 0.
    cost_slope : dL_D/dx_b, the price of a unit of defence.

    Raises
    ------
    InputError : a value out of range.

    >>> sum_ratio(100.0, 1.0)
    -0.01
    """
    return -number("cost_slope", cost_slope) / number("gain", gain, above=0)


def product_ratio(survival: float, cost: float, cost_slope: float) -> float:
    """F/L of the product form: ``-(1 - P_I) L_D' / L_D``.

    Derived from ``U_D = (1 - P_I) L_D``; it differs from the sum form in this term alone.

    Parameters
    ----------
    survival : P_I, in [0, 1].
    cost : L_D, above 0.
    cost_slope : dL_D/dx_b.

    Raises
    ------
    InputError : a value out of range.

    >>> product_ratio(0.75, cost=10.0, cost_slope=1.0)
    -0.025
    """
    p = number("survival", survival, low=0, high=1)
    return -(1.0 - p) * number("cost_slope", cost_slope) / number("cost", cost, above=0)


def composite_ratio(
    gain: float,
    gain_slope: float,
    gain_factor: float,
    gain_factor_slope: float,
    cost: float,
    cost_slope: float,
    cost_factor: float,
    cost_factor_slope: float,
) -> float:
    """F/L of the composite form ``U_D = F_G G + F_L L``.

    ``(F_G dG/dx_b + F_L dL/dx_b) / (G dF_G/dP_I + L dF_L/dP_I)`` (Rao, Ma and He, FUSION 2018;
    the definitions of numerator and denominator were reconstructed from the printed estimate).

    Parameters
    ----------
    gain, cost : G and L.
    gain_slope, cost_slope : dG/dx_b and dL/dx_b.
    gain_factor, cost_factor : F_G and F_L.
    gain_factor_slope, cost_factor_slope : dF_G/dP_I and dF_L/dP_I.

    Raises
    ------
    InputError : a value that is not finite, or a denominator of 0.

    The sum form, where F_G = 1 - P_I and F_L = 1:

    >>> composite_ratio(100.0, 0.0, 0.25, -1.0, 30.0, 1.0, 1.0, 0.0)
    -0.01
    """
    by_survival = number("gain", gain) * number("gain_factor_slope", gain_factor_slope)
    by_survival += number("cost", cost) * number("cost_factor_slope", cost_factor_slope)
    if by_survival == 0:
        raise InputError(
            "gain_factor_slope", gain_factor_slope, "such that survival changes the utility"
        )
    by_defence = number("gain_factor", gain_factor) * number("gain_slope", gain_slope)
    by_defence += number("cost_factor", cost_factor) * number("cost_slope", cost_slope)
    return by_defence / by_survival
