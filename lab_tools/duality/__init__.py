"""Duality: TCP and its queues as an optimisation, with the delays and errors that disturb it."""

from lab_tools.duality.fast import (
    FastEquilibrium,
    fast_equilibrium,
    fast_trajectory,
    fast_window_step,
)
from lab_tools.duality.queueing import shared_queueing_delay, window_queueing_delay
from lab_tools.duality.red import (
    PhaseCrossing,
    RedLoop,
    critical_rtt,
    hollot_slope_limit,
    loop_response,
    phase_crossing,
)
from lab_tools.duality.ring import (
    Ring,
    ring_equilibrium,
    ring_is_stable,
    ring_step,
    ring_trajectory,
    ring_utility,
)
from lab_tools.duality.utility_maximisation import (
    Allocation,
    DualIteration,
    dual_gradient,
    maximise_utility,
)
from lab_tools.duality.vegas import (
    VegasEquilibrium,
    vegas_equilibrium,
    vegas_joining,
    vegas_utility,
)

__all__ = [
    "Allocation",
    "DualIteration",
    "FastEquilibrium",
    "PhaseCrossing",
    "RedLoop",
    "Ring",
    "VegasEquilibrium",
    "critical_rtt",
    "dual_gradient",
    "fast_equilibrium",
    "fast_trajectory",
    "fast_window_step",
    "hollot_slope_limit",
    "loop_response",
    "maximise_utility",
    "phase_crossing",
    "ring_equilibrium",
    "ring_is_stable",
    "ring_step",
    "ring_trajectory",
    "ring_utility",
    "shared_queueing_delay",
    "vegas_equilibrium",
    "vegas_joining",
    "vegas_utility",
    "window_queueing_delay",
]
