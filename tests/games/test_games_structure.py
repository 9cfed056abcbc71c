"""Survival of series, parallel and correlated infrastructures, against joint distributions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.games import (
    aggregated_correlation,
    correlated_survival,
    cyber_physical_survival,
    parallel_survival,
    series_survival,
)

probabilities = st.floats(0.0, 1.0)


@settings(max_examples=50)
@given(survival=st.lists(probabilities, min_size=1, max_size=6))
def test_series_is_no_stronger_than_its_weakest_and_parallel_no_weaker_than_its_strongest(
    survival: list[float],
) -> None:
    assert 0.0 <= series_survival(survival) <= min(survival)
    assert max(survival) - 1e-12 <= parallel_survival(survival) <= 1.0
    failure = [1.0 - p for p in survival]
    assert parallel_survival(survival) == pytest.approx(1.0 - series_survival(failure))


@settings(max_examples=50)
@given(weights=st.lists(st.floats(0.01, 1.0), min_size=4, max_size=4))
def test_any_joint_distribution_is_reproduced(weights: list[float]) -> None:
    both, only_b, only_rest, none = np.array(weights) / sum(weights)
    system, rest = both + only_b, both + only_rest
    correlation = none / (only_rest + none)
    assert correlated_survival(system, rest, correlation) == pytest.approx(both)
    assert aggregated_correlation(system, rest, both) == pytest.approx(correlation)


def test_limits_of_the_aggregated_correlation() -> None:
    assert correlated_survival(0.9, 0.8, correlation=0.2) == pytest.approx(0.72)  # independent
    # a critical network takes the rest with it: P_I = P_rest
    assert correlated_survival(0.9, 0.8, correlation=1.0) == pytest.approx(0.8)


def test_cyber_physical_cases_of_the_paper() -> None:
    assert cyber_physical_survival(0.9, 0.8, slope=1, base=0) == pytest.approx(0.72)
    assert cyber_physical_survival(0.9, 0.8, slope=0, base=0) == pytest.approx(0.7)  # OR systems
    # failure certainty: Pr(both fail) = Pr(physical fails), so P_CP = P_C
    assert cyber_physical_survival(0.7, 0.8, slope=0, base=1) == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: correlated_survival(1.2, 0.5, 0.1), "system"),
        (lambda: correlated_survival(0.2, 0.2, 0.0), "correlation"),  # must fail together
        (lambda: correlated_survival(0.5, 0.9, 1.0), "correlation"),  # the rest fails too rarely
        (lambda: aggregated_correlation(1.0, 0.5, 0.5), "system"),
        (lambda: aggregated_correlation(0.5, 0.5, 0.6), "joint"),
        (lambda: cyber_physical_survival(0.2, 0.8, slope=1, base=0.5), "slope"),
        (lambda: cyber_physical_survival(0.2, math.nan, slope=1, base=0), "physical"),
    ],
)
def test_impossible_probabilities_are_named(call, argument) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == argument


@pytest.mark.parametrize("values", [[], [0.5, 1.5], [-0.1], [math.nan], [[0.5]]])
def test_wrong_vectors_are_named(values: object) -> None:
    with pytest.raises(DataError) as caught:
        series_survival(values)
    assert caught.value.argument == "survival"
