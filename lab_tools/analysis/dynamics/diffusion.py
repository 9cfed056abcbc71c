"""Diffusion exponent of a trace: how its displacement grows with time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, vector, whole
from lab_tools.errors import DataError


@dataclass(frozen=True)
class Diffusion:
    """Displacement over lag, and the exponent H of its power law.

    ``lag`` (q,) in samples; ``mean_square`` (q,) in squared units of x; ``r_squared`` says how
    straight the log-log curve is.
    """

    exponent: float
    r_squared: float
    lag: FloatArray
    mean_square: FloatArray


def diffusion_exponent(
    x: ArrayLike, *, largest_lag: int | None = None, lags: int = 12
) -> Diffusion:
    """Exponent H of the mean squared displacement, <|x(t + k) - x(t)|²> ~ k^(2 H).

    Half the slope of the log-log line (Mandelbrot and Van Ness, SIAM Review 1968): ½ for
    Brownian motion, 0 for white noise, 1 for a straight course. A bounded trace levels off at
    long lags, so a small r_squared means that one exponent does not describe it. That a large
    exponent is typical of chaos with injected noise is a remark on Internet traces, not a test.

    Parameters
    ----------
    x : samples at even intervals, shape (n,), n >= 20.
    largest_lag : in samples, 2 or more (default n // 10).
    lags : number of lags, spread evenly in the logarithm, 2 or more.

    Raises
    ------
    DataError : NaN, too few samples, a trace that repeats exactly (displacement 0).
    InputError : lags or largest_lag out of range.

    >>> diffusion_exponent(np.arange(100.0)).exponent.__round__(6)
    1.0
    """
    series = vector("x", x, min_length=20)
    most = series.size // 10 if largest_lag is None else largest_lag
    most = whole("largest_lag", most, low=2, high=series.size - 1)
    lag = np.unique(np.geomspace(1, most, whole("lags", lags, low=2)).round().astype(int))
    mean_square = np.array([np.mean((series[k:] - series[:-k]) ** 2) for k in lag])
    if not mean_square.all():
        still = int(lag[np.flatnonzero(mean_square == 0)[0]])
        raise DataError("x", f"repeats itself every {still} samples", "displacements above 0")
    log_lag, log_square = np.log(lag), np.log(mean_square)
    slope, intercept = np.polyfit(log_lag, log_square, 1)
    error = log_square - intercept - slope * log_lag
    spread = log_square - log_square.mean()
    # A level curve (white noise) is described perfectly by its mean: no variation to explain.
    total = float(spread @ spread)
    r_squared = 1 - float(error @ error) / total if total > 0 else 1.0
    return Diffusion(float(slope) / 2, r_squared, lag.astype(float), mean_square)
