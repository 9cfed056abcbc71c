"""The experiment panel without a browser: what its controls do, and what it shows."""

import pytest

from lab_tools.errors import InputError, LabError, MissingToolError, UnknownNameError
from lab_tools.experiment import CONGESTION_CONTROLS, Experiment, Flow, Path
from lab_tools.figures.look import DARK, LIGHT
from lab_tools.models import mathis_goodput
from lab_tools.widgets import explore
from lab_tools.widgets.explorer import VARY, Explorer, say
from lab_tools.widgets.fields import kind_of, value_of

GOODPUT_BPS = 8e6


def words(box) -> str:
    return box.value


@pytest.fixture
def panel(experiment, runner, ticker):
    return Explorer(experiment, runner=runner, ticker=ticker)


def finish(panel, ticker):
    panel.run_bar.current.wait(20)
    ticker.tick()


def test_every_field_has_a_control_with_a_name_and_a_unit(panel):
    controls = panel.controls.controls
    assert tuple(controls) == VARY
    assert controls["rtt_s"].slider.label == "Round-trip time"
    assert controls["rtt_s"].slider.words == controls["rtt_s"].text.value == "20 ms"
    assert controls["loss"].text.value == "0.01 %"
    assert controls["cc"].list.options == CONGESTION_CONTROLS


def test_the_slider_moves_the_model_and_its_marker(panel):
    slider = panel.controls.controls["rtt_s"].slider
    line, now = panel.model.held.figure.data[0], panel.model.held.figure.data[1]
    before = (float(now.x[0]), float(now.y[0]))
    slider.value += 10
    after = (float(now.x[0]), float(now.y[0]))
    assert after[0] > before[0]
    # with loss the goodput of reno goes with 1/RTT: Mathis et al. 1997, Eq. 3
    assert after[0] * after[1] == pytest.approx(before[0] * before[1], rel=0.01)
    assert min(line.x) < after[0] < max(line.x)
    assert panel.controls.experiment.path.rtt_s == pytest.approx(after[0] / 1000)


def test_the_model_is_near_mathis_where_loss_is_small(panel):
    expected_bps = float(mathis_goodput(0.02, 1e-4, 1448))
    assert panel.model.now.goodput_bps == pytest.approx(expected_bps, rel=0.02)


def test_a_few_per_cent_do_not_fill_a_logarithmic_axis(panel, experiment, runner, ticker):
    flat = Explorer(experiment, lambda e: 1e8, ("rtt_s",), runner=runner, ticker=ticker)
    low, high = flat.model.held.figure.layout.yaxis.range
    assert high - low >= 1
    assert 10**low <= 0.1 <= 10**high
    flat.log.value = False
    assert flat.model.held.figure.layout.yaxis.autorange is True
    assert panel.model.held.figure.layout.yaxis.autorange is True  # more than a decade


def test_four_times_the_loss_redraws_the_whole_curve(panel):
    line = panel.model.held.figure.data[0]
    end = float(line.y[-1])
    panel.controls.controls["loss"].text.value = "0.04 %"
    assert float(line.y[-1]) == pytest.approx(end / 2, rel=0.02)


def test_text_with_a_unit_moves_the_slider(panel):
    control = panel.controls.controls["rtt_s"]
    control.text.value = "0.1 s"
    assert control.steps[control.slider.value] == pytest.approx(0.1, rel=0.03)
    assert panel.controls.experiment.path.rtt_s == 0.1


@pytest.mark.parametrize("text", ["abc", "20 MB", "-5 ms", "", "0"])
def test_text_that_is_no_time_is_refused_beside_its_control(panel, text):
    control = panel.controls.controls["rtt_s"]
    control.text.value = text
    assert "rtt_s" in words(control._message.box)
    assert 'role="alert"' in words(control._message.box)
    assert panel.run_bar.run.disabled
    assert panel.controls.experiment.path.rtt_s == 0.02
    control.text.value = "30 ms"
    assert words(control._message.box) == ""
    assert not panel.run_bar.run.disabled


