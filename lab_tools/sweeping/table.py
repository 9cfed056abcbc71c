"""A sweep as a tidy table: one row a point."""

import json
from typing import Any

import pandas as pd

from lab_tools.plain import to_plain
from lab_tools.store import Store
from lab_tools.sweep import Sweep
from lab_tools.sweeping.journal import RESULT_COLUMNS, Numbers
from lab_tools.sweeping.point import chosen_testbed, place_of
from lab_tools.testbeds.base import Testbed


def sweep_frame(
    sweep: Sweep, store: Store | None = None, *, testbed: "str | Testbed | None" = None
) -> pd.DataFrame:
    """Return one row for every point of a sweep, from the records in the store.

    Columns: the varied fields, ``seed``, ``done`` (whether there is a record), ``goodput_bps``,
    ``retransmits``, ``bottleneck_drops``, ``achieved_rtt_s``, ``calibrated``, ``wall_s``,
    ``virtual_s``, ``id``. What a point that is not done would have is missing (NaN or NA).

    Parameters
    ----------
    sweep : which points.
    store : where the records are; without one, the user's own store.
    testbed : whose records; without a name ``LAB_TESTBED``, else ``virtual``.

    Raises
    ------
    StoreError : a record cannot be read.
    """
    kept, name = store or Store(), chosen_testbed(testbed).name
    numbers, missing, rows = Numbers(kept), dict.fromkeys(RESULT_COLUMNS), []
    for changes, experiment in sweep.points():
        found = numbers.of(place_of(kept, experiment, name), experiment)
        row = {field: _cell(value) for field, value in changes.items()}
        row |= {"seed": experiment.seed, "done": found is not None}
        rows.append(row | (found or missing) | {"id": experiment.id})
    return pd.DataFrame(rows).astype(RESULT_COLUMNS)


def _cell(value: Any) -> Any:
    """Return a field's value as it stands in a table: what is no number or text, as JSON."""
    plain = to_plain(value)
    return json.dumps(plain, sort_keys=True) if isinstance(plain, (list, dict)) else plain
