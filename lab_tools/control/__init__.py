"""Control: transport over UDP that holds or maximises the goodput by stochastic approximation."""

from lab_tools.control.blast import BlastSummary, blast_summary
from lab_tools.control.convergence import (
    ConvergenceFit,
    asymptotic_mse,
    convergence_exponent,
    linear_mse,
    mean_square_error,
    tracking_exponent,
)
from lab_tools.control.kiefer_wolfowitz import (
    Climb,
    KieferWolfowitzConditions,
    kiefer_wolfowitz_conditions,
    maximise_goodput,
)
from lab_tools.control.realisations import sleep_step, window_step
from lab_tools.control.robbins_monro import (
    Trajectory,
    robbins_monro_converges,
    robbins_monro_step,
    stabilise_goodput,
    step_size,
)

__all__ = [
    "BlastSummary",
    "Climb",
    "ConvergenceFit",
    "KieferWolfowitzConditions",
    "Trajectory",
    "asymptotic_mse",
    "blast_summary",
    "convergence_exponent",
    "kiefer_wolfowitz_conditions",
    "linear_mse",
    "maximise_goodput",
    "mean_square_error",
    "robbins_monro_converges",
    "robbins_monro_step",
    "sleep_step",
    "stabilise_goodput",
    "step_size",
    "tracking_exponent",
    "window_step",
]
