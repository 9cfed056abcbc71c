"""``lab course grade``, ``feedback`` and ``status``."""

import json
from collections import Counter
from typing import Any

import click

from lab_tools.course import results
from lab_tools.course.folder import CourseFolder
from lab_tools.course.results import DOUBTFUL, FAILED, Result
from lab_tools.course.set_up_commands import choose

#: Submissions that are named at the end of grading, with what was unusual; all are in the table.
_SHOWN = 20


@click.command("grade")
@click.argument("lab")
@click.option("--student", "students", multiple=True, help="Only this one; may be repeated.")
@click.option("--workers", type=click.IntRange(1), help="How many at a time.  [default: cores]")
@click.option("--force", is_flag=True, help="Grade again what has not changed.")
@click.option("--no-run", is_flag=True, help="Score the data only; run no notebook (fastest).")
@click.option(
    "--verify",
    type=click.Choice(["none", "sample", "all"]),
    default="sample",
    show_default=True,
    help="Whose records are run again: nobody's; one of each submission, drawn at random "
    "(about 5 s each); every one (a minute or more for each submission). What was run before, "
    "and what ships with the course, costs nothing.",
)
@click.option(
    "--testbed",
    type=click.Choice(["replay", "virtual"]),
    default="replay",
    show_default=True,
    help="Who runs the experiments that a notebook asks for and did not hand in.",
)
@click.option("--cell-time", type=click.FloatRange(1), help="Seconds for a cell.  [default: 120]")
@click.option("--time", type=click.FloatRange(1), help="Seconds for a notebook.  [default: 300]")
@click.option("--memory", help='Memory for a submission.  [default: "2 GiB"]')
@click.option("--quiet", is_flag=True, help="No progress bar.")
def grade_command(lab: str, quiet: bool, **options: Any) -> None:
    """Run the submissions of LAB in sandboxes, score their data, and fill the gradebook.

    Whatever was graded before and has not changed is left as it is: after Ctrl-C, a crash or a
    late submission, start the same command again. What a person has graded by hand is kept.
    """
    from lab_tools.course.run import grade_class

    folder = CourseFolder.here().require()
    (name,) = choose(folder, (lab,))
    done, skipped = grade_class(folder, name, quiet=quiet, **options)
    _say(folder, name, done, skipped)


def _say(folder: CourseFolder, lab: str, done: list[Result], skipped: int) -> None:
    same = f", {skipped} were graded before and have not changed" if skipped else ""
    click.echo(f"{lab}: {len(done)} submissions graded{same}.")
    doubtful = sorted(
        (each for each in done if each.status in DOUBTFUL), key=lambda each: each.student
    )
    if doubtful:
        counts = Counter(each.status for each in doubtful)
        words = ", ".join(f"{number} {status}" for status, number in sorted(counts.items()))
        click.echo(f"A person should look at {len(doubtful)} of them: {words}.")
        for each in doubtful[:_SHOWN]:
            click.echo(f"  {each.student} ({each.status}): {' '.join(each.notes)}")
    click.echo(f"All results: {folder.table}")
    if any(each.status == FAILED for each in done):
        raise SystemExit(1)


@click.command("feedback")
@click.argument("lab")
@click.option("--release", is_flag=True, help="Hand it back through nbgrader's exchange.")
def feedback_command(lab: str, release: bool) -> None:
    """Write what each student gets back for LAB: points and words, and nothing of the checks.

    It says what the gradebook says now: points that a person gave, and their comments, too.
    """
    from lab_tools.authoring.build import nbgrader
    from lab_tools.course import feedback, gradebook

    folder = CourseFolder.here().require()
    (name,) = choose(folder, (lab,))
    with gradebook.opened(folder) as book:
        written = feedback.write(folder, book, name, folder.students(name))
    click.echo(f"{name}: feedback for {len(written)} students in {folder.root / 'feedback'}")
    if release:
        others = feedback.without_exchange(folder, name, written)
        words = [f"--CourseDirectory.student_id_exclude={','.join(others)}"] if others else []
        if len(others) < len(written):
            nbgrader(folder.project, folder.root, "release_feedback", name, *words)
        click.echo(f"It is in the exchange for {len(written) - len(others)} students.")
        if others:
            click.echo(f"Not collected from there, so hand it back yourself: {', '.join(others)}")


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def status_command(as_json: bool) -> None:
    """Say of every released lab what was handed in, graded, and is left to a person."""
    folder = CourseFolder.here().require()
    rows = [_status(folder, lab) for lab in folder.labs()]
    if as_json:
        click.echo(json.dumps(rows, indent=1))
        return
    if not rows:
        click.echo("No lab has been released yet: lab course release LAB")
        return
    click.echo(f"{'lab':<26}{'submitted':>10}{'graded':>8}{'to look at':>12}{'by hand':>9}")
    for row in rows:
        click.echo(
            f"{row['lab']:<26}{row['submitted']:>10}{row['graded']:>8}"
            f"{len(row['to_look_at']):>12}{row['by_hand']:>9}"
        )
    for row in rows:
        for each in row["to_look_at"]:
            click.echo(f"{row['lab']}, {each['student']} ({each['status']}): {each['notes']}")


def _status(folder: CourseFolder, lab: str) -> dict[str, Any]:
    from lab_tools.course import gradebook

    submitted = folder.students(lab)
    known = {each.student: each for each in results.load_all(folder, lab)}
    with gradebook.opened(folder) as book:
        waiting = [row for row in book.submission_dicts(lab) if row["needs_manual_grade"]]
    return {
        "lab": lab,
        "submitted": len(submitted),
        "graded": len(known),
        "not_graded": sorted(set(submitted) - set(known)),
        "by_hand": len(waiting),
        "to_look_at": [
            {"student": each.student, "status": each.status, "notes": " ".join(each.notes)}
            for each in known.values()
            if each.status in DOUBTFUL
        ],
    }
