"""The fake testbed's module is on the path, here and in worker processes."""

from pathlib import Path

import pytest

FAKES = Path(__file__).parent / "fakes"


@pytest.fixture(autouse=True)
def fakes_on_path(monkeypatch):
    monkeypatch.syspath_prepend(str(FAKES))
    return FAKES
