"""Grade a class: several submissions at once, one writer.

Every submission's result is written, in one step, to a file of its own, and after that, in one
transaction, to the gradebook; then a mark says that both are done. Only the main thread writes. A
grader that is killed has lost nothing but the submissions that were in the sandbox: the next one
skips those with a mark, and writes the others again, which changes nothing that is there.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook

from lab_tools.course import gradebook, results
from lab_tools.course.folder import CourseFolder
from lab_tools.course.released import Lab
from lab_tools.course.results import FAILED, Result
from lab_tools.course.sandbox import Sandbox
from lab_tools.course.submission import Graded, OneByOne, Settings
from lab_tools.course.verification import Verifier

OnDone = Callable[[Result], None]


class Grader:
    """Grades the submissions of one lab and writes what it finds.

    Parameters
    ----------
    folder : the course.
    lab : what the course says of the lab.
    sandbox : where submissions run and are scored.
    verifier : who looks at the records.
    settings : how to grade.
    """

    def __init__(
        self,
        folder: CourseFolder,
        lab: Lab,
        sandbox: Sandbox,
        verifier: Verifier,
        settings: Settings,
    ) -> None:
        self._folder, self._lab, self._settings = folder, lab, settings
        self._one_by_one = OneByOne(folder, lab, sandbox, verifier, settings)

    def pending(self, students: Sequence[str]) -> list[str]:
        """Return whose submissions have no result yet, or were graded as something else."""
        if self._settings.force:
            return list(students)
        return [name for name in students if not self._is_done(name)]

    def grade(self, students: Sequence[str], on_done: OnDone | None = None) -> list[Result]:
        """Grade submissions and write their results; return them as they came.

        Raises
        ------
        LabError : grading itself cannot go on; what is done is kept.
        """
        done: list[Result] = []
        pool = ThreadPoolExecutor(self._settings.at_once, thread_name_prefix="grade")
        try:
            with gradebook.opened(self._folder) as book:
                # few are begun ahead of the writer, so that few are lost with it
                left = list(reversed(students))
                running: set[Future[Graded]] = set()
                while left or running:
                    while left and len(running) < 2 * self._settings.at_once:
                        running.add(pool.submit(self._one_by_one.grade, left.pop()))
                    ended, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in ended:
                        graded = future.result()
                        self._write(book, graded)
                        done.append(graded.result)
                        if on_done:
                            on_done(graded.result)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            results.write_table(self._folder)
        return done

    def _is_done(self, student: str) -> bool:
        known = results.load(self._folder, student, self._lab.name)
        if known is None or known.status == FAILED or not self._mark(student).is_file():
            return False
        return known.digest == self._one_by_one.take_in(student)[1]

    def _mark(self, student: str) -> Path:
        """Return the file that says that a result has reached the gradebook."""
        file = self._folder.result(student, self._lab.name)
        return file.with_name(f".{file.stem}.written")

    def _write(self, book: Gradebook, graded: Graded) -> None:
        result = graded.result
        mark = self._mark(result.student)
        mark.unlink(missing_ok=True)
        results.save(self._folder, result)
        place = self._folder.autograded(result.student, result.lab)
        results.write_text(place / f"{result.lab}.ipynb", nbformat.writes(graded.notebook))
        if result.submitted:
            results.write_text(place / "timestamp.txt", result.submitted)
        gradebook.write(book, result, graded.notebook, changed=graded.changed)
        mark.touch()
