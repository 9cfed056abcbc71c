"""What ``lab run`` does: options to an experiment, a progress bar, a summary."""

import contextlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from lab_tools import units
from lab_tools.errors import InputError
from lab_tools.experiment import Experiment
from lab_tools.record import RunRecord
from lab_tools.running import run as run_experiment
from lab_tools.store import Store
from lab_tools.testbeds.base import OnSample, Sample


def run(options: Mapping[str, Any]) -> None:
    """Run the experiment that the options describe and print its summary."""
    experiment = experiment_from(options)
    store = Store(options["store"]) if options["store"] else None
    with progress_bar(experiment) as on_sample:
        record = run_experiment(
            experiment,
            testbed=options["testbed"],
            store=store,
            fresh=options["fresh"],
            on_sample=on_sample,
        )
    if options["plot"]:
        write_plot(record, options["plot"])
    if options["as_json"]:
        click.echo(json.dumps(record.summary(), indent=1))
    else:
        show(record, store or Store())


def experiment_from(options: Mapping[str, Any]) -> Experiment:
    """Build the experiment: the file's fields first, then what the options change.

    Raises
    ------
    InputError : an option is not allowed, or rate or RTT is missing.
    """
    changes = _changes(options)
    if options["file"]:
        return Experiment.from_toml(options["file"]).replace(**changes)
    for name in ("rate_bps", "rtt_s"):
        if name not in changes:
            option = "--" + name.split("_")[0]
            raise InputError(option, None, "given, or use a TOML file")
    path = {"rate_bps": changes.pop("rate_bps"), "rtt_s": changes.pop("rtt_s")}
    # One by one could pass through a combination that is not allowed: all at once.
    for name in ("loss", "mtu_bytes", "buffer_bdp", "buffer_bytes", "qdisc"):
        if name in changes:
            path[name] = changes.pop(name)
    flow = {n: changes.pop(n) for n in ("cc", "streams", "mss_bytes", "pacing_bps") if n in changes}
    host = {n: changes.pop(n) for n in ("offloads",) if n in changes}
    return Experiment.from_dict({"path": path, "flows": [flow], "host": host, **changes})


def _changes(options: Mapping[str, Any]) -> dict[str, Any]:
    parsers = {
        "rate": ("rate_bps", units.rate_bps),
        "rtt": ("rtt_s", units.time_s),
        "duration": ("duration_s", units.time_s),
        "omit": ("omit_s", units.time_s),
        "interval": ("sample_interval_s", units.time_s),
        "mss": ("mss_bytes", units.size_bytes),
        "mtu": ("mtu_bytes", units.size_bytes),
        "loss": ("loss", units.fraction),
        "pacing": ("pacing_bps", units.rate_bps),
    }
    changes: dict[str, Any] = {
        name: parse(options[option], f"--{option}")
        for option, (name, parse) in parsers.items()
        if options[option] is not None
    }
    for name in ("cc", "streams", "qdisc", "seed"):
        if options[name] is not None:
            changes[name] = options[name]
    if options["fast"]:
        changes["offloads"] = True
    if options["buffer"] is not None:
        changes |= _buffer(options["buffer"])
    return changes


def _buffer(text: str) -> dict[str, Any]:
    """Parse a router buffer: ``"0.5 BDP"`` or a size in bytes."""
    words = text.strip()
    if words.lower().endswith("bdp"):
        try:
            return {"buffer_bdp": float(words[:-3])}
        except ValueError as error:
            raise InputError("--buffer", text, 'such as "0.5 BDP" or "500 kB"') from error
    return {"buffer_bytes": units.size_bytes(words, "--buffer")}


@contextlib.contextmanager
def progress_bar(experiment: Experiment) -> Iterator[OnSample]:
    """Show a bar of virtual seconds on standard error while an experiment runs."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.1f} of {task.total:g} s"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("booting", total=experiment.duration_s)

        def on_sample(sample: Sample) -> None:
            text = units.show_rate(sample.goodput_bps, 3)
            bar.update(task, completed=sample.time_s, description=f"{text:>13}")

        yield on_sample


def write_plot(record: RunRecord, file: str) -> None:
    """Write the run's traces as a page that needs nothing else."""
    from lab_tools.figures.traces import traces

    place = FilePath(file)
    try:
        traces(record.total(), record.queue, title=record.title).write_html(
            place, include_plotlyjs=True
        )
    except OSError as error:
        raise InputError("--plot", file, f"a file that can be written ({error})") from error
    click.echo(f"plot written to {place}", err=True)


def show(record: RunRecord, store: Store) -> None:
    """Print the summary for people."""
    click.echo(record.title)
    rtt_s = record.counters.get("achieved_rtt_s")
    lines = {
        "goodput": units.show_rate(record.goodput_bps()),
        "idle RTT": units.show_time(rtt_s, 6) if rtt_s else "unknown",
        "retransmits": str(record.retransmits),
        "drops": f"{record.bottleneck_drops} at the bottleneck, "
        f"{record.counters.get('drops_outside_bottleneck')} elsewhere",
        "clock": f"{record.virtual_s:.1f} s {record.clock} in {record.wall_s:.1f} s of wall time",
        "calibration": "passed" if record.calibrated else "FAILED",
        "record": str(store.place(record.experiment, record.testbed)),
    }
    for name, value in lines.items():
        click.echo(f"  {name:<12} {value}")
    for check in record.calibration:
        if not check.ok:
            text = f"  {check.name}: asked {check.requested}, got {check.achieved}"
            click.echo(text, err=True)
    sys.stdout.flush()
