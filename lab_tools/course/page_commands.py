"""``lab course statistics`` and ``report``: what leaves the course as pages."""

from pathlib import Path

import click

from lab_tools.course.folder import CourseFolder, student_id
from lab_tools.course.roster import Person, read_roster
from lab_tools.course.set_up_commands import choose
from lab_tools.errors import InputError

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("statistics")
@click.argument("lab")
@click.option("--out", type=_FILE, help="Page to write.  [default: statistics-LAB.html]")
@click.option("--csv", "table", type=_FILE, help="Write the questions as a table, too.")
def statistics_command(lab: str, out: Path | None, table: Path | None) -> None:
    """Write a page on how hard the questions of LAB are, and how well they tell students apart.

    The page names no student and needs no network. Crashed and blank submissions are left out.
    """
    from lab_tools.course import statistics, statistics_page
    from lab_tools.course.cells import write_private

    folder = CourseFolder.here().require()
    (name,) = choose(folder, (lab,))
    found = statistics.gather(folder, name)
    file = write_private(out or Path(f"statistics-{name}.html"), statistics_page.make(found))
    if table is not None:
        write_private(table, statistics.as_table(found))
    alpha = found.analysis.alpha
    words = "" if alpha is None else f", Cronbach's alpha {alpha:.2f}"
    click.echo(f"{file}: {found.counts['counted']} submissions{words}")
    for item in found.analysis.items:
        if item.words:
            click.echo(f"  {item.name} (p = {item.difficulty:.2f}): {item.words}")


@click.command("report")
@click.argument("student", required=False)
@click.argument("labs", nargs=-1)
@click.option("--all", "everybody", is_flag=True, help="A report for each student of the course.")
@click.option("--roster", type=_FILE, help="Class list, for the names.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Page to write, or a folder with --all.  [default: report-STUDENT.html or reports]",
)
def report_command(
    student: str | None,
    labs: tuple[str, ...],
    everybody: bool,
    roster: Path | None,
    out: Path | None,
) -> None:
    """Write a report of STUDENT that prints well: a page for each of LABS.

    It has the points of every task with what was said of it, and what was predicted and found.
    Without LABS it has every lab that was released.

    \b
    lab course report ada
    lab course report ada 02 03 --out ada.html
    lab course report --all --roster class.csv --out reports
    """
    from lab_tools.course import report
    from lab_tools.course.cells import write_private

    folder = CourseFolder.here().require()
    names = (student, *labs) if everybody and student else labs
    chosen = choose(folder, names) if names else folder.labs()
    if not chosen:
        raise InputError("LABS", "", "a lab that was released: lab course release LAB")
    people = _people(folder, None if everybody else student, roster)
    made = report.for_class(folder, chosen, list(people))
    if everybody:
        place = out or Path("reports")
        for username, person in people.items():
            write_private(place / f"{username}.html", report.write(person, made[username]))
        click.echo(f"{place}: {len(people)} reports on {', '.join(chosen)}")
        return
    ((username, person),) = people.items()
    file = write_private(
        out or Path(f"report-{username}.html"), report.write(person, made[username])
    )
    click.echo(f"{file}: {', '.join(chosen)}")


def _people(folder: CourseFolder, student: str | None, roster: Path | None) -> dict[str, Person]:
    """Return whom to write about, by user name."""
    from lab_tools.course.release import known_students

    listed = {each.username: each for each in read_roster(roster)} if roster else {}
    known = {*known_students(folder), *listed}
    known |= {name for lab in folder.labs() for name in folder.students(lab)}
    if student is None:
        names = sorted(known)
        if not names:
            raise InputError("--all", folder.root, "a course with students in it")
    elif student in known:
        names = [student]
    else:
        raise InputError("STUDENT", student, "a user name of the course, or --all")
    return {student_id(name): listed.get(name, Person(name)) for name in names}
