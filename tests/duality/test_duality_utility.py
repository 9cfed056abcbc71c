"""Utility maximisation: closed forms, the dual gradient as a rival, and optimality conditions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, minimize

from lab_tools.duality import dual_gradient, maximise_utility
from lab_tools.errors import DataError, InputError

LINE = [[1, 1, 0], [1, 0, 1]]


def test_one_link_is_shared_by_weight() -> None:
    found = maximise_utility([[1, 1, 1]], [12.0], [1.0, 2.0, 3.0])
    assert found.rates == pytest.approx([2.0, 4.0, 6.0], rel=1e-5)
    assert found.link_prices == pytest.approx([0.5], rel=1e-5)


def test_the_textbook_line_network() -> None:
    # proportional fairness gives the long flow 1/(L+1); fairness 2 gives 1/(1 + sqrt L)
    assert maximise_utility(LINE, [1, 1], [1, 1, 1]).rates == pytest.approx(
        [1 / 3, 2 / 3, 2 / 3], rel=1e-5
    )
    found = maximise_utility(LINE, [1, 1], [1, 1, 1], fairness=2.0)
    assert found.rates[0] == pytest.approx(1 / (1 + math.sqrt(2)), rel=1e-5)


def test_high_fairness_approaches_equal_shares() -> None:
    shares = [maximise_utility(LINE, [1, 1], [1, 1, 1], f).rates[0] for f in (0.5, 1, 2, 4)]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(0.5, abs=0.06)


networks = st.integers(1, 4).flatmap(
    lambda sources: st.tuples(
        st.lists(
            st.lists(st.integers(0, 1), min_size=sources, max_size=sources), min_size=1, max_size=3
        ),
        st.lists(st.floats(0.5, 20.0), min_size=3, max_size=3),
        st.lists(st.floats(0.2, 5.0), min_size=sources, max_size=sources),
    )
)


@settings(max_examples=40, deadline=None)
@given(network=networks, fairness=st.sampled_from([0.5, 1.0, 2.0, 4.0]))
def test_optimality_conditions_hold(network: tuple, fairness: float) -> None:
    rows, capacities, weights = network
    routes = np.vstack([rows, np.ones(len(weights))])  # one link that everybody uses
    limits = np.array([*capacities[: len(rows)], 10.0])
    found = maximise_utility(routes, limits, weights, fairness)
    assert (routes @ found.rates <= limits * (1 + 1e-9)).all()
    assert (found.link_prices >= 0).all()
    marginal = np.array(weights) * found.rates**-fairness
    assert found.path_prices == pytest.approx(marginal, rel=1e-7)
    slack = limits - routes @ found.rates
    assert slack * found.link_prices == pytest.approx(0.0, abs=1e-7 * float(marginal @ found.rates))


@settings(max_examples=6, deadline=None)
@given(network=networks)
def test_no_other_feasible_rates_are_better(network: tuple) -> None:
    rows, capacities, weights = network
    routes = np.vstack([rows, np.ones(len(weights))])
    limits = np.array([*capacities[: len(rows)], 10.0])
    found = maximise_utility(routes, limits, weights)

    def loss(x: np.ndarray) -> float:
        return -float(np.dot(weights, np.log(np.maximum(x, 1e-9))))

    rival = minimize(
        loss,
        np.full(len(weights), 0.4 * limits.min() / len(weights)),
        method="COBYQA",
        bounds=[(1e-6, None)] * len(weights),
        constraints=[LinearConstraint(routes, -np.inf, limits)],
    )
    assert loss(found.rates) <= loss(rival.x) + 1e-4


def test_dual_gradient_converges_to_the_same_rates() -> None:
    found = maximise_utility(LINE, [1.0, 2.0], [1.0, 1.0, 2.0])
    run = dual_gradient(LINE, [1.0, 2.0], [1.0, 1.0, 2.0], 0.3, 2000, highest_rate=5.0)
    assert run.rates.shape == (2000, 3)
    assert run.rates[-1] == pytest.approx(found.rates, rel=1e-4)
    assert run.link_prices[-1] == pytest.approx(found.link_prices, rel=1e-4)


def test_dual_gradient_starts_unlimited_and_without_a_price() -> None:
    run = dual_gradient([[1]], [1.0], [1.0], 0.1, 2, highest_rate=4.0)
    assert run.rates[:, 0] == pytest.approx([4.0, 1 / 0.3])
    assert run.link_prices[:, 0] == pytest.approx([0.0, 0.3])


def test_units_do_not_matter() -> None:
    slow = maximise_utility(LINE, [1.0, 2.0], [1.0, 1.0, 2.0])
    fast = maximise_utility(LINE, [1e9, 2e9], [1.0, 1.0, 2.0])
    assert fast.rates == pytest.approx(1e9 * slow.rates, rel=1e-6)
    assert fast.link_prices == pytest.approx(1e-9 * slow.link_prices, rel=1e-4)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: maximise_utility([[1]], [0.0], [1]), "capacities"),
        (lambda: maximise_utility([[1]], [1.0], [-1]), "weights"),
        (lambda: maximise_utility([[1], [1]], [1.0], [1]), "routes"),
        (lambda: maximise_utility([[1, 1]], [1.0], [1]), "routes"),
        (lambda: maximise_utility([[0.5]], [1.0], [1]), "routes"),
        (lambda: maximise_utility([[1, 0]], [1.0], [1, 1]), "routes"),
        # too far apart: the iteration does not end, or its equations become singular
        (lambda: maximise_utility(LINE, [1.0, 1e9], [1, 1, 1], 4.0), "weights"),
        (
            lambda: maximise_utility([[0, 1, 1], [1, 1, 1]], [0.09, 500], [0.04, 30, 20], 4.0),
            "weights",
        ),
    ],
)
def test_wrong_data_are_named(call, argument) -> None:
    with pytest.raises(DataError) as caught:
        call()
    assert caught.value.argument == argument


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: maximise_utility([[1]], [1.0], [1], fairness=0), "fairness"),
        (lambda: dual_gradient([[1]], [1.0], [1], 0, 1, 1), "step"),
        (lambda: dual_gradient([[1]], [1.0], [1], 1, 0, 1), "iterations"),
        (lambda: dual_gradient([[1]], [1.0], [1], 1, 1, math.inf), "highest_rate"),
    ],
)
def test_wrong_values_are_named(call, argument) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == argument
