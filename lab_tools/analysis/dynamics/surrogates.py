"""Surrogate-data test: is there more in a trace than a linear random process could make?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.analysis.dynamics.embedding import delay_embedding, nearest_neighbours
from lab_tools.arrays import FloatArray, vector, whole
from lab_tools.errors import DataError


@dataclass(frozen=True)
class SurrogateTest:
    """Prediction error of a trace and of its surrogates, as a share of the standard deviation.

    ``p_value``: chance of an error this small if the trace were linear noise; ``surrogate_errors``
    has shape (surrogates,).
    """

    error: float
    surrogate_errors: FloatArray
    p_value: float


def amplitude_adjusted_surrogate(
    x: ArrayLike, rng: np.random.Generator, *, iterations: int = 100
) -> FloatArray:
    """Shuffle of a trace that keeps its values exactly and its spectrum nearly (IAAFT).

    Alternately imposes the Fourier amplitudes and the ranks of the trace, starting from a random
    permutation (Schreiber and Schmitz, "Improved surrogate data for nonlinearity tests", Phys.
    Rev. Lett. 1996). What it destroys is anything but linear correlation.

    Parameters
    ----------
    x : samples, shape (n,), n >= 4.
    rng : random generator.
    iterations : most rounds; it ends earlier when the ranks no longer change.

    Returns
    -------
    surrogate, shape (n,).

    Raises
    ------
    DataError : NaN or too few samples; InputError : iterations not positive.

    >>> series = [3.0, 1.0, 4.0, 1.5, 9.0, 2.6]
    >>> sorted(amplitude_adjusted_surrogate(series, np.random.default_rng(1))) == sorted(series)
    True
    """
    series = vector("x", x, min_length=4)
    rounds = whole("iterations", iterations, low=1)
    amplitude = np.abs(np.fft.rfft(series))
    ordered = np.sort(series)
    surrogate = rng.permutation(series)
    ranks = None
    for _ in range(rounds):
        phase = np.angle(np.fft.rfft(surrogate))
        shaped = np.fft.irfft(amplitude * np.exp(1j * phase), n=series.size)
        order = np.argsort(shaped, kind="stable")
        if ranks is not None and np.array_equal(order, ranks):
            break
        ranks = order
        surrogate = np.empty_like(series)
        surrogate[order] = ordered
    return np.asarray(surrogate)


def prediction_error(
    x: ArrayLike, *, dimension: int = 2, lag: int = 1, theiler: int = 10, horizon: int = 1
) -> float:
    """Error of predicting each sample from what followed its nearest neighbour.

    Root mean square of x_{i+h} - x_{j(i)+h}, divided by sqrt(2) standard deviations: 1 when
    neighbours say nothing, near 0 for a deterministic trace (after Farmer and Sidorowich, Phys.
    Rev. Lett. 1987, with one neighbour).

    Parameters
    ----------
    x : samples, shape (n,), not all equal.
    dimension, lag : of the delay embedding.
    theiler : samples this close in time are no neighbours.
    horizon : h, samples ahead of the last sample of the vector.

    Raises
    ------
    DataError : NaN, no variation, too few samples; InputError : an argument out of range.

    >>> from lab_tools.analysis.dynamics.reference import logistic_orbit
    >>> prediction_error(logistic_orbit(4.0, 2000)) < 0.01
    True
    """
    series = vector("x", x, min_length=4)
    ahead = whole("horizon", horizon, low=1)
    deviation = float(series.std())
    if deviation == 0:
        raise DataError("x", f"is {series[0]:g} everywhere", "different values")
    vectors = delay_embedding(series, dimension, lag)[:-ahead]
    future = series[series.size - len(vectors) :]
    near = nearest_neighbours(vectors, theiler)
    error = np.sqrt(np.mean((future - future[near]) ** 2))
    return float(error / (np.sqrt(2) * deviation))


def surrogate_test(
    x: ArrayLike,
    rng: np.random.Generator,
    *,
    surrogates: int = 39,
    dimension: int = 2,
    lag: int = 1,
    theiler: int = 10,
    horizon: int = 1,
) -> SurrogateTest:
    """Compare the prediction error of a trace with that of its surrogates.

    Null hypothesis: the trace is stationary linear Gaussian noise seen through a monotone scale.
    The one-sided p-value is (1 + number of surrogates predicted as well) / (1 + surrogates)
    (Theiler et al., "Testing for nonlinearity in time series", Physica D 1992). Rejection shows
    nonlinearity or drift, not chaos.

    Parameters
    ----------
    x : samples, shape (n,), not all equal.
    rng : random generator.
    surrogates : 19 give a p-value of 0.05 at best, 39 of 0.025.
    dimension, lag, theiler, horizon : as in `prediction_error`.

    Raises
    ------
    DataError : NaN, no variation, too few samples; InputError : an argument out of range.

    >>> from lab_tools.analysis.dynamics.reference import logistic_orbit
    >>> surrogate_test(logistic_orbit(4.0, 300), np.random.default_rng(1)).p_value
    0.025
    """
    count = whole("surrogates", surrogates, low=1)
    options = {"dimension": dimension, "lag": lag, "theiler": theiler, "horizon": horizon}
    error = prediction_error(x, **options)
    others = np.array(
        [prediction_error(amplitude_adjusted_surrogate(x, rng), **options) for _ in range(count)]
    )
    return SurrogateTest(error, others, (1 + int((others <= error).sum())) / (1 + count))
