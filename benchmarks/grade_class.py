"""Grade a synthetic class of lab 02: is every score as expected, and how fast is it?

    python benchmarks/grade_class.py --students 100            # two workers, then one
    python benchmarks/grade_class.py --students 20 --plain     # and plain `nbgrader autograde`

The class is a mixture: right, wrong in a plausible way (`tests/labs/wrong`), blank, and hostile.
The hostile ones are those that plain nbgrader survives, for it grades the same set; the others are
in `tests/course/hostile`. All students draw the variant that the course's recordings are of: their
names are chosen so. Everything happens in a temporary folder.
"""

import argparse
import contextlib
import importlib.util
import itertools
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat

from lab_tools.authoring.build import WORKED_STUDENT, execute_into, nbgrader
from lab_tools.authoring.source import Course, read
from lab_tools.course.folder import CourseFolder
from lab_tools.course.release import init, release
from lab_tools.course.run import grade_class
from lab_tools.errors import GradingError
from lab_tools.grading.variant import DEFAULT_COURSE_SEED, LabFile, draw

LAB = "02_mathis_science_dmz"
FULL_MARKS = 22.0
PROJECT = Path(__file__).resolve().parents[1]

#: Code that runs first, in the notebook of somebody who has handed in nothing right but one task.
HOSTILE = {
    "equal": "class E:\n    __eq__ = lambda *_: True\nimport builtins\nbuiltins.float = E",
    "hook": "get_ipython().input_transformers_post.append(lambda lines: ['22.0\\n'])",
    "patch": "import numpy as np\nnp.isclose = np.allclose = lambda *_, **__: True",
    "judge": "import lab_tools.grading.judge as j\nj.judge = lambda *_: {}",
    "noise": "import sys\nprint('noise', file=sys.stderr)",
    "kill": "import os\nos._exit(0)",
    "read": "import glob\nprint(glob.glob('/**/gradebook.db'), glob.glob('/**/checks'))",
}


@dataclass(frozen=True)
class Handed:
    """What one student hands in and must get."""

    student: str
    kind: str
    score: float
    status: str
    make: Callable[[Path], None]


def names(count: int) -> list[str]:
    """Return user names that draw the variant of the worked copy."""
    table = LabFile.read(Course.here().about(LAB)).variant
    wanted = draw(LAB, WORKED_STUDENT, table, DEFAULT_COURSE_SEED)
    first = next(iter(table))
    found = (
        name
        for name in (f"student{number}" for number in itertools.count())
        # one draw tells most of them apart
        if draw(LAB, name, {first: table[first]}, DEFAULT_COURSE_SEED)[first] == wanted[first]
        and draw(LAB, name, table, DEFAULT_COURSE_SEED) == wanted
    )
    return list(itertools.islice(found, count))


