"""How tests are spread over processes, and what the contract suite says at the end."""

from pathlib import PurePath

import pytest


@pytest.hookimpl(tryfirst=True)  # before xdist reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With several processes (``-n``) a folder's tests stay together; of the labs', a lab's tests.

    Tests of one folder share what there is once on a machine: namespaces, accounts, ports.
    """
    for item in items:
        file = PurePath(item.nodeid.partition("::")[0])
        group = "/".join(file.parts[:2])
        if group == "tests/labs":
            group += item.name.partition("[")[2]
        item.add_marker(pytest.mark.xdist_group(group))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say on which kernel each testbed passed the contract suite."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "contract":
                terminalreporter.write_line(f"contract: {value}")
