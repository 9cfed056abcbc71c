"""Is a record what its experiment gives? The same experiment and seed give the same bytes."""

import tempfile
from pathlib import Path

from lab_tools.record import RunRecord
from lab_tools.testbeds import get

_FILES = ("flows.parquet", "queue.parquet")


def same_bytes(record_folder: str | Path, testbed: str = "virtual") -> bool:
    """Run a record's experiment again and compare the traces byte for byte.

    Parameters
    ----------
    record_folder : folder of a saved record.
    testbed : who runs it again; only ``virtual`` repeats.

    Raises
    ------
    StoreError : there is no record in the folder.
    LabError : the run failed.
    """
    folder = Path(record_folder)
    record = get(testbed).run(RunRecord.load(folder).experiment)
    with tempfile.TemporaryDirectory() as again:
        record.save(again)
        return all((folder / n).read_bytes() == Path(again, n).read_bytes() for n in _FILES)
