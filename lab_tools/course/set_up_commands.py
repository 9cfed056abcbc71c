"""``lab course init``, ``release`` and ``collect``."""

from pathlib import Path
from typing import TextIO

import click

from lab_tools.course.collecting import DEFAULT_PATTERN
from lab_tools.course.folder import CourseFolder


def choose(folder: CourseFolder, names: tuple[str, ...]) -> list[str]:
    """Return the labs that the words on the command line mean."""
    return folder.project.choose(names)


@click.command()
@click.option(
    "--students",
    type=click.File(),
    help="A file with one user name a line; students may also come later.",
)
def init(students: TextIO | None) -> None:
    """Make the course: its folders, an empty gradebook, and the exchange.

    What is there already is kept, so the command can be run again, to add students.
    """
    from lab_tools.course import release

    folder = CourseFolder.here()
    lines = students.read().splitlines() if students else []
    names = [line.split(",")[0].strip() for line in lines]
    known = release.init(folder, [name for name in names if name and not name.startswith("#")])
    click.echo(f"The course is in {folder.root}; {len(known)} students are in its gradebook.")
    click.echo("Next: lab course release LAB")


@click.command("release")
@click.argument("labs", nargs=-1, required=True)
@click.option("--force", is_flag=True, help="Release again what was released already.")
@click.option("--no-exchange", is_flag=True, help="Do not put it into nbgrader's exchange.")
@click.option("--no-check", is_flag=True, help="Do not work the lab through first (10 to 30 s).")
def release_command(labs: tuple[str, ...], force: bool, no_exchange: bool, no_check: bool) -> None:
    """Make the students' copies of LABS and hand them out.

    A lab is named by the beginning of its name, such as 02. First it is seen that the blank copy
    scores nothing and the worked copy everything, on the recordings.
    """
    from lab_tools.course import release

    folder = CourseFolder.here().require()
    for lab in choose(folder, labs):
        if not no_check:
            _check(folder, lab)
        release.release(folder, lab, force=force, exchange=not no_exchange)
        click.echo(f"{lab}: released to {folder.release(lab)}")


def _check(folder: CourseFolder, lab: str) -> None:
    import os

    from lab_tools.authoring.check import check

    os.environ.setdefault("LAB_TESTBED", "replay")
    scores = check(folder.project, lab)
    click.echo(f"{lab}: the worked copy scores {scores.worked:g} of {scores.points:g}")


@click.command("collect")
@click.argument("lab")
@click.option(
    "--from",
    "place",
    type=click.Path(path_type=Path),
    help="A folder or zip file with one folder, zip file or notebook for each student.",
)
@click.option(
    "--pattern",
    default=DEFAULT_PATTERN,
    show_default=True,
    help="Regular expression that finds the student in the beginning of each name.",
)
def collect_command(lab: str, place: Path | None, pattern: str) -> None:
    """Bring the submissions of LAB into the course.

    Without --from they come from nbgrader's exchange. With it they come from what a learning
    management system gives: unpack nothing, name the zip file. A submission that was collected
    before is replaced.

    \b
    lab course collect 02
    lab course collect 02 --from submissions.zip
    """
    from lab_tools.course import collecting

    folder = CourseFolder.here().require()
    (name,) = choose(folder, (lab,))
    if place is None:
        collecting.collect(folder, name)
    else:
        for student, notes in collecting.collect_from(folder, name, place, pattern).items():
            for note in notes:
                click.echo(f"{student}: {note}")
    click.echo(f"{name}: {len(folder.students(name))} submissions in {folder.root / 'submitted'}")
    click.echo(f"Next: lab course grade {name}")
