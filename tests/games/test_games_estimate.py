"""The survival estimate at an equilibrium, against direct optimisation of the provider."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from lab_tools.errors import InputError
from lab_tools.games import (
    composite,
    composite_ratio,
    correlated_survival,
    product_attacker,
    product_defender,
    product_ratio,
    ratio_multiplier,
    ratio_survival,
    series_equilibrium,
    sum_attacker,
    sum_defender,
    sum_ratio,
    survival_estimate,
)


def test_plugging_game_b_in() -> None:
    point = series_equilibrium(100, 50, [1, 1], [1, 1])
    multiplier = ratio_multiplier(point.defence[0], point.attack[0])
    assert multiplier == pytest.approx(0.0225)
    assert survival_estimate(1 / 3, 0.0, multiplier, sum_ratio(100, 1)) == pytest.approx(2 / 3)


REST, ATTACK, PRICE, GAIN = 0.95, 8.0, 1.5, 100.0


def system(x: float) -> float:
    return ratio_survival(x, ATTACK, 1.2)


def correlation(x: float) -> float:
    return 0.04 * math.exp(-x / 50.0)  # the rest fails along less often, the better b is defended


def infrastructure(x: float) -> float:
    return correlated_survival(system(x), REST, correlation(x))


def minimum(utility: object) -> float:
    found = minimize_scalar(
        utility, bounds=(1.0, 200.0), method="bounded", options={"xatol": 1e-10}
    )
    assert 2.0 < found.x < 199.0  # an interior minimum
    return float(found.x)


def estimate(x: float, ratio: float) -> float:
    slope = -correlation(x) / 50.0
    return survival_estimate(correlation(x), slope, ratio_multiplier(x, ATTACK, 1.2), ratio)


def test_estimate_with_a_changing_correlation_in_sum_form() -> None:
    x = minimum(lambda x: sum_defender(infrastructure(x), GAIN, PRICE * x))
    assert estimate(x, sum_ratio(GAIN, PRICE)) == pytest.approx(system(x), rel=1e-5)


def test_estimate_with_a_changing_correlation_in_product_form() -> None:
    def cost(x: float) -> float:
        return 5.0 + 0.01 * x * x

    x = minimum(lambda x: product_defender(infrastructure(x), cost(x)))
    ratio = product_ratio(infrastructure(x), cost(x), 0.02 * x)
    assert estimate(x, ratio) == pytest.approx(system(x), rel=1e-5)


def test_estimate_in_a_composite_form() -> None:
    # U = (1 - P)^2 g + (2 - P) c x: squared loss, and a cost that failure raises
    def utility(x: float) -> float:
        p = infrastructure(x)
        return composite((1 - p) ** 2, GAIN, 2 - p, PRICE * x)

    x = minimum(utility)
    p = infrastructure(x)
    ratio = composite_ratio(
        gain=GAIN,
        gain_slope=0.0,
        gain_factor=(1 - p) ** 2,
        gain_factor_slope=-2 * (1 - p),
        cost=PRICE * x,
        cost_slope=PRICE,
        cost_factor=2 - p,
        cost_factor_slope=-1.0,
    )
    assert estimate(x, ratio) == pytest.approx(system(x), rel=1e-5)


def test_composite_contains_the_two_simple_forms() -> None:
    p, gain, cost = 0.3, 70.0, 11.0
    assert composite(1 - p, gain, 1.0, cost) == pytest.approx(sum_defender(p, gain, cost))
    assert composite(0.0, gain, 1 - p, cost) == pytest.approx(product_defender(p, cost))
    product = composite_ratio(0.0, 0.0, 1.0, 0.0, cost, 2.0, 1 - p, -1.0)
    assert product == pytest.approx(product_ratio(p, cost, 2.0))


def test_the_players_of_one_infrastructure_split_the_stakes() -> None:
    for p in np.linspace(0, 1, 5):
        assert sum_defender(p, 60, 0) + sum_attacker(p, 60, 0) == pytest.approx(60)
        assert product_defender(p, 9) + product_attacker(p, 9) == pytest.approx(9)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: survival_estimate(1.0, 0.0, 0.1, -0.01), "correlation"),
        (lambda: survival_estimate(1.1, 0.0, 0.1, -0.01), "correlation"),
        (lambda: survival_estimate(0.5, 0.0, -0.1, -0.01), "multiplier"),
        (lambda: survival_estimate(0.5, math.nan, 0.1, -0.01), "correlation_slope"),
        (lambda: sum_ratio(0.0, 1.0), "gain"),
        (lambda: product_ratio(0.5, 0.0, 1.0), "cost"),
        (lambda: composite_ratio(1, 0, 1, 0, 1, 1, 1, 0), "gain_factor_slope"),
        (lambda: sum_defender(1.5, 1, 1), "survival"),
        (lambda: sum_attacker(0.5, -1, 1), "gain"),
        (lambda: product_attacker(0.5, -1), "cost"),
    ],
)
def test_wrong_values_are_named(call, argument) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == argument


def test_a_strong_correlation_with_a_slope_still_gives_an_estimate() -> None:
    # C_b = 1: only the slope of the correlation acts; (C' + F/L) / C'
    assert survival_estimate(1.0, -0.02, 0.1, -0.01) == pytest.approx(1.5)
