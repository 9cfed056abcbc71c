"""The path as a picture: hosts, routers, bottleneck, its queue, the losses; also during a run."""

from typing import Any

import ipywidgets as w
import plotly.graph_objects as go

from lab_tools.experiment import Experiment
from lab_tools.figures.network import dumbbell_figure
from lab_tools.record import RunRecord
from lab_tools.testbeds.base import Sample
from lab_tools.units import show_rate, show_size, show_time
from lab_tools.widgets.background import Runner, run_by_default
from lab_tools.widgets.holder import Held
from lab_tools.widgets.notebook import show, show_still, table, widgets_on
from lab_tools.widgets.page import Page
from lab_tools.widgets.run_bar import RunBar
from lab_tools.widgets.sites_picture import sites_picture
from lab_tools.widgets.slider import Slider
from lab_tools.widgets.ticking import Ticker, tick


def topology(what: Experiment | RunRecord) -> None:
    """Show the path of an experiment, with a button to run it, or of a record at any of its times.

    Where widgets cannot be shown, a still picture or a short table takes the place.

    Parameters
    ----------
    what : an experiment or the record of one. Over a network of sites there is no queue to see,
        for there is one at each link.

    >>> from lab_tools.experiment import Path
    >>> topology(Experiment(Path(1e9, 0.02, mtu_bytes=1500)))
    Path        h1 - r1 - r2 - h2
    Bottleneck  1 Gbit/s, r1 to r2
    RTT         20 ms
    Loss        0 %
    Queue       2.5 MB, droptail, at r1
    """
    experiment = what.experiment if isinstance(what, RunRecord) else what
    words = _words(experiment)
    if widgets_on():
        show(Topology(what).widget, words)
    else:
        show_still(picture(experiment), words)


class Topology:
    """The panel behind `topology`.

    Parameters
    ----------
    what : an experiment or a record.
    runner, ticker : as in `RunBar`.

    Attributes
    ----------
    widget : what to show.
    """

    def __init__(
        self,
        what: Experiment | RunRecord,
        *,
        runner: Runner = run_by_default,
        ticker: Ticker = tick,
    ) -> None:
        self.record = what if isinstance(what, RunRecord) else None
        self.experiment = what.experiment if isinstance(what, RunRecord) else what
        self.held = Held(picture(self.experiment))
        page = Page()
        page.follow(self.held)
        self.run_bar = RunBar(
            lambda: self.experiment,
            on_start=self._started,
            on_samples=self._sampled,
            on_record=self._measured,
            runner=runner,
            ticker=ticker,
        )
        self._again: dict[int, int] = {}  # segments that each flow sent again
        self.time = Slider(label="Time")
        self.time.observe(lambda _change: self._at(self.time.value), "value")
        self._below = w.VBox([self.run_bar.box] if self.record is None else [])
        self.widget = w.VBox([page, self.held.widget, self._below], layout={"overflow": "hidden"})
        if self.record is not None:
            self._measured(self.record)

    def _redraw(self, **state: Any) -> None:
        self.held.show(picture(self.experiment, **state))

    def _started(self, _experiment: Experiment) -> None:
        self._again.clear()
        self._redraw(queue_bytes=0)

    def _sampled(self, samples: list[Sample]) -> None:
        self._again |= {sample.flow: sample.retransmits for sample in samples}
        again = sum(self._again.values())
        title = f"The path after {samples[-1].time_s:.1f} s: {again} segments sent again"
        self._redraw(queue_bytes=samples[-1].queue_bytes, title=title)

    def _measured(self, record: RunRecord) -> None:
        """Let the user walk through the record's times, and show its end."""
        self.record = record
        if len(record.queue) and self.experiment.network is None:
            last = len(self._queue(record)) - 1
            self.time.last = max(last, 1)
            if self.time not in self._below.children:
                self._below.children = (*self._below.children, self.time)
            self.time.value = last
            self._at(last)

    def _at(self, index: int) -> None:
        if self.record is None:
            return
        queue = self._queue(self.record)
        row = queue.iloc[min(index, len(queue) - 1)]
        self.time.words = show_time(row["time_s"])
        self.time.label = f"Time {self.time.words}"
        at_end = index >= len(queue) - 1
        losses = self.record.counters.get("random_losses") if at_end else None
        drops = int(row["drops"])
        self._redraw(queue_bytes=int(row["backlog_bytes"]), drops=drops, losses=losses)

    @staticmethod
    def _queue(record: RunRecord) -> Any:
        """Return the trace of one queue discipline: that which bounds the buffer."""
        queue = record.queue
        return queue[queue["kind"] == queue["kind"].iloc[0]]


def picture(experiment: Experiment, **state: Any) -> go.Figure:
    """Return the network as a figure; ``state`` is what `dumbbell_figure` draws of a run."""
    if experiment.network is not None:
        return sites_picture(experiment)
    path = experiment.path
    size = path.router_buffer_bytes
    if "queue_bytes" in state:
        # a sample may count headers that the buffer's size does not
        state["queue_bytes"] = min(state["queue_bytes"], size)
    return dumbbell_figure(path.rate_bps, path.rtt_s, size, loss=path.loss, **state)


def _words(experiment: Experiment) -> str:
    path = experiment.path
    if experiment.network is not None:
        links = ((each, each.path(path)) for each in experiment.network.links)
        return table(
            [(each.name, f"{show_rate(p.rate_bps)}, {show_time(p.rtt_s)}") for each, p in links]
        )
    rows = [
        ("Path", "h1 - r1 - r2 - h2"),
        ("Bottleneck", f"{show_rate(path.rate_bps)}, r1 to r2"),
        ("RTT", show_time(path.rtt_s)),
        ("Loss", f"{100 * path.loss:.4g} %"),
        ("Queue", f"{show_size(path.router_buffer_bytes)}, {path.qdisc}, at r1"),
    ]
    return table(rows)
