"""Routing on a ring by congestion prices: a trade-off between utility and stability."""

import math
from dataclasses import dataclass

import numpy as np

from lab_tools.arrays import FloatArray, number, whole


@dataclass(frozen=True)
class Ring:
    """Sources spread evenly over a ring, all sending to one node of it.

    The two last hops into that node are the bottlenecks; a source takes one of the two
    directions. ``split`` is the fraction of the sources that use the first.

    Parameters
    ----------
    sources : N, above 0.
    length : D, the static cost of going all the way round, above 0.
    first_capacity, second_capacity : c_1 and c_2 of the last hops, above 0.

    Raises
    ------
    InputError : a value of 0 or less.

    >>> Ring(sources=10, length=1.0, first_capacity=2.0, second_capacity=1.0).second_capacity
    1.0
    """

    sources: float
    length: float
    first_capacity: float
    second_capacity: float

    def __post_init__(self) -> None:
        number("sources", self.sources, above=0)
        number("length", self.length, above=0)
        number("first_capacity", self.first_capacity, above=0)
        number("second_capacity", self.second_capacity, above=0)


def ring_step(ring: Ring, split: float, price_weight: float, static_weight: float) -> float:
    """The split after all sources re-route to the cheaper direction.

    A route costs ``a p + b d`` with congestion price p and static cost d (Wang, Li, Low and
    Doyle, "Cross-layer optimization in TCP/IP networks", INFOCOM 2003). With logarithmic
    utilities the last hop that r N sources share has the price ``r N / c``, and the source that is
    indifferent sits at ``r' = 1/2 + (a N / (2 b D)) ((1 - r)/c_2 - r/c_1)``, cut to [0, 1].
    Without a static cost all sources take the cheaper direction. This linear toy was derived here;
    the paper's own model was not available.

    Parameters
    ----------
    ring : the ring.
    split : r, in [0, 1].
    price_weight, static_weight : a and b, 0 or more, not both 0.

    Raises
    ------
    InputError : a value out of range.

    >>> ring = Ring(sources=10, length=1.0, first_capacity=20.0, second_capacity=20.0)
    >>> ring_step(ring, 0.0, price_weight=1.0, static_weight=1.0)
    0.75
    """
    r = number("split", split, low=0, high=1)
    a, b = _weights(price_weight, static_weight)
    gap = ring.sources * ((1.0 - r) / ring.second_capacity - r / ring.first_capacity)
    if b == 0:
        return r if gap == 0 else float(gap > 0)
    return min(max(0.5 + a * gap / (2.0 * b * ring.length), 0.0), 1.0)


def ring_trajectory(
    ring: Ring, split: float, price_weight: float, static_weight: float, steps: int
) -> FloatArray:
    """Splits of successive routing updates, from `ring_step`.

    Parameters
    ----------
    ring, split, price_weight, static_weight : as in `ring_step`.
    steps : number of updates, 1 or more.

    Returns
    -------
    The splits, the first included, shape (steps + 1,).

    Raises
    ------
    InputError : a value out of range.

    >>> ring = Ring(sources=10, length=1.0, first_capacity=20.0, second_capacity=20.0)
    >>> ring_trajectory(ring, 0.0, price_weight=1.0, static_weight=0.0, steps=3)
    array([0., 1., 0., 1.])
    """
    splits = np.empty(whole("steps", steps, low=1) + 1)
    splits[0] = number("split", split, low=0, high=1)
    for step in range(1, splits.size):
        splits[step] = ring_step(ring, float(splits[step - 1]), price_weight, static_weight)
    return splits


def ring_equilibrium(ring: Ring, price_weight: float, static_weight: float) -> float:
    """The split that re-routing would leave as it is.

    ``r = (b D + a N/c_2) / (2 b D + a N (1/c_1 + 1/c_2))``, the fixed point of `ring_step`. It
    tends to the best split ``c_1 / (c_1 + c_2)`` as a/b grows, while it loses its stability.

    Parameters
    ----------
    ring : the ring.
    price_weight, static_weight : a and b, 0 or more, not both 0.

    Raises
    ------
    InputError : a value out of range.

    >>> ring = Ring(sources=1, length=1.0, first_capacity=2.0, second_capacity=1.0)
    >>> round(ring_equilibrium(ring, price_weight=1e9, static_weight=1.0), 4)
    0.6667
    """
    a, b = _weights(price_weight, static_weight)
    static, priced = b * ring.length, a * ring.sources
    slope = 1.0 / ring.first_capacity + 1.0 / ring.second_capacity
    return (static + priced / ring.second_capacity) / (2.0 * static + priced * slope)


def ring_is_stable(ring: Ring, price_weight: float, static_weight: float) -> bool:
    """Whether re-routing converges: ``a N (1/c_1 + 1/c_2) < 2 b D``.

    The slope of `ring_step` is then less than 1 in size. For equal capacities: ``a N < b D c``.

    Parameters
    ----------
    ring : the ring.
    price_weight, static_weight : a and b, 0 or more, not both 0.

    Raises
    ------
    InputError : a value out of range.

    >>> ring = Ring(sources=10, length=1.0, first_capacity=20.0, second_capacity=20.0)
    >>> [ring_is_stable(ring, a, static_weight=1.0) for a in (1.9, 2.1)]
    [True, False]
    """
    a, b = _weights(price_weight, static_weight)
    slope = 1.0 / ring.first_capacity + 1.0 / ring.second_capacity
    return a * ring.sources * slope < 2.0 * b * ring.length


def ring_utility(ring: Ring, split: float) -> float:
    """Sum of the logarithmic utilities of all sources at a split.

    ``V = r N log(c_1 / (r N)) + (1 - r) N log(c_2 / ((1 - r) N))``: the sources of a direction
    share its last hop equally. Largest at ``r = c_1 / (c_1 + c_2)``.

    Parameters
    ----------
    ring : the ring.
    split : r, in [0, 1].

    Raises
    ------
    InputError : a value out of range.

    >>> ring = Ring(sources=2, length=1.0, first_capacity=1.0, second_capacity=1.0)
    >>> ring_utility(ring, 0.5)
    0.0
    """
    r = number("split", split, low=0, high=1)
    sides = (
        (r * ring.sources, ring.first_capacity),
        ((1 - r) * ring.sources, ring.second_capacity),
    )
    return sum(users * math.log(capacity / users) for users, capacity in sides if users > 0)


def _weights(price_weight: float, static_weight: float) -> tuple[float, float]:
    a = number("price_weight", price_weight, low=0)
    b = number("static_weight", static_weight, low=0)
    if a == 0:
        number("static_weight", static_weight, above=0)
    return a, b
