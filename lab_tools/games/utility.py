"""Utilities of provider and attacker. Both players minimise, as in the papers of Rao et al."""

from lab_tools.arrays import number


def sum_defender(survival: float, gain: float, cost: float) -> float:
    """Provider's sum-form utility, to be minimised: ``U_D = (1 - P_I) g_D + L_D``.

    Rao, Ma and He, "Defense strategies for multi-site cloud computing server infrastructures",
    ICDCN 2018 (the abstract; the form itself was reconstructed and checked against the published
    survival estimate).

    Parameters
    ----------
    survival : P_I, in [0, 1].
    gain : g_D, what survival is worth, 0 or more.
    cost : L_D, what the defence costs, 0 or more, in the units of the gain.

    Raises
    ------
    InputError : a value out of range.

    >>> sum_defender(0.75, gain=100, cost=30)
    55.0
    """
    p = number("survival", survival, low=0, high=1)
    return (1.0 - p) * number("gain", gain, low=0) + number("cost", cost, low=0)


def sum_attacker(survival: float, gain: float, cost: float) -> float:
    """Attacker's sum-form utility, to be minimised: ``U_A = P_I g_A + L_A``.

    Source and caveat as in `sum_defender`.

    Parameters
    ----------
    survival : P_I, in [0, 1].
    gain : g_A, what the failure of the infrastructure is worth to the attacker, 0 or more.
    cost : L_A, what the attack costs, 0 or more.

    Raises
    ------
    InputError : a value out of range.

    >>> sum_attacker(0.75, gain=100, cost=30)
    105.0
    """
    p = number("survival", survival, low=0, high=1)
    return p * number("gain", gain, low=0) + number("cost", cost, low=0)


def product_defender(survival: float, cost: float) -> float:
    """Provider's product-form utility, to be minimised: ``U_D = (1 - P_I) L_D``.

    Source and caveat as in `sum_defender`. With the ratio contest of steepness 1 this form
    is degenerate: against one particular attack the provider is indifferent to its own defence.

    Parameters
    ----------
    survival : P_I, in [0, 1].
    cost : L_D, 0 or more.

    Raises
    ------
    InputError : a value out of range.

    >>> product_defender(0.75, cost=30)
    7.5
    """
    p = number("survival", survival, low=0, high=1)
    return (1.0 - p) * number("cost", cost, low=0)


def product_attacker(survival: float, cost: float) -> float:
    """Attacker's product-form utility, to be minimised: ``U_A = P_I L_A``.

    Source and caveat as in `sum_defender`.

    Parameters
    ----------
    survival : P_I, in [0, 1].
    cost : L_A, 0 or more.

    Raises
    ------
    InputError : a value out of range.

    >>> product_attacker(0.75, cost=30)
    22.5
    """
    p = number("survival", survival, low=0, high=1)
    return p * number("cost", cost, low=0)


def composite(gain_factor: float, gain: float, cost_factor: float, cost: float) -> float:
    """Composite utility, to be minimised: ``U = F_G G + F_L L``.

    The general form of Rao et al. (Sensors 18, 2018, 1421). The sum form has
    ``F_G = 1 - P_I, F_L = 1``; the product form has ``F_G = 0, F_L = 1 - P_I``.

    Parameters
    ----------
    gain_factor, cost_factor : F_G and F_L, numbers.
    gain, cost : G and L, numbers.

    Raises
    ------
    InputError : a value that is not a finite number.

    >>> composite(gain_factor=0.25, gain=100, cost_factor=1, cost=30)
    55.0
    """
    reward = number("gain_factor", gain_factor) * number("gain", gain)
    return reward + number("cost_factor", cost_factor) * number("cost", cost)