def wrong_submissions() -> list[tuple[Callable[[dict], dict], dict[str, float]]]:
    file = PROJECT / "tests" / "labs" / "wrong" / f"{LAB}.py"
    spec = importlib.util.spec_from_file_location("wrong", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.WRONG


def the_class(students: int, worked: Path) -> list[Handed]:
    """Return a mixed class: of seven, three right, two wrong, one blank, one hostile."""
    mistakes, attacks = itertools.cycle(wrong_submissions()), itertools.cycle(HOSTILE.items())
    points = task_points()
    made = []
    for number, student in enumerate(names(students)):
        kind = ("right", "wrong", "hostile", "right", "wrong", "blank", "right")[number % 7]
        score, status = FULL_MARKS, "graded"
        change: Callable[[Path], None] = copy_of(worked, student)
        if kind == "wrong":
            mistake, left = next(mistakes)
            score = FULL_MARKS - sum(points[task] - got for task, got in left.items())
            change = copy_of(worked, student, answers=mistake)
        elif kind == "blank":
            score, change = 0.0, lambda _folder: None
        elif kind == "hostile":
            name, code = next(attacks)
            kind = f"hostile: {name}"
            score = points["loss_exponent"]
            status = "crashed" if name == "kill" else "graded"
            one = lambda answers: {"loss_exponent": answers["loss_exponent"]}  # noqa: E731
            change = copy_of(worked, student, answers=one, first=code)
        made.append(Handed(student, kind, score, status, change))
    return made


def task_points() -> dict[str, float]:
    cells = read(Course.here().source(LAB)).cells
    marks = [cell.metadata.get("nbgrader", {}) for cell in cells if cell.cell_type == "code"]
    return {mark["grade_id"]: float(mark["points"]) for mark in marks if mark.get("grade")}


def copy_of(
    worked: Path,
    student: str,
    answers: Callable[[dict], dict] | None = None,
    first: str = "",
) -> Callable[[Path], None]:
    """Return what hands in the worked copy as a student's own, with a change or two."""

    def make(folder: Path) -> None:
        shutil.copytree(worked, folder, dirs_exist_ok=True)
        work = folder / "work"
        (work / "lab.json").write_text(json.dumps({"lab": LAB, "student": student}))
        if answers:
            file = work / "answers.json"
            file.write_text(json.dumps(answers(json.loads(file.read_text()))))
        if first:
            notebook = nbformat.read(folder / f"{LAB}.ipynb", as_version=4)
            notebook.cells.insert(0, nbformat.v4.new_code_cell(first))
            nbformat.write(notebook, folder / f"{LAB}.ipynb")

    return make


@contextlib.contextmanager
def course(place: Path) -> Iterator[CourseFolder]:
    """Make a course with lab 02 released, on the recordings."""
    os.environ.update(LAB_TESTBED="replay", LAB_RECORDINGS=str(PROJECT / "recordings"))
    folder = CourseFolder(place / "course", Course.here())
    init(folder, [])
    release(folder, LAB, exchange=False)
    yield folder


def hand_in(folder: CourseFolder, everybody: list[Handed]) -> None:
    for each in everybody:
        place = folder.submitted(each.student, LAB)
        shutil.copytree(folder.release(LAB), place)
        each.make(place)


def timed(folder: CourseFolder, everybody: list[Handed], workers: int) -> float:
    """Grade everybody; return the wall time, and leave if a score is not as expected."""
    began = time.monotonic()
    done, _ = grade_class(folder, LAB, workers=workers, force=True, quiet=True)
    took_s = time.monotonic() - began
    found = {each.student: each for each in done}
    wrong = [
        f"{each.student} ({each.kind}): {got.status} {got.score:g}, not {each.status} "
        f"{each.score:g}; {' '.join(got.notes)}"
        for each in everybody
        if ((got := found[each.student]).status, got.score) != (each.status, each.score)
    ]
    if wrong:
        sys.exit("\n".join(["Not every score is as expected:", *wrong]))
    return took_s


def plain_s(folder: CourseFolder) -> float:
    """Return the wall time of plain `nbgrader autograde` on the same submissions."""
    began = time.monotonic()
    # some of the hostile ones fail there, and then nbgrader says so with its exit code
    with contextlib.suppress(GradingError):
        nbgrader(folder.project, folder.root, "autograde", LAB, "--create", "--force")
    return time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--plain", action="store_true", help="measure plain nbgrader, too")
    parser.add_argument("--no-ratio", action="store_true", help="do not grade with one worker")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="grade-class-") as made, course(Path(made)) as folder:
        worked = Path(made, "worked")
        worked.mkdir()
        execute_into(folder.project, LAB, worked_source(folder), worked, WORKED_STUDENT)
        everybody = the_class(options.students, worked)
        hand_in(folder, everybody)
        many_s = timed(folder, everybody, options.workers)
        each_s = many_s / options.students
        print(f"{options.workers} workers: {many_s:.1f} s, {each_s:.2f} s each; all as expected")
        if not options.no_ratio:
            one_s = timed(folder, everybody, 1)
            print(f"1 worker: {one_s:.1f} s; {one_s / many_s:.2f} times as long")
        if options.plain:
            taken_s = plain_s(folder)
            print(f"plain nbgrader: {taken_s:.1f} s; {taken_s / many_s:.2f} times as long")


def worked_source(folder: CourseFolder) -> nbformat.NotebookNode:
    """Return the worked notebook with the marks of the released one."""
    source = read(folder.project.source(LAB))
    released = nbformat.read(folder.release(LAB) / f"{LAB}.ipynb", as_version=4)
    for mine, theirs in zip(source.cells, released.cells, strict=True):
        mine.metadata = theirs.metadata
    return source


if __name__ == "__main__":
    main()
