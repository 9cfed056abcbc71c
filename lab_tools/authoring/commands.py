"""``lab author …``: build the labs from their sources, and see that they can be released."""

import os
import time

import click
from rich.console import Console
from rich.progress import track

from lab_tools.authoring.again import again, recordings
from lab_tools.authoring.build import build
from lab_tools.authoring.check import check
from lab_tools.authoring.prune import prune
from lab_tools.authoring.source import Course


@click.group()
def author() -> None:
    """Build the labs from their sources, and see that they can be released."""


@author.command("build")
@click.argument("names", nargs=-1)
@click.option("--no-execute", is_flag=True, help="Build the students' copies only.")
@click.option("--record", is_flag=True, help="Keep the worked copy's runs as recordings.")
def build_command(names: tuple[str, ...], no_execute: bool, record: bool) -> None:
    """Build labs into labs/ and solutions/: all of them, or those NAMES."""
    course = Course.here()
    for name in course.choose(names):
        began = time.monotonic()
        build(course, name, execute=not no_execute, record=record)
        click.echo(f"{name}: built in {time.monotonic() - began:.0f} s")


@author.command("check")
@click.argument("names", nargs=-1)
@click.option("--student", default="worked", show_default=True, help="Whose variant to work.")
def check_command(names: tuple[str, ...], student: str) -> None:
    """See that the blank copy scores 0 and the worked copy full marks."""
    course = Course.here()
    for name in course.choose(names):
        scores = check(course, name, student)
        click.echo(f"{name}: blank {scores.blank:g}, worked {scores.worked:g} of {scores.points:g}")


@author.command("prune")
@click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
def prune_command(dry_run: bool) -> None:
    """Remove the recordings that no worked copy needs any more."""
    gone = prune(Course.here(), dry_run=dry_run)
    for place in gone:
        click.echo(place)
    click.echo(f"{len(gone)} {'would be' if dry_run else 'were'} removed.")


@author.command("again")
@click.option("--keep", is_flag=True, help="Put equal second runs in the place of the first.")
@click.option("--jobs", type=click.IntRange(1), default=lambda: os.cpu_count() or 1)
def again_command(keep: bool, jobs: int) -> None:
    """Run every recording again, and say which ones differ by a byte.

    Do it after a change of the kernel's recipe or of the programs that run in it. With --keep the
    recordings name today's kernel.
    """
    places = recordings(Course.here())
    runs = again(places, keep=keep, jobs=jobs)
    bar = track(runs, "running again", total=len(places), console=Console(stderr=True))
    others = [second for second in bar if not second.same]
    for second in others:
        click.echo(f"{second.place}: {second.problem or 'differs'}")
    click.echo(f"{len(places) - len(others)} of {len(places)} are the same to the byte.")
    if others:
        raise SystemExit(1)
