"""What a table of runs has to choose from, and the profile of one choice."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from lab_tools.arrays import FloatArray
from lab_tools.errors import DataError, LabError
from lab_tools.experiment import Experiment, Path
from lab_tools.sweeping.journal import RESULT_COLUMNS
from lab_tools.widgets.fields import kind_of

#: Columns that say no setting of a run.
_NO_CHOICE = {*RESULT_COLUMNS, "rtt_s", "seed", "done", "id", "goodput_gbps"}
_ANY = Experiment(Path(1e9, 0.02))


class ProfileTable:
    """A table of runs: one row a run, as `lab_tools.sweeping.sweep_frame` makes it.

    Parameters
    ----------
    table : needs ``rtt_s`` and ``goodput_bps``; every other column of settings is a choice. Rows
        that were not run, or did not pass calibration, are left out.

    Attributes
    ----------
    choices : each column of settings and its values, in order.

    Raises
    ------
    DataError : no table, no such columns, or no row of a run at two RTTs at least.

    >>> table = pd.DataFrame({"rtt_s": [0.1, 0.2], "goodput_bps": [2e9, 1e9], "cc": "reno"})
    >>> ProfileTable(table).choices
    {'cc': ['reno']}
    """

    def __init__(self, table: pd.DataFrame) -> None:
        if not isinstance(table, pd.DataFrame):
            raise DataError("table", f"is a {type(table).__name__}", "a pandas DataFrame")
        missing = [name for name in ("rtt_s", "goodput_bps") if name not in table.columns]
        if missing:
            known = ", ".join(map(str, table.columns))
            raise DataError("table", f"has no {' and no '.join(missing)}, but {known}", "both")
        keep = table["goodput_bps"].notna() & table["rtt_s"].notna()
        if "calibrated" in table.columns:
            keep &= table["calibrated"].fillna(False).astype(bool)
        self._rows = table[keep]
        if self._rows["rtt_s"].nunique() < 2:
            raise DataError("table", "has runs at fewer than two RTTs", "two RTTs or more")
        names = [str(name) for name in table.columns if name not in _NO_CHOICE]
        self.choices: dict[str, list[Any]] = {name: _values(self._rows[name]) for name in names}

    def find(self, chosen: Mapping[str, Any]) -> tuple[FloatArray, list[FloatArray]]:
        """Return the RTTs in s and, for each, the goodputs in bit/s of the runs chosen.

        Raises
        ------
        DataError : the table has no such runs, or at fewer than two RTTs.
        """
        rows = self._rows
        for name, value in chosen.items():
            rows = rows[rows[name].isna() if value is None else rows[name] == value]
        if rows["rtt_s"].nunique() < 2:
            what = ", ".join(show_choice(name, value) for name, value in chosen.items())
            allowed = "another choice of " + ", ".join(map(label_of, chosen))
            raise DataError("table", f"has no profile of {what}", allowed)
        groups = rows.groupby("rtt_s")["goodput_bps"]
        rtts = np.array([rtt for rtt, _ in groups], dtype=float)
        return rtts, [runs.to_numpy(dtype=float) for _, runs in groups]

    def first(self) -> dict[str, Any]:
        """Return a choice with as many RTTs as any: of several, the middle one."""
        if not self.choices:
            return {}
        names = list(self.choices)
        counts = self._rows.groupby(names, dropna=False)["rtt_s"].nunique()
        full = counts[counts == counts.max()].index
        best = full[len(full) // 2]
        values = best if isinstance(best, tuple) else (best,)
        return {n: _plain(value) for n, value in zip(names, values, strict=True)}


def label_of(name: str) -> str:
    """Return a column's name in words."""
    try:
        return kind_of(_ANY, name).label
    except LabError:
        return name.replace("_", " ").capitalize()


def show_value(name: str, value: Any) -> str:
    """Return a value of a column in words, with its unit.

    >>> show_value("rcvbuf_bytes", 250_000_000)
    '250 MB'
    """
    try:
        return kind_of(_ANY, name).show(value)
    except LabError:
        return str(value)


def show_choice(name: str, value: Any) -> str:
    """Return a column and its value in words."""
    return f"{label_of(name)} {show_value(name, value)}"


def _values(column: "pd.Series[Any]") -> list[Any]:
    values = [_plain(value) for value in column.unique()]
    try:
        known = sorted(value for value in values if value is not None)
    except TypeError:  # such as numbers beside text
        known = sorted((v for v in values if v is not None), key=str)
    return known + ([None] if None in values else [])


def _plain(value: Any) -> Any:
    """Return a cell as Python's own: None where nothing is."""
    if pd.isna(value):
        return None
    plain = value.item() if isinstance(value, np.generic) else value
    return int(plain) if isinstance(plain, float) and plain.is_integer() else plain
