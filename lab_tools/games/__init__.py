"""Games: contests over the survival of an infrastructure, and the choice of a congestion control.

Players of the defence games minimise their utility; players of bimatrix games maximise a payoff.
"""

from lab_tools.games.bimatrix import (
    MixedEquilibrium,
    bimatrix_equilibria,
    is_bimatrix_equilibrium,
    pure_equilibria,
    symmetric_equilibria,
)
from lab_tools.games.contest import (
    component_multiplier,
    component_survival,
    offset_multiplier,
    offset_survival,
    ratio_multiplier,
    ratio_survival,
)
from lab_tools.games.estimate import (
    composite_ratio,
    product_ratio,
    sum_ratio,
    survival_estimate,
)
from lab_tools.games.game import (
    DefenceGame,
    attacker_utility,
    defender_utility,
    infrastructure_survival,
    system_survival,
)
from lab_tools.games.many_systems import (
    InfrastructureEquilibrium,
    parallel_equilibrium,
    series_equilibrium,
)
from lab_tools.games.nash import (
    EquilibriumCheck,
    NashResult,
    check_equilibrium,
    find_equilibrium,
)
from lab_tools.games.one_system import (
    ContestEquilibrium,
    offset_equilibrium,
    ratio_equilibrium,
)
from lab_tools.games.population import population_equilibria, share_payoff
from lab_tools.games.response import (
    BestResponse,
    attacker_best_response,
    best_response,
    defender_best_response,
)
from lab_tools.games.sites import (
    AttackPlan,
    cheapest_attack,
    expected_servers,
    fibre_attack_preferred,
    reachable_share,
)
from lab_tools.games.structure import (
    aggregated_correlation,
    correlated_survival,
    cyber_physical_survival,
    parallel_survival,
    series_survival,
)
from lab_tools.games.surface import PayoffSurface, payoff_surface
from lab_tools.games.utility import (
    composite,
    product_attacker,
    product_defender,
    sum_attacker,
    sum_defender,
)

__all__ = [
    "AttackPlan",
    "BestResponse",
    "ContestEquilibrium",
    "DefenceGame",
    "EquilibriumCheck",
    "InfrastructureEquilibrium",
    "MixedEquilibrium",
    "NashResult",
    "PayoffSurface",
    "aggregated_correlation",
    "attacker_best_response",
    "attacker_utility",
    "best_response",
    "bimatrix_equilibria",
    "cheapest_attack",
    "check_equilibrium",
    "component_multiplier",
    "component_survival",
    "composite",
    "composite_ratio",
    "correlated_survival",
    "cyber_physical_survival",
    "defender_best_response",
    "defender_utility",
    "expected_servers",
    "fibre_attack_preferred",
    "find_equilibrium",
    "infrastructure_survival",
    "is_bimatrix_equilibrium",
    "offset_equilibrium",
    "offset_multiplier",
    "offset_survival",
    "parallel_equilibrium",
    "parallel_survival",
    "payoff_surface",
    "population_equilibria",
    "product_attacker",
    "product_defender",
    "product_ratio",
    "pure_equilibria",
    "ratio_equilibrium",
    "ratio_multiplier",
    "ratio_survival",
    "reachable_share",
    "series_equilibrium",
    "series_survival",
    "share_payoff",
    "sum_attacker",
    "sum_defender",
    "sum_ratio",
    "survival_estimate",
    "symmetric_equilibria",
    "system_survival",
]
