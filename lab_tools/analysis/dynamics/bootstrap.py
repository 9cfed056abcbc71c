"""Bootstrap intervals for averages over a series whose terms depend on each other."""

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector, whole
from lab_tools.errors import DataError

MOST_BLOCKS = 200  # more blocks cost time and no longer narrow the error of the interval


def block_length(samples: int) -> int:
    """Default block length: the cube root of the number of samples, and at most 200 blocks.

    The cube root is the optimal order of growth (Künsch, "The jackknife and the bootstrap for
    general stationary observations", Annals of Statistics 1989).

    Parameters
    ----------
    samples : length of the series, 1 or more.

    Raises
    ------
    InputError : samples not positive.

    >>> block_length(1000), block_length(10_000_000)
    (10, 50000)
    """
    n = whole("samples", samples, low=1)
    return max(round(float(np.cbrt(n))), -(-n // MOST_BLOCKS))


def resampled_means(
    rows: FloatArray, rng: np.random.Generator, resamples: int = 1000, block: int | None = None
) -> FloatArray:
    """Means of series put together from blocks drawn with replacement.

    Non-overlapping block bootstrap (Carlstein, Annals of Statistics 1986): blocks keep the
    dependence between neighbouring terms that single draws would destroy.

    Parameters
    ----------
    rows : series, shape (n,) or (n, q), in order of time; an incomplete last block is left out.
    rng : random generator.
    resamples : number of resampled series, 2 or more.
    block : length of a block (default `block_length`).

    Returns
    -------
    means, shape (resamples,) or (resamples, q).

    Raises
    ------
    DataError : fewer than 2 whole blocks; InputError : resamples or block out of range.

    >>> resampled_means(np.ones(50), np.random.default_rng(1), resamples=3)
    array([1., 1., 1.])
    """
    count = whole("resamples", resamples, low=2)
    length = block_length(len(rows)) if block is None else whole("block", block, low=1)
    blocks = len(rows) // length
    if blocks < 2:
        raise DataError("terms", f"has {len(rows)} values", f"2 blocks of {length}")
    means = rows[: blocks * length].reshape(blocks, length, *rows.shape[1:]).mean(axis=1)
    draws = rng.integers(blocks, size=(count, blocks))
    return np.asarray(means[draws].mean(axis=1))


def mean_interval(
    terms: ArrayLike,
    rng: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    block: int | None = None,
) -> tuple[float, float]:
    """Percentile interval for the mean of dependent terms, by block bootstrap.

    Parameters
    ----------
    terms : shape (n,), in order of time.
    rng : random generator.
    confidence : of the interval, in (0, 1).
    resamples, block : as in `resampled_means`.

    Raises
    ------
    DataError : NaN, fewer than 2 whole blocks; InputError : an argument out of range.

    >>> low, high = mean_interval(np.arange(100) % 2, np.random.default_rng(1))
    >>> low <= 0.5 <= high
    True
    """
    values = vector("terms", terms, min_length=2)
    means = resampled_means(values, rng, resamples, block)
    return percentile_interval(means, confidence)


def percentile_interval(means: FloatArray, confidence: float) -> tuple[float, float]:
    """Central interval of the resampled values.

    Parameters
    ----------
    means : values of the resampled series, shape (resamples,).
    confidence : share of them within the interval, in (0, 1).

    Raises
    ------
    InputError : confidence not in (0, 1).

    >>> percentile_interval(np.arange(101.0), 0.5)
    (25.0, 75.0)
    """
    tail = (1 - number("confidence", confidence, above=0, below=1)) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)
