"""Checks at the door of every numerical function: one place, one wording."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lab_tools.errors import DataError, InputError

FloatArray = NDArray[np.float64]


def vector(
    name: str,
    values: ArrayLike,
    *,
    min_length: int = 1,
    length: int | None = None,
    positive: bool = False,
    non_negative: bool = False,
    increasing: bool = False,
) -> FloatArray:
    """Return ``values`` as a one-dimensional float array, or say what is wrong with it.

    Parameters
    ----------
    name : the argument's name, for the message.
    values : anything numpy turns into numbers, shape (n,).
    min_length, length : the fewest values allowed; the exact number wanted.
    positive, non_negative : every value > 0; every value >= 0.
    increasing : strictly increasing values.

    Raises
    ------
    DataError : wrong shape, NaN or infinity, too few values, wrong sign or order.

    >>> vector("rtt_s", [0.1, 0.2])
    array([0.1, 0.2])
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(name, "does not hold numbers", "a list of numbers") from error
    if array.ndim != 1:
        raise DataError(name, f"has shape {array.shape}", "one dimension")
    if length is not None and array.size != length:
        raise DataError(name, f"has {array.size} values", f"exactly {length}")
    if array.size < min_length:
        raise DataError(name, f"has {array.size} values", f"at least {min_length}")
    if not np.isfinite(array).all():
        where = int(np.flatnonzero(~np.isfinite(array))[0])
        raise DataError(name, f"is {array[where]} at index {where}", "finite values")
    if positive and not (array > 0).all():
        raise DataError(name, f"has the value {array.min()}", "values above 0")
    if non_negative and not (array >= 0).all():
        raise DataError(name, f"has the value {array.min()}", "values of 0 or more")
    if increasing and not (np.diff(array) > 0).all():
        where = int(np.flatnonzero(np.diff(array) <= 0)[0])
        raise DataError(name, f"is not sorted at index {where + 1}", "strictly increasing values")
    return array


def number(
    name: str,
    value: float,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    above: float = -math.inf,
    below: float = math.inf,
) -> float:
    """Return ``value`` as a float within ``[low, high]`` and ``(above, below)``.

    Raises
    ------
    InputError : not a finite number, or out of range.

    >>> number("loss", 0.01, low=0, below=1)
    0.01
    """
    lower = f"above {above:g}" if above > low else f"at least {low:g}" if low > -math.inf else ""
    upper = f"below {below:g}" if below < high else f"at most {high:g}" if high < math.inf else ""
    allowed = "a finite number" + "".join(f", {part}" for part in (lower, upper) if part)
    try:
        result = float(value)
    except (TypeError, ValueError) as error:
        raise InputError(name, value, allowed) from error
    if isinstance(value, bool) or not math.isfinite(result):
        raise InputError(name, value, allowed)
    if not (low <= result <= high and above < result < below):
        raise InputError(name, value, allowed)
    return result


def whole(name: str, value: int, *, low: int = 0, high: int | None = None) -> int:
    """Return ``value`` as an int within ``[low, high]``.

    Raises
    ------
    InputError : not a whole number, or out of range.

    >>> whole("streams", 4, low=1)
    4
    """
    allowed = f"a whole number, at least {low}" + (f", at most {high}" if high is not None else "")
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise InputError(name, value, allowed)
    if value < low or (high is not None and value > high):
        raise InputError(name, value, allowed)
    return int(value)
