"""Rate of a transfer composed of stages, such as read, send, write."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lab_tools.arrays import FloatArray, number, whole
from lab_tools.errors import DataError
from lab_tools.transfer.stage import Stage, stage_rate


@dataclass(frozen=True)
class PipelineRate:
    """Rate of a composed transfer.

    Attributes
    ----------
    rate_bps : rate of all flows together.
    block_times_s : time of one block of one flow in each stage, shape (stages,).
    limited_by : name of the slowest stage, or "buffers".
    """

    rate_bps: float
    block_times_s: FloatArray
    limited_by: str


def block_times(stages: Sequence[Stage], flows: int, block_bytes: float) -> FloatArray:
    """Time that one block of one flow spends in each stage.

    Each flow has one thread in each stage and an equal share of the stage's rate:
    ``t_k = 8 b n / R_k(n) + overhead_k`` with R from `stage_rate`.

    Parameters
    ----------
    stages : the stages in order, at least one.
    flows : n, 1 or more.
    block_bytes : b, above 0.

    Returns
    -------
    Seconds, shape (stages,).

    Raises
    ------
    InputError, DataError : a value out of range, no stage.

    >>> block_times([Stage("read", 8e6), Stage("send", 4e6)], flows=1, block_bytes=1e6)
    array([1., 2.])
    """
    if len(stages) == 0:
        raise DataError("stages", "has 0 values", "at least 1")
    n = whole("flows", flows, low=1)
    bits = 8.0 * number("block_bytes", block_bytes, above=0)
    return np.array([bits * n / stage_rate(s, n) + s.block_overhead_s for s in stages])


def pipeline_rate(
    stages: Sequence[Stage], flows: int, block_bytes: float, buffers: int
) -> PipelineRate:
    """Steady rate of n flows whose blocks pass all stages.

    A flow of stages with block times t_k and K buffers finishes ``min(1 / max t_k, K / sum t_k)``
    blocks a second: the slowest stage, or the buffers' round trip, whichever is slower (the cycle
    time of a timed event graph; Baccelli, Cohen, Olsder and Quadrat 1992). With one buffer the
    stages take turns and the composition is slower than its slowest part.

    Parameters
    ----------
    stages : the stages in order, at least one.
    flows : n, 1 or more.
    block_bytes : size of a block, above 0.
    buffers : K, blocks that a flow may have under way, 1 or more.

    Raises
    ------
    InputError, DataError : a value out of range, no stage.

    >>> parts = [Stage("read", 32e9), Stage("network", 9e9), Stage("write", 32e9)]
    >>> pipeline_rate(parts, flows=1, block_bytes=1e6, buffers=4).limited_by
    'network'
    >>> round(pipeline_rate(parts, flows=1, block_bytes=1e6, buffers=1).rate_bps / 1e9, 2)
    5.76
    """
    times = block_times(stages, flows, block_bytes)
    per_stage = 1.0 / float(times.max())
    per_buffers = whole("buffers", buffers, low=1) / float(times.sum())
    slowest = stages[int(np.argmax(times))].name
    return PipelineRate(
        rate_bps=flows * 8.0 * block_bytes * min(per_stage, per_buffers),
        block_times_s=times,
        limited_by=slowest if per_stage <= per_buffers else "buffers",
    )
