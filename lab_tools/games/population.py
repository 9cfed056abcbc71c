"""Equilibria of N flows that choose between two congestion controls."""

from numpy.typing import ArrayLike

from lab_tools.arrays import number, vector, whole


def population_equilibria(
    first_payoff: ArrayLike, second_payoff: ArrayLike, tolerance: float = 0.0
) -> tuple[int, ...]:
    """Numbers of flows on the first control at which no single flow gains by switching.

    With k of N flows on the first control, k is an equilibrium if ``first[k] >= second[k-1]``
    (none of the k flows gains by leaving) and ``second[k] >= first[k+1]`` (none of the others
    gains by joining). Nash's condition for a symmetric game of N players with two strategies, as
    posed for BBR and CUBIC by Mishra, Tiu and Leong, "Are we heading towards a BBR-dominant
    Internet?", IMC 2022. At least one equilibrium always exists.

    Parameters
    ----------
    first_payoff : goodput of one flow on the first control with k such flows, k = 1…N,
        shape (N,): ``first_payoff[k - 1]``.
    second_payoff : goodput of one flow on the second control with k flows on the first,
        k = 0…N-1, shape (N,): ``second_payoff[k]``.
    tolerance : gain below which a flow does not bother to switch, 0 or more, in the same units.

    Returns
    -------
    The equilibria k, in 0…N.

    Raises
    ------
    InputError, DataError : payoffs of different lengths, a negative tolerance.

    Three flows; the first control earns 6, 4, 3 and leaves 4, 3, 3.5 to the other:

    >>> population_equilibria([6.0, 4.0, 3.0], [4.0, 3.0, 3.5])
    (2,)
    """
    first = vector("first_payoff", first_payoff)
    second = vector("second_payoff", second_payoff, length=first.size)
    slack = number("tolerance", tolerance, low=0)
    flows = first.size

    def nobody_leaves(k: int) -> bool:
        return k == 0 or bool(first[k - 1] + slack >= second[k - 1])

    def nobody_joins(k: int) -> bool:
        return k == flows or bool(second[k] + slack >= first[k])

    return tuple(k for k in range(flows + 1) if nobody_leaves(k) and nobody_joins(k))


def share_payoff(aggregate: float, flows: int) -> float:
    """Payoff of one flow when ``flows`` flows of a control share an aggregate goodput equally.

    Helps to turn measured aggregates into the payoffs of `population_equilibria`; equal sharing
    within a control is the assumption of Mishra, Tiu and Leong (IMC 2022).

    Parameters
    ----------
    aggregate : goodput of all these flows together, 0 or more.
    flows : their number, 1 or more.

    Raises
    ------
    InputError : a value out of range.

    >>> share_payoff(9e9, flows=3)
    3000000000.0
    """
    return number("aggregate", aggregate, low=0) / whole("flows", flows, low=1)
