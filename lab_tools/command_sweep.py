"""The commands ``lab sweep …``."""

import contextlib
from pathlib import Path as FilePath
from typing import Any

import click

from lab_tools import units
from lab_tools.errors import InputError
from lab_tools.store import Store
from lab_tools.sweep import Sweep

#: Failures that are printed in full; all of them are counted.
_SHOWN = 10


class _RunByDefault(click.Group):
    """``lab sweep FILE`` means ``lab sweep run FILE``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``run`` before words that begin with no command of this group."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_RunByDefault)
def sweep() -> None:
    """Run every combination of some values, on every core or on a Dask cluster.

    `lab sweep sweep.toml` runs the sweep of a file such as this one:

    \b
    repeat = 10                      # seeds of every combination
    [base]                           # an experiment, as for `lab run`
    duration_s = "10 s"
    [base.path]
    rate_bps = "100 Mbit/s"
    mtu_bytes = 1500
    [vary]                           # any fields of path, host or flow
    rtt_s = ["10 ms", "50 ms", "100 ms"]
    cc = ["cubic", "bbr"]

    What is in the store already is not run again: after Ctrl-C, or whatever else ended the
    sweep, start the same command again.
    """


def _common(command: Any) -> Any:
    """Add the options that `run` and `show` share."""
    options = (
        click.argument("file", type=click.Path(dir_okay=False)),
        click.option("--testbed", help="Who runs it: virtual, replay, …  [default: virtual]"),
        click.option("--store", type=click.Path(), help="Where records are kept."),
        click.option("--csv", type=click.Path(dir_okay=False), help="Write the table as CSV."),
        click.option("--parquet", type=click.Path(dir_okay=False), help="The same as Parquet."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@sweep.command()
@_common
@click.option("--scheduler", help="Dask scheduler, such as tcp://10.0.0.1:8786.")
@click.option("--workers", type=int, help="Most points at once here.  [default: one on each core]")
@click.option("--memory", help='Memory of all kernels here, such as "8 GB".  [default: most]')
@click.option("--quiet", is_flag=True, help="No progress bar, and nothing at the end but errors.")
def run(
    file: str,
    testbed: str | None,
    store: str | None,
    csv: str | None,
    parquet: str | None,
    scheduler: str | None,
    workers: int | None,
    memory: str | None,
    quiet: bool,
) -> None:
    """Run the points of the sweep in FILE that are not in the store yet.

    With --scheduler, points run on the workers of a Dask scheduler (`dask scheduler`), started on
    any machine that shares the store's folder with `lab sweep worker ADDRESS`.
    """
    from lab_tools.sweeping import run_sweep
    from lab_tools.sweeping.progress import terminal_bar

    wanted = Sweep.from_toml(file)
    with contextlib.nullcontext(lambda _: None) if quiet else terminal_bar() as on_progress:
        result = run_sweep(
            wanted,
            testbed=testbed,
            store=_store(store),
            scheduler=scheduler,
            workers=workers,
            memory_bytes=None if memory is None else units.size_bytes(memory, "--memory"),
            on_progress=on_progress,
        )
    if csv or parquet:
        _write(result.frame(), csv, parquet)
    for experiment, error in result.failures[:_SHOWN]:
        click.echo(f"lab: point {experiment.id[:12]} (seed {experiment.seed}): {error}", err=True)
    if len(result.failures) > _SHOWN:
        click.echo(f"lab: … and {len(result.failures) - _SHOWN} more.", err=True)
    if not quiet:
        done = result.progress
        click.echo(
            f"{done.total} points: {done.kept} were there, {done.ran} ran, {done.failed} failed. "
            f"Records in {result.store.folder}"
        )
    if result.failures:
        raise SystemExit(1)


@sweep.command()
@_common
def show(
    file: str, testbed: str | None, store: str | None, csv: str | None, parquet: str | None
) -> None:
    """Print what is done of the sweep in FILE, one row a point."""
    from lab_tools.sweeping import sweep_frame

    table = sweep_frame(Sweep.from_toml(file), _store(store), testbed=testbed)
    if csv or parquet:
        _write(table, csv, parquet)
        return
    done = table[table["done"]].drop(columns="done")
    done = done.assign(id=done["id"].str[:12])
    if len(done):
        click.echo(done.to_string(index=False, float_format=lambda value: f"{value:.6g}"))
    click.echo(f"{len(done)} of {len(table)} points are done.", err=True)


@sweep.command()
@click.argument("address")
@click.option("--workers", type=int, help="Points at once.  [default: one on each core]")
@click.option("--memory", help='Memory of all kernels, such as "8 GB".  [default: most]')
def worker(address: str, workers: int | None, memory: str | None) -> None:
    """Run points for the Dask scheduler at ADDRESS (tcp://host:port), until Ctrl-C.

    Each worker runs points whose kernel fits into its part of the memory; for larger points,
    start fewer workers.
    """
    from lab_tools.arrays import whole
    from lab_tools.sweeping import placement
    from lab_tools.sweeping.cluster import check_address
    from lab_tools.sweeping.worker import serve

    check_address("ADDRESS", address)
    at_once = placement.cores() if workers is None else whole("--workers", workers, low=1)
    given = None if memory is None else units.size_bytes(memory, "--memory")
    total = placement.free_memory_bytes() if given is None else given
    each = units.show_size(total / at_once, 3)
    serve(
        address,
        at_once,
        total,
        lambda: click.echo(f"{at_once} workers with {each} each serve {address}", err=True),
    )


def _store(folder: str | None) -> Store:
    return Store(folder) if folder else Store()


def _write(table: Any, csv: str | None, parquet: str | None) -> None:
    """Write the table into files."""
    for option, file in (("--csv", csv), ("--parquet", parquet)):
        if file is None:
            continue
        place = FilePath(file)
        try:
            if option == "--csv":
                table.to_csv(place, index=False)
            else:
                table.to_parquet(place, index=False)
        except OSError as error:
            raise InputError(option, file, f"a file that can be written ({error})") from error
        click.echo(f"table written to {place}", err=True)
