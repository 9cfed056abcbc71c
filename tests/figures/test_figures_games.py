"""Games, networks, reservations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lab_tools.errors import DataError, InputError, UnknownNameError
from lab_tools.figures.calendar import calendar_figure
from lab_tools.figures.network import dumbbell_figure, sites_figure
from lab_tools.figures.payoff import bimatrix_figure, payoff_figure, population_figure
from lab_tools.games import (
    AttackPlan,
    DefenceGame,
    cheapest_attack,
    find_equilibrium,
    ratio_equilibrium,
)
from lab_tools.reservation import LinkCalendar, reservation_graph


def named(figure, start):
    return next(t for t in figure.data if (t.name or "").startswith(start))


def test_the_equilibrium_lies_on_both_best_responses(given):
    figure = payoff_figure(given.surface, given.equilibrium)
    star = named(figure, "equilibrium")
    assert_allclose([star.x[0], star.y[0]], [22.222, 11.111], atol=0.01)  # science.md, worked game
    defence, attack = named(figure, "best defence"), named(figure, "best attack")
    assert_allclose(np.interp(star.y[0], defence.y, defence.x), star.x[0], rtol=0.02)
    assert_allclose(np.interp(star.x[0], attack.x, attack.y), star.y[0], rtol=0.02)
    surface = figure.data[0]
    assert_allclose(surface.z, given.surface.defender.T)
    assert surface.z.shape == (surface.y.size, surface.x.size)
    attacker = payoff_figure(given.surface, player="attacker", unit="M$").data[0]
    assert_allclose(attacker.z, given.surface.attacker.T)
    assert "M$" in attacker.colorbar.title.text


def test_a_point_that_is_no_equilibrium_says_so(given):
    point = ratio_equilibrium(100, 50, steepness=2)
    assert payoff_figure(given.surface, point).data[-1].name.startswith("stationary, no")
    found = find_equilibrium(DefenceGame(100, 50, (1.0,), (1.0,)), [10], [10])
    assert payoff_figure(given.surface, found).data[-1].name == "equilibrium (22.2, 11.1)"
    two = find_equilibrium(DefenceGame(9, 9, (1.0, 1.0), (1.0, 1.0)), [1, 1], [1, 1], rounds=1)
    with pytest.raises(DataError, match="equilibrium has 2 systems"):
        payoff_figure(given.surface, two)
    with pytest.raises(DataError, match="equilibrium"):
        payoff_figure(given.surface, (1.0, 2.0))
    with pytest.raises(UnknownNameError, match="player"):
        payoff_figure(given.surface, player="nature")


def test_a_table_of_payoffs_frames_its_equilibria():
    rows, columns = [[5, 2], [8, 3]], [[5, 8], [2, 3.5]]
    names = ["cubic", "bbr"]
    figure = bimatrix_figure(rows, columns, names, names, [(1, 1)])
    table = figure.data[0]
    assert [list(row) for row in table.text] == [["5 | 5", "2 | 8"], ["8 | 2", "3 | 3.5"]]
    frame = figure.layout.shapes[0]
    assert (frame.x0 < 1 < frame.x1, frame.y0 < 1 < frame.y1) == (True, True)
    assert figure.layout.yaxis.ticktext == ("cubic", "bbr")
    with pytest.raises(InputError, match="equilibria"):
        bimatrix_figure(rows, columns, names, names, [(2, 0)])
    with pytest.raises(DataError, match="row_names"):
        bimatrix_figure(rows, columns, ["cubic"], names)
    with pytest.raises(DataError, match="column_payoffs"):
        bimatrix_figure(rows, [[1], [2]], names, names)


def test_payoffs_among_many_flows():
    figure = population_figure([6e6, 4e6, 3e6], [4e6, 3e6, 3.5e6], [2], ("bbr", "cubic"))
    first, second = figure.data
    assert (list(first.x), list(first.y)) == ([1, 2, 3], [6, 4, 3])
    assert (list(second.x), list(second.y)) == ([0, 1, 2], [4, 3, 3.5])
    assert figure.layout.shapes[0].x0 == figure.layout.shapes[0].x1 == 2
    assert figure.layout.annotations[0].text == "equilibrium 2"
    with pytest.raises(InputError, match="equilibria"):
        population_figure([1.0], [1.0], [2], ("bbr", "cubic"))


def texts(figure):
    return [annotation.text for annotation in figure.layout.annotations]


def test_the_dumbbell_shows_bottleneck_queue_and_losses():
    figure = dumbbell_figure(
        1e9, 0.04, 5e6, loss=0.001, queue_bytes=2.5e6, drops=12, losses=40, title="Path"
    )
    assert texts(figure)[:3] == [
        "bottleneck 1 Gbit/s",
        "RTT 40 ms, random loss 0.1 %, 40 lost",
        "queue 2.5 MB of 5 MB, 12 dropped",
    ]
    nodes = next(t for t in figure.data if t.mode == "markers+text")
    assert list(nodes.text) == ["h1", "r1", "r2", "h2"]
    links = [t for t in figure.data if t.mode == "lines"]
    assert [link.line.width for link in links] == [8, 3, 8]  # the bottleneck is the thin one
    box, filled = figure.layout.shapes
    assert_allclose((filled.x1 - filled.x0) / (box.x1 - box.x0), 0.5)
    assert nodes.x[1] < box.x0 < box.x1 < nodes.x[2]
    assert "✕" in texts(figure)
    cross = next(t for t in figure.data if t.mode == "markers")
    assert nodes.x[1] < cross.x[0] < nodes.x[2]


def test_a_dumbbell_without_losses_shows_none():
    figure = dumbbell_figure(1e9, 0.04, 5e6)
    assert texts(figure)[1:3] == ["RTT 40 ms, no random loss", "queue of 5 MB"]
    assert "✕" not in texts(figure)
    assert not [t for t in figure.data if t.mode == "markers"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("rate_bps", 0), ("rtt_s", -1), ("buffer_bytes", 0), ("loss", 2), ("queue_bytes", 6e6),
     ("drops", -1), ("losses", 0.5)],
)  # fmt: skip
def test_a_dumbbell_refuses_values_out_of_range(field, value):
    path = {"rate_bps": 1e9, "rtt_s": 0.04, "buffer_bytes": 5e6}
    with pytest.raises(InputError, match=field):
        dumbbell_figure(**(path | {field: value}))


def test_every_server_is_drawn_with_its_fate(given):
    figure = sites_figure([4, 16], given.plan)  # the fibre of 16 is cut, 2 servers attacked
    assert len(named(figure, "16 servers unreachable").x) == 16
    assert len(named(figure, "2 servers attacked").x) == 2
    assert len(named(figure, "2 servers in operation").x) == 2
    cut = named(figure, "fibre cut")
    fibres = [t for t in figure.data if t.mode == "lines" and t.name is None]
    assert list(cut.x) == [fibres[1].x[0]]
    assert [fibre.line.dash for fibre in fibres] == ["solid", "dot"]
    assert figure.layout.annotations[0].text == "site 1: 4 servers"


def test_sites_at_peace():
    figure = sites_figure([4, 1], names=["ORNL", "ANL"])
    assert [a.text for a in figure.layout.annotations] == ["ORNL: 4 servers", "ANL: 1 server"]
    assert [t.name for t in figure.data if t.name] == [
        "wide-area network",
        "5 servers in operation",
    ]
    assert not [t for t in figure.data if t.name == "fibre cut"]


def test_sites_refuse_plans_of_others():
    other = cheapest_attack([4, 16, 8], fibre_cost=6, server_cost=1, disable=18)
    with pytest.raises(DataError, match="plan"):
        sites_figure([4, 16], other)
    with pytest.raises(DataError, match="plan"):
        sites_figure([1, 1], AttackPlan(1.0, (), (2, 0), 2))
    with pytest.raises(DataError, match="names"):
        sites_figure([4, 16], names=["one"])
    with pytest.raises(DataError, match="servers"):
        sites_figure([])


def test_the_calendar_shows_each_piece_of_each_link(given):
    figure = calendar_figure(
        given.graph, slot=(["ORNL", "CHI", "SEA"], 2.0, 2.0), starts=given.starts
    )
    bars = figure.data[0]
    assert_allclose(bars.y, [0, 0, 1, 1, 1])
    assert_allclose(np.asarray(bars.base, dtype=float), [0, 4, 0, 2, 6])
    assert_allclose(np.asarray(bars.base, dtype=float) + bars.x, [4, 10, 2, 6, 10])
    assert_allclose(bars.marker.color, [10, 2, 4, 10, 0])
    assert figure.layout.yaxis.ticktext == ("ORNL – CHI", "CHI – SEA", "can start")
    assert figure.layout.xaxis.title.text == "Time (s)"
    frames = [t for t in figure.data if t.legendgroup == "slot"]
    assert [(min(f.x), max(f.x), round(np.mean(f.y[:4]))) for f in frames] == [(2, 4, 0), (2, 4, 1)]
    assert [f.showlegend for f in frames] == [True, False]
    ends = [at for at in named(figure, "times").x if at is not None]
    assert ends == [end for interval in given.starts for end in interval] == [0, 2]


def test_long_calendars_are_in_hours():
    day = LinkCalendar((0, 86400.0), (10e9,))
    figure = calendar_figure(reservation_graph([("a", "b", day)]))
    assert figure.layout.xaxis.title.text == "Time (h)"
    assert list(figure.data[0].x) == [24]


def test_slots_must_lie_on_links(given):
    with pytest.raises(DataError, match="slot passes ORNL – SEA"):
        calendar_figure(given.graph, slot=(["ORNL", "SEA"], 0, 1))
    with pytest.raises(DataError, match="slot has a path of 1"):
        calendar_figure(given.graph, slot=(["ORNL"], 0, 1))
    with pytest.raises(InputError, match="slot"):
        calendar_figure(given.graph, slot=(["ORNL", "CHI"], 0, 0))
