"""The emulated path is what was asked for; the same table twice is the same table."""

from pathlib import Path

import pytest

from tests.calibration import table

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("row", table.SAMPLE)
def test_the_path_is_what_was_asked_for(row):
    cells = table.measured({row: table.SAMPLE[row]})
    assert [cell for cell in cells if not cell.ok] == []


@pytest.mark.slow
def test_the_whole_table_is_in_the_documentation_to_the_last_digit():
    cells = table.measured(table.jobs())
    assert [cell for cell in cells if not cell.ok] == []
    page = Path(__file__).resolve().parents[2] / "docs" / "calibration.md"
    assert table.markdown(cells) == page.read_text(encoding="utf-8")
