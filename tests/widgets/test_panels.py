"""The other panels without a browser: path, traces, terminal."""

from types import SimpleNamespace

import pytest

from lab_tools.errors import MissingToolError, RunError
from lab_tools.experiment import Experiment, Flow, Network, Path
from lab_tools.testbeds.base import CommandResult
from lab_tools.widgets import topology, trace_explorer
from lab_tools.widgets.terminal import Terminal, session_of
from lab_tools.widgets.topology import Topology
from lab_tools.widgets.trace_explorer import ALL, TraceExplorer


def texts(panel):
    return [each.text for each in panel.held.figure.layout.annotations]


def test_the_path_of_an_experiment_is_drawn_and_run(experiment, slow_runner, ticker):
    panel = Topology(experiment, runner=slow_runner, ticker=ticker)
    assert "bottleneck 1 Gbit/s" in texts(panel)
    panel.run_bar.run.click()
    assert slow_runner.paused.wait(20)
    ticker.tick()
    assert any("queue 15 kB of 2.5 MB" in text for text in texts(panel))
    assert panel.held.figure.layout.title.text == "The path after 1.0 s: 3 segments sent again"
    slow_runner.go.set()
    panel.run_bar.current.wait(20)
    ticker.tick()
    assert any("5 dropped" in text for text in texts(panel))
    assert any("7 lost" in text for text in texts(panel))


def test_a_record_can_be_walked_through(record):
    panel = Topology(record)
    assert any("5 dropped" in text for text in texts(panel))
    panel.time.value = 2
    assert panel.time.words == "2 s"
    assert any("2 dropped" in text for text in texts(panel))
    assert not any("lost" in text for text in texts(panel))


def test_a_network_of_sites_shows_every_link(capsys):
    flows = (Flow(source="a1", target="c1"),)
    experiment = Experiment(Path(1e9, 0.02), flows=flows, network=Network.parking_lot(2))
    topology(experiment)
    assert capsys.readouterr().out.splitlines() == ["a-b  1 Gbit/s, 20 ms", "b-c  1 Gbit/s, 20 ms"]
    assert len(Topology(experiment).held.figure.layout.annotations) == 2


def test_traces_are_chosen_by_stream_column_and_time(record):
    panel = TraceExplorer(record)
    assert [part.name for part in panel.held.figure.data] == [ALL] * 3
    panel.streams.value = ("flow 1 (reno), stream 1",)
    panel.columns.value = ("goodput_bps", "queue: backlog_bytes")
    goodput, queue = panel.held.figure.data
    assert list(goodput.y) == [pytest.approx(8)] * 6
    assert list(queue.y) == [pytest.approx(15)] * 6
    assert panel.held.figure.layout.yaxis2.title.text == "Backlog (kB)"
    assert goodput.hovertemplate.startswith("Time %{x:.4g} s<br>Goodput %{y:.4g} Mbit/s")
    panel.end.value = 3.0
    assert panel.held.figure.layout.xaxis.range == (0.0, 3.0)
    assert panel.held.figure.layout.xaxis2.range == (0.0, 3.0)


def test_samples_with_drops_are_marked(record):
    shapes = TraceExplorer(record).held.figure.layout.shapes
    assert [shape.x0 for shape in shapes] == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_a_choice_that_shows_nothing_says_so(record):
    panel = TraceExplorer(record)
    panel.columns.value = ()
    assert "at least one" in panel._message.box.value
    panel.columns.value = ("ssthresh_segments",)
    assert "choose a single stream" in panel._message.box.value
    panel.columns.value = ("goodput_bps",)
    panel.begin.value = 5.0
    assert "must be before" in panel._message.box.value


def test_without_widgets_the_panels_print_words(record, capfd):
    topology(record)
    trace_explorer(record)
    said = capfd.readouterr()
    assert said.err == ""
    assert "Bottleneck  1 Gbit/s, r1 to r2" in said.out
    assert "Queue dropped  5 packets" in said.out


class FakeSession:
    """A network in which ``echo`` works, ``fail`` ends with code 1 and ``die`` ends the network."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def __enter__(self):
        self.events.append("open")
        return self

    def __exit__(self, *_ended):
        self.events.append("closed")

    def __getitem__(self, name):
        return SimpleNamespace(run=lambda command: self._run(name, command))

    def _run(self, name, command):
        self.events.append(f"{name}: {command}")
        if command == "die":
            raise RunError("running 'die'", "the network is gone")
        return CommandResult(f"<{command}>\n", int(command == "fail"))


def typed(panel, ticker, command):
    panel.line._handle_custom_msg({"command": command}, [])
    panel._job.wait(20)
    ticker.tick()


def test_commands_run_on_the_chosen_host_and_the_network_opens_once(ticker):
    session = FakeSession()
    panel = Terminal(session, ticker=ticker)
    assert session.events == []
    typed(panel, ticker, "echo a")
    panel.hosts.value = "r1"
    assert panel.line.prompt == "r1$"
    typed(panel, ticker, "fail")
    assert session.events == ["open", "h1: echo a", "r1: fail"]
    assert panel.output.splitlines() == [
        "h1$ echo a", "<echo a>", "r1$ fail", "<fail>", "(it ended with code 1)",
    ]  # fmt: skip
    assert "<echo" not in panel._output.value
    assert not panel.line.busy
    panel.close.click()
    panel._job.wait(20)
    ticker.tick()
    assert session.events[-1] == "closed"


def test_an_error_of_the_network_is_one_message(ticker, capfd):
    panel = Terminal(FakeSession(), ticker=ticker)
    typed(panel, ticker, "die")
    assert "the network is gone" in panel.output
    assert capfd.readouterr().err == ""
    assert not panel.line.busy


def test_a_testbed_without_a_network_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_TESTBED", "replay")
    monkeypatch.setenv("LAB_RECORDINGS", str(tmp_path))
    with pytest.raises(MissingToolError, match="no live session over this path"):
        session_of(Path(1e9, 0.02))
    monkeypatch.setattr("lab_tools.testbeds.get", lambda: SimpleNamespace(name="stones"))
    with pytest.raises(MissingToolError, match="stones has no live network"):
        session_of(Path(1e9, 0.02))
