"""``python -m lab_tools.testbeds.mininet``: remove what a killed run has left on this host."""

import sys

import click

from lab_tools.errors import LabError
from lab_tools.testbeds.mininet.worker import cleanup


@click.command(help="Remove what a killed run of the mininet testbed has left on this host.")
def main() -> None:
    """Say what was left, and remove it."""
    try:
        left = cleanup()
    except LabError as error:
        click.echo(f"mininet: {error}", err=True)
        sys.exit(error.exit_code)
    click.echo(str(left))


if __name__ == "__main__":
    main()
