"""The command line: ``lab …``."""

import asyncio
import importlib
import json
import sys
from pathlib import Path as FilePath

import click

from lab_tools import __version__
from lab_tools.errors import CancelledError, LabError

#: Commands that live beside what they do; loaded when they are asked for.
_ELSEWHERE = {
    "author": "lab_tools.authoring.commands",
    "course": "lab_tools.course.commands",
    "doctor": "lab_tools.doctor",
    "report": "lab_tools.command_report",
    "show": "lab_tools.command_show",
    "sweep": "lab_tools.command_sweep",
}


class LabGroup(click.Group):
    """Prints the project's own errors as one message, without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(ctx), *_ELSEWHERE})

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return a command by name."""
        if name in _ELSEWHERE:
            command: click.Command = getattr(importlib.import_module(_ELSEWHERE[name]), name)
            return command
        return super().get_command(ctx, name)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command and turn its errors into a message and an exit code."""
        try:
            return super().invoke(ctx)
        except LabError as error:
            click.echo(f"lab: {error}", err=True)
            for note in getattr(error, "__notes__", ()):
                click.echo(note, err=True)
            sys.exit(error.exit_code)
        except (KeyboardInterrupt, click.Abort, asyncio.CancelledError):
            # On an event loop Ctrl-C is the end of a task. What a command was doing it has undone
            # by now; most say more than this themselves.
            click.echo("lab: stopped.", err=True)
            sys.exit(CancelledError.exit_code)
        except BrokenPipeError:
            sys.exit(141)


@click.group(cls=LabGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="lab")
def main() -> None:
    """Run, measure and grade experiments on long-distance data transport."""


@main.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=FilePath))
@click.option("--rate", help='Bottleneck rate, such as "10 Gbit/s".')
@click.option("--rtt", help='Round-trip time, such as "100 ms".')
@click.option("--cc", help="Congestion control: cubic, reno, htcp, scalable, bbr, vegas, …")
@click.option("--streams", type=int, help="Number of parallel TCP streams.")
@click.option("--duration", help='How long to send, such as "20 s".')
@click.option("--omit", help="Head that the summary leaves out.")
@click.option("--mss", help="Largest segment, in bytes.")
@click.option("--mtu", help="Largest packet, in bytes.  [default: 9000]")
@click.option("--buffer", help='Router buffer: "1 BDP" or "500 kB".  [default: 1 BDP]')
@click.option("--loss", help='Random loss: 0.001, "0.1 %" or 1/22000.')
@click.option("--pacing", help="Most that each stream sends.")
@click.option("--qdisc", help="Queue discipline of the bottleneck.")
@click.option("--interval", help="Time between samples.  [default: 0.1 s]")
@click.option("--fast", is_flag=True, help="Let super-packets cross the path: faster, coarser.")
@click.option("--seed", type=int, help="Seed of every random number.  [default: 1]")
@click.option("--testbed", help="Who runs it: virtual or replay.  [default: virtual]")
@click.option("--store", type=click.Path(), help="Where records are kept.")
@click.option("--fresh", is_flag=True, help="Run even if the store has this experiment already.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("--plot", type=click.Path(dir_okay=False), help="Write an interactive plot (HTML).")
def run(**options: object) -> None:
    """Run an experiment, from options or from a TOML FILE, and print what came out.

    \b
    lab run --rate "10 Gbit/s" --rtt "100 ms" --cc cubic --duration "20 s"
    lab run experiment.toml --seed 2 --plot run.html
    """
    from lab_tools import command_run

    command_run.run(options)


@main.group()
def kernel() -> None:
    """Build the virtual-time kernel, or say what it is."""


@kernel.command("build")
@click.option("--force", is_flag=True, help="Build even if it was built before.")
def kernel_build(force: bool) -> None:
    """Build the kernel from Debian's source (about five minutes, once)."""
    from lab_tools.command_kernel import build_with_bar

    made = build_with_bar(force=force)
    click.echo(f"{made.version}: {made.program}")


@kernel.command("info")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def kernel_info(as_json: bool) -> None:
    """Say which kernel is built: version, configuration, patches, size."""
    from lab_tools.kernel import find

    found = find()
    about = {
        "version": found.version,
        "source": found.source,
        "recipe": found.recipe,
        "patches": list(found.patches),
        "size_bytes": found.size_bytes,
        "program": str(found.program),
    }
    if as_json:
        click.echo(json.dumps(about, indent=1))
        return
    click.echo(f"version   {found.version}  (Debian linux-source-6.1 {found.source})")
    click.echo(f"recipe    {found.recipe}  (configuration and patches)")
    click.echo(f"size      {found.size_bytes / 1e6:.1f} MB")
    click.echo(f"program   {found.program}")
    click.echo("patches   " + "\n          ".join(found.patches))


@main.command()
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--rate", default="1 Gbit/s", show_default=True, help="Bottleneck rate.")
@click.option("--rtt", default="100 ms", show_default=True, help="Round-trip time.")
@click.option("--loss", default="0", help="Random loss.")
@click.option("--host", default="h1", show_default=True, help="Where the command runs.")
def shell(command: tuple[str, ...], rate: str, rtt: str, loss: str, host: str) -> None:
    """Run a COMMAND on a host of a live network, or type commands one by one.

    \b
    lab shell --rtt "366 ms" -- ping -c 3 10.0.3.2
    """
    from lab_tools import command_shell

    command_shell.shell(" ".join(command), rate=rate, rtt=rtt, loss=loss, host=host)
