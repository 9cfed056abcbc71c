"""Sites behind fibres: expectation by enumeration, attacks by exhaustive search."""

import math
from functools import partial
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.errors import DataError, InputError
from lab_tools.games import (
    DefenceGame,
    cheapest_attack,
    check_equilibrium,
    expected_servers,
    fibre_attack_preferred,
    find_equilibrium,
    reachable_share,
)


def test_expectation_by_enumeration_of_all_outcomes() -> None:
    network, fibres, servers = 0.9, [0.8, 0.6], [[0.7, 0.5], [0.4]]
    flat = [network, *fibres, *servers[0], *servers[1]]
    total = 0.0
    for up in product([0, 1], repeat=len(flat)):
        weight = math.prod(p if u else 1 - p for p, u in zip(flat, up, strict=True))
        total += weight * up[0] * (up[1] * (up[3] + up[4]) + up[2] * up[5])
    assert expected_servers(network, fibres, servers) == pytest.approx(total)


def test_one_fibre_cut_equals_cyber_attacks_on_all_servers_of_the_site() -> None:
    cut = expected_servers(0.9, [0.0, 0.8], [[0.7] * 4, [0.6] * 3])
    hacked = expected_servers(0.9, [0.8, 0.8], [[0.0] * 4, [0.6] * 3])
    assert cut == pytest.approx(hacked)


def test_the_fibre_is_preferred_below_n_servers() -> None:
    assert fibre_attack_preferred(15.9, 1.0, 16)
    assert not fibre_attack_preferred(16.0, 1.0, 16)


def test_share_agrees_with_the_expected_number() -> None:
    expected = expected_servers(1.0, [0.9, 0.5], [[0.8] * 2, [0.6] * 3])
    assert reachable_share([0.9, 0.5, 0.8, 0.6], servers=[2, 3]) == pytest.approx(expected / 5)


def exhaustive(servers: list[int], fibre: float, server: float, disable: int) -> float:
    best = math.inf
    for choice in product(*[[*range(n + 1), "cut"] for n in servers]):
        cost = sum(fibre if c == "cut" else c * server for c in choice)
        lost = sum(n if c == "cut" else c for c, n in zip(choice, servers, strict=True))
        best = min(best, cost) if lost >= disable else best
    return best


@settings(max_examples=40, deadline=None)
@given(
    data=st.data(),
    servers=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    fibre=st.floats(0.5, 6.0),
)
def test_cheapest_attack_by_exhaustive_search(
    data: st.DataObject, servers: list[int], fibre: float
) -> None:
    disable = data.draw(st.integers(1, sum(servers)))
    plan = cheapest_attack(servers, fibre, 1.0, disable)
    assert plan.cost == pytest.approx(exhaustive(servers, fibre, 1.0, disable))
    lost = sum(servers[i] for i in plan.cut_fibres) + sum(plan.attacked_servers)
    assert plan.disabled == lost >= disable


def test_fibres_and_servers_as_one_game() -> None:
    """At the equilibrium the big site's fibre draws more attack than the small site's."""
    share = partial(reachable_share, servers=[6, 2])
    game = DefenceGame(100, 60, (1.0, 1.0, 6.0, 2.0), (1.0, 1.0, 6.0, 2.0), infrastructure=share)
    result = find_equilibrium(game, [5.0] * 4, [5.0] * 4, rounds=80, tolerance=1e-5)
    assert check_equilibrium(game, result.defence, result.attack, 1e-4).is_equilibrium
    assert result.attack[0] > result.attack[1] > 0


@pytest.mark.parametrize(
    ("call", "argument", "error"),
    [
        (lambda: expected_servers(1.1, [1], [[1]]), "network_survival", InputError),
        (lambda: expected_servers(1, [1, 1], [[1]]), "server_survival", DataError),
        (lambda: expected_servers(1, [1.2], [[1]]), "fibre_survival", DataError),
        (lambda: expected_servers(1, [1], [[1.2]]), "server_survival", DataError),
        (lambda: expected_servers(1, [1], [[math.nan]]), "server_survival", DataError),
        (lambda: reachable_share([1, 1, 1], [1, 1]), "survival", DataError),
        (lambda: reachable_share([1, 2], [1]), "survival", DataError),
        (lambda: reachable_share([1, 1], [0]), "servers", DataError),
        (lambda: fibre_attack_preferred(0, 1, 1), "fibre_cost", InputError),
        (lambda: cheapest_attack([], 1, 1, 1), "servers", DataError),
        (lambda: cheapest_attack([2], 1, 1, 3), "disable", InputError),
        (lambda: cheapest_attack([2], 1, 0, 1), "server_cost", InputError),
    ],
)
def test_wrong_values_are_named(call, argument, error) -> None:
    with pytest.raises(error) as caught:
        call()
    assert getattr(caught.value, "argument", getattr(caught.value, "field", "")) == argument
