"""``python -m lab_tools.testbeds.containernet.image``: build the hosts' image and import it."""

import sys

import click

from lab_tools.errors import LabError
from lab_tools.testbeds.containernet import image
from lab_tools.testbeds.containernet.worker import import_image


@click.command(help="Build the image of a host, and import it into Docker.")
@click.option("--only-build", is_flag=True, help="Leave it in the cache, for a machine without.")
def main(only_build: bool) -> None:
    """Build the image and say where it is."""
    try:
        file = image.build()
        click.echo(f"{file} ({file.stat().st_size / 1e6:.0f} MB)")
        if not only_build:
            import_image(image.name(), file, image.CHANGES)
            click.echo(f"imported as {image.name()}")
    except LabError as error:
        click.echo(f"image: {error}", err=True)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
