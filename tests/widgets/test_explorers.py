"""Profile explorer, Poincaré explorer and game board without a browser."""

import math

import numpy as np
import pandas as pd
import pytest

from lab_tools.analysis.dynamics import reference as ref
from lab_tools.errors import DataError, InputError, LabError
from lab_tools.figures.look import DARK, Scale
from lab_tools.games import DefenceGame
from lab_tools.widgets import game_board, poincare_explorer, profile_explorer
from lab_tools.widgets.game_board import USUAL, GameBoard, board_of
from lab_tools.widgets.map_explorer import VIEWS as MAP_VIEWS
from lab_tools.widgets.map_explorer import MapExplorer
from lab_tools.widgets.maps import MAPS
from lab_tools.widgets.profile_explorer import VIEWS, ProfileExplorer
from lab_tools.widgets.series_explorer import SeriesExplorer

RTTS_S = (0.01, 0.05, 0.1, 0.15, 0.2, 0.3)
PLAIN = Scale(1.0, "no unit")


def runs(cc="cubic", streams=1, rates=(9.9, 9.7, 9.0, 7.0, 2.0, 1.0), repeats=3):
    """Rows of a table: at each RTT some runs, a hundredth apart."""
    return [
        {"cc": cc, "streams": streams, "rtt_s": rtt, "seed": n, "calibrated": True}
        | {"goodput_bps": rate * 1e9 * (1 + n / 100 - 0.01), "id": f"{cc}{streams}{rtt}{n}"}
        for rtt, rate in zip(RTTS_S, rates, strict=True)
        for n in range(repeats)
    ]


@pytest.fixture
def table():
    return pd.DataFrame(runs() + runs(streams=10, rates=(9.9,) * 6) + runs(cc="htcp"))


def named(panel):
    return {part.name: part for part in panel.held.figure.data if part.name}


# Profiles


def test_each_column_of_settings_is_a_list(table):
    panel = ProfileExplorer(table)
    assert {name: each.options for name, each in panel.choices.items()} == {
        "cc": (("cubic", "cubic"), ("htcp", "htcp")),
        "streams": (("1", 1), ("10", 10)),
    }


def test_the_mean_of_the_runs_chosen_is_drawn(table):
    panel = ProfileExplorer(table)
    panel.choices["cc"].value, panel.choices["streams"].value = "cubic", 1
    mean = named(panel)["mean of the runs"]
    assert list(mean.x) == pytest.approx([1000 * rtt for rtt in RTTS_S])
    assert list(mean.y) == pytest.approx([9.9, 9.7, 9.0, 7.0, 2.0, 1.0])
    assert len(named(panel)["one run"].x) == 18


def test_the_model_starts_near_the_rate_and_falls(table):
    panel = ProfileExplorer(table)
    model = np.asarray(named(panel)["model: slow start, then full"].y)
    assert model[0] == pytest.approx(10, rel=0.02)
    assert (np.diff(model) < 0).all()


def test_the_model_is_capped_by_half_of_the_receive_buffer(table):
    panel = ProfileExplorer(table.assign(rcvbuf_bytes=2_000_000))
    panel.choices["streams"].value = 1
    # 1 MB in each round trip of 100 ms are 80 Mbit/s
    assert panel.model_bps(np.array([0.1])) == pytest.approx([80e6])


def test_the_transition_lies_where_the_profile_crosses_half_of_the_capacity(table):
    panel = ProfileExplorer(table)
    panel.choices["cc"].value, panel.choices["streams"].value = "cubic", 1
    assert panel.pair.low_s <= 0.15 <= panel.pair.high_s
    panel.view.value = VIEWS[1]
    assert "concave sigmoid" in named(panel)
    assert "Transition RTT" in panel.verdict


