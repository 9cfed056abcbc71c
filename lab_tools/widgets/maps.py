"""Reference maps that a panel can show: each with its parameter, its orbit and its slope."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lab_tools.analysis.dynamics import reference as ref
from lab_tools.arrays import FloatArray

#: Segments above which the window of the AIMD map is cut.
CAPACITY = 20.0


@dataclass(frozen=True)
class ReferenceMap:
    """A map x' = M(x) of one parameter, on an interval.

    Parameters
    ----------
    parameter : its name, for the slider.
    low, high, first : ends of the slider and where it begins.
    axis : name and unit of x.
    span : the interval of x that is drawn and started from.
    orbit : (parameter, samples from 2 on, start) to the orbit, which begins at the start.
    slope : (orbit, parameter) to M' along the orbit.
    """

    parameter: str
    low: float
    high: float
    first: float
    axis: tuple[str, str]
    span: tuple[float, float]
    orbit: Callable[[float, int, float], FloatArray]
    slope: Callable[[FloatArray, float], FloatArray]

    def curve(self, parameter: float, points: int = 241) -> tuple[FloatArray, FloatArray]:
        """Return the map as a curve: where x is, and where it is one step later."""
        low, high = self.span
        now = np.linspace(low, high, points + 2)[1:-1]  # the ends are no starts of an orbit
        return now, np.array([self.orbit(parameter, 2, x)[1] for x in now.tolist()])


def _from(start: float, later: FloatArray) -> FloatArray:
    """Return an orbit with its start, which the reference orbits leave out."""
    return np.concatenate([[start], later])


MAPS = {
    "logistic map": ReferenceMap(
        "Growth r",
        2.5,
        4.0,
        3.9,
        ("State x", "no unit"),
        (0.0, 1.0),
        lambda r, n, x: _from(x, ref.logistic_orbit(r, n - 1, start=x, discard=0)),
        ref.logistic_slope,
    ),
    "tent map": ReferenceMap(
        "Height m",
        1.02,
        2.0,
        1.9,
        ("State x", "no unit"),
        (0.0, 1.0),
        lambda m, n, x: _from(x, ref.tent_orbit(m, n - 1, start=x, discard=0)),
        lambda orbit, m: np.full(orbit.size, m),  # |M'| is m on both sides
    ),
    "AIMD window": ReferenceMap(
        "Kept after a loss",
        0.3,
        0.9,
        0.5,
        ("Window", "segments"),
        (1.0, CAPACITY + 1),
        lambda b, n, w: ref.surrogate_aimd_orbit(CAPACITY, n, decrease=b, start=w),
        lambda orbit, b: np.where(orbit <= CAPACITY, 1.0, b),
    ),
}
