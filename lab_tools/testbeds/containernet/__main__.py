"""``python -m lab_tools.testbeds.containernet``: remove what a killed run has left on this host."""

import sys

import click

from lab_tools.errors import LabError
from lab_tools.testbeds.containernet.worker import cleanup


@click.command(help="Remove what a killed run of the containernet testbed has left on this host.")
def main() -> None:
    """Say what was left, and remove it."""
    try:
        click.echo(cleanup())
    except LabError as error:
        click.echo(f"containernet: {error}", err=True)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
