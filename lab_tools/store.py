"""The store of run records, found by their experiment's identity.

    store/ab/abcdef…/virtual/      a complete record
    store/partial/…                what was measured of runs that did not complete

A record is written beside its place and moved there in one step, so a reader sees all of it or
nothing, whatever happens to the writer.
"""

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from lab_tools.errors import StoreError
from lab_tools.experiment import Experiment
from lab_tools.record import RunRecord

#: Times that a record may be replaced under a reader before it counts as damaged.
_SWAPS = 5
#: Nobody writes a record for so long: what is older was left by a writer that was killed.
_LEFTOVER_S = 86_400


def default_folder() -> Path:
    """Return where records are kept: ``LAB_STORE``, or the user's data folder."""
    if chosen := os.environ.get("LAB_STORE"):
        return Path(chosen)
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "data-over-distance" / "runs"


class Store:
    """Run records in a folder.

    Parameters
    ----------
    folder : where the records are; without one, `default_folder`.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = Path(folder) if folder is not None else default_folder()

    def place(self, experiment: Experiment, testbed: str) -> Path:
        """Return the folder of an experiment's record."""
        return self.folder / experiment.id[:2] / experiment.id / testbed

    def get(self, experiment: Experiment, testbed: str) -> RunRecord | None:
        """Return the record of an experiment on a testbed, or None."""
        place = self.place(experiment, testbed)
        for _ in range(_SWAPS):
            if not (place / "record.json").exists():
                return None
            try:
                return RunRecord.load(place)
            except StoreError:
                # A writer may have put a new record in place between two of the files.
                continue
        return RunRecord.load(place)

    def any(self, experiment: Experiment) -> RunRecord | None:
        """Return the record of an experiment on whichever testbed, or None."""
        made = sorted(self.place(experiment, "x").parent.glob("*/record.json"))
        return self.get(experiment, made[-1].parent.name) if made else None

    def check_writable(self) -> None:
        """See that a record could be written, before a long run.

        Raises
        ------
        StoreError : the store cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder):
                pass
        except OSError as error:
            raise StoreError(
                f"the store {self.folder} cannot be written: {error}. Make it writable, or choose "
                "another folder with LAB_STORE or --store."
            ) from error

    def put(self, record: RunRecord) -> Path:
        """Write a complete record and return its folder; a record already there is replaced.

        Raises
        ------
        StoreError : the store cannot be written.
        """
        self.check_writable()
        self._clear_leftovers()
        place = self.place(record.experiment, record.testbed)
        beside = Path(tempfile.mkdtemp(prefix=".writing-", dir=self.folder))
        try:
            record.save(beside / "new")
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.exists():
                place.rename(beside / "old")
            (beside / "new").rename(place)
        except OSError as error:
            raise StoreError(f"the record cannot be moved to {place}: {error}") from error
        finally:
            shutil.rmtree(beside, ignore_errors=True)
        return place

    def _clear_leftovers(self) -> None:
        """Remove what writers that were killed while they wrote have left, a day after."""
        for folder in self.folder.glob(".writing-*"):
            with contextlib.suppress(OSError):
                if time.time() - folder.stat().st_mtime > _LEFTOVER_S:
                    shutil.rmtree(folder)

    def put_partial(self, record: RunRecord) -> Path:
        """Keep what was measured of a run that did not complete, apart from complete records."""
        self.check_writable()
        parent = self.folder / "partial"
        parent.mkdir(exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix=f"{record.experiment.id[:12]}-", dir=parent))
        record.save(place)
        return place

    def __iter__(self) -> Iterator[RunRecord]:
        """Yield every complete record, by identity."""
        for file in sorted(self.folder.glob("??/*/*/record.json")):
            yield RunRecord.load(file.parent)
