"""Utilisation-concavity coefficient: one number for a whole throughput profile."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import number, vector
from lab_tools.errors import DataError, UnknownNameError

Scale = Literal["capacity", "peak"]
Left = Literal["smallest", "zero"]


@dataclass(frozen=True)
class UtilisationConcavity:
    """The coefficient and its parts, all without unit.

    ``utilisation``: area under the normalised profile; ``chord``: area under the straight line
    between its ends; ``concavity`` C_CC = utilisation - chord; ``underutilisation``
    C_UU = 1 - utilisation; ``coefficient`` C_UC.
    """

    utilisation: float
    chord: float
    concavity: float
    underutilisation: float
    coefficient: float


def utilisation_concavity(
    rtt_s: ArrayLike,
    throughput_bps: ArrayLike,
    capacity_bps: float,
    *,
    scale: Scale = "capacity",
    left: Left = "smallest",
) -> UtilisationConcavity:
    """Utilisation-concavity coefficient C_UC of a profile.

    With RTTs mapped onto [0, 1] and throughput divided by the capacity (U, by trapezoids):
    C_UU = 1 - ∫U, C_CC = ∫U - (U(0) + U(1)) / 2, and
    C_UC = ½ ([1 - C_UU] + [½ + C_CC]) = ∫U - (U(0) + U(1)) / 4 + ¼
    (Liu and Rao, "On concavity and utilization analytics of wide-area network transport
    protocols", HPCC 2018). Reading the second term as the area under the chord is a
    reconstruction: it is the reading that puts a profile that never rises within [0, 1].
    A profile that rises can leave that range, by at most a quarter. Whether the paper divides
    by the capacity or the peak, and where its RTT axis begins, is not certain: both are
    arguments here. Compare coefficients on one set of RTTs only, because the trapezoids are
    biased by the spacing; and note that C_UC is no measure of throughput alone: a profile that
    stays at capacity scores ¾, one that drops to 0 at the last RTT close to 1.

    Parameters
    ----------
    rtt_s : round-trip times in s, shape (m,), strictly increasing, m >= 2.
    throughput_bps : mean throughput at each RTT in bit/s, shape (m,), at most the capacity.
    capacity_bps : the capacity of the path in bit/s.
    scale : "capacity" divides by capacity_bps, "peak" by the largest throughput.
    left : where the RTT axis begins: "smallest" RTT measured, or "zero", with the throughput of
        the smallest RTT continued to 0.

    Raises
    ------
    DataError : unsorted RTTs, NaN, another length, negative, all zero or above the capacity.
    InputError : capacity not positive; UnknownNameError : an unknown convention.

    >>> rtt_s = [0.0004, 0.0118, 0.0226, 0.0456, 0.0916, 0.183, 0.366]
    >>> measured_bps = [9.4e9, 9.3e9, 9.2e9, 9.0e9, 8.2e9, 5.6e9, 2.1e9]
    >>> result = utilisation_concavity(rtt_s, measured_bps, capacity_bps=10e9)
    >>> round(result.coefficient, 4), round(result.concavity, 4)
    (0.5496, 0.0121)
    """
    rtts = vector("rtt_s", rtt_s, min_length=2, non_negative=True, increasing=True)
    rates = vector("throughput_bps", throughput_bps, length=rtts.size, non_negative=True)
    capacity = number("capacity_bps", capacity_bps, above=0)
    if scale not in ("capacity", "peak"):
        raise UnknownNameError("scale", scale, ["capacity", "peak"])
    if left not in ("smallest", "zero"):
        raise UnknownNameError("left", left, ["smallest", "zero"])
    peak = float(rates.max())
    if not 0 < peak <= capacity:
        raise DataError(
            "throughput_bps", f"has the peak {peak:g}", f"a peak in (0, capacity_bps {capacity:g}]"
        )
    if left == "zero" and rtts[0] > 0:
        rtts, rates = np.append(0.0, rtts), np.append(rates[0], rates)

    position = (rtts - rtts[0]) / (rtts[-1] - rtts[0])
    used = rates / (capacity if scale == "capacity" else peak)
    utilisation = float(np.trapezoid(used, position))
    chord = float(used[0] + used[-1]) / 2
    return UtilisationConcavity(
        utilisation=utilisation,
        chord=chord,
        concavity=utilisation - chord,
        underutilisation=1 - utilisation,
        coefficient=utilisation - chord / 2 + 0.25,
    )
