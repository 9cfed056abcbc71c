"""How tests are spread over processes, and what the contract suite says at the end."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With several processes (``-n``) a file's tests stay together; of the labs', a lab's tests."""
    for item in items:
        group = item.nodeid.partition("::")[0]
        if group.startswith("tests/labs/"):
            group += item.name.partition("[")[2]
        if group.startswith("tests/contract/"):
            group = "contract"
        item.add_marker(pytest.mark.xdist_group(group))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say on which kernel each testbed passed the contract suite."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "contract":
                terminalreporter.write_line(f"contract: {value}")
