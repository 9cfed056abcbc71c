"""Reference maps and noises: series whose dynamics are known, to test an analysis on."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import integrate, signal

from lab_tools.arrays import FloatArray, number, vector, whole


def logistic_orbit(
    growth: float, samples: int, *, start: float = 0.3, discard: int = 100
) -> FloatArray:
    """Orbit of the logistic map x' = r x (1 - x) (May, Nature 1976).

    Exponents: ln 2 at r = 4 (exact), 0.495 at 3.9, 0.354 at 3.7, -0.873 at 3.5, -0.916 at 3.2,
    -0.693 at 2.5.

    Parameters
    ----------
    growth : r, in (0, 4].
    samples : length n of the orbit.
    start : x before the first step, in (0, 1).
    discard : steps left out before the orbit begins.

    Returns
    -------
    orbit in [0, 1], shape (n,).

    Raises
    ------
    InputError : an argument out of range.

    >>> logistic_orbit(2.5, 3).round(6)
    array([0.6, 0.6, 0.6])
    """
    r = number("growth", growth, above=0, high=4)
    x = number("start", start, above=0, below=1)
    skip = whole("discard", discard)
    orbit = np.empty(whole("samples", samples, low=1))
    for i in range(-skip, orbit.size):
        x = r * x * (1 - x)
        if i >= 0:
            orbit[i] = x
    return orbit


def logistic_slope(orbit: ArrayLike, growth: float) -> FloatArray:
    """Derivative r (1 - 2 x) of the logistic map along an orbit.

    Parameters
    ----------
    orbit : x, shape (n,).
    growth : r, in (0, 4].

    Returns
    -------
    slopes, shape (n,).

    Raises
    ------
    DataError : NaN in the orbit; InputError : growth out of range.

    >>> logistic_slope(np.array([0.6]), 2.5).round(6)
    array([-0.5])
    """
    r = number("growth", growth, above=0, high=4)
    return np.asarray(r * (1 - 2 * vector("orbit", orbit)))


def tent_orbit(
    height: float, samples: int, *, start: float = 0.3, discard: int = 100
) -> FloatArray:
    """Orbit of the tent map x' = m min(x, 1 - x); its exponent is ln m, exactly.

    The full tent (m = 2) shifts the binary digits of x, so arithmetic with 53 of them ends at 0
    soon; here it is taken from the logistic map at r = 4 by the change of variable
    x = (2 / pi) arcsin(sqrt(y)) (Ulam and von Neumann, 1947).

    Parameters
    ----------
    height : m, in (0, 2].
    samples : length n of the orbit.
    start : x before the first step, in (0, 1).
    discard : steps left out before the orbit begins.

    Returns
    -------
    orbit in [0, 1], shape (n,).

    Raises
    ------
    InputError : an argument out of range.

    >>> tent_orbit(1.5, 3, start=0.3, discard=0)
    array([0.45 , 0.675 , 0.4875])
    """
    m = number("height", height, above=0, high=2)
    x = number("start", start, above=0, below=1)
    if m == 2:
        logistic = logistic_orbit(
            4.0, samples, start=float(np.sin(np.pi * x / 2) ** 2), discard=discard
        )
        return np.asarray(2 / np.pi * np.arcsin(np.sqrt(logistic)))
    skip = whole("discard", discard)
    orbit = np.empty(whole("samples", samples, low=1))
    for i in range(-skip, orbit.size):
        x = m * min(x, 1 - x)
        if i >= 0:
            orbit[i] = x
    return orbit


def lorenz_trace(samples: int, interval_s: float = 0.03, *, discard_s: float = 20.0) -> FloatArray:
    """First coordinate of the Lorenz system, sampled evenly.

    x' = 10 (y - x), y' = x (28 - z) - y, z' = x y - 8/3 z (Lorenz, "Deterministic nonperiodic
    flow", J. Atmos. Sci. 1963), from (1, 1, 1). Largest exponent: about 0.906 per unit of time
    (Sprott, "Chaos and time-series analysis", 2003).

    Parameters
    ----------
    samples : length n of the trace.
    interval_s : sampling interval, in the system's unit of time.
    discard_s : time left out before the trace begins.

    Returns
    -------
    x, shape (n,).

    Raises
    ------
    InputError : an argument out of range.

    >>> bool(10 < np.abs(lorenz_trace(500)).max() < 21)
    True
    """
    n = whole("samples", samples, low=1)
    step = number("interval_s", interval_s, above=0)
    times = number("discard_s", discard_s, low=0) + step * np.arange(n)

    def velocity(_: float, state: FloatArray) -> list[float]:
        x, y, z = state
        return [10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z]

    # odeint wants the starting time first, and more than its 500 steps up to the first sample.
    path = integrate.odeint(
        velocity, [1.0] * 3, np.append(0.0, times), tfirst=True, rtol=1e-8, atol=1e-8, mxstep=10**6
    )
    return np.asarray(path[1:, 0])


def surrogate_aimd_orbit(
    capacity: float,
    samples: int,
    *,
    increase: float = 1.0,
    decrease: float = 0.5,
    start: float = 1.0,
) -> FloatArray:
    """Window of one flow under additive increase, multiplicative decrease: a SURROGATE map.

    w' = w + a while w <= W, else b w, one step per round-trip time. This stand-in shows what a
    regular sawtooth looks like on a Poincaré map. It is not the map of Rao and Chua (2002), in
    which AIMD meets a UDP stream and whose formula was not available. Its exponent is f ln b
    with f the share of decreases, never positive: it cannot show chaos.

    Parameters
    ----------
    capacity : W, the window in segments above which a loss follows.
    samples : length n of the orbit.
    increase : a, segments added per round trip.
    decrease : b, the factor left after a loss, in (0, 1).
    start : the first window in segments.

    Returns
    -------
    windows in segments, shape (n,).

    Raises
    ------
    InputError : an argument out of range.

    >>> surrogate_aimd_orbit(4.0, 6, start=3.0)
    array([3. , 4. , 5. , 2.5, 3.5, 4.5])
    """
    limit = number("capacity", capacity, above=0)
    step = number("increase", increase, above=0)
    factor = number("decrease", decrease, above=0, below=1)
    window = number("start", start, above=0)
    orbit = np.empty(whole("samples", samples, low=1))
    for i in range(orbit.size):
        orbit[i] = window
        window = window + step if window <= limit else factor * window
    return orbit


def noise(samples: int, rng: np.random.Generator, *, memory: float = 0.0) -> FloatArray:
    """Gaussian noise with exponential memory: x' = c x + e (autoregressive of order 1).

    Memory 0 is white noise, 1 a random walk; neither is chaos, though near neighbours part.

    Parameters
    ----------
    samples : length n.
    rng : random generator.
    memory : c, in [0, 1].

    Returns
    -------
    noise of innovation variance 1, starting at its first innovation, shape (n,).

    Raises
    ------
    InputError : an argument out of range.

    >>> noise(3, np.random.default_rng(1), memory=1.0).round(3)
    array([0.346, 1.167, 1.498])
    """
    n = whole("samples", samples, low=1)
    c = number("memory", memory, low=0, high=1)
    return np.asarray(signal.lfilter([1.0], [1.0, -c], rng.standard_normal(n)))
