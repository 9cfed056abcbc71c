"""``lab course variant`` and ``export``: what leaves the course as a table."""

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from lab_tools.course.folder import CourseFolder
from lab_tools.course.set_up_commands import choose
from lab_tools.errors import InputError

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("variant")
@click.argument("lab")
@click.argument("student", required=False)
@click.option("--all", "everybody", is_flag=True, help="Everybody: of the roster, or the course.")
@click.option("--roster", type=_FILE, help="Class list (CSV with a column username).")
@click.option("--csv", "as_csv", is_flag=True, help="Print a table for a spreadsheet.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def variant_command(
    lab: str,
    student: str | None,
    everybody: bool,
    roster: Path | None,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Say which parameters a STUDENT has in LAB, or everybody with --all.

    They follow from the course's seed (LAB_COURSE_SEED), the lab and the user name, so they can
    be looked up before anything was handed in.

    \b
    lab course variant 02 ada
    lab course variant 02 --all --roster class.csv --csv > variants.csv
    """
    from lab_tools.course import variants

    folder = CourseFolder.here()
    (name,) = choose(folder, (lab,))
    if (student is None) != everybody:
        raise InputError("STUDENT", student, "one user name, or --all without one")
    students = [student] if student is not None else _students(folder, roster)
    found = variants.variants(folder, name, students)
    if as_json:
        click.echo(json.dumps(found, indent=1))
    elif as_csv:
        click.echo(_variants_csv(found), nl=False)
    else:
        _show_variants(name, found)
        _warn_of_seed()
        for group in variants.same(found):
            click.echo(f"The same parameters: {', '.join(group)}.", err=True)


def _students(folder: CourseFolder, roster: Path | None) -> list[str]:
    from lab_tools.course.release import known_students
    from lab_tools.course.roster import read_roster

    if roster is not None:
        return [person.username for person in read_roster(roster)]
    return known_students(folder.require())


def _variants_csv(found: dict[str, dict[str, Any]]) -> str:
    from lab_tools.course.cells import safe

    made = io.StringIO(newline="")
    writer = csv.writer(made)
    names = list(next(iter(found.values()), {}))
    writer.writerow(["username", *names])
    for student, drawn in found.items():
        values = (drawn[name] for name in names)
        # numbers in full here: these are parameters, not grades
        row = [value if isinstance(value, int | float) else safe(str(value)) for value in values]
        writer.writerow([safe(student), *row])
    return made.getvalue()


def _show_variants(lab: str, found: dict[str, dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    names = list(next(iter(found.values()), {}))
    if not names:
        click.echo(f"{lab} is the same for everybody.")
        return
    table = Table("student", *names, title=lab)
    for student, drawn in found.items():
        table.add_row(student, *(str(drawn[name]) for name in names))
    width = None if sys.stdout.isatty() else 200
    Console(width=width, markup=False, highlight=False).print(table)


def _warn_of_seed() -> None:
    from lab_tools.grading.variant import DEFAULT_COURSE_SEED, course_seed

    if course_seed() == DEFAULT_COURSE_SEED:
        click.echo(
            "This is with the seed that everybody knows; set LAB_COURSE_SEED to your course's.",
            err=True,
        )


@click.command("export")
@click.argument("labs", nargs=-1)
@click.option(
    "--to",
    "target",
    type=click.Choice(["canvas", "moodle", "csv", "tasks"]),
    required=True,
    help="Whom for. csv: a row for each student and lab; tasks: a row for each task.",
)
@click.option("--roster", type=_FILE, help="Class list: CSV with username, name, sis_id, email.")
@click.option("--out", type=_FILE, help="File to write.  [default: grades-TO.csv]")
@click.option(
    "--doubtful",
    type=click.Choice(["empty", "score"]),
    default="empty",
    show_default=True,
    help="A crashed or suspect submission that no person has looked at: no grade, or the "
    "gradebook's.",
)
@click.option(
    "--missing",
    type=click.Choice(["empty", "zero"]),
    default="empty",
    show_default=True,
    help="Somebody who handed in nothing.",
)
@click.option("--title", "titles", multiple=True, help='Column of a lab: "02=Lab 2 (4711)".')
@click.option(
    "--match",
    type=click.Choice(["username", "email", "idnumber"]),
    default="username",
    show_default=True,
    help="What Moodle finds a user by.",
)
@click.option("--semicolon", is_flag=True, help="Semicolons and decimal commas.")
def export_command(
    labs: tuple[str, ...],
    target: str,
    roster: Path | None,
    out: Path | None,
    titles: tuple[str, ...],
    **options: Any,
) -> None:
    """Write the grades of LABS (all that were released, without any) for another system.

    What a person gave in Formgrader counts, and so do late penalties. Who is missing, who was
    left out and why is said on the screen.

    \b
    lab course export 02 --to canvas --roster canvas.csv --title "02=Lab 2 (4711)"
    lab course export --to moodle --roster class.csv --match email
    """
    from lab_tools.course import canvas, export, moodle, standings
    from lab_tools.course.cells import write_private
    from lab_tools.course.roster import read_roster

    folder = CourseFolder.here().require()
    chosen = choose(folder, labs) if labs else folder.labs()
    if not chosen:
        raise InputError("LABS", "", "a lab that was released: lab course release LAB")
    people = read_roster(roster) if roster else None
    book = export.gather(people, {lab: standings.read(folder, lab) for lab in chosen})
    choices = export.Choices(titles=_titles(folder, titles), **options)
    make: dict[str, Callable[[export.Book, export.Choices], export.Export]] = {
        "canvas": canvas.canvas,
        "moodle": moodle.moodle,
        "csv": export.plain,
        "tasks": export.by_task,
    }
    made = make[target](book, choices)
    file = write_private(out or Path(f"grades-{target}.csv"), made.text)
    for problem in made.problems:
        click.echo(problem, err=True)
    if roster is None and target != "csv":
        click.echo("Without --roster people have only their user names.", err=True)
    click.echo(f"{file}: {made.people} students, {', '.join(chosen)}")


def _titles(folder: CourseFolder, given: tuple[str, ...]) -> dict[str, str]:
    made = {}
    for each in given:
        lab, equals, title = each.partition("=")
        if not equals:
            raise InputError("--title", each, 'of the form "02=Lab 2 (4711)"')
        (name,) = choose(folder, (lab.strip(),))
        made[name] = title.strip()
    return made
