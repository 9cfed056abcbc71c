"""When each block passes each stage of one flow."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, vector, whole


@dataclass(frozen=True)
class BlockSchedule:
    """Times of the blocks of one flow.

    Attributes
    ----------
    start_s, finish_s : when a stage starts and finishes a block, shape (blocks, stages).
    """

    start_s: FloatArray
    finish_s: FloatArray


def block_schedule(block_times_s: ArrayLike, blocks: int, buffers: int) -> BlockSchedule:
    """Pass blocks through the stages of one flow, with a fixed number of buffers.

    A stage handles one block at a time and in order; the first stage needs a free buffer, which
    the last stage returns when it has finished a block:
    ``start[i, k] = max(finish[i, k-1], finish[i-1, k])`` and
    ``start[i, 0] >= finish[i - buffers, last]``. A timed event graph (Baccelli, Cohen, Olsder and
    Quadrat, "Synchronization and Linearity", 1992).

    Parameters
    ----------
    block_times_s : time of one block in each stage, above 0, shape (stages,).
    blocks : number of blocks, 1 or more.
    buffers : blocks that may be between the first stage's start and the last one's finish,
        1 or more.

    Raises
    ------
    InputError, DataError : a value out of range.

    With one buffer the stages take turns:

    >>> block_schedule([1.0, 2.0], blocks=3, buffers=1).finish_s[:, -1]
    array([3., 6., 9.])
    """
    times = vector("block_times_s", block_times_s, positive=True)
    shape = (whole("blocks", blocks, low=1), times.size)
    held = whole("buffers", buffers, low=1)
    start, finish = np.zeros(shape), np.zeros(shape)
    for block in range(shape[0]):
        ready = finish[block - held, -1] if block >= held else 0.0
        for stage in range(shape[1]):
            free = finish[block - 1, stage] if block > 0 else 0.0
            start[block, stage] = max(ready, free)
            ready = finish[block, stage] = start[block, stage] + times[stage]
    return BlockSchedule(start, finish)
