"""A defence game on the board: the attacker chooses what to spend on each system."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from lab_tools.figures.draw import curve
from lab_tools.figures.look import BLUE, PURPLE, VERMILLION, axis, layout
from lab_tools.figures.payoff import payoff_figure
from lab_tools.games import (
    DefenceGame,
    NashResult,
    attacker_best_response,
    attacker_utility,
    defender_best_response,
    defender_utility,
    find_equilibrium,
    infrastructure_survival,
    payoff_surface,
)
from lab_tools.widgets.boards import Round, amount, amounts, wish

_STEPS = 101
#: Grid of the payoff surface: each of its lines asks for a best response.
_GRID = 25
#: A saving below this share of the attacker's gain counts as none: the steps are not finer.
_SLACK = 0.001
_SETTLED = "No other attack on this defence would do better: neither of you wants to change."


class ContestBoard:
    """A `DefenceGame`, for `GameBoard`.

    Parameters
    ----------
    game : of any number of systems, sum form.

    Raises
    ------
    InputError : a game of product form, whose players would spend without end.
    """

    unit, stake = "effort", "cost"

    def __init__(self, game: DefenceGame) -> None:
        defender_best_response(game, np.zeros(game.systems))  # says what the product form lacks
        self.game = game
        one = game.systems == 1
        self._systems = [""] if one else [f"system {n}" for n in range(1, game.systems + 1)]
        self.controls = tuple(f"Effort {name}".strip() for name in self._systems)
        top = game.attacker_gain / min(game.attacker_costs)
        self.steps = tuple(np.linspace(0.0, top, _STEPS).round(6).tolist())
        prices = amounts(self._systems, game.attacker_costs)
        self.rules = (
            f"You attack. If the infrastructure survives you lose {game.attacker_gain:g}; "
            f"a unit of effort costs you {prices}. The defender loses {game.defender_gain:g} if it "
            "falls, sees your effort and answers with its cheapest defence. Lower costs are better."
        )
        self._found: NashResult | None = None

    def play(self, values: Sequence[float]) -> Round:
        """Return the round of an attack: the defender's cheapest answer, and both costs."""
        game = self.game
        answer = defender_best_response(game, values)
        cost = attacker_utility(game, answer.investment, values)
        best = attacker_best_response(game, answer.investment, start=values)
        settled = cost - best.utility <= _SLACK * game.attacker_gain
        survival = infrastructure_survival(game, answer.investment, values)
        defence = amounts(self._systems, answer.investment)
        return Round(
            amounts(self._systems, values),
            f"{defence} (survives with {100 * survival:.1f} %)",
            cost,
            defender_utility(game, answer.investment, values),
            min(cost, best.utility),
            settled,
            _SETTLED if settled else wish("cost", best.utility),
        )

    @property
    def found(self) -> NashResult:
        """Where iterated best responses end; searched once."""
        if self._found is None:
            start = np.full(self.game.systems, self.steps[-1] / 5)
            self._found = find_equilibrium(self.game, start, start)
        return self._found

    def solution(self) -> str:
        """Say where the equilibrium is, or that iterated best responses found none."""
        found, game = self.found, self.game
        if not found.check.is_equilibrium:
            return "Iterated best responses find no equilibrium in pure strategies."
        x, y = found.defence, found.attack
        return (
            f"Equilibrium: effort {amounts(self._systems, y)}; "
            f"defence {amounts(self._systems, x)}. "
            f"Your cost {amount(attacker_utility(game, x, y))}, "
            f"the defender's {amount(defender_utility(game, x, y))}."
        )

    def picture(self, played: Sequence[Sequence[float]]) -> go.Figure:
        """Draw both best-response curves and the attacks played; bars for several systems."""
        game, found = self.game, self.found
        if game.systems > 1:
            return self._bars()
        top = 1.3 * max(float(found.defence[0]), float(found.attack[0]), self.steps[-1] / 10)
        played = [each for each in played if each[0] > 0]
        top = max([top, *(each[0] * 1.05 for each in played)])
        grid = np.linspace(top / _GRID, top, _GRID)
        shown = found if found.check.is_equilibrium else None
        figure = payoff_figure(payoff_surface(game, grid, grid), shown, player="attacker")
        if played:
            answers = [float(defender_best_response(game, y).investment[0]) for y in played]
            marker = {"color": PURPLE, "size": 10, "symbol": "x"}
            text = "defence %{x:.4g}<br>your attack %{y:.4g}"
            y = [float(each[0]) for each in played]
            figure.add_trace(
                curve(answers, y, "your rounds", PURPLE, text, mode="markers", marker=marker)
            )
        return figure

    def _bars(self) -> go.Figure:
        sides = (("defence", self.found.defence, BLUE), ("attack", self.found.attack, VERMILLION))
        bars = [
            go.Bar(x=self._systems, y=values, name=name, marker_color=colour)
            for name, values, colour in sides
        ]
        kind = "Equilibrium" if self.found.check.is_equilibrium else "No equilibrium: last round"
        columns = {"title": {"text": "System"}}
        return go.Figure(bars, layout(kind, columns, axis("Investment", "cost units")))
