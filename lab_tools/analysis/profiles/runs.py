"""Repeated measurements at each position of a profile: one check for all that use them."""

from collections.abc import Sequence

from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, vector
from lab_tools.errors import DataError


def repeated_runs(
    rtt_s: ArrayLike,
    runs_bps: Sequence[ArrayLike],
    *,
    min_rtts: int = 1,
    min_runs: int = 1,
) -> tuple[FloatArray, list[FloatArray]]:
    """Return the RTTs and, for each RTT, its repeated runs; or say what is wrong.

    Parameters
    ----------
    rtt_s : round-trip times in s, shape (m,), strictly increasing, 0 or more.
    runs_bps : for each RTT the throughputs of its runs in bit/s, m sequences of any lengths
        (a list of lists, or an array of shape (m, runs)).
    min_rtts : the fewest RTTs that make sense to the caller.
    min_runs : the fewest runs at each RTT that make sense to the caller.

    Raises
    ------
    DataError : unsorted or negative RTTs, another number of groups than RTTs, too few runs,
        NaN or a negative throughput.

    >>> repeated_runs([0.01, 0.1], [[9e9, 8e9], [5e9]])
    (array([0.01, 0.1 ]), [array([9.e+09, 8.e+09]), array([5.e+09])])
    """
    rtts = vector("rtt_s", rtt_s, min_length=min_rtts, non_negative=True, increasing=True)
    groups = len(runs_bps)
    if groups != rtts.size:
        raise DataError("runs_bps", f"has {groups} groups", f"one for each of {rtts.size} RTTs")
    runs = [
        vector(f"runs_bps[{index}]", group, min_length=min_runs, non_negative=True)
        for index, group in enumerate(runs_bps)
    ]
    return rtts, runs
