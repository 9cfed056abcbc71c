"""Contest success functions: symmetry, bounds, and multipliers against finite differences."""

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import InputError
from lab_tools.games import (
    component_multiplier,
    component_survival,
    offset_multiplier,
    offset_survival,
    ratio_multiplier,
    ratio_survival,
)

investments = st.floats(0.01, 1e3)
steepnesses = st.floats(0.1, 5.0)


def test_ratio_of_the_published_example() -> None:
    # x^m / (x^m + y^m) by hand: 2^3 / (2^3 + 1) and 1 / (1 + 2^2)
    assert ratio_survival(2.0, 1.0, steepness=3.0) == pytest.approx(8 / 9)
    assert ratio_survival(1.0, 2.0, steepness=2.0) == pytest.approx(0.2)


def test_ratio_at_the_edges() -> None:
    assert ratio_survival(0.0, 0.0) == 0.5
    assert ratio_survival(0.0, 1.0) == 0.0
    assert ratio_survival(1e-300, 0.0) == 1.0
    assert ratio_survival(1e300, 1e-300, steepness=5.0) == 1.0


@settings(max_examples=50)
@given(x=investments, y=investments, m=steepnesses)
def test_ratio_is_fair_to_both_sides(x: float, y: float, m: float) -> None:
    assert ratio_survival(x, y, m) + ratio_survival(y, x, m) == pytest.approx(1.0)


@settings(max_examples=50)
@given(x=investments, y=investments, m=steepnesses, scale=st.floats(1e-3, 1e3))
def test_ratio_has_no_unit(x: float, y: float, m: float, scale: float) -> None:
    assert ratio_survival(scale * x, scale * y, m) == pytest.approx(ratio_survival(x, y, m))


@settings(max_examples=50)
@given(x=investments, y=investments, more=st.floats(1.01, 10), m=steepnesses)
def test_survival_rises_with_defence_and_falls_with_attack(
    x: float, y: float, more: float, m: float
) -> None:
    base = ratio_survival(x, y, m)
    assert ratio_survival(x * more, y, m) >= base >= ratio_survival(x, y * more, m)
    offset = offset_survival(x, y, offset=1.0)
    assert offset_survival(x * more, y, 1.0) > offset > offset_survival(x, y * more, 1.0)


@settings(max_examples=50)
@given(x=st.floats(1.0, 100.0), y=st.floats(1.0, 100.0), m=st.floats(0.5, 3.0))
def test_multipliers_are_the_logarithmic_derivatives(x: float, y: float, m: float) -> None:
    h = 1e-5 * x
    ratio = math.log(ratio_survival(x + h, y, m)) - math.log(ratio_survival(x - h, y, m))
    assert ratio_multiplier(x, y, m) == pytest.approx(ratio / (2 * h), rel=1e-4, abs=1e-9)
    shifted = math.log(offset_survival(x + h, y, m)) - math.log(offset_survival(x - h, y, m))
    assert offset_multiplier(x, y, m) == pytest.approx(shifted / (2 * h), rel=1e-4, abs=1e-9)


def test_components_by_enumeration_of_all_outcomes() -> None:
    strong, plain = 0.9, 0.5
    survive = [strong, strong, plain]
    total = sum(
        math.prod(p if up else 1 - p for p, up in zip(survive, outcome, strict=True))
        for outcome in product([True, False], repeat=3)
        if all(outcome)
    )
    assert component_survival(2, 3, strong, plain) == pytest.approx(total)


def test_component_multiplier_is_the_ratio_of_neighbours() -> None:
    step = component_survival(5, 9, 0.99, 0.9) / component_survival(4, 9, 0.99, 0.9)
    assert component_multiplier(0.99, 0.9) == pytest.approx(math.log(step))


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: ratio_survival(-1, 1), "defence"),
        (lambda: ratio_survival(1, math.nan), "attack"),
        (lambda: ratio_survival(1, 1, 0), "steepness"),
        (lambda: ratio_multiplier(0, 1), "defence"),
        (lambda: offset_survival(1, 1, 0), "offset"),
        (lambda: component_survival(4, 3, 0.9, 0.5), "reinforced"),
        (lambda: component_survival(1, 0, 0.9, 0.5), "components"),
        (lambda: component_multiplier(1.1, 0.5), "p_reinforced"),
        (lambda: component_multiplier(0.9, 0.0), "p_plain"),
    ],
)
def test_wrong_values_are_named(call, argument) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.field == argument
