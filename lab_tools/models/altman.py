"""Altman's law: how well n unsynchronised AIMD flows use a bottleneck without a buffer."""

from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray
from lab_tools.models._inputs import check_broadcast, probability, quantity


def aimd_utilisation(streams: ArrayLike, beta: ArrayLike = 0.5) -> FloatArray:
    """Mean utilisation of a bottleneck shared by n AIMD flows, ``1 - 1/(1 + n (1+beta)/(1-beta))``.

    Each time the flows together reach the capacity, one of them cuts its rate to beta times
    itself; which one does not matter. With beta = 1/2 this is ``1 - 1/(1 + 3n)``.

    Parameters
    ----------
    streams : number n of flows, 1 or more.
    beta : what is left of a flow's rate after a loss, between 0 and 1.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    share of the capacity, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: Altman, Barman, Tuffin and Vojnović, "Parallel TCP sockets: simple model, throughput
    and validation", MSR-TR-2005-130 and INFOCOM 2006.

    >>> aimd_utilisation([1, 2, 3, 6]).round(3)
    array([0.75 , 0.857, 0.9  , 0.947])
    """
    streams, beta = quantity("streams", streams, low=1), probability("beta", beta)
    check_broadcast(streams=streams, beta=beta)
    return 1 - 1 / (1 + streams * (1 + beta) / (1 - beta))
