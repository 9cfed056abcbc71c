"""Nash equilibria of a bimatrix game, such as two flows that choose a congestion control."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import nashpy
import numpy as np
from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray, number, vector
from lab_tools.errors import DataError


@dataclass(frozen=True)
class MixedEquilibrium:
    """One equilibrium in mixed strategies.

    Attributes
    ----------
    row, column : probability of each strategy, shapes (m,) and (n,).
    row_payoff, column_payoff : the expected payoffs.
    """

    row: FloatArray
    column: FloatArray
    row_payoff: float
    column_payoff: float


def bimatrix_equilibria(
    row_payoffs: Sequence[ArrayLike], column_payoffs: Sequence[ArrayLike]
) -> tuple[MixedEquilibrium, ...]:
    """Equilibria of a two-player game whose players maximise their payoffs.

    Support enumeration (Nisan, Roughgarden, Tardos and Vazirani, "Algorithmic Game Theory", 2007,
    Algorithm 3.4) as implemented in Nashpy, on payoffs scaled to [0, 1]. In a degenerate game
    (say, with equal payoffs) there may be infinitely many equilibria; some of them are returned,
    and `pure_equilibria` still has all the pure ones.

    Parameters
    ----------
    row_payoffs, column_payoffs : payoffs of the row and the column player, shape (m, n).

    Raises
    ------
    DataError : not two finite matrices of one shape.

    Matching pennies:

    >>> bimatrix_equilibria([[1, -1], [-1, 1]], [[-1, 1], [1, -1]])[0].row
    array([0.5, 0.5])
    """
    rows, columns = _games(row_payoffs, column_payoffs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        game = nashpy.Game(_scaled(rows), _scaled(columns))
        found = [(np.asarray(p), np.asarray(q)) for p, q in game.support_enumeration()]
    return tuple(
        MixedEquilibrium(p, q, float(p @ rows @ q), float(p @ columns @ q)) for p, q in found
    )


def pure_equilibria(
    row_payoffs: Sequence[ArrayLike], column_payoffs: Sequence[ArrayLike]
) -> tuple[tuple[int, int], ...]:
    """All equilibria in pure strategies: pairs of indices that are best replies to each other.

    The definition of Nash (1951), tried on every cell.

    Parameters
    ----------
    row_payoffs, column_payoffs : payoffs to be maximised, shape (m, n).

    Raises
    ------
    DataError : not two finite matrices of one shape.

    The prisoners' dilemma has one, mutual defection:

    >>> pure_equilibria([[3, 0], [5, 1]], [[3, 5], [0, 1]])
    ((1, 1),)
    """
    rows, columns = _games(row_payoffs, column_payoffs)
    best = (rows == rows.max(axis=0)) & (columns == columns.max(axis=1, keepdims=True))
    return tuple((int(i), int(j)) for i, j in np.argwhere(best))


def symmetric_equilibria(payoffs: Sequence[ArrayLike]) -> tuple[MixedEquilibrium, ...]:
    """Equilibria of a symmetric game, given what strategy i earns against strategy j.

    For the choice of a congestion control: ``payoffs[i][j]`` is the goodput of a flow that runs
    control i while the other flow runs j. Source and errors as in `bimatrix_equilibria`.

    Parameters
    ----------
    payoffs : square matrix, shape (n, n).

    Raises
    ------
    DataError : not a finite square matrix.

    Control 0 wins against 1 and loses nothing against itself:

    >>> [e.row.tolist() for e in symmetric_equilibria([[5.0, 8.0], [2.0, 5.0]])]
    [[1.0, 0.0]]
    """
    matrix = _matrix("payoffs", payoffs)
    if matrix.shape[0] != matrix.shape[1]:
        raise DataError("payoffs", f"has shape {matrix.shape}", "as many rows as columns")
    return bimatrix_equilibria(list(matrix), list(matrix.T))


def is_bimatrix_equilibrium(
    row_payoffs: Sequence[ArrayLike],
    column_payoffs: Sequence[ArrayLike],
    row: ArrayLike,
    column: ArrayLike,
    tolerance: float = 1e-9,
) -> bool:
    """Check a claimed equilibrium: no pure strategy earns a player more than its mixture.

    The best-response condition of Nash (1951).

    Parameters
    ----------
    row_payoffs, column_payoffs : payoffs to be maximised, shape (m, n).
    row, column : the claimed probabilities, shapes (m,) and (n,), each summing to 1.
    tolerance : gain that still counts as none, relative to the spread of that player's payoffs.

    Raises
    ------
    InputError, DataError : wrong shapes, or probabilities that do not sum to 1.

    >>> is_bimatrix_equilibrium([[3, 0], [5, 1]], [[3, 5], [0, 1]], row=[0, 1], column=[0, 1])
    True
    """
    rows, columns = _games(row_payoffs, column_payoffs)
    slack = number("tolerance", tolerance, low=0)
    p = _mixture("row", row, rows.shape[0])
    q = _mixture("column", column, rows.shape[1])
    row_gain = (rows @ q).max() - p @ rows @ q
    column_gain = (p @ columns).max() - p @ columns @ q
    return bool(row_gain <= slack * np.ptp(rows) and column_gain <= slack * np.ptp(columns))


def _games(
    rows: Sequence[ArrayLike], columns: Sequence[ArrayLike]
) -> tuple[FloatArray, FloatArray]:
    first, second = _matrix("row_payoffs", rows), _matrix("column_payoffs", columns)
    if first.shape != second.shape:
        raise DataError("column_payoffs", f"has shape {second.shape}", f"the shape {first.shape}")
    return first, second


def _matrix(name: str, values: Sequence[ArrayLike]) -> FloatArray:
    try:
        rows = list(values)
    except TypeError as error:
        raise DataError(name, "is not a matrix", "rows of numbers") from error
    if not rows:
        raise DataError(name, "has 0 rows", "at least 1")
    width = vector(name, rows[0]).size
    return np.stack([vector(name, row, length=width) for row in rows])


def _mixture(name: str, values: ArrayLike, length: int) -> FloatArray:
    array = vector(name, values, length=length, non_negative=True)
    if abs(array.sum() - 1.0) > 1e-9:
        raise DataError(name, f"sums to {array.sum()}", "probabilities that sum to 1")
    return array


def _scaled(payoffs: FloatArray) -> FloatArray:
    spread = np.ptp(payoffs)
    return (payoffs - payoffs.min()) / spread if spread > 0 else np.zeros_like(payoffs)
