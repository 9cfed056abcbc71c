"""Games: the payoff surface of a contest, and the choice of a congestion control."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from lab_tools.arrays import vector, whole
from lab_tools.errors import DataError, UnknownNameError
from lab_tools.figures.checks import given, labels
from lab_tools.figures.draw import curve
from lab_tools.figures.look import BLUE, GREEN, VERMILLION, axis, layout, rate_scale
from lab_tools.games import ContestEquilibrium, NashResult, PayoffSurface

#: Light enough for lines of the palette and dark text to be read on it.
TINT = [[0.0, "#FFFFFF"], [1.0, "#8DB8DD"]]


def payoff_figure(
    surface: PayoffSurface,
    equilibrium: ContestEquilibrium | NashResult | None = None,
    *,
    player: str = "defender",
    unit: str = "cost units",
    title: str = "Payoff surface and best responses",
) -> go.Figure:
    """Draw what a player minimises over both investments, with both best-response curves.

    The curves cross at the equilibria. The surface is seen from above, as contours, so that the
    crossing can be read off the axes.

    Parameters
    ----------
    surface : from `payoff_surface`.
    equilibrium : from `ratio_equilibrium`, `offset_equilibrium` or `find_equilibrium` of a game
        with one system: a star (optional).
    player : whose utility is drawn: "defender" or "attacker".
    unit : of investments and utilities.
    title : above the figure.

    Raises
    ------
    DataError : values of other kinds, an equilibrium of several systems.
    UnknownNameError : another player.

    Source: the contest of Tullock with the utilities of Rao et al. (see `lab_tools.games`).

    >>> from lab_tools.games import DefenceGame, payoff_surface, ratio_equilibrium
    >>> surface = payoff_surface(DefenceGame(100, 50, (1.0,), (1.0,)), [10, 20, 30], [5, 10])
    >>> payoff_figure(surface, ratio_equilibrium(100, 50)).data[-1].name
    'equilibrium (22.2, 11.1)'
    """
    given("surface", surface, PayoffSurface)
    utilities = {"defender": surface.defender, "attacker": surface.attacker}
    if player not in utilities:
        raise UnknownNameError("player", player, utilities)
    contours = go.Contour(
        x=surface.defence,
        y=surface.attack,
        z=utilities[player].T,
        colorscale=TINT,
        contours={"showlabels": True, "labelfont": {"size": 11, "color": "#333333"}},
        line={"color": "#8A9BB0", "width": 1},
        colorbar={"title": {"text": f"{player}'s<br>utility<br>({unit})"}, "len": 0.9},
        hovertemplate=f"defence %{{x:.4g}} {unit}<br>attack %{{y:.4g}} {unit}"
        f"<br>{player}'s utility %{{z:.4g}} {unit}<extra></extra>",
    )
    text = f"defence %{{x:.4g}} {unit}<br>attack %{{y:.4g}} {unit}"
    dash = {"color": GREEN, "width": 3, "dash": "dash"}
    line = {"color": VERMILLION, "width": 3}
    defence = (surface.best_defence, surface.attack)
    attack = (surface.defence, surface.best_attack)
    parts = [
        contours,
        curve(*defence, "best defence against each attack", VERMILLION, text, line=line),
        curve(*attack, "best attack on each defence", GREEN, text, line=dash),
    ]
    if equilibrium is not None:
        x, y, holds = _point(equilibrium)
        name = "equilibrium" if holds else "stationary, no equilibrium"
        star = {"symbol": "star", "size": 16, "color": "#222222"}
        star["line"] = {"color": "#FFFFFF", "width": 1.5}
        name = f"{name} ({x:.3g}, {y:.3g})"
        parts.append(curve([x], [y], name, BLUE, text, mode="markers", marker=star))
    # Best responses may leave the grid, which is all that there is to see.
    return go.Figure(
        parts,
        layout(
            title,
            axis("Defence x", unit, range=surface.defence[[0, -1]].tolist()),
            axis("Attack y", unit, range=surface.attack[[0, -1]].tolist()),
            height_px=560,
        ),
    )


def _point(equilibrium: ContestEquilibrium | NashResult) -> tuple[float, float, bool]:
    if isinstance(equilibrium, ContestEquilibrium):
        return equilibrium.defence, equilibrium.attack, equilibrium.is_equilibrium
    found = given("equilibrium", equilibrium, NashResult)
    if found.defence.size != 1:
        raise DataError("equilibrium", f"has {found.defence.size} systems", "exactly 1")
    return float(found.defence[0]), float(found.attack[0]), found.check.is_equilibrium


def bimatrix_figure(
    row_payoffs: Sequence[ArrayLike],
    column_payoffs: Sequence[ArrayLike],
    row_names: Sequence[str],
    column_names: Sequence[str],
    equilibria: Sequence[tuple[int, int]] = (),
    *,
    unit: str = "Mbit/s",
    players: tuple[str, str] = ("Row player", "Column player"),
    tinted: bool = True,
    title: str = "Payoffs of two players",
) -> go.Figure:
    """Draw a bimatrix game as a table of pairs, with its pure equilibria framed.

    Parameters
    ----------
    row_payoffs, column_payoffs : what each player gains, shape (m, n); players maximise.
    row_names, column_names : of the strategies, m and n.
    equilibria : from `pure_equilibria`: pairs (row, column).
    unit : of the payoffs.
    players : what the two are called.
    tinted : whether a cell's colour shows the sum of both payoffs.
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes; InputError : an equilibrium outside of the table.

    >>> figure = bimatrix_figure([[5, 2], [8, 3]], [[5, 8], [2, 3]], ["cubic", "bbr"],
    ...     ["cubic", "bbr"], [(1, 1)])
    >>> figure.data[0].text[1][1]
    '3 | 3'
    """
    columns = labels("column_names", column_names, len(column_names))
    rows = labels("row_names", row_names, len(row_payoffs))
    labels("column_payoffs", column_payoffs, len(rows))
    first, second = (
        np.array([vector(field, row, length=len(columns)) for row in table])
        for field, table in (("row_payoffs", row_payoffs), ("column_payoffs", column_payoffs))
    )
    text = [
        [f"{a:.4g} | {b:.4g}" for a, b in zip(*pair, strict=True)]
        for pair in zip(first, second, strict=True)
    ]
    table = go.Heatmap(
        z=first + second if tinted else np.zeros_like(first),
        showscale=tinted,
        x=np.arange(len(columns)),
        y=np.arange(len(rows)),
        text=text,
        texttemplate="%{text}",
        textfont={"size": 15, "color": "#222222"},
        colorscale=TINT,
        colorbar={"title": {"text": f"sum<br>({unit})"}},
        xgap=3,
        ygap=3,
        hovertemplate=f"{players[0]} | {players[1]}<br>%{{text}} {unit}<extra></extra>",
    )
    figure = go.Figure(
        table,
        layout(
            title,
            {
                "title": {"text": f"{players[1]}'s choice (second number)"},
                "tickvals": np.arange(len(columns)),
                "ticktext": columns,
                "showgrid": False,
            },
            {
                "title": {"text": f"{players[0]}'s choice (first number)"},
                "tickvals": np.arange(len(rows)),
                "ticktext": rows,
                "autorange": "reversed",
                "showgrid": False,
            },
            height_px=220 + 90 * len(rows),
        ),
    )
    for row, column in equilibria:
        y = whole("equilibria", row, high=len(rows) - 1)
        x = whole("equilibria", column, high=len(columns) - 1)
        frame = {"color": VERMILLION, "width": 4}
        figure.add_shape(
            type="rect", x0=x - 0.48, x1=x + 0.48, y0=y - 0.48, y1=y + 0.48, line=frame
        )
        figure.add_annotation(
            x=x, y=y + 0.33, text="equilibrium", showarrow=False, font={"color": "#222222"}
        )
    return figure


def population_figure(
    first_payoff: ArrayLike,
    second_payoff: ArrayLike,
    equilibria: Sequence[int],
    names: tuple[str, str],
    *,
    title: str = "Choice among many flows",
) -> go.Figure:
    """Draw what a flow earns on each of two controls over how many flows use the first.

    Parameters
    ----------
    first_payoff : goodput in bit/s of a flow on the first control, k = 1…N, shape (N,).
    second_payoff : of a flow on the second control, k = 0…N-1, shape (N,).
    equilibria : from `population_equilibria`: numbers k, in 0…N.
    names : of the two controls.
    title : above the figure.

    Raises
    ------
    DataError : wrong shapes, other than two names; InputError : an equilibrium outside 0…N.

    Source: Mishra, Tiu and Leong, IMC 2022, for BBR and CUBIC.

    >>> figure = population_figure([6e6, 4e6, 3e6], [4e6, 3e6, 3.5e6], [2], ("bbr", "cubic"))
    >>> figure.data[0].x, figure.layout.shapes[0].x0
    (array([1, 2, 3]), 2)
    """
    first = vector("first_payoff", first_payoff)
    second = vector("second_payoff", second_payoff, length=first.size)
    one, other = labels("names", names, 2)
    scale = rate_scale(first, second)
    flows = np.arange(first.size + 1)
    text = f"%{{x}} flows on {one}<br>%{{y:.4g}} {scale.unit} each"
    parts = [
        curve(flows[1:], scale.show(first), f"a flow on {one}", BLUE, text, mode="lines+markers"),
        curve(
            flows[:-1],
            scale.show(second),
            f"a flow on {other}",
            VERMILLION,
            text,
            mode="lines+markers",
            line={"color": VERMILLION, "width": 2, "dash": "dash"},
        ),
    ]
    figure = go.Figure(
        parts,
        layout(
            title,
            axis(f"Flows on {one}", f"of {first.size}", dtick=max(1, first.size // 10)),
            axis("Goodput of a flow", scale.unit, rangemode="tozero"),
        ),
    )
    for k in equilibria:
        at = whole("equilibria", k, high=first.size)
        line = {"color": GREEN, "width": 2, "dash": "dot"}
        figure.add_shape(type="line", x0=at, x1=at, y0=0, y1=1, yref="paper", line=line)
        figure.add_annotation(
            x=at, y=1, yref="paper", yanchor="bottom", text=f"equilibrium {at}", showarrow=False
        )
    return figure