def test_an_impossible_combination_says_why_beside_its_control(panel, experiment):
    control = panel.controls.controls["mss_bytes"]
    control.text.value = "2 kB"
    with pytest.raises(InputError) as refused:
        experiment.replace(mss_bytes=2000)
    assert "at most MTU - 40 = 1460" in str(refused.value)
    assert "at most MTU - 40 = 1460" in words(control._message.box)
    assert panel.run_bar.run.disabled


def test_words_of_a_message_cannot_become_markup(panel):
    control = panel.controls.controls["rtt_s"]
    control.text.value = "<script>"
    assert "<script>" not in words(control._message.box)


def test_a_run_streams_its_samples_and_leaves_its_point(experiment, slow_runner, ticker):
    panel = Explorer(experiment, runner=slow_runner, ticker=ticker)
    panel.run_bar.run.click()
    assert panel.live.held.widget in panel.widget.children
    assert slow_runner.paused.wait(20)
    ticker.tick()
    assert list(panel.live.held.figure.data[0].x) == [0.0, 1.0]
    assert "1.0 of 5 virtual seconds" in panel.run_bar.status
    assert panel.run_bar.run.disabled
    slow_runner.go.set()
    finish(panel, ticker)
    assert ticker.waiting == []
    goodput, window, rtt = panel.live.held.figure.data
    assert list(goodput.x) == [0, 1, 2, 3, 4, 5]
    assert list(goodput.y) == [pytest.approx(0.008)] * 6
    assert list(window.y) == [10, 11, 12, 13, 14, 15]
    assert list(rtt.y) == [pytest.approx(20)] * 6
    measured = panel.model.held.figure.data[3]
    assert (list(measured.x), list(measured.y)) == ([20.0], [pytest.approx(0.008)])
    assert "8 Mbit/s" in panel.run_bar.status
    assert slow_runner.ran == [experiment]
    assert not panel.run_bar.run.disabled


def test_a_cancelled_run_keeps_what_was_measured(experiment, slow_runner, ticker):
    panel = Explorer(experiment, runner=slow_runner, ticker=ticker)
    panel.run_bar.run.click()
    assert slow_runner.paused.wait(20)
    panel.run_bar.cancel.click()
    slow_runner.go.set()
    finish(panel, ticker)
    assert list(panel.live.held.figure.data[0].x) == [0.0, 1.0, 2.0]
    assert panel.run_bar.current.record.virtual_s == 2.0
    assert "cancelled; the first 2.0 s are kept" in panel.run_bar.status
    assert panel.run_bar.problem == ""
    assert not panel.run_bar.run.disabled
    assert panel.run_bar.cancel.disabled


def test_a_point_at_other_settings_is_told_apart(panel, ticker):
    panel.run_bar.run.click()
    finish(panel, ticker)
    panel.controls.controls["rtt_s"].text.value = "40 ms"  # along the axis: it still fits
    other, measured = panel.model.held.figure.data[2], panel.model.held.figure.data[3]
    assert (len(other.x), len(measured.x)) == (0, 1)
    panel.controls.controls["loss"].text.value = "1 %"
    assert (len(other.x), len(measured.x)) == (1, 0)


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (MissingToolError("there is no recording of this experiment"), "no recording"),
        (ZeroDivisionError("division by zero"), "fault of the program"),
    ],
)
def test_a_failed_run_gives_one_plain_message(experiment, ticker, capfd, error, shown):
    def fail(_experiment, _on_sample):
        raise error

    panel = Explorer(experiment, runner=fail, ticker=ticker)
    panel.run_bar.run.click()
    finish(panel, ticker)
    assert shown in panel.run_bar.problem
    assert "Traceback" not in panel.run_bar.problem
    assert capfd.readouterr().err == ""
    assert not panel.run_bar.run.disabled


def test_on_replay_an_experiment_without_a_recording_gives_its_message(
    experiment, ticker, tmp_path, monkeypatch
):
    monkeypatch.setenv("LAB_TESTBED", "replay")
    monkeypatch.setenv("LAB_RECORDINGS", str(tmp_path / "recordings"))
    monkeypatch.setenv("LAB_STORE", str(tmp_path / "store"))
    panel = Explorer(experiment, ticker=ticker)
    panel.run_bar.run.click()
    finish(panel, ticker)
    assert "there is no recording of this experiment" in panel.run_bar.problem


