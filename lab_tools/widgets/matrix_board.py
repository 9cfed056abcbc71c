"""A bimatrix game on the board: the attacker chooses with which weight each attack is played."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.arrays import vector
from lab_tools.errors import DataError
from lab_tools.figures.payoff import bimatrix_figure
from lab_tools.games import bimatrix_equilibria, pure_equilibria
from lab_tools.widgets.boards import Round, amount, amounts, wish

#: Payoffs of the defender and of the attacker, each of shape (defences, attacks).
Matrices = tuple[Sequence[ArrayLike], Sequence[ArrayLike]]
#: Shares that differ by less are the same: the sliders are not finer.
_SLACK = 0.011
_SETTLED = (
    "These are your shares of an equilibrium: the defender gains nothing by another answer, and "
    "against the defender's own shares you gain nothing by another attack."
)


class MatrixBoard:
    """Two payoff matrices, for `GameBoard`; players maximise.

    Parameters
    ----------
    game : payoffs of the defender, who chooses the row, and of the attacker, the column.
    defences, attacks : names of rows and columns; without them, numbers.
    unit : of the payoffs.

    Raises
    ------
    DataError : not two finite matrices of one shape, or another number of names.
    """

    unit, stake = "weight", "payoff"
    steps = tuple(float(n) for n in range(101))

    def __init__(
        self, game: Matrices, defences: Sequence[str] = (), attacks: Sequence[str] = ()
    ) -> None:
        defender, attacker = game
        self.equilibria = bimatrix_equilibria(defender, attacker)  # checks the shapes
        self._pure = pure_equilibria(defender, attacker)
        self._defender = np.array([vector("game", row) for row in defender])
        self._attacker = np.array([vector("game", row) for row in attacker])
        rows, columns = self._defender.shape
        self._defences = _names("defences", defences, rows, "defence")
        self._attacks = _names("attacks", attacks, columns, "attack")
        self.controls = tuple(self._attacks)
        self.rules = (
            "You attack. Give each attack a weight; you play it with that share of the total. "
            "The defender knows your shares and takes its best answer. Higher payoffs are better.\n"
            "Payoffs, the defender's | yours:\n" + "\n".join(map(self._row, range(rows)))
        )

    def _row(self, row: int) -> str:
        """Return the payoffs of one defence in words."""
        pairs = zip(self._attacks, self._defender[row], self._attacker[row], strict=True)
        cells = (f"{name} {amount(theirs)} | {amount(yours)}" for name, theirs, yours in pairs)
        return f"    {self._defences[row]}:  " + ",  ".join(cells)

    def play(self, values: Sequence[float]) -> Round:
        """Return the round of a mixture: the defender's best row, and both expected payoffs.

        All weights 0 count as all alike. Where several rows are as good, the defender takes the
        one that is worst for the attacker.
        """
        weights = np.asarray(values, dtype=float)
        mixture = weights / weights.sum() if weights.sum() > 0 else np.full(weights.size, 1.0)
        mixture = mixture / mixture.sum()
        gains = self._defender @ mixture
        as_good = np.flatnonzero(gains >= gains.max() - 1e-9 * max(1.0, float(np.ptp(gains))))
        row = min(as_good.tolist(), key=lambda r: float(self._attacker[r] @ mixture))
        got, best = float(self._attacker[row] @ mixture), float(self._attacker[row].max())
        settled = any(np.abs(mixture - e.column).max() <= _SLACK for e in self.equilibria)
        shares = [f"{100 * share:.0f} %" for share in mixture]
        return Round(
            ", ".join(f"{n} {s}" for n, s in zip(self._attacks, shares, strict=True)),
            self._defences[row],
            got,
            float(gains[row]),
            best,
            settled,
            _SETTLED if settled else wish("payoff", best),
        )

    def solution(self) -> str:
        """Say every equilibrium that was found."""
        said = [
            f"the defender {amounts(self._defences, each.row)}; "
            f"you {amounts(self._attacks, each.column)}; "
            f"payoffs {each.row_payoff:.4g} and {each.column_payoff:.4g}"
            for each in self.equilibria
        ]
        return "Equilibrium (probabilities): " + "\nand ".join(said) + "."

    def picture(self, played: Sequence[Sequence[float]]) -> go.Figure:
        """Draw the table of payoffs, with its pure equilibria framed."""
        figure = bimatrix_figure(
            self._defender.tolist(),
            self._attacker.tolist(),
            self._defences,
            self._attacks,
            self._pure,
            unit="payoff units",
            title="Defender | you",
        )
        figure.update_xaxes(title_text="You (second number)")
        return figure.update_yaxes(title_text="Defender (first)")


def _names(field: str, names: Sequence[str], count: int, word: str) -> list[str]:
    if not names:
        return [f"{word} {n}" for n in range(1, count + 1)]
    if len(names) != count:
        raise DataError(field, f"has {len(names)} names", f"{count}, one for each {word}")
    return [str(name) for name in names]
