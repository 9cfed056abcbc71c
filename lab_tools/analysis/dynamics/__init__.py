"""Dynamics of a trace: phases, sawtooth, Poincaré map, Lyapunov exponents, chaos or noise.

``phases`` ramp-up and sustainment; ``sawtooth`` loss epochs of a window trace; ``poincare`` the
map of a trace; ``lyapunov`` and ``rosenstein`` exponents with bootstrap intervals; ``shells``
time-dependent exponents; ``diffusion`` the diffusion exponent; ``surrogates`` the surrogate-data
test; ``verdict`` weighs them; ``summary`` a long trace in one row; ``reference`` maps and noises
with known answers; ``embedding`` and ``bootstrap`` serve the others.
"""

from lab_tools.analysis.dynamics.bootstrap import mean_interval
from lab_tools.analysis.dynamics.diffusion import Diffusion, diffusion_exponent
from lab_tools.analysis.dynamics.lyapunov import (
    Exponent,
    derivative_exponent,
    neighbour_ratio_exponent,
)
from lab_tools.analysis.dynamics.phases import Phases, split_phases
from lab_tools.analysis.dynamics.poincare import (
    MapCurve,
    PoincareMap,
    block_average,
    local_slopes,
    map_curve,
    poincare_map,
)
from lab_tools.analysis.dynamics.rosenstein import (
    Divergence,
    neighbour_divergence,
    rosenstein_exponent,
)
from lab_tools.analysis.dynamics.sawtooth import Sawtooth, find_sawtooth
from lab_tools.analysis.dynamics.shells import ShellCurves, shell_gap, time_dependent_exponents
from lab_tools.analysis.dynamics.summary import TraceSummary, summarise_trace
from lab_tools.analysis.dynamics.surrogates import (
    SurrogateTest,
    amplitude_adjusted_surrogate,
    prediction_error,
    surrogate_test,
)
from lab_tools.analysis.dynamics.verdict import ChaosAssessment, assess_chaos

__all__ = [
    "ChaosAssessment",
    "Diffusion",
    "Divergence",
    "Exponent",
    "MapCurve",
    "Phases",
    "PoincareMap",
    "Sawtooth",
    "ShellCurves",
    "SurrogateTest",
    "TraceSummary",
    "amplitude_adjusted_surrogate",
    "assess_chaos",
    "block_average",
    "derivative_exponent",
    "diffusion_exponent",
    "find_sawtooth",
    "local_slopes",
    "map_curve",
    "mean_interval",
    "neighbour_divergence",
    "neighbour_ratio_exponent",
    "poincare_map",
    "prediction_error",
    "rosenstein_exponent",
    "shell_gap",
    "split_phases",
    "summarise_trace",
    "surrogate_test",
    "time_dependent_exponents",
]