def test_figures_follow_the_theme_of_the_page(panel):
    figure = panel.model.held.figure
    assert figure.layout.template.layout.paper_bgcolor == colours(LIGHT)
    panel.page.dark = True
    assert figure.layout.template.layout.paper_bgcolor == colours(DARK)


def colours(name):
    import plotly.io as pio

    return pio.templates[name].layout.paper_bgcolor


def test_a_model_of_ones_own_is_drawn(experiment, runner, ticker):
    panel = Explorer(
        experiment, lambda e: e.path.rate_bps / 2, ("rtt_s",), runner=runner, ticker=ticker
    )
    assert list(panel.model.held.figure.data[0].y) == [pytest.approx(0.5)] * len(
        panel.model.held.figure.data[0].x
    )
    assert say(panel.model.now) == "500 Mbit/s"


def test_another_field_can_be_the_axis(panel):
    panel.over.value = "loss"
    assert panel.model.held.figure.layout.xaxis.title.text == "Random loss (%)"
    assert list(panel.model.held.figure.data[1].x) == [pytest.approx(0.01)]


@pytest.mark.parametrize("cc", CONGESTION_CONTROLS)
def test_every_congestion_control_has_an_answer(experiment, cc):
    answer = Explorer(experiment.replace(cc=cc), names=("rtt_s",)).model.now
    assert 0 < answer.goodput_bps <= 1e9


def test_without_loss_the_buffer_sets_the_goodput():
    # half of a 2 MB socket buffer is the window; 1 MB over 100 ms are 80 Mbit/s
    experiment = Experiment(Path(1e9, 0.1)).replace(rcvbuf_bytes=2_000_000)
    now = Explorer(experiment, names=("rtt_s", "rcvbuf_bytes")).model.now
    assert now == (pytest.approx(80e6), "the receive buffer")


def test_several_flows_leave_out_the_fields_of_a_flow(capsys):
    experiment = Experiment(Path(1e9, 0.02), flows=(Flow("reno"), Flow("bbr")))
    explore(experiment)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines] == [
        "Round-trip time", "Random loss", "Router buffer", "Model's goodput",
    ]  # fmt: skip


def test_a_field_of_one_flow_of_several_is_refused():
    experiment = Experiment(Path(1e9, 0.02), flows=(Flow("reno"), Flow("bbr")))
    for refuse in (explore, lambda e, vary: Explorer(e, names=vary)):
        with pytest.raises(InputError, match="one flow"):
            refuse(experiment, vary=("rtt_s", "cc"))


def test_a_field_that_there_is_not_is_refused(experiment):
    with pytest.raises(UnknownNameError, match="rtt_s"):
        explore(experiment, vary=("rtt",))
    with pytest.raises(LabError, match="number"):
        Explorer(experiment, names=("cc",))


def test_where_widgets_are_off_a_table_is_printed(experiment, capfd, monkeypatch):
    monkeypatch.setenv("LAB_WIDGETS", "off")
    explore(experiment, vary=("rtt_s", "loss", "cc"))
    first = capfd.readouterr()
    assert first.err == ""
    assert first.out.splitlines()[:3] == [
        "Round-trip time     20 ms",
        "Random loss         0.01 %",
        "Congestion control  reno",
    ]
    assert first.out.splitlines()[3].endswith("set by loss (PFTK)")
    explore(experiment, vary=("rtt_s", "loss", "cc"))
    assert capfd.readouterr().out == first.out


@pytest.mark.parametrize(
    "name",
    ["rtt_s", "loss", "rate_bps", "streams", "buffer_bdp", "pacing_bps", "mtu_bytes", "duration_s"],
)
def test_every_step_of_a_slider_survives_its_way_through_text(experiment, name):
    kind = kind_of(experiment, name)
    for step in kind.steps(value_of(experiment, name), 101):
        assert kind.parse(kind.show(step)) == (step if step is None else pytest.approx(step))


def test_a_field_that_no_table_names_is_known_by_its_unit(experiment):
    kind = kind_of(experiment, "rtt_offset_s")
    assert (kind.label, kind.parse("5 ms")) == ("Rtt offset", 0.005)
