"""How likely is it by chance? What a class's honest answers say about coincidences."""

from collections.abc import Iterable
from math import prod


def rate(hits: int, trials: int) -> float:
    """Estimate how often something happens that was seen in some of the trials.

    Laplace's rule of succession, (hits + 1)/(trials + 2): never 0, however few the trials.

    >>> rate(0, 98), rate(1, 2)
    (0.01, 0.5)
    """
    return (hits + 1) / (trials + 2)


def once_in(rates: Iterable[float], others: int) -> float:
    """Return how likely it is that at least one of the others fits in everything at once.

    1 − (1 − p₁p₂…)ⁿ for n others. It takes the single coincidences for independent.

    >>> round(once_in([0.1, 0.1], 10), 4)
    0.0956
    """
    together = min(1.0, max(0.0, prod(rates)))
    return float(1.0 - (1.0 - together) ** max(0, others))


def words(chance: float | None) -> str:
    """Return a probability for people.

    >>> words(0.5), words(0.004), words(1e-9), words(None)
    ('1 in 2', '1 in 250', 'less than 1 in a million', 'not by chance')
    """
    if chance is None:
        return "not by chance"
    if chance < 1e-6:
        return "less than 1 in a million"
    return f"1 in {max(1, round(1 / chance)):,}".replace(",", "\u202f")
