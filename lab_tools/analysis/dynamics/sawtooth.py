"""Loss epochs and sawteeth in a trace of the congestion window."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lab_tools.arrays import FloatArray, number, vector


@dataclass(frozen=True)
class Sawtooth:
    """Loss epochs of a window trace, and the teeth between them.

    Of shape (k,), one for each epoch: ``peak_index`` (last sample before the decrease),
    ``trough_index`` (first sample after it), ``loss_time_s`` (of the peak), ``peak``,
    ``trough`` (windows), ``decrease`` (trough / peak: 0.5 for Reno, 0.7 for CUBIC). Of shape
    (k - 1,), one for each tooth from a trough to the next peak: ``period_s`` (between losses),
    ``growth_per_s`` (mean slope), ``bulge`` (height of the middle of the tooth above its chord, as
    a share of its rise: 0 for linear growth, positive for concave, negative for convex).
    """

    peak_index: NDArray[np.intp]
    trough_index: NDArray[np.intp]
    loss_time_s: FloatArray
    peak: FloatArray
    trough: FloatArray
    decrease: FloatArray
    period_s: FloatArray
    growth_per_s: FloatArray
    bulge: FloatArray


def find_sawtooth(time_s: ArrayLike, cwnd: ArrayLike, *, min_drop: float = 0.1) -> Sawtooth:
    """Find the multiplicative decreases of a congestion window.

    An epoch is a fall of the window, over one sample or several without a rise in between (Linux
    lowers it gradually: proportional rate reduction, RFC 6937), by at least ``min_drop`` of the
    peak. The smallest decrease to expect is Scalable TCP's, 1/8. A window that dips below its
    new value before it recovers (RFC 6937 again) or falls back to 1 on a timeout gives a smaller
    factor than the algorithm's own: look at the distribution, not one value.

    Parameters
    ----------
    time_s : times of the samples in s, shape (n,), strictly increasing, n >= 2.
    cwnd : congestion window in segments (or bytes), shape (n,), positive.
    min_drop : smallest relative fall that counts, in (0, 1).

    Raises
    ------
    DataError : unsorted times, NaN, another length, a window that is not positive.
    InputError : min_drop out of range.

    >>> teeth = find_sawtooth([0, 1, 2, 3, 4, 5], [8, 9, 10, 5, 6, 7])
    >>> teeth.loss_time_s, teeth.decrease
    (array([2.]), array([0.5]))
    """
    times = vector("time_s", time_s, min_length=2, increasing=True)
    window = vector("cwnd", cwnd, length=times.size, positive=True)
    drop = number("min_drop", min_drop, above=0, below=1)

    # Levels: stretches of samples with one value.
    changes = np.flatnonzero(np.diff(window))
    first = np.append(0, changes + 1)
    last = np.append(changes, window.size - 1)
    falls = np.concatenate([[False], np.diff(window[first]) < 0, [False]])
    starts = np.flatnonzero(falls[1:] & ~falls[:-1])  # levels at the top of a fall
    ends = np.flatnonzero(falls[:-1] & ~falls[1:])  # and at its bottom
    deep = window[first[ends]] <= (1 - drop) * window[first[starts]]
    peak_index, trough_index = last[starts[deep]], first[ends[deep]]

    peak, trough = window[peak_index], window[trough_index]
    rise = peak[1:] - trough[:-1]
    climb_s = times[peak_index[1:]] - times[trough_index[:-1]]
    middle = np.interp((times[peak_index[1:]] + times[trough_index[:-1]]) / 2, times, window)
    bulge = middle - (peak[1:] + trough[:-1]) / 2
    nan = np.full(rise.size, np.nan)
    return Sawtooth(
        peak_index=peak_index,
        trough_index=trough_index,
        loss_time_s=times[peak_index],
        peak=peak,
        trough=trough,
        decrease=trough / peak,
        period_s=np.diff(times[peak_index]),
        growth_per_s=np.divide(rise, climb_s, out=nan.copy(), where=climb_s > 0),
        bulge=np.divide(bulge, rise, out=nan, where=rise > 0),
    )
