"""Closed-form and numeric equilibria: the worked games, and no unilateral improvement."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from lab_tools.errors import DataError, InputError
from lab_tools.games import (
    DefenceGame,
    attacker_best_response,
    attacker_utility,
    best_response,
    check_equilibrium,
    correlated_survival,
    defender_best_response,
    defender_utility,
    find_equilibrium,
    infrastructure_survival,
    offset_equilibrium,
    parallel_equilibrium,
    parallel_survival,
    payoff_surface,
    ratio_equilibrium,
    ratio_multiplier,
    series_equilibrium,
    sum_ratio,
    survival_estimate,
    system_survival,
)

stakes = st.floats(10.0, 200.0)
prices = st.floats(0.5, 2.0)


def test_game_a_has_the_published_equilibrium() -> None:
    point = ratio_equilibrium(defender_gain=100, attacker_gain=50)
    assert point.survival == pytest.approx(2 / 3)
    assert point.defence == pytest.approx(22.222, abs=5e-4)
    assert point.attack == pytest.approx(11.111, abs=5e-4)
    assert point.is_equilibrium


def test_game_a_with_an_inherent_strength() -> None:
    point = offset_equilibrium(defender_gain=100, attacker_gain=50, offset=2)
    assert point.survival == pytest.approx(2 / 3)
    assert point.defence == pytest.approx(20.222, abs=5e-4)
    assert point.attack == pytest.approx(11.111, abs=5e-4)


def test_game_a_at_m_2_is_stationary_but_no_equilibrium() -> None:
    point = ratio_equilibrium(defender_gain=100, attacker_gain=50, steepness=2)
    assert (point.survival, point.defence, point.attack) == pytest.approx((0.8, 32.0, 16.0))
    assert point.attacker_utility == pytest.approx(56.0)
    assert point.defender_participates
    assert not point.attacker_participates
    game = DefenceGame(100, 50, (1.0,), (1.0,), steepness=2)
    check = check_equilibrium(game, [point.defence], [point.attack])
    assert not check.is_equilibrium
    assert check.attacker_gain == pytest.approx(6.0)  # 56 against 50 for doing nothing
    assert check.defender_gain == pytest.approx(0.0, abs=1e-6)


def test_iteration_at_m_2_says_that_it_found_nothing() -> None:
    game = DefenceGame(100, 50, (1.0,), (1.0,), steepness=2)
    result = find_equilibrium(game, [32.0], [16.0], rounds=15)
    assert result.rounds == 15
    assert not result.check.is_equilibrium


def test_game_b_two_sites_in_series() -> None:
    point = series_equilibrium(100, 50, [1, 1], [1, 1])
    assert point.defence == pytest.approx([14.8148] * 2, abs=5e-5)
    assert point.attack == pytest.approx([7.4074] * 2, abs=5e-5)
    assert point.survival == pytest.approx([2 / 3] * 2)
    assert point.infrastructure_survival == pytest.approx(4 / 9)
    assert point.defender_utility == pytest.approx(85.185, abs=5e-4)
    assert point.attacker_utility == pytest.approx(37.037, abs=5e-4)
    game = DefenceGame(100, 50, (1, 1), (1, 1))
    assert check_equilibrium(game, point.defence, point.attack).is_equilibrium
    # the best that an attack on one site alone reaches
    one_site = minimize_scalar(
        lambda y: attacker_utility(game, point.defence, [y, 0.0]), bounds=(0, 50), method="bounded"
    )
    assert one_site.fun == pytest.approx(39.618, abs=5e-4)


def test_game_b_is_found_by_iteration() -> None:
    result = find_equilibrium(DefenceGame(100, 50, (1, 1), (1, 1)), [5, 20], [20, 5])
    assert result.check.is_equilibrium
    assert result.defence == pytest.approx([14.8148] * 2, rel=1e-3)
    assert result.attack == pytest.approx([7.4074] * 2, rel=1e-3)


def test_four_sites_in_series_are_too_many_to_defend() -> None:
    point = series_equilibrium(100, 50, [1] * 4, [1] * 4)
    assert not point.defender_participates  # 4 x (1 - 2/3) > 1
    assert point.attacker_participates
    check = check_equilibrium(DefenceGame(100, 50, (1,) * 4, (1,) * 4), point.defence, point.attack)
    assert not check.is_equilibrium
    assert check.defender_gain == pytest.approx(point.defender_utility - 100, rel=1e-3)


@settings(max_examples=20, deadline=None)
@given(gain_d=stakes, gain_a=stakes, cost_d=prices, cost_a=prices, m=st.floats(0.3, 3.0))
def test_participation_is_what_numeric_best_responses_say(
    gain_d: float, gain_a: float, cost_d: float, cost_a: float, m: float
) -> None:
    point = ratio_equilibrium(gain_d, gain_a, cost_d, cost_a, steepness=m)
    margin = 1.0 - m * max(point.survival, 1.0 - point.survival)
    if abs(margin) < 1e-3:
        return
    game = DefenceGame(gain_d, gain_a, (cost_d,), (cost_a,), steepness=m)
    check = check_equilibrium(game, [point.defence], [point.attack])
    assert check.is_equilibrium == point.is_equilibrium == (margin > 0)


@settings(max_examples=20, deadline=None)
@given(gain_d=stakes, gain_a=stakes, offset=st.floats(0.1, 100.0), cost_a=prices)
def test_offset_equilibrium_cannot_be_improved(
    gain_d: float, gain_a: float, offset: float, cost_a: float
) -> None:
    point = offset_equilibrium(gain_d, gain_a, offset, attacker_cost=cost_a)
    game = DefenceGame(gain_d, gain_a, (1.0,), (cost_a,), offset=offset)
    assert check_equilibrium(game, [point.defence], [point.attack]).is_equilibrium
    assert point.defender_utility == pytest.approx(
        defender_utility(game, [point.defence], [point.attack])
    )


def test_a_strong_system_needs_no_defence_and_a_very_strong_one_meets_no_attack() -> None:
    strong = offset_equilibrium(100, 50, offset=30)
    assert strong.defence == 0.0
    assert strong.attack == pytest.approx(math.sqrt(1500) - 30)
    assert offset_equilibrium(100, 50, offset=60).attack == 0.0


@settings(max_examples=12, deadline=None)
@given(
    gain_a=st.floats(10.0, 90.0),
    costs_d=st.tuples(prices, prices),
    costs_a=st.tuples(prices, prices),
)
def test_series_equilibrium_cannot_be_improved(
    gain_a: float, costs_d: tuple[float, float], costs_a: tuple[float, float]
) -> None:
    point = series_equilibrium(100, gain_a, costs_d, costs_a)
    excess = float(np.sum(1 - point.survival)) - 1.0
    if abs(excess) < 1e-3:
        return
    game = DefenceGame(100, gain_a, costs_d, costs_a)
    check = check_equilibrium(game, point.defence, point.attack)
    assert check.is_equilibrium == (excess < 0) == point.defender_participates
    assert point.attacker_utility == pytest.approx(
        attacker_utility(game, point.defence, point.attack)
    )


@settings(max_examples=12, deadline=None)
@given(gain_d=stakes, gain_a=stakes, costs_d=st.tuples(prices, prices), m=st.floats(0.5, 1.0))
def test_parallel_is_series_with_the_players_exchanged(
    gain_d: float, gain_a: float, costs_d: tuple[float, float], m: float
) -> None:
    parallel = parallel_equilibrium(gain_d, gain_a, costs_d, [1, 1], steepness=m)
    series = series_equilibrium(gain_a, gain_d, [1, 1], costs_d, steepness=m)
    assert parallel.attack == pytest.approx(series.defence)
    assert parallel.defence == pytest.approx(series.attack)
    assert parallel.attacker_utility == pytest.approx(series.defender_utility)
    assert parallel.attacker_participates == series.defender_participates


def test_parallel_equilibrium_cannot_be_improved() -> None:
    point = parallel_equilibrium(100, 200, [1, 1], [1, 1])
    game = DefenceGame(100, 200, (1, 1), (1, 1), infrastructure=parallel_survival)
    assert check_equilibrium(game, point.defence, point.attack).is_equilibrium
    assert infrastructure_survival(game, point.defence, point.attack) == pytest.approx(
        point.infrastructure_survival
    )


@settings(max_examples=20, deadline=None)
@given(gain=stakes, attack=st.floats(0.5, 50.0), price=prices)
def test_best_response_to_tullock_is_the_square_root_law(
    gain: float, attack: float, price: float
) -> None:
    found = defender_best_response(DefenceGame(gain, 50, (price,), (1.0,)), [attack])
    expected = max(0.0, math.sqrt(gain * attack / price) - attack)
    assert found.investment[0] == pytest.approx(expected, rel=1e-3, abs=1e-3)


def test_best_response_finds_the_deeper_of_two_minima() -> None:
    def two_wells(x: np.ndarray) -> float:
        return float(min((x[0] - 1.0) ** 2, (x[0] - 8.0) ** 2 - 0.5))

    assert best_response(two_wells, 1, limit=10.0).investment == pytest.approx([8.0], abs=1e-4)


def test_product_form_at_m_1_is_degenerate() -> None:
    game = DefenceGame(
        100, 50, (2.0,), (1.0,), form="product", defender_base_cost=10, attacker_base_cost=3
    )
    # against y = L_0 / c_D = 5 every defence costs the same
    utilities = [defender_utility(game, [x], [5.0]) for x in (1.0, 7.0, 40.0)]
    assert utilities == pytest.approx([10.0] * 3)
    assert attacker_utility(game, [5.0], [5.0]) == pytest.approx(0.5 * 8.0)
    assert attacker_best_response(game, [5.0], limit=100.0).utility <= 4.0
    with pytest.raises(InputError, match="limit"):
        attacker_best_response(game, [5.0])


def test_numeric_equilibrium_of_a_correlated_infrastructure_meets_the_estimate() -> None:
    theta = 0.3  # Farlie-Gumbel-Morgenstern dependence: the systems tend to fail together

    def correlation(b: float, rest: float) -> float:
        return (1 - rest) + theta * b * rest * (1 - rest)

    def joined(survival: np.ndarray) -> float:
        b, rest = survival
        return correlated_survival(b, rest, correlation(b, rest))

    game = DefenceGame(100, 40, (1.0, 1.0), (1.0, 1.1), infrastructure=joined)
    result = find_equilibrium(game, [10, 10], [5, 5], tolerance=1e-5)
    assert result.check.is_equilibrium
    b, rest = system_survival(game, result.defence, result.attack)
    multiplier = ratio_multiplier(result.defence[0], result.attack[0])
    estimate = survival_estimate(
        correlation(b, rest),
        theta * multiplier * b * rest * (1 - rest),
        multiplier,
        sum_ratio(100, 1.0),
    )
    assert estimate == pytest.approx(b, rel=2e-3)


def test_game_with_an_offset_uses_the_offset_contest() -> None:
    game = DefenceGame(100, 50, (1.0,), (1.0,), offset=2.0)
    assert system_survival(game, [0.0], [2.0]) == pytest.approx([0.5])


def test_surface_holds_utilities_and_crossing_best_responses() -> None:
    game = DefenceGame(100, 50, (1.0,), (1.0,))
    point = ratio_equilibrium(100, 50)
    surface = payoff_surface(game, [10.0, point.defence], [5.0, point.attack, 30.0])
    assert surface.defender.shape == surface.attacker.shape == (2, 3)
    assert surface.defender[0, 2] == pytest.approx(defender_utility(game, [10.0], [30.0]))
    assert surface.attacker[0, 2] == pytest.approx(attacker_utility(game, [10.0], [30.0]))
    assert surface.best_defence[1] == pytest.approx(point.defence, rel=1e-3)
    assert surface.best_attack[1] == pytest.approx(point.attack, rel=1e-3)


GAME = DefenceGame(100, 50, (1.0, 1.0), (1.0, 1.0))


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: ratio_equilibrium(0, 50), "defender_gain"),
        (lambda: ratio_equilibrium(100, 50, attacker_cost=-1), "attacker_cost"),
        (lambda: offset_equilibrium(100, 50, offset=0), "offset"),
        (lambda: series_equilibrium(100, -1, [1], [1]), "attacker_gain"),
        (lambda: DefenceGame(100, 50, (1.0,), (1.0,), steepness=2.0, offset=1.0), "steepness"),
        (lambda: DefenceGame(100, 50, (1.0,), (1.0,), form="other"), "form"),
        (lambda: check_equilibrium(GAME, [1, 1], [1, 1], tolerance=0), "tolerance"),
        (lambda: find_equilibrium(GAME, [1, 1], [1, 1], rounds=0), "rounds"),
        (lambda: best_response(lambda x: 0.0, 1, limit=0), "limit"),
        (lambda: best_response(lambda x: 0.0, 0, limit=1), "systems"),
    ],
)
def test_wrong_values_are_named(call, argument) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == argument


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: series_equilibrium(100, 50, [1, 1], [1]), "attacker_costs"),
        (lambda: DefenceGame(100, 50, (1.0, -1.0), (1.0, 1.0)), "defender_costs"),
        (lambda: defender_utility(GAME, [1], [1, 1]), "defence"),
        (lambda: defender_utility(GAME, [1, 1], [1, math.nan]), "attack"),
        (lambda: best_response(lambda x: 0.0, 2, limit=1, start=[1]), "start"),
        (lambda: payoff_surface(GAME, [1, 2], [1, 2]), "game"),
        (
            lambda: payoff_surface(DefenceGame(1, 1, (1.0,), (1.0,)), [2, 1], [1]),
            "defence",
        ),
        (
            lambda: infrastructure_survival(
                DefenceGame(1, 1, (1.0,), (1.0,), infrastructure=lambda p: 2.0), [1], [1]
            ),
            "infrastructure",
        ),
    ],
)
def test_wrong_data_are_named(call, argument) -> None:
    with pytest.raises(DataError) as caught:
        call()
    assert caught.value.argument == argument


def test_partial_functions_serve_as_infrastructure() -> None:
    def threshold(survival: np.ndarray, weight: float) -> float:
        return float(weight * survival[0] + (1 - weight) * survival[1])

    game = DefenceGame(1, 1, (1.0, 1.0), (1.0, 1.0), infrastructure=partial(threshold, weight=0.25))
    assert infrastructure_survival(game, [1, 3], [1, 1]) == pytest.approx(0.25 * 0.5 + 0.75 * 0.75)