def test_the_curvature_is_said_and_drawn(table):
    panel = ProfileExplorer(table)
    panel.choices["cc"].value, panel.choices["streams"].value = "cubic", 1
    panel.view.value = VIEWS[2]
    assert panel.curvature.verdict in panel.held.figure.layout.title.text
    assert panel.curvature.verdict in panel.verdict
    # the chord from 7 at 150 ms to 1 at 300 ms is at 5 at 200 ms, where the mean is 2
    assert panel.curvature.gap_bps[-1] == pytest.approx(2e9 - 5e9)


def test_logarithmic_axes(table):
    panel = ProfileExplorer(table)
    panel.log.value = True
    layout = panel.held.figure.layout
    assert (layout.xaxis.type, layout.yaxis.type) == ("log", "log")


def test_settings_that_were_not_run_together_are_refused_beside_the_lists(table):
    panel = ProfileExplorer(table)
    panel.choices["cc"].value, panel.choices["streams"].value = "htcp", 10
    assert "no profile of Congestion control htcp, Streams 10" in panel.problem
    panel.choices["streams"].value = 1
    assert panel.problem == ""


def test_one_run_at_an_rtt_has_no_band():
    panel = ProfileExplorer(pd.DataFrame(runs(repeats=1)))
    assert "there is no band" in panel.verdict
    assert panel.pair is None


def test_rows_that_failed_calibration_are_left_out(table):
    table.loc[table["seed"] == 2, "calibrated"] = False
    assert len(named(ProfileExplorer(table))["one run"].x) == 12


@pytest.mark.parametrize(
    "wrong",
    [
        [1, 2],
        pd.DataFrame({"rtt_s": [0.1]}),
        pd.DataFrame({"rtt_s": [0.1], "goodput_bps": [1e9]}),
        pd.DataFrame({"rtt_s": [0.1, 0.2], "goodput_bps": [np.nan, np.nan]}),
    ],
)
def test_what_is_no_table_of_runs_is_refused(wrong):
    with pytest.raises(DataError, match="table"):
        profile_explorer(wrong)


def test_the_shipped_table_opens_and_every_choice_can_be_made():
    from lab_tools.sweeping import shipped_table

    panel = ProfileExplorer(shipped_table("09_throughput_profiles"))
    assert set(panel.choices) == {"cc", "streams", "rcvbuf_bytes"}
    assert panel.problem == ""
    for each in panel.choices.values():
        for _, value in each.options:
            each.value = value
            assert panel.problem == "" or "no profile of" in panel.problem


# Reference maps


@pytest.mark.parametrize(
    ("which", "parameter", "exponent"),
    [("logistic map", 4.0, math.log(2)), ("tent map", 1.5, math.log(1.5))],
)
def test_the_exponent_is_the_known_one(which, parameter, exponent):
    panel = MapExplorer()
    panel.which.value = which
    values = np.asarray(panel.parameter._values)
    panel.parameter.slider.value = int(np.abs(values - parameter).argmin())
    said = float(panel.said.split("Exponent ")[1].split(" ")[0])
    assert said == pytest.approx(exponent, abs=0.01)


def test_an_orbit_that_comes_to_rest_is_said_to():
    panel = MapExplorer()
    panel.parameter.slider.value = 0  # r = 2.5: the fixed point 1 - 1/r
    assert "stands still at 0.6" in panel.said
    assert "Exponent -0.693" in panel.said  # ln |2 - r|


def test_the_cobweb_follows_the_map_for_as_many_steps_as_asked_for():
    panel = MapExplorer()
    panel.steps.slider.value = 4
    orbit = panel.orbit
    assert orbit.size == 6
    web = panel.held.figure.data[2]
    # each step goes up to the map and across to the identity
    assert list(web.x) == [x for x in orbit[:-1] for _ in range(2)]
    assert orbit[0] == panel.start.value
    r = panel.parameter.value
    line = panel.held.figure.data[1]
    assert list(line.y) == pytest.approx(list(r * line.x * (1 - line.x)))
    assert orbit[1:] == pytest.approx(r * orbit[:-1] * (1 - orbit[:-1]))


