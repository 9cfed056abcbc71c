"""One stage of a transfer (read, send, write): its rate with several threads."""

import math
from dataclasses import dataclass

from lab_tools.arrays import number, whole
from lab_tools.errors import InputError


@dataclass(frozen=True)
class Stage:
    """A part of a transfer that handles blocks in several threads.

    Parameters
    ----------
    name : such as "read" or "network".
    thread_rate_bps : rate of a single thread, above 0.
    contention : sigma, share of the work that threads do one at a time, in [0, 1].
    coherency : kappa, cost of each pair of threads keeping out of each other's way, 0 or more.
    rate_limit_bps : the device's limit, above 0, or None.
    block_overhead_s : time that a block costs besides its bytes, 0 or more.

    Raises
    ------
    InputError : a value out of range.

    >>> Stage("read", thread_rate_bps=4e9).name
    'read'
    """

    name: str
    thread_rate_bps: float
    contention: float = 0.0
    coherency: float = 0.0
    rate_limit_bps: float | None = None
    block_overhead_s: float = 0.0

    def __post_init__(self) -> None:
        number("thread_rate_bps", self.thread_rate_bps, above=0)
        number("contention", self.contention, low=0, high=1)
        number("coherency", self.coherency, low=0)
        if self.rate_limit_bps is not None:
            number("rate_limit_bps", self.rate_limit_bps, above=0)
        number("block_overhead_s", self.block_overhead_s, low=0)


def stage_rate(stage: Stage, threads: int) -> float:
    """Rate of a stage by itself, with several threads.

    ``R(n) = n r / (1 + sigma (n - 1) + kappa n (n - 1))``, at most the stage's limit: the universal
    scalability law (Gunther, "A general theory of computational scalability based on rational
    functions", 2008). With kappa above 0 more threads make it slower from some number on.

    Parameters
    ----------
    stage : the stage.
    threads : n, 1 or more.

    Returns
    -------
    Rate in bit/s of all threads together, without the block overhead.

    Raises
    ------
    InputError : a value out of range.

    >>> stage_rate(Stage("read", 4e9, contention=1.0), threads=8)
    4000000000.0
    """
    n = whole("threads", threads, low=1)
    penalty = 1.0 + stage.contention * (n - 1) + stage.coherency * n * (n - 1)
    rate = n * stage.thread_rate_bps / penalty
    return rate if stage.rate_limit_bps is None else min(rate, stage.rate_limit_bps)


def best_threads(stage: Stage) -> int:
    """Number of threads at which the scalability law peaks: next to ``sqrt((1 - sigma) / kappa)``.

    The maximum of Gunther's law, taken over whole numbers.

    Parameters
    ----------
    stage : a stage with a coherency above 0 (without it the rate never falls).

    Raises
    ------
    InputError : a coherency of 0.

    >>> best_threads(Stage("write", 1e9, contention=0.1, coherency=0.02))
    7
    """
    number("coherency", stage.coherency, above=0)
    peak = math.sqrt((1.0 - stage.contention) / stage.coherency)
    if not peak < 1e9:
        raise InputError("coherency", stage.coherency, "large enough that the peak is below 1e9")
    unlimited = Stage(stage.name, stage.thread_rate_bps, stage.contention, stage.coherency)
    candidates = (max(1, math.floor(peak)), max(1, math.ceil(peak)))
    return max(candidates, key=lambda n: stage_rate(unlimited, n))
