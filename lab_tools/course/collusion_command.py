"""``lab course collusion``: which submissions a person should look at together."""

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lab_tools.course.collusion import Flag
from lab_tools.course.folder import CourseFolder
from lab_tools.course.handed_in import HandedIn
from lab_tools.course.set_up_commands import choose
from lab_tools.course.swapped import Match, Scores

Variants = dict[str, dict[str, Any]]
_CAREFUL = (
    "A flag is a reason to look at two submissions and to talk, not a verdict. Who gave and who "
    "took, and whether anybody did wrong, is not in the data."
)


@click.command("collusion")
@click.argument("lab")
@click.option(
    "--chance",
    type=click.FloatRange(0, 1),
    default=0.01,
    show_default=True,
    help="Say nothing of what happens by chance more often than this.",
)
@click.option(
    "--no-judge", is_flag=True, help="Do not try answers in the others' places: no sandbox, fast."
)
@click.option("--csv", "table", type=click.Path(dir_okay=False, path_type=Path), help="Table.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def collusion_command(
    lab: str, chance: float, no_judge: bool, table: Path | None, as_json: bool, quiet: bool
) -> None:
    """Flag submissions of LAB that share answers or records they should not.

    Looked for: answers wrong for one's own parameters and right for another's; the very same run
    in two submissions; records made with another's parameters; data that names somebody else. The
    lab must be graded. Trying the answers takes a second or so for each submission.
    """
    from lab_tools.course import handed_in, results, variants
    from lab_tools.course.collusion import in_order
    from lab_tools.errors import GradingError

    folder = CourseFolder.here().require()
    (name,) = choose(folder, (lab,))
    scores: Scores = {each.student: each.tasks for each in results.load_all(folder, name)}
    if not scores:
        raise GradingError(
            f"nobody's {name} has been graded. Grade first: `lab course grade {name}`."
        )
    class_ = [handed_in.read(folder, student, name) for student in folder.students(name)]
    drawn = variants.variants(folder, name, [each.student for each in class_])
    flags = in_order(_flags(folder, name, class_, scores, drawn, chance, no_judge, quiet))
    if table is not None:
        _write_table(table, flags)
    if as_json:
        click.echo(json.dumps([vars(each) for each in flags], indent=1))
        return
    _say(name, len(class_), flags, chance)


def _flags(
    folder: CourseFolder,
    lab: str,
    class_: list[HandedIn],
    scores: Scores,
    drawn: Variants,
    chance: float,
    no_judge: bool,
    quiet: bool,
) -> list[Flag]:
    from lab_tools.course import collusion, swapped, variants
    from lab_tools.testbeds.replay import default_folder

    found = [] if no_judge else [_fitting(folder, lab, class_, scores, drawn, quiet)]
    found.append(swapped.equal(class_, scores, drawn))
    choices = variants.lab_file(folder, lab).variant
    return [
        *collusion.borrowed_names(class_),
        *collusion.shared_runs(class_, default_folder()),
        *collusion.foreign_runs(class_, drawn, choices, chance),
        *collusion.answer_flags(found, len(class_), chance),
    ]


def _fitting(
    folder: CourseFolder,
    lab: str,
    class_: list[HandedIn],
    scores: Scores,
    drawn: Variants,
    quiet: bool,
) -> dict[tuple[str, str], list[Match]]:
    from lab_tools.course import swapped
    from lab_tools.course.released import modules_of, read_lab
    from lab_tools.course.sandbox import Sandbox
    from lab_tools.grading.variant import course_seed
    from lab_tools.testbeds.replay import default_folder

    about = read_lab(folder, lab)
    columns = (
        TextColumn("trying answers"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), disable=quiet) as progress:
        task = progress.add_task("", total=len(class_))
        failed: list[str] = []

        def on_done(student: str, tried: bool) -> None:
            progress.advance(task)
            if not tried:
                failed.append(student)

        with Sandbox(default_folder(), modules_of(about), seed=course_seed()) as sandbox:
            judge = swapped.in_sandbox(folder, about, sandbox, on_done)
            found = swapped.fitting(class_, scores, drawn, judge)
    if failed:
        names = ", ".join(sorted(failed))
        click.echo(f"No answers could be tried in the place of {names}: look there.", err=True)
    return found


def _write_table(file: Path, flags: list[Flag]) -> None:
    from lab_tools.course.cells import Exact, as_csv, write_private

    rows: list[list[Any]] = [["student", "other", "kind", "what", "chance"]]
    for each in flags:
        likely = None if each.chance is None else Exact(f"{each.chance:.3g}")
        rows.append([each.student, each.other, each.kind, each.what, likely])
    write_private(file, as_csv(rows, bom=True))


def _say(lab: str, students: int, flags: list[Flag], chance: float) -> None:
    from lab_tools.course.chance import words

    click.echo(f"{lab}: {students} submissions compared, {len(flags)} flags.")
    for each in flags:
        who = f"{_printable(each.student)} / {_printable(each.other)}"
        likely = words(each.chance)
        click.echo(f"  {who} ({each.kind}; {likely}): {_printable(each.what)}")
    if flags:
        click.echo(_CAREFUL)
    click.echo(
        f"By chance alone, at most about {chance * students:.2g} of {students} students would be "
        "flagged for answers."
    )


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)
