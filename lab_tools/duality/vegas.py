"""TCP Vegas in equilibrium, with base round-trip times that are measured wrong."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector, whole
from lab_tools.duality.queueing import shared_queueing_delay


@dataclass(frozen=True)
class VegasEquilibrium:
    """Sources of one link in equilibrium.

    Attributes
    ----------
    rates_pps : rate of each source in packets/s, shape (n,).
    base_rtt_s : what each source takes for its propagation delay, shape (n,).
    queue_delay_s : queueing delay q at the link.
    queue_packets : packets in the queue, q c.
    """

    rates_pps: FloatArray
    base_rtt_s: FloatArray
    queue_delay_s: float
    queue_packets: float


def vegas_equilibrium(
    capacity_pps: float, alpha_pps: float, propagation_s: ArrayLike, base_rtt_s: ArrayLike
) -> VegasEquilibrium:
    """Equilibrium of Vegas sources on one link.

    A source holds ``w / baseRTT - w / RTT = alpha``, so ``x_i = alpha b_i / (q - (b_i - d_i))``
    for a believed base round-trip time b_i and a true propagation delay d_i; q makes the rates sum
    to the capacity. Low, Peterson and Wang, "Understanding TCP Vegas: a duality model", Journal of
    the ACM 49 (2002).

    Parameters
    ----------
    capacity_pps : link capacity c in packets/s, above 0.
    alpha_pps : alpha in packets/s, above 0.
    propagation_s : d_i, above 0, shape (n,).
    base_rtt_s : b_i, above 0, shape (n,).

    Raises
    ------
    InputError, DataError : wrong shapes or values.

    Two sources, the second of which took 3.33 ms of queueing for propagation:

    >>> pair = vegas_equilibrium(6000, 2000, [0.010, 0.010], [0.010, 0.0133333])
    >>> pair.rates_pps.round(0), round(pair.queue_packets, 1)
    (array([2000., 4000.]), 60.0)
    """
    c = number("capacity_pps", capacity_pps, above=0)
    alpha = number("alpha_pps", alpha_pps, above=0)
    believed = vector("base_rtt_s", base_rtt_s, positive=True)
    true = vector("propagation_s", propagation_s, positive=True, length=believed.size)
    wanted = alpha * believed
    delay = shared_queueing_delay(wanted, believed - true, c)
    return VegasEquilibrium(wanted / (delay - (believed - true)), believed, delay, delay * c)


def vegas_joining(
    capacity_pps: float, alpha_pps: float, propagation_s: float, sources: int
) -> tuple[VegasEquilibrium, ...]:
    """Equilibria as sources join one after another, each when the others have settled.

    A newcomer never sees the empty link: it takes the standing queue for propagation,
    ``b_n = d + q_(n-1)``. Hence the queue keeps growing and newer sources win ("persistent
    congestion"; Low, Peterson and Wang 2002).

    Parameters
    ----------
    capacity_pps, alpha_pps : as in `vegas_equilibrium`.
    propagation_s : true propagation delay d of all sources, above 0.
    sources : how many join, 1 or more.

    Returns
    -------
    The equilibrium with 1, 2, … ``sources`` sources; the newest is the last in each.

    Raises
    ------
    InputError : wrong values.

    >>> table = vegas_joining(6000, 2000, 0.010, sources=3)
    >>> [round(row.queue_packets, 1) for row in table]
    [20.0, 60.0, 127.3]
    """
    d = number("propagation_s", propagation_s, above=0)
    rows: list[VegasEquilibrium] = []
    believed: list[float] = []
    for n in range(1, whole("sources", sources, low=1) + 1):
        believed.append(d + (rows[-1].queue_delay_s if rows else 0.0))
        rows.append(vegas_equilibrium(capacity_pps, alpha_pps, np.full(n, d), believed))
    return tuple(rows)


def vegas_utility(
    rate_pps: float, alpha_pps: float, propagation_s: float, relative_error: float = 0.0
) -> float:
    """The utility that a Vegas source maximises: ``(1 + eps) alpha d log x + eps d x``.

    Without an error in the propagation delay it is ``alpha d log x``: weighted proportional
    fairness (Low, Peterson and Wang 2002; its derivative is checked against the equilibrium).

    Parameters
    ----------
    rate_pps : x, above 0.
    alpha_pps : alpha, above 0.
    propagation_s : d, above 0.
    relative_error : eps, believed over true propagation delay minus 1, above -1.

    Raises
    ------
    InputError : wrong values.

    >>> round(vegas_utility(2.0, alpha_pps=2.0, propagation_s=0.5), 4)
    0.6931
    """
    x = number("rate_pps", rate_pps, above=0)
    d = number("propagation_s", propagation_s, above=0)
    error = number("relative_error", relative_error, above=-1)
    fair = (1.0 + error) * number("alpha_pps", alpha_pps, above=0) * d * math.log(x)
    return fair + error * d * x
