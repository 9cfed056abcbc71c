"""Checks at the door of every figure: it draws analysis values, and nothing else."""

from collections.abc import Sequence
from typing import TypeVar

from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, vector
from lab_tools.errors import DataError

Kind = TypeVar("Kind")


def given(name: str, value: object, kind: type[Kind]) -> Kind:
    """Return a value if it is of the kind wanted.

    Raises
    ------
    DataError : a value of another kind.

    >>> given("profile", 3, str)
    Traceback (most recent call last):
    lab_tools.errors.DataError: profile is of the kind int: it needs a value of the kind str.
    """
    if not isinstance(value, kind):
        found = f"is of the kind {type(value).__name__}"
        raise DataError(name, found, f"a value of the kind {kind.__name__}")
    return value


def labels(name: str, values: Sequence[object], count: int) -> list[str]:
    """Return as many labels as there are things to label.

    Raises
    ------
    DataError : another number of labels.

    >>> labels("names", ["read", "write"], 2)
    ['read', 'write']
    """
    if len(values) != count:
        raise DataError(name, f"has {len(values)} values", f"exactly {count}")
    return [str(value) for value in values]


def groups(name: str, values: Sequence[ArrayLike], count: int) -> list[FloatArray]:
    """Return one array of measurements for each position.

    Raises
    ------
    DataError : another number of groups, or one that is no list of finite numbers.

    >>> groups("runs_bps", [[9e9, 8e9], [5e9]], 2)[1]
    array([5.e+09])
    """
    if len(values) != count:
        raise DataError(name, f"has {len(values)} groups", f"exactly {count}")
    return [vector(f"{name}[{index}]", group) for index, group in enumerate(values)]
