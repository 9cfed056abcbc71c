"""Grade a synthetic class of lab 02: is every score as expected, and how fast is it?

    python benchmarks/grade_class.py --students 100            # two workers, then one
    python benchmarks/grade_class.py --students 20 --plain     # and plain `nbgrader autograde`
    python benchmarks/grade_class.py --students 30 --kill 10   # kill -9 at ten random moments

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
import random
import shutil
import subprocess
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
from lab_tools.course.gradebook import opened
from lab_tools.course.release import init, release
from lab_tools.course.results import load
from lab_tools.course.run import grade_class
from lab_tools.errors import GradingError
from lab_tools.grading.variant import DEFAULT_COURSE_SEED, LabFile, draw

LAB = "02_mathis_science_dmz"
FULL_MARKS = 22.0
PROJECT = Path(__file__).resolve().parents[1]

#: Code that runs first, in the notebook of somebody who has handed in nothing right but one task.
HOSTILE = {
    "equal": "class E:\n    __eq__ = lambda *_: True\nfrom lab_tools.grading import Lab\n"
    "Lab.answer = lambda *_: E()",
    "hook": "get_ipython().input_transformers_post.append(lambda lines: ['22.0\\n'])",
    "patch": "import numpy as np\nnp.isclose = np.allclose = lambda *_, **__: True",
    "judge": "import lab_tools.grading.judge as j\nj.judge = lambda *_: {}",
    "noise": "import sys\nprint('noise', file=sys.stderr)",
    "kill": "import os\nos._exit(0)",
    "read": "import glob\nprint(glob.glob('/**/gradebook.db'), glob.glob('/**/checks'))",
}


@dataclass
class Cost:
    """Time on the wall's clock and on the processors'; the second one minds no other program."""

    wall_s: float = 0.0
    cpu_s: float = 0.0

    def __str__(self) -> str:
        return f"{self.wall_s:.1f} s, {self.cpu_s:.1f} s of processor time"


@contextlib.contextmanager
def measured() -> Iterator[Cost]:
    """Measure what is done in here, by this process and its children."""
    cost, began, before = Cost(), time.monotonic(), os.times()
    yield cost
    after = os.times()
    cost.wall_s = time.monotonic() - began
    cost.cpu_s = sum(after[:4]) - sum(before[:4])


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


def timed(folder: CourseFolder, everybody: list[Handed], workers: int) -> Cost:
    """Grade everybody; return what it cost, and leave if a score is not as expected."""
    with measured() as cost:
        done, _ = grade_class(folder, LAB, workers=workers, force=True, quiet=True)
    cost.cpu_s += sum(each.cpu_s for each in done)
    found = {each.student: each for each in done}
    wrong = [
        f"{each.student} ({each.kind}): {got.status} {got.score:g}, not {each.status} "
        f"{each.score:g}; {' '.join(got.notes)}"
        for each in everybody
        if ((got := found[each.student]).status, got.score) != (each.status, each.score)
    ]
    if wrong:
        sys.exit("\n".join(["Not every score is as expected:", *wrong]))
    return cost


def plain(folder: CourseFolder) -> Cost:
    """Return what plain `nbgrader autograde` costs on the same submissions."""
    # some of the hostile ones fail there, and then nbgrader says so with its exit code
    os.environ["LAB_AUTOGRADE"] = "plain"
    with measured() as cost, contextlib.suppress(GradingError):
        nbgrader(folder.project, folder.root, "autograde", LAB, "--create", "--force")
    return cost


def killed(folder: CourseFolder, everybody: list[Handed], times: int) -> None:
    """Kill the grader at random moments, let the last one end, and look at every grade."""
    shutil.rmtree(folder.root / "results", ignore_errors=True)
    words = [
        sys.executable,
        "-c",
        "from lab_tools.cli import main; main()",
        "course",
        "grade",
        LAB,
        "--quiet",
    ]
    environment = {**os.environ, "LAB_COURSE": str(folder.root)}
    chance, graded = random.Random(1), {}
    mark = folder.root / "results" / LAB
    for _ in range(times):
        grader = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
        # one in five while it still starts, the others while it writes
        if chance.random() < 0.8:
            begun = len(list(mark.glob(".*.written")))
            while grader.poll() is None and len(list(mark.glob(".*.written"))) == begun:
                time.sleep(0.05)
        with contextlib.suppress(subprocess.TimeoutExpired):
            grader.wait(chance.uniform(0, len(everybody) / times))
        grader.kill()
        grader.wait()
        for file in mark.glob(".*.written"):
            now = load(folder, file.name.split(".")[1], LAB)
            if graded.setdefault(now.student, now.graded) != now.graded:
                sys.exit(f"{now.student} was graded twice")
        print(f"killed; {len(graded)} of {len(everybody)} are in the gradebook")
    subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL)
    with opened(folder) as book:
        scores = {each.student.id: each.score for each in book.assignment_submissions(LAB)}
    if scores != {each.student: each.score for each in everybody}:
        sys.exit("a grade was lost")
    print("no grade was lost, none was repeated")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--plain", action="store_true", help="measure plain nbgrader, too")
    parser.add_argument("--kill", type=int, default=0, help="kill the grader so many times")
    parser.add_argument("--no-ratio", action="store_true", help="do not grade with one worker")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="grade-class-") as made, course(Path(made)) as folder:
        worked = Path(made, "worked")
        worked.mkdir()
        execute_into(folder.project, LAB, worked_source(folder), worked, WORKED_STUDENT)
        everybody = the_class(options.students, worked)
        hand_in(folder, everybody)
        many = timed(folder, everybody, options.workers)
        print(f"{options.workers} workers: {many}; all as expected")
        if not options.no_ratio:
            one = timed(folder, everybody, 1)
            print(f"1 worker: {one}; {one.wall_s / many.wall_s:.2f} times as long")
        if options.kill:
            killed(folder, everybody, options.kill)
        if options.plain:
            theirs = plain(folder)
            times = f"{theirs.wall_s / many.wall_s:.1f} times as long"
            print(
                f"plain nbgrader: {theirs}; {times}, {theirs.cpu_s / many.cpu_s:.1f} times the work"
            )


def worked_source(folder: CourseFolder) -> nbformat.NotebookNode:
    """Return the worked notebook with the marks of the released one."""
    source = read(folder.project.source(LAB))
    released = nbformat.read(folder.release(LAB) / f"{LAB}.ipynb", as_version=4)
    for mine, theirs in zip(source.cells, released.cells, strict=True):
        mine.metadata = theirs.metadata
    return source


if __name__ == "__main__":
    main()
