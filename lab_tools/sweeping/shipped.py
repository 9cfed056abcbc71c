"""Tables of sweeps that ship with the course, beside its recordings."""

from pathlib import Path

import pandas as pd

from lab_tools.errors import MissingToolError, UnknownNameError
from lab_tools.testbeds.replay import default_folder

FOLDER = "tables"


def shipped_table(name: str) -> pd.DataFrame:
    """Return a table that the course ships: one row for every point of a sweep.

    Parameters
    ----------
    name : such as ``"09_throughput_profiles"``, which ``scripts/profile_table.py`` makes.

    Raises
    ------
    UnknownNameError : there is no such table. MissingToolError : the course's folder is not there.
    """
    folder = default_folder() / FOLDER
    known = sorted(file.stem for file in folder.glob("*.parquet"))
    if not known:
        raise MissingToolError(
            f"there are no tables in {folder}. Set LAB_RECORDINGS to the course's recordings."
        )
    if name not in known:
        raise UnknownNameError("table", name, known)
    return pd.read_parquet(Path(folder, f"{name}.parquet"))