@pytest.mark.parametrize("height", [1.5, 2.0])
def test_the_tent_map_is_drawn_as_a_tent(height):
    now, later = MAPS["tent map"].curve(height)
    assert list(later) == pytest.approx(list(height * np.minimum(now, 1 - now)))


def test_the_aimd_window_grows_by_one_and_is_cut_above_its_capacity():
    now, later = MAPS["AIMD window"].curve(0.5)
    assert list(later) == pytest.approx(list(np.where(now <= 20, now + 1, now / 2)))


@pytest.mark.parametrize("which", MAPS)
@pytest.mark.parametrize("view", MAP_VIEWS)
def test_every_map_has_every_view(which, view):
    panel = MapExplorer()
    panel.which.value = which
    panel.view.value = view
    for place in (0, panel.parameter.slider.last):
        panel.parameter.slider.value = place
        assert len(panel.held.figure.data) >= 1
        assert "per step" in panel.said


def test_play_draws_step_by_step_and_stops(ticker):
    panel = MapExplorer(ticker=ticker)
    panel.play.click()
    assert panel.orbit.size == 2
    for _ in range(3):
        ticker.tick()
    assert panel.orbit.size == 5
    panel.play.click()
    ticker.tick()
    assert (panel.orbit.size, ticker.waiting, panel.play.description) == (5, [], "Play")


# Given series


def test_a_map_is_told_from_noise():
    rng = np.random.default_rng(1)
    series = {"map": ref.logistic_orbit(4.0, 2000), "noise": rng.standard_normal(2000)}
    panel = SeriesExplorer(series, PLAIN, 1.0)
    assert "Determinism 1.00" in panel.said
    panel.which.value = "noise"
    assert "Determinism 0.0" in panel.said


def test_the_lag_is_the_distance_between_now_and_later():
    series = np.sin(np.arange(400.0))
    panel = SeriesExplorer(series, PLAIN, 0.1)
    panel.lag.slider.value = 6
    assert panel.lag.slider.words == "7 samples, 0.7 s"
    dots = panel.held.figure.data[1]
    assert list(dots.x) == pytest.approx(series[:-7])
    assert list(dots.y) == pytest.approx(series[7:])


def test_a_series_that_never_moves_is_no_error():
    assert "no exponent" in SeriesExplorer([5.0] * 50, PLAIN, 1.0).said.lower()


@pytest.mark.parametrize(
    ("series", "interval_s"), [([1.0] * 5, 1.0), ([math.nan] * 50, 1.0), ({}, 1.0), ([1.0] * 50, 0)]
)
def test_what_is_no_series_is_refused(series, interval_s):
    with pytest.raises(LabError):
        poincare_explorer(series, interval_s=interval_s)


# The game board


def played(panel, *places):
    for slider, place in zip(panel.sliders, places, strict=True):
        slider.slider.value = place
    panel.attack.click()
    return panel.rounds[-1]


def test_the_defender_answers_with_its_best_defence():
    panel = GameBoard(board_of(USUAL, (), ()))
    got = played(panel, 50)  # an effort of 25
    # minimise 100 y / (x + y) + x: x = sqrt(100 y) - y = 25, so half survives
    assert got.defence.startswith("25 ")
    assert "50.0 %" in got.defence
    assert got.defender == pytest.approx(75, rel=1e-4)
    assert got.attacker == pytest.approx(50 * 0.5 + 25, rel=1e-4)
    assert not got.settled
    assert "you want to change" in panel.said


