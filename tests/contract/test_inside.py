"""Testbeds that need root or kernel modules: the same suite, inside the project's kernel."""

import os
import sys
from pathlib import Path

import pytest

from lab_tools.testbeds import inside

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.kernel
@pytest.mark.timeout(1200)
def test_the_suite_passes_inside_the_kernel(name_inside, ways, kernel, capfd, monkeypatch, request):
    monkeypatch.chdir(ROOT)
    way = ways[name_inside]
    if way.prepare:
        way.prepare()
    argv = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--color=no"]
    argv += ["--durations=5", "tests/contract", *way.more, "--testbed", name_inside]
    said = bytearray()

    def show(_stream, data):
        said.extend(data)
        os.write(1, data)

    options = {"memory_bytes": 1 << 30, "timeout_s": 1100.0, **dict(way.inside_options)}
    options["environment"] = {
        "HYPOTHESIS_STORAGE_DIRECTORY": "/tmp/hypothesis",
        **options.get("environment", {}),
    }
    with capfd.disabled():
        code = inside.run(argv, show, kernel=kernel, **options)
    text = said.decode(errors="replace")
    for line in text.splitlines():
        if line.startswith("contract: "):
            request.node.user_properties.append(("contract", line.removeprefix("contract: ")))
    assert code == 0, text[-20_000:]
