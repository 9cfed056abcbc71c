"""Run sweeps on Dask: one point on every core, each point once, whatever is killed on the way."""

from lab_tools.sweeping.engine import SweepResult, run_sweep
from lab_tools.sweeping.progress import SweepProgress
from lab_tools.sweeping.shipped import shipped_table
from lab_tools.sweeping.table import sweep_frame

__all__ = ["SweepProgress", "SweepResult", "run_sweep", "shipped_table", "sweep_frame"]
