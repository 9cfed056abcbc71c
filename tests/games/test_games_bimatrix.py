"""Bimatrix and population games, against hand-worked games and exhaustive search."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.games import (
    bimatrix_equilibria,
    is_bimatrix_equilibrium,
    population_equilibria,
    pure_equilibria,
    share_payoff,
    symmetric_equilibria,
)


def test_battle_of_the_sexes_has_its_three_textbook_equilibria() -> None:
    rows, columns = [[2, 0], [0, 1]], [[1, 0], [0, 2]]
    found = sorted(tuple(e.row.round(6)) for e in bimatrix_equilibria(rows, columns))
    assert found == [(0.0, 1.0), (pytest.approx(2 / 3), pytest.approx(1 / 3)), (1.0, 0.0)]
    assert pure_equilibria(rows, columns) == ((0, 0), (1, 1))


def test_matching_pennies_is_worth_nothing_to_anybody() -> None:
    (only,) = bimatrix_equilibria([[1, -1], [-1, 1]], [[-1, 1], [1, -1]])
    assert only.row == pytest.approx([0.5, 0.5])
    assert only.column == pytest.approx([0.5, 0.5])
    assert (only.row_payoff, only.column_payoff) == pytest.approx((0.0, 0.0))


def test_choice_of_congestion_control_is_independent_of_the_unit() -> None:
    # chicken: each control gains against the other, so the symmetric equilibrium is mixed:
    # p T00 + (1-p) T01 = p T10 + (1-p) T11 with T = 4, 7, 6, 4 gives p = 3/5
    goodput_bps = np.array([[4e9, 7e9], [6e9, 4e9]])
    mixed = [e for e in symmetric_equilibria(goodput_bps) if 0 < e.row[0] < 1]
    assert len(mixed) == 1
    assert mixed[0].row == pytest.approx([0.6, 0.4])
    assert mixed[0].row_payoff == pytest.approx(0.6 * 4e9 + 0.4 * 7e9)
    assert len(symmetric_equilibria(goodput_bps)) == 3


payoffs = st.lists(st.lists(st.floats(-5, 5), min_size=3, max_size=3), min_size=2, max_size=2).map(
    np.array
)


@settings(max_examples=30, deadline=None)
@given(rows=payoffs, columns=payoffs)
def test_every_equilibrium_returned_is_one(rows: np.ndarray, columns: np.ndarray) -> None:
    for found in bimatrix_equilibria(rows, columns):
        assert is_bimatrix_equilibrium(rows, columns, found.row, found.column, tolerance=1e-7)


@settings(max_examples=30)
@given(rows=payoffs, columns=payoffs)
def test_pure_equilibria_by_trying_every_switch(rows: np.ndarray, columns: np.ndarray) -> None:
    stable = [
        (i, j)
        for i in range(2)
        for j in range(3)
        if all(rows[k, j] <= rows[i, j] for k in range(2))
        and all(columns[i, k] <= columns[i, j] for k in range(3))
    ]
    assert pure_equilibria(rows, columns) == tuple(stable)


def test_mixed_equilibrium_by_the_indifference_equations() -> None:
    rows, columns = np.array([[3.0, 0.0], [1.0, 2.0]]), np.array([[0.0, 2.0], [3.0, 1.0]])
    # p makes the column player indifferent: 3(1-p) = 2p + (1-p); q the row player: 3q = q + 2(1-q)
    (only,) = bimatrix_equilibria(rows, columns)
    assert only.row == pytest.approx([0.5, 0.5])
    assert only.column == pytest.approx([0.5, 0.5])


def test_a_game_of_equal_payoffs_does_not_warn() -> None:
    assert len(bimatrix_equilibria([[1, 1], [1, 1]], [[1, 1], [1, 1]])) >= 1
    assert len(pure_equilibria([[1, 1], [1, 1]], [[1, 1], [1, 1]])) == 4


def test_a_claimed_equilibrium_is_refuted() -> None:
    dilemma = ([[3, 0], [5, 1]], [[3, 5], [0, 1]])
    assert not is_bimatrix_equilibrium(*dilemma, row=[1, 0], column=[1, 0])
    assert not is_bimatrix_equilibrium(*dilemma, row=[0, 1], column=[1, 0])


@settings(max_examples=50)
@given(data=st.data(), flows=st.integers(1, 6))
def test_population_always_has_an_equilibrium(data: st.DataObject, flows: int) -> None:
    goodputs = st.lists(st.floats(0, 10), min_size=flows, max_size=flows)
    first, second = data.draw(goodputs), data.draw(goodputs)
    found = population_equilibria(first, second)
    assert found
    for k in found:
        assert k == 0 or first[k - 1] >= second[k - 1]
        assert k == flows or second[k] >= first[k]


def test_two_flows_are_a_symmetric_bimatrix_game() -> None:
    matrix = [[4.0, 7.0], [6.0, 4.0]]
    # k = 1: one flow on each control
    first, second = [matrix[0][1], matrix[0][0]], [matrix[1][1], matrix[1][0]]
    assert population_equilibria(first, second) == (1,)
    assert pure_equilibria(matrix, np.transpose(matrix)) == ((0, 1), (1, 0))


def test_a_dominant_control_takes_all_and_indifference_keeps_everything() -> None:
    assert population_equilibria([5, 4, 3], [1, 1, 1]) == (3,)
    assert population_equilibria([1, 1, 1], [5, 4, 3]) == (0,)
    assert population_equilibria([5, 4, 3], [5.05, 4.05, 3.05], tolerance=0.1) == (0, 1, 2, 3)


def test_equal_shares() -> None:
    assert share_payoff(9.0, 3) == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: bimatrix_equilibria([[1, 2]], [[1, 2], [3, 4]]), "column_payoffs"),
        (lambda: bimatrix_equilibria([[1, 2], [3]], [[1, 2], [3, 4]]), "row_payoffs"),
        (lambda: bimatrix_equilibria(3, 4), "row_payoffs"),
        (lambda: bimatrix_equilibria([], []), "row_payoffs"),
        (lambda: bimatrix_equilibria([1, 2], [1, 2]), "row_payoffs"),
        (lambda: pure_equilibria([[1, math.nan]], [[1, 1]]), "row_payoffs"),
        (lambda: symmetric_equilibria([[1, 2]]), "payoffs"),
        (lambda: is_bimatrix_equilibrium([[1, 2]], [[1, 2]], [1], [0.5, 0.6]), "column"),
        (lambda: is_bimatrix_equilibrium([[1, 2]], [[1, 2]], [0.5, 0.5], [1, 0]), "row"),
        (lambda: population_equilibria([1, 2], [1]), "second_payoff"),
    ],
)
def test_wrong_data_are_named(call, argument) -> None:
    with pytest.raises(DataError) as caught:
        call()
    assert caught.value.argument == argument


def test_wrong_tolerances_are_named() -> None:
    with pytest.raises(InputError, match="tolerance"):
        population_equilibria([1], [1], tolerance=-1)
    with pytest.raises(InputError, match="flows"):
        share_payoff(1.0, 0)
