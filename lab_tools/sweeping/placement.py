"""Where points may run: a kernel's memory is reserved before it boots."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

#: Part of the free memory that kernels may take; the rest is for Python and the page cache.
_SHARE = 0.8


@dataclass(frozen=True)
class Stage:
    """Points that run on the same number of workers, each with the same share of memory."""

    workers: int
    memory_bytes: int
    points: list[int] = field(default_factory=list)


def cores() -> int:
    """Return the number of CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def free_memory_bytes() -> int:
    """Return the memory that kernels may take here, in bytes; a container's limit counts."""
    import psutil  # type: ignore[import-untyped]
    from distributed.system import MEMORY_LIMIT

    free: int = min(psutil.virtual_memory().available, MEMORY_LIMIT)
    return int(free * _SHARE)


def stages(needs: Sequence[int], workers: int, memory_bytes: int) -> tuple[list[Stage], list[int]]:
    """Group points so that as many run at once as fit into the memory.

    Parameters
    ----------
    needs : memory that each point's kernel needs, in bytes.
    workers : most points at once.
    memory_bytes : memory of all kernels together.

    Returns
    -------
    The stages, those with most workers first, and the points that do not fit at all.

    >>> stages([1, 1, 3, 9], workers=4, memory_bytes=8)
    ([Stage(workers=4, memory_bytes=2, points=[0, 1]), Stage(workers=2, memory_bytes=4,
      points=[2])], [3])
    """
    found: dict[int, Stage] = {}
    too_large = []
    for number, need in enumerate(needs):
        at_once = min(workers, memory_bytes // max(need, 1))
        if at_once == 0:
            too_large.append(number)
        else:
            stage = found.setdefault(at_once, Stage(at_once, memory_bytes // at_once))
            stage.points.append(number)
    return [found[at_once] for at_once in sorted(found, reverse=True)], too_large
