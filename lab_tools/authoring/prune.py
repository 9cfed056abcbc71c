"""Find the recordings that no worked copy needs any more, and remove them."""

import os
import shutil
import tempfile
from pathlib import Path

from lab_tools.authoring.build import execute_into
from lab_tools.authoring.source import Course, read
from lab_tools.experiment import Path as NetworkPath
from lab_tools.grading.files import WORK, read_json
from lab_tools.grading.variant import WORKED_STUDENT
from lab_tools.plain import from_plain
from lab_tools.testbeds.replay import session_file


def needed(course: Course) -> set[Path]:
    """Return the folders of runs and files of sessions that the worked copies use on replay.

    Raises
    ------
    RunError : a worked copy does not run on the recordings that are there.
    """
    recordings = course.root / "recordings"
    before = dict(os.environ)
    os.environ.update(LAB_TESTBED="replay", LAB_RECORDINGS=str(recordings))
    found: set[Path] = set()
    try:
        for name in course.names():
            with tempfile.TemporaryDirectory(prefix="lab-prune-") as folder:
                notebook = read(course.source(name))
                execute_into(course, name, notebook, Path(folder), WORKED_STUDENT)
                work = Path(folder) / WORK
                for file in (work / "runs").glob("??/*/*/record.json"):
                    found.add(recordings / file.parent.parent.relative_to(work / "runs"))
                for each in read_json(work / "commands.json", []):
                    path = from_plain(NetworkPath, each["path"], "path")
                    found.add(session_file(recordings, path))
    finally:
        os.environ.clear()
        os.environ.update(before)
    return found


def prune(course: Course, *, dry_run: bool = False) -> list[Path]:
    """Remove what `needed` does not name, and return it.

    Parameters
    ----------
    course : whose recordings.
    dry_run : only say what would go.
    """
    recordings, keep = course.root / "recordings", needed(course)
    there = [*recordings.glob("??/*"), *(recordings / "sessions").glob("*.json")]
    gone = sorted(place for place in there if place not in keep)
    if not dry_run:
        for place in gone:
            if place.is_dir():
                shutil.rmtree(place)
            else:
                place.unlink()
        for parent in recordings.glob("??"):
            if not any(parent.iterdir()):
                parent.rmdir()
    return gone
