"""Testbeds that need root or kernel modules: the same suite, inside the project's kernel."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lab_tools.testbeds import inside

ROOT = Path(__file__).resolve().parents[2]
#: A guest on the wall's clock needs a processor of its own.
AT_ONCE = 2


@pytest.fixture(scope="module")
def suites(request, ways, kernel):
    """Start the suite of every wanted testbed, two at a time; return what each comes to."""
    known = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    wanted = [each["name_inside"] for each in known if "name_inside" in each]
    before = Path.cwd()
    os.chdir(ROOT)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        # what takes longest first
        order = sorted(wanted, key=lambda name: name != "containernet")
        yield {name: pool.submit(run, name, ways[name], kernel) for name in order}
    os.chdir(before)


def run(name, way, kernel):
    """Run a testbed's suite inside the kernel; return its exit code and what it said."""
    if way.prepare:
        way.prepare()
    argv = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--color=no"]
    argv += ["--durations=5", "tests/contract", *way.more, "--testbed", name]
    options = {"memory_bytes": 1 << 30, "timeout_s": 1100.0, **dict(way.inside_options)}
    options["environment"] = {
        "HYPOTHESIS_STORAGE_DIRECTORY": "/tmp/hypothesis",
        **options.get("environment", {}),
    }
    said = bytearray()
    code = inside.run(argv, lambda _stream, data: said.extend(data), kernel=kernel, **options)
    return code, said.decode(errors="replace")


@pytest.mark.kernel
@pytest.mark.timeout(2400)
def test_the_suite_passes_inside_the_kernel(name_inside, suites, request):
    code, text = suites[name_inside].result()
    for line in text.splitlines():
        if line.startswith("contract: "):
            request.node.user_properties.append(("contract", line.removeprefix("contract: ")))
    print(text)
    assert code == 0, text[-20_000:]
