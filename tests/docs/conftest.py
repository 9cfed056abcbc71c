"""The documentation site, built once, as `make docs` builds it: warnings are errors."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Nothing listens there: whatever tries to reach the web while the site is built, fails.
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Return the folder of the built site."""
    if not any(map(shutil.which, ("chromium", "google-chrome", "chrome"))):
        pytest.skip("no Chromium or Chrome is installed, which draws the gallery's pictures")
    folder = tmp_path_factory.mktemp("site")
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), NOWHERE)
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, **nowhere, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture
def tools(monkeypatch):
    """Make the modules that build the site importable, as MkDocs does."""
    monkeypatch.syspath_prepend(ROOT / "scripts" / "docs_site")
