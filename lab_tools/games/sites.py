"""Multi-site infrastructure: servers at sites, each site behind one fibre."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import number, vector, whole
from lab_tools.errors import DataError


@dataclass(frozen=True)
class AttackPlan:
    """The cheapest attack that disables enough servers.

    Attributes
    ----------
    cost : what it costs.
    cut_fibres : indices of the sites whose fibre is cut.
    attacked_servers : servers attacked one by one, per site, shape (sites,).
    disabled : servers out of operation.
    """

    cost: float
    cut_fibres: tuple[int, ...]
    attacked_servers: tuple[int, ...]
    disabled: int


def expected_servers(
    network_survival: float, fibre_survival: ArrayLike, server_survival: Sequence[ArrayLike]
) -> float:
    """Expected number of servers that work and are reachable.

    ``E = P_net sum_i P_fibre,i sum_j P_server,ij`` for independent failures: the expected capacity
    of Rao, Ma and He, "Defense strategies for multi-site cloud computing server infrastructures",
    ICDCN 2018 (the abstract defines it in words).

    Parameters
    ----------
    network_survival : survival of the wide-area network, in [0, 1].
    fibre_survival : survival of each site's fibre, shape (sites,), in [0, 1].
    server_survival : one sequence of survival probabilities for each site.

    Raises
    ------
    InputError, DataError : a value outside [0, 1], or not one sequence of servers for each site.

    >>> expected_servers(1.0, [1.0, 0.5], [[1.0, 1.0], [0.5, 0.5]])
    2.5
    """
    network = number("network_survival", network_survival, low=0, high=1)
    fibres = vector("fibre_survival", fibre_survival, non_negative=True)
    if len(server_survival) != fibres.size:
        raise DataError(
            "server_survival", f"has {len(server_survival)} sites", f"exactly {fibres.size}"
        )
    sites = [vector("server_survival", site, non_negative=True) for site in server_survival]
    _at_most_one("fibre_survival", fibres.max())
    _at_most_one("server_survival", max(site.max() for site in sites))
    working = [site.sum() for site in sites]
    return float(network * np.dot(fibres, working))


def reachable_share(survival: ArrayLike, servers: ArrayLike) -> float:
    """Expected share of servers in operation, from the survival of all fibres and all sites.

    ``sum_i n_i P_fibre,i P_servers,i / sum_i n_i``: `expected_servers` with a network that
    survives and the servers of a site defended alike, divided by their number. With
    ``functools.partial(reachable_share, servers=...)`` it is the ``infrastructure`` of a
    `DefenceGame` whose systems are first the fibres, then the servers of each site.

    Parameters
    ----------
    survival : fibre survival of each site, then server survival of each site, shape (2 sites,).
    servers : number of servers at each site, shape (sites,), above 0.

    Raises
    ------
    DataError : wrong shapes or values out of range.

    >>> reachable_share([1.0, 0.5, 1.0, 1.0], servers=[1, 3])
    0.625
    """
    counts = vector("servers", servers, positive=True)
    array = vector("survival", survival, non_negative=True, length=2 * counts.size)
    _at_most_one("survival", array.max())
    fibres, machines = array[: counts.size], array[counts.size :]
    return float(np.dot(counts, fibres * machines) / counts.sum())


def fibre_attack_preferred(fibre_cost: float, server_cost: float, servers: int) -> bool:
    """Whether cutting a site's fibre is cheaper than attacking each of its servers.

    One cut has the effect of attacks on all n servers of the site (Rao, "Some science aspects of
    wide-area data transport", 2018), so the attacker prefers it if and only if
    ``c_fibre < n c_server``; attacks are taken to succeed.

    Parameters
    ----------
    fibre_cost, server_cost : cost of one attack, above 0.
    servers : n, 1 or more.

    Raises
    ------
    InputError : a value out of range.

    >>> fibre_attack_preferred(fibre_cost=10, server_cost=1, servers=16)
    True
    """
    cut = number("fibre_cost", fibre_cost, above=0)
    one = number("server_cost", server_cost, above=0)
    return cut < one * whole("servers", servers, low=1)


def cheapest_attack(
    servers: Sequence[int], fibre_cost: float, server_cost: float, disable: int
) -> AttackPlan:
    """The cheapest set of attacks, all of which succeed, that disables enough servers.

    At each site the attacker either cuts the fibre (all servers of the site are lost) or attacks
    some servers one by one. All fibres cost the same, so the best k cuts are at the k largest
    sites; the cheapest k is taken. Derived from that exchange argument.

    Parameters
    ----------
    servers : number of servers at each site, 1 or more each.
    fibre_cost, server_cost : cost of one attack, above 0.
    disable : servers to put out of operation, from 1 to all of them.

    Raises
    ------
    InputError, DataError : a value out of range, no site.

    >>> cheapest_attack([4, 16], fibre_cost=6, server_cost=1, disable=18)
    AttackPlan(cost=8.0, cut_fibres=(1,), attacked_servers=(2, 0), disabled=18)
    """
    if len(servers) == 0:
        raise DataError("servers", "has 0 values", "at least 1")
    counts = [whole("servers", count, low=1) for count in servers]
    cut = number("fibre_cost", fibre_cost, above=0)
    one = number("server_cost", server_cost, above=0)
    wanted = whole("disable", disable, low=1, high=sum(counts))
    largest_first = sorted(range(len(counts)), key=lambda site: -counts[site])
    plans = [
        _plan(counts, largest_first[:cuts], wanted, cut, one) for cuts in range(len(counts) + 1)
    ]
    return min(plans, key=lambda plan: plan.cost)


def _plan(
    counts: list[int], cut_sites: list[int], wanted: int, cut_cost: float, server_cost: float
) -> AttackPlan:
    remaining = wanted - sum(counts[site] for site in cut_sites)
    attacked = [0] * len(counts)
    for site, count in enumerate(counts):
        if site not in cut_sites:
            attacked[site] = min(count, max(0, remaining))
            remaining -= attacked[site]
    cost = len(cut_sites) * cut_cost + sum(attacked) * server_cost
    return AttackPlan(cost, tuple(sorted(cut_sites)), tuple(attacked), wanted - min(0, remaining))


def _at_most_one(name: str, largest: float) -> None:
    if largest > 1:
        raise DataError(name, f"has the value {largest}", "probabilities, at most 1")
