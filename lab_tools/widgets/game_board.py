"""A game to play: you are the attacker, the computed best response is the defender."""

from collections.abc import Sequence
from typing import Any

import ipywidgets as w
import numpy as np
import plotly.graph_objects as go

from lab_tools.errors import DataError
from lab_tools.figures.draw import curve
from lab_tools.figures.look import BLUE, GREEN, VERMILLION, axis, layout
from lab_tools.games import DefenceGame
from lab_tools.widgets.boards import Board, Round, amount
from lab_tools.widgets.contest_board import ContestBoard
from lab_tools.widgets.controls import Message
from lab_tools.widgets.holder import Held
from lab_tools.widgets.matrix_board import Matrices, MatrixBoard
from lab_tools.widgets.notebook import show, show_still, table, widgets_on
from lab_tools.widgets.page import Page
from lab_tools.widgets.steps import Steps

#: The contest for one fibre: the defender would lose 100, the attacker wants to win 50.
USUAL = DefenceGame(100, 50, (1.0,), (1.0,))


def game_board(
    game: DefenceGame | Matrices | None = None,
    *,
    defences: Sequence[str] = (),
    attacks: Sequence[str] = (),
) -> None:
    """Show a board on which you play the attacker against the defender's computed best response.

    Each round shows both players' costs or payoffs, and what another attack on that defence would
    have brought. Where nothing more can be had, nobody wants to change: an equilibrium, which a
    button reveals. Where widgets cannot be shown, a still picture or a short table takes the place.

    Parameters
    ----------
    game : a `DefenceGame`, or two matrices of payoffs, of the defender (rows) and of the attacker
        (columns). Without one, a contest for one system, of gains 100 and 50.
    defences, attacks : names of the matrices' rows and columns.

    Raises
    ------
    DataError : no such game, matrices of different shapes, another number of names.
    InputError : a defence game of product form.

    >>> game_board(([[0, -8], [-5, 0]], [[-1, 6], [4, -2]]), attacks=("fibre", "servers"))
    Attack   fibre 50 %, servers 50 %
    Defence  defence 2
    You      payoff 1, at best 4 against this defence
    Other    payoff -2.5
    """
    panel = GameBoard(board_of(game, defences, attacks))
    words = panel.words()
    if widgets_on():
        show(panel.widget, words)
    else:
        show_still(panel.board.picture([]), words)


def board_of(
    game: DefenceGame | Matrices | None, defences: Sequence[str], attacks: Sequence[str]
) -> Board:
    """Return the board that fits a game.

    Raises
    ------
    DataError, InputError : as in `game_board`.
    """
    if game is None or isinstance(game, DefenceGame):
        if defences or attacks:
            raise DataError("game", "is no pair of matrices", "one, where there are names")
        return ContestBoard(game or USUAL)
    if not isinstance(game, tuple | list) or len(game) != 2:
        raise DataError("game", f"is a {type(game).__name__}", "a DefenceGame or two matrices")
    return MatrixBoard((game[0], game[1]), defences, attacks)


class GameBoard:
    """The panel behind `game_board`.

    Attributes
    ----------
    widget : what to show; ``sliders``, ``attack`` and ``reveal`` are its controls.
    rounds : what was played.
    held, solution : the figures of the rounds and of the equilibrium, and their places.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.rounds: list[Round] = []
        self._played: list[list[float]] = []
        middle = board.steps[len(board.steps) // 2]
        self.sliders = [
            Steps(name, board.steps, middle, amount, lambda: None) for name in board.controls
        ]
        self.attack = w.Button(
            description="Attack", button_style="primary", tooltip="Play a round with this attack"
        )
        self.reveal = w.Button(
            description="Reveal the equilibrium", tooltip="Show what neither player would change",
            layout={"width": "14em"},
        )  # fmt: skip
        self.attack.on_click(lambda _button: self._attack())
        self.reveal.on_click(lambda _button: self._reveal())
        self._rules, self._words, self._answer = Message(), Message(), Message()
        self._rules.say(board.rules)
        self._words.say("Choose your attack, then press Attack.")
        self.held, self.solution = Held(go.Figure(layout=self._layout())), Held(go.Figure())
        self._page = Page()
        self._page.follow(self.held)
        self._page.follow(self.solution)
        buttons = w.HBox([self.attack, self.reveal], layout={"flex_flow": "wrap"})
        parts = [self._rules.box, *(each.box for each in self.sliders), buttons, self._words.box]
        self._rounds_box, self._below = w.VBox([]), w.VBox([])
        self.widget = w.VBox(
            [self._page, *parts, self._rounds_box, self._below], layout={"overflow": "hidden"}
        )

    @property
    def said(self) -> str:
        """What the board says of the last round, as HTML."""
        words: str = self._words.box.value
        return words

    @property
    def revealed(self) -> str:
        """What the board says of the equilibrium, as HTML; "" before it is asked."""
        words: str = self._answer.box.value
        return words

    def words(self) -> str:
        """Return the round of the sliders' present attack as a short table."""
        got, stake = self.board.play(self._values()), self.board.stake
        rows = [
            ("Attack", got.attack),
            ("Defence", got.defence),
            (
                "You",
                f"{stake} {amount(got.attacker)}, "
                f"at best {amount(got.possible)} against this defence",
            ),
            ("Other", f"{stake} {amount(got.defender)}"),
        ]
        return table(rows)

    def _values(self) -> list[float]:
        return [each.value for each in self.sliders]

    def _attack(self) -> None:
        values = self._values()
        got = self.board.play(values)
        self.rounds.append(got)
        self._played.append(values)
        stake = self.board.stake
        self._words.say(
            f"Round {len(self.rounds)}. You: {got.attack}. The defender: {got.defence}.\n"
            f"Your {stake} {amount(got.attacker)}, "
            f"the defender's {amount(got.defender)}.\n{got.why}"
        )
        self._draw()

    def _draw(self) -> None:
        number = np.arange(1, len(self.rounds) + 1)
        stake = self.board.stake
        lines: list[tuple[str, list[float], str, dict[str, Any]]] = [
            (f"your {stake}", [each.attacker for each in self.rounds], VERMILLION, {}),
            (
                f"the best {stake} you could have had against this defence",
                [each.possible for each in self.rounds],
                GREEN,
                {"dash": "dot"},
            ),
            (
                f"the defender's {stake}",
                [each.defender for each in self.rounds],
                BLUE,
                {"dash": "dash"},
            ),
        ]
        parts = [
            curve(
                number, values, name, colour, f"round %{{x}}<br>{stake} %{{y:.4g}}",
                mode="lines+markers", line={"color": colour, "width": 2, **more},
            )
            for name, values, colour, more in lines
        ]  # fmt: skip
        self.held.show(go.Figure(parts, self._layout()))
        self._rounds_box.children = (self.held.widget,)

    def _layout(self) -> go.Layout:
        stake = self.board.stake.capitalize()
        last = max(len(self.rounds), 5)
        rounds = axis("Round", "number", range=[0.5, last + 0.5], dtick=max(1, last // 10))
        return layout(
            "Your rounds", rounds, axis(stake, "units", rangemode="tozero"), height_px=380
        )

    def _reveal(self) -> None:
        self._answer.say("Searching …")  # with several systems it takes some seconds
        self._below.children = (self._answer.box,)
        self._answer.say(self.board.solution())
        self.solution.show(self.board.picture(self._played))
        self._below.children = (self._answer.box, self.solution.widget)