def test_nobody_wants_to_change_at_the_equilibrium_of_the_contest():
    panel = GameBoard(board_of(USUAL, (), ()))
    got = played(panel, 22)  # 11 of the exact 11.111
    assert got.settled
    assert got.attacker == pytest.approx(400 / 9, rel=1e-3)
    assert panel.revealed == ""
    panel.reveal.click()
    # Tullock's contest: P = 2/3, x = 22.22, y = 11.11
    assert "effort 11.11; defence 22.22" in panel.revealed
    assert any("equilibrium (22.2, 11.1)" in (p.name or "") for p in panel.solution.figure.data)
    (mine,) = [p for p in panel.solution.figure.data if p.name == "your rounds"]
    assert list(mine.y) == [11.0]


def test_rounds_are_drawn_one_after_the_other():
    panel = GameBoard(board_of(USUAL, (), ()))
    played(panel, 10)
    played(panel, 90)
    yours, possible, theirs = panel.held.figure.data
    assert list(yours.x) == [1, 2]
    assert list(yours.y) == [each.attacker for each in panel.rounds]
    assert (np.asarray(possible.y) <= np.asarray(yours.y)).all()
    assert list(theirs.y) == [each.defender for each in panel.rounds]


def test_every_system_of_a_game_has_its_effort():
    panel = GameBoard(board_of(DefenceGame(100, 50, (1.0, 1.0), (1.0, 1.0)), (), ()))
    assert len(panel.sliders) == 2
    got = played(panel, 20, 0)
    assert "system 2 0" in got.attack


def test_shares_of_a_matrix_game_and_its_mixed_equilibrium():
    # matching pennies: the defender wins where it guards what is attacked
    defender, attacker = [[1, -1], [-1, 1]], [[-1, 1], [1, -1]]
    panel = GameBoard(board_of((defender, attacker), ("left", "right"), ("left", "right")))
    assert "left:  left 1 | -1,  right -1 | 1" in panel._rules.box.value
    got = played(panel, 90, 10)
    assert (got.attack, got.defence) == ("left 90 %, right 10 %", "left")
    assert (got.attacker, got.defender) == (pytest.approx(-0.8), pytest.approx(0.8))
    assert (got.possible, got.settled) == (1, False)
    assert played(panel, 50, 50).settled
    panel.reveal.click()
    assert "you left 0.5, right 0.5" in panel.revealed
    assert played(panel, 0, 0).attack == "left 50 %, right 50 %"


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("chess", {}),
        (([[1, 2]], [[1]]), {}),
        (([[1, 2]], [[1, 2]]), {"attacks": ("one",)}),
        (None, {"attacks": ("one",)}),
    ],
)
def test_what_is_no_game_is_refused(game, names):
    with pytest.raises(DataError):
        game_board(game, **names)


def test_a_game_without_a_limit_is_refused():
    with pytest.raises(InputError, match="product form"):
        game_board(DefenceGame(100, 50, (1.0,), (1.0,), form="product"))


# All of them


@pytest.mark.parametrize("show", [profile_explorer, poincare_explorer, game_board])
def test_where_widgets_are_off_a_table_is_printed(show, capfd, monkeypatch):
    monkeypatch.setenv("LAB_WIDGETS", "off")
    show()
    first = capfd.readouterr()
    assert first.err == ""
    assert len(first.out.splitlines()) >= 3
    show()
    assert capfd.readouterr().out == first.out


def test_figures_follow_the_theme_of_the_page(table):
    for panel in (ProfileExplorer(table), MapExplorer(), GameBoard(board_of(USUAL, (), ()))):
        panel.widget.children[0].dark = True
        import plotly.io as pio

        dark = pio.templates[DARK].layout.paper_bgcolor
        assert panel.held.figure.layout.template.layout.paper_bgcolor == dark


def test_every_control_has_a_name(table):
    for panel in (ProfileExplorer(table), MapExplorer(), GameBoard(board_of(USUAL, (), ()))):
        for each in _controls(panel.widget):
            assert getattr(each, "label", None) or each.description


def _controls(box):
    for each in getattr(box, "children", ()):
        yield from _controls(each)
        if {"options", "last", "icon", "indent"} & set(each.traits()):
            yield each
