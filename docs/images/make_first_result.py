"""Run the experiment of the README's picture and draw it: ``first_result.png``.

    .venv/bin/python docs/images/make_first_result.py

Needs the virtual-time kernel and Debian's chromium; about two minutes of one processor. The same
experiment gives the same bytes, so the picture is the same on every machine.
"""

import subprocess
import tempfile
from pathlib import Path

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from lab_tools.experiment import Experiment, Flow
from lab_tools.experiment import Path as NetworkPath
from lab_tools.running import run

PICTURE = Path(__file__).resolve().parent / "first_result.png"
WIDTH, HEIGHT = 1000, 520
BLUE, ORANGE, GREY = "#1f5fa8", "#c8641b", "#777777"


def main() -> None:
    """Run, draw, and write the picture."""
    experiment = Experiment(
        path=NetworkPath(rate_bps=10e9, rtt_s=0.1, buffer_bdp=0.2),
        flows=(Flow(cc="cubic"),),
        duration_s=90.0,
    )
    record = run(experiment)
    total, queue = record.total(), record.queue
    segment_bytes = experiment.path.mtu_bytes - 40
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.07)
    window_bytes = total["cwnd_segments"] * segment_bytes
    figure.add_scatter(
        x=total["time_s"], y=window_bytes / 1e6, line={"color": BLUE, "width": 2.5}, row=1, col=1
    )
    bdp = experiment.path.bdp_bytes / 1e6
    figure.add_scatter(
        x=[0, experiment.duration_s],
        y=[bdp, bdp],
        mode="lines",
        line={"color": GREY, "width": 1.5, "dash": "dot"},
        row=1,
        col=1,
    )
    text = f"the path holds {bdp:g} MB"
    figure.add_annotation(x=12, y=bdp, yshift=12, text=text, showarrow=False, row=1, col=1)
    # What a loss holds back arrives in one go: a second's mean shows the flow, not the reader.
    a_second = round(1 / experiment.sample_interval_s)
    figure.add_scatter(
        x=total["time_s"],
        y=total["goodput_bps"].rolling(a_second, min_periods=1).mean() / 1e9,
        line={"color": ORANGE, "width": 2.5},
        row=2,
        col=1,
    )
    losses = queue["time_s"][queue["drops"].diff() > 0]
    for moment in losses:
        figure.add_vline(x=moment, line={"color": GREY, "width": 1, "dash": "dash"})
    figure.update_yaxes(title="window, MB", rangemode="tozero", row=1, col=1)
    figure.update_yaxes(title="goodput, Gbit/s", rangemode="tozero", row=2, col=1)
    figure.update_xaxes(title="virtual time, s", row=2, col=1)
    figure.update_layout(
        template="simple_white",
        title="One CUBIC flow, 10 Gbit/s, 100 ms: the Linux kernel's own TCP, in virtual time"
        "<br><sup>dashed: the router's queue of 25 MB overflows; goodput averaged over 1 s</sup>",
        font={"size": 15},
        showlegend=False,
        width=WIDTH,
        height=HEIGHT,
        margin={"t": 80, "r": 20, "b": 60, "l": 80},
    )
    shoot(figure)


def shoot(figure: go.Figure) -> None:
    """Let the browser draw the figure and save what it shows."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        html = figure.to_html(include_plotlyjs=True, config={"displayModeBar": False})
        page.write_text(html.replace("<body>", '<body style="margin:0">'), encoding="utf-8")
        command = [
            "chromium",
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--hide-scrollbars",
            "--virtual-time-budget=10000",
            f"--user-data-dir={folder}/profile",
            f"--window-size={WIDTH},{HEIGHT}",
            f"--screenshot={PICTURE}",
            page.as_uri(),
        ]
        subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    main()
