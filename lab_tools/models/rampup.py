"""Throughput profile of a transfer that ramps up, then sustains its rate."""

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number
from lab_tools.errors import DataError
from lab_tools.models._inputs import check_broadcast, plain, positive, quantity
from lab_tools.models.slow_start import slow_start_packets, slow_start_time
from lab_tools.models.window import window_for


def rampup_goodput(
    sustained_bps: ArrayLike, rampup_bps: ArrayLike, rampup_fraction: ArrayLike
) -> FloatArray:
    """Mean goodput of a transfer in two phases, ``S - f (S - R)``.

    Parameters
    ----------
    sustained_bps : mean goodput S of the sustainment phase in bit/s.
    rampup_bps : mean goodput R of the ramp-up phase in bit/s, 0 or more.
    rampup_fraction : share f of the time spent in ramp-up, 0 to 1.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    bit/s, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: the decomposition of Rao et al., "TCP throughput profiles using measurements over
    dedicated connections", HPDC 2017, as given in lecture slides of that work.

    >>> float(rampup_goodput(10e9, 2e9, 0.25)) / 1e9
    8.0
    """
    sustained_bps = positive("sustained_bps", sustained_bps)
    rampup_bps = quantity("rampup_bps", rampup_bps, low=0)
    rampup_fraction = quantity("rampup_fraction", rampup_fraction, low=0, high=1)
    check_broadcast(
        sustained_bps=sustained_bps, rampup_bps=rampup_bps, rampup_fraction=rampup_fraction
    )
    return sustained_bps - rampup_fraction * (sustained_bps - rampup_bps)


def slow_start_profile(
    rtt_s: ArrayLike,
    rate_bps: ArrayLike,
    mss_bytes: ArrayLike,
    duration_s: float,
    streams: int = 1,
    initial_window: float = 1,
    last_round_in_rampup: bool = True,
) -> FloatArray:
    """Mean goodput of n streams that slow-start up to the path's rate and then hold it.

    With the rate C in segments a second and its window ``W = C rtt``, slow start takes
    ``T = rtt log2(W / (n w0))`` and carries ``2 W - n w0`` segments, so the mean over the
    duration D is ``C + (2 W - n w0 - W log2(W / (n w0))) / D``, at most C. Concave in the RTT;
    more streams add a linear term.

    The ``2 W`` counts the first full round in the ramp-up although T ends before it, one round
    too many: ``last_round_in_rampup=False`` counts ``W - n w0``, which is what a doubling window
    has sent by the time T.

    Parameters
    ----------
    rtt_s : round-trip time in seconds.
    rate_bps : rate of the path in bit/s.
    mss_bytes : payload of a full segment in bytes.
        Numbers or arrays; the shapes broadcast.
    duration_s : observed time D from the first packet, in seconds.
    streams : number n of streams that start together.
    initial_window : w0 in segments.
    last_round_in_rampup : count the first full round in the ramp-up, as the published form does.

    Returns
    -------
    bit/s, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, the shapes do not broadcast, or the duration
        is not longer than slow start.

    Source: derived here from `rampup_goodput`, with slow start's time and packets as the slides
    on the work of Rao et al. give them.

    >>> (slow_start_profile([0.0004, 0.0916, 0.366], 10e9, 1500, duration_s=10) / 1e9).round(3)
    array([9.997, 8.697, 4.064])
    """
    rtt_s, rate_bps = positive("rtt_s", rtt_s), positive("rate_bps", rate_bps)
    mss_bytes = positive("mss_bytes", mss_bytes)
    duration_s = number("duration_s", duration_s, above=0)
    rampup_s = slow_start_time(rtt_s, rate_bps, mss_bytes, streams, initial_window)
    if np.max(rampup_s) >= duration_s:
        problem = f"is {duration_s:g} s but slow start takes {np.max(rampup_s):.3g} s"
        raise DataError("duration_s", problem, "a duration longer than slow start")

    window = window_for(rate_bps, rtt_s, mss_bytes)
    packets = slow_start_packets(window, streams, initial_window)
    if not last_round_in_rampup:
        packets = packets - window
    sustained_packets = rate_bps / (8 * mss_bytes) * (duration_s - rampup_s)
    goodput_bps = 8 * mss_bytes * (packets + sustained_packets) / duration_s
    return plain(np.where(rampup_s > 0, np.minimum(goodput_bps, rate_bps), rate_bps))
