"""Delay embedding of a series and the nearest neighbours in it."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import cKDTree

from lab_tools.arrays import FloatArray, vector, whole
from lab_tools.errors import DataError


def delay_embedding(x: ArrayLike, dimension: int, lag: int = 1) -> FloatArray:
    """Vectors V_i = (x_i, x_{i+L}, ..., x_{i+(m-1)L}) (Takens 1981).

    Parameters
    ----------
    x : samples, shape (n,).
    dimension : m, 1 or more.
    lag : L in samples, 1 or more.

    Returns
    -------
    vectors, shape (n - (m - 1) L, m).

    Raises
    ------
    DataError : NaN or too few samples; InputError : dimension or lag not positive.

    >>> delay_embedding([1, 2, 3, 4, 5], dimension=2, lag=3)
    array([[1., 4.], [2., 5.]])
    """
    m, step = whole("dimension", dimension, low=1), whole("lag", lag, low=1)
    series = vector("x", x, min_length=(m - 1) * step + 1)
    count = series.size - (m - 1) * step
    return np.stack([series[k * step : k * step + count] for k in range(m)], axis=1)


def nearest_neighbours(vectors: FloatArray, theiler: int) -> NDArray[np.intp]:
    """Index of each vector's nearest neighbour that is not its neighbour in time.

    Euclidean distance, |i - j| > w: without this window (Theiler, Phys. Rev. A 1986) a smooth
    trace's nearest vectors are simply the samples just before and after.

    Parameters
    ----------
    vectors : shape (n, m), in order of time.
    theiler : w in samples, 0 or more.

    Returns
    -------
    indices, shape (n,).

    Raises
    ------
    DataError : fewer than 2 w + 2 vectors; InputError : theiler negative.

    >>> nearest_neighbours(np.array([[0.0], [1.0], [0.1], [0.9]]), theiler=1)
    array([2, 3, 0, 1])
    """
    window = whole("theiler", theiler)
    enough = 2 * window + 2  # beyond itself and 2 w in time there is always one more
    if len(vectors) < enough:
        raise DataError("x", f"gives {len(vectors)} vectors", f"{enough} for this theiler window")
    _, near = cKDTree(vectors).query(vectors, k=enough)
    apart = np.abs(near - np.arange(len(vectors))[:, None]) > window
    first = np.argmax(apart, axis=1)
    return np.asarray(np.take_along_axis(near, first[:, None], axis=1)[:, 0], dtype=np.intp)
