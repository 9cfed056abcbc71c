"""Numbers or arrays of any shape: checks on the way in, plain numbers on the way out."""

import math
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector
from lab_tools.errors import DataError


def quantity(
    name: str,
    values: ArrayLike,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    above: float = -math.inf,
    below: float = math.inf,
) -> FloatArray:
    """Return a number or an array of numbers within ``[low, high]`` and ``(above, below)``.

    Parameters
    ----------
    name : the argument's name, for the message.
    values : a number, or numbers of any shape.
    low, high : inclusive bounds of every value.
    above, below : exclusive bounds of every value.

    Raises
    ------
    InputError : a single value is not finite or out of range.
    DataError : an array is ragged, or holds a value that is not finite or out of range.

    >>> quantity("loss", [0.1, 0.2], above=0, below=1)
    array([0.1, 0.2])
    """
    try:
        shape = np.shape(values)
    except ValueError as error:
        raise DataError(name, "has rows of different lengths", "a number or an array") from error
    if shape == ():
        value = cast(float, values)
        return np.asarray(number(name, value, low=low, high=high, above=above, below=below))
    array = vector(name, np.ravel(values)).reshape(shape)
    inside = (array >= low) & (array <= high) & (array > above) & (array < below)
    if not inside.all():
        interval = f"{'(' if above > low else '['}{max(low, above):g}, {min(high, below):g}"
        interval += ")" if below < high else "]"
        raise DataError(name, f"has the value {array[~inside][0]}", f"values in {interval}")
    return array


def positive(name: str, values: ArrayLike) -> FloatArray:
    """Return a number or an array of numbers above 0.

    Raises
    ------
    InputError, DataError : as in `quantity`.

    >>> float(positive("rtt_s", 0.1))
    0.1
    """
    return quantity(name, values, above=0)


def probability(name: str, values: ArrayLike) -> FloatArray:
    """Return a number or an array of numbers strictly between 0 and 1.

    Raises
    ------
    InputError, DataError : as in `quantity`.

    >>> float(probability("loss", 0.01))
    0.01
    """
    return quantity(name, values, above=0, below=1)


def check_broadcast(**arrays: FloatArray) -> None:
    """Check that the arguments' shapes broadcast together.

    Parameters
    ----------
    **arrays : the arguments by name, any shapes.

    Raises
    ------
    DataError : the shapes do not broadcast; the message names the arguments.

    >>> check_broadcast(rtt_s=np.ones(3), loss=np.ones((2, 1)))
    """
    shapes = [np.shape(array) for array in arrays.values()]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError as error:
        text = "have shapes " + ", ".join(str(shape) for shape in shapes)
        raise DataError(", ".join(arrays), text, "shapes that broadcast together") from error


def plain(values: FloatArray) -> FloatArray:
    """Return an array as it is, but an array without dimensions as a numpy number.

    >>> float(plain(np.asarray(0.5)))
    0.5
    """
    return values[()]
