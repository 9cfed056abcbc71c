"""Run recordings again, and see whether they come out the same to the byte.

A change of the kernel's recipe or of the programs that run in it must not change what experiments
give; or it must be known which ones it changes.
"""

import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lab_tools.authoring.source import Course
from lab_tools.errors import LabError
from lab_tools.record import RunRecord
from lab_tools.store import Store
from lab_tools.testbeds.virtual.testbed import VirtualTestbed


@dataclass(frozen=True)
class Second:
    """What a recording's second run came to.

    Parameters
    ----------
    place : the recording's folder.
    same : whether every file of samples has the same bytes.
    problem : why it could not be run, or nothing.
    """

    place: Path
    same: bool
    problem: str = ""


def run_again(place: Path, keep: bool = False) -> Second:
    """Run a recording's experiment on the virtual kernel and compare.

    Parameters
    ----------
    place : the recording's folder.
    keep : put the second run, which names today's kernel, in the place of an equal first one.
    """
    try:
        record = VirtualTestbed().run(RunRecord.load(place).experiment)
    except LabError as error:
        return Second(place, False, str(error))
    with tempfile.TemporaryDirectory(prefix="lab-again-") as folder:
        record.save(Path(folder) / "new")
        same = samples(Path(folder) / "new") == samples(place)
    if same and keep:
        Store(place.parents[2]).put(record)
    return Second(place, same)


def samples(place: Path) -> dict[str, bytes]:
    """Return the contents of a record's files of samples, by name."""
    return {file.name: file.read_bytes() for file in place.glob("*.parquet")}


def recordings(course: Course) -> list[Path]:
    """Return the folders of a course's recorded runs on the virtual kernel."""
    files = (course.root / "recordings").glob("??/*/virtual/record.json")
    return sorted(file.parent for file in files)


def again(places: list[Path], *, keep: bool = False, jobs: int = 1) -> Iterator[Second]:
    """Yield what the second run of each recording comes to, ``jobs`` at a time."""
    with ProcessPoolExecutor(jobs) as pool:
        futures = [pool.submit(run_again, place, keep) for place in places]
        try:
            for future in futures:
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
