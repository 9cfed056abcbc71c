"""What ``lab shell`` does: commands on a host of a live network."""

import sys

import click

from lab_tools import testbeds, units
from lab_tools.experiment import Path

_BYE = ("exit", "quit", "logout")


def shell(command: str, *, rate: str, rtt: str, loss: str, host: str) -> None:
    """Run one command, or read commands until the end of input."""
    path = Path(units.rate_bps(rate, "--rate"), units.time_s(rtt, "--rtt"), units.fraction(loss))
    with testbeds.get().session(path) as net:
        if command:
            result = net[host].run(command)
            click.echo(result.output, nl=False)
            sys.exit(result.code)
        click.echo(
            "h1 - r1 - r2 - h2 (10.0.3.2). The network's clock stands still between commands."
        )
        while (line := _ask(host)) is not None:
            if line.strip():
                click.echo(net[host].run(line).output, nl=False)


def _ask(host: str) -> str | None:
    try:
        line: str = input(f"{host}$ ")
    except EOFError:
        return None
    return None if line.strip() in _BYE else line
