"""Transfer: moving files through a pipeline of storage and network, and over limited credits."""

from lab_tools.transfer.credits import credit_knee, credit_limited_rate, credits_needed
from lab_tools.transfer.pipeline import PipelineRate, block_times, pipeline_rate
from lab_tools.transfer.schedule import BlockSchedule, block_schedule
from lab_tools.transfer.stage import Stage, best_threads, stage_rate

__all__ = [
    "BlockSchedule",
    "PipelineRate",
    "Stage",
    "best_threads",
    "block_schedule",
    "block_times",
    "credit_knee",
    "credit_limited_rate",
    "credits_needed",
    "pipeline_rate",
    "stage_rate",
]
