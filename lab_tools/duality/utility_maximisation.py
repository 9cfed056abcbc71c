"""Network utility maximisation: the rates at which TCP settles in the duality model."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector, whole
from lab_tools.errors import DataError

TOLERANCE = 1e-9
"""Relative error at which the interior-point iteration stops."""

ITERATIONS = 200
"""Iterations after which it gives up; well-posed networks need some twenty."""


@dataclass(frozen=True)
class Allocation:
    """Rates and prices that solve the utility maximisation.

    Attributes
    ----------
    rates : x_s, shape (sources,), in the units of the capacities.
    link_prices : Lagrange multipliers p_l, shape (links,); next to 0 on links that are not full.
        Where two links carry the same sources only the sum of their prices is determined.
    path_prices : q_s, the sum of the prices along each source's path, shape (sources,).
    """

    rates: FloatArray
    link_prices: FloatArray
    path_prices: FloatArray


@dataclass(frozen=True)
class DualIteration:
    """Rates and prices of the gradient algorithm, one row an iteration.

    Attributes
    ----------
    rates : shape (iterations, sources).
    link_prices : shape (iterations, links).
    """

    rates: FloatArray
    link_prices: FloatArray


def maximise_utility(
    routes: Sequence[ArrayLike],
    capacities: ArrayLike,
    weights: ArrayLike,
    fairness: float = 1.0,
) -> Allocation:
    """Maximise ``sum_s U_s(x_s)`` subject to ``sum of the rates on link l <= c_l``.

    ``U_s = w_s log x_s`` for fairness 1 (proportional fairness; Vegas with w = alpha d, FAST with
    w = alpha), ``U_s = w_s x_s^(1-f) / (1-f)`` otherwise (Mo and Walrand 2000). Kelly, Maulloo and
    Tan (1998) posed the problem; Low and Lapsley (1999) showed that the prices are the links'
    congestion measure, with ``U'_s(x_s) = q_s`` at the optimum. Rates and prices are solved for
    together by a primal-dual interior-point method (Boyd and Vandenberghe, "Convex Optimization",
    2004, Sec. 11.7).

    Parameters
    ----------
    routes : routing matrix, shape (links, sources), 1 where a source uses a link, else 0.
    capacities : c_l, above 0, shape (links,).
    weights : w_s, above 0, shape (sources,).
    fairness : f, in (0, 4].

    Raises
    ------
    InputError, DataError : wrong shapes, a routing matrix of other values than 0 and 1, a source
        without a link, values of 0 or less, or values so far apart that the iteration fails.

    One source over two links of capacity 1, and one source on each of them:

    >>> maximise_utility([[1, 1, 0], [1, 0, 1]], [1, 1], [1, 1, 1]).rates.round(4)
    array([0.3333, 0.6667, 0.6667])
    """
    matrix, limits, w = _network(routes, capacities, weights)
    f = number("fairness", fairness, above=0, high=4)
    unit = _equal_shares(matrix, limits)  # rates are computed in these units, loads in capacities
    load = matrix * unit / limits[:, None]
    weight = w * unit ** (1.0 - f)
    with np.errstate(all="ignore"):
        solution = _interior_point(load, weight / weight.max(), f)
    if solution is None:
        raise DataError(
            "weights", "and capacities span too many orders of magnitude", "values closer together"
        )
    rates, prices = solution
    link_prices = prices * weight.max() / limits
    return Allocation(rates * unit, link_prices, matrix.T @ link_prices)


def dual_gradient(
    routes: Sequence[ArrayLike],
    capacities: ArrayLike,
    weights: ArrayLike,
    step: float,
    iterations: int,
    highest_rate: float,
) -> DualIteration:
    """The distributed gradient algorithm: sources iterate on rates, links on prices.

    ``x_s = w_s / q_s``, ``p_l <- max(0, p_l + step (load_l - c_l))`` (Low and Lapsley,
    "Optimization flow control I", IEEE/ACM Transactions on Networking 7, 1999, for logarithmic
    utilities). It converges for small steps to the rates of `maximise_utility`.

    Parameters
    ----------
    routes, capacities, weights : as in `maximise_utility`.
    step : step of the prices, above 0.
    iterations : number of iterations, 1 or more.
    highest_rate : bound of every rate, above 0 (a path without price has no other).

    Raises
    ------
    InputError, DataError : as in `maximise_utility`.

    >>> run = dual_gradient([[1, 1]], [3.0], [1.0, 2.0], step=0.1, iterations=200, highest_rate=3.0)
    >>> run.rates[-1].round(3)
    array([1., 2.])
    """
    matrix, limits, w = _network(routes, capacities, weights)
    gain = number("step", step, above=0)
    count = whole("iterations", iterations, low=1)
    top = number("highest_rate", highest_rate, above=0)
    prices = np.zeros((count, limits.size))
    rates = np.zeros((count, w.size))
    price = np.zeros(limits.size)
    for i in range(count):
        rates[i] = w / np.maximum(matrix.T @ price, w / top)
        prices[i] = price
        price = np.maximum(0.0, price + gain * (matrix @ rates[i] - limits))
    return DualIteration(rates, prices)


def _interior_point(
    load: FloatArray, weight: FloatArray, f: float
) -> tuple[FloatArray, FloatArray] | None:
    """Solve ``U'(x) = load^T p``, ``load x + slack = 1``, ``p slack = mu`` while mu goes to 0."""
    x = np.full(weight.size, 0.5)
    slack = 1.0 - load @ x
    p = np.full(slack.size, (weight * x**-f).max() / slack.size)
    for _ in range(ITERATIONS):
        q, marginal = load.T @ p, weight * x**-f
        mismatch, overload, gap = np.log(marginal / q), 1.0 - load @ x - slack, p @ slack
        errors = (np.abs(mismatch).max(), np.abs(overload).max(), gap / (q @ x))
        if max(errors) < TOLERANCE:
            return x, p
        toward = 0.1 * gap / (slack.size * slack) - p  # p must change by this to reach 0.1 mu
        root = np.sqrt(x / (f * q))  # scales the normal equations
        scaled = load * np.sqrt(p / slack)[:, None] * root
        system = np.eye(x.size) + scaled.T @ scaled
        right = root * (q * mismatch - load.T @ (toward - p / slack * overload))
        try:
            dx = root * np.linalg.solve(system, right)
        except np.linalg.LinAlgError:
            break
        dslack = overload - load @ dx
        dp = toward - p / slack * dslack
        length = min(_longest_step(v, dv) for v, dv in ((x, dx), (slack, dslack), (p, dp)))
        x, slack, p = x + length * dx, slack + length * dslack, p + length * dp
    return None


def _longest_step(values: FloatArray, change: FloatArray) -> float:
    """At most 1, and less than would bring a value to 0."""
    return float(min(1.0, 0.99 / max(np.max(-change / values), 0.01)))


def _equal_shares(matrix: FloatArray, limits: FloatArray) -> FloatArray:
    per_source = limits / np.maximum(matrix.sum(axis=1), 1.0)
    return np.array([per_source[column > 0].min() for column in matrix.T])


def _network(
    routes: Sequence[ArrayLike], capacities: ArrayLike, weights: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    limits = vector("capacities", capacities, positive=True)
    w = vector("weights", weights, positive=True)
    if len(routes) != limits.size:
        raise DataError("routes", f"has {len(routes)} rows", f"one for each of {limits.size} links")
    matrix = np.stack([vector("routes", row, length=w.size) for row in routes])
    if not np.isin(matrix, (0.0, 1.0)).all():
        raise DataError("routes", "has values other than 0 and 1", "only 0 and 1")
    if not matrix.any(axis=0).all():
        lonely = int(np.flatnonzero(~matrix.any(axis=0))[0])
        raise DataError("routes", f"gives source {lonely} no link", "a link for each source")
    return matrix, limits, w
