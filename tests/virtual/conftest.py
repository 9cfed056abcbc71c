"""The kernel is built once, by the project's own build, before the first test that boots it."""

import pytest

from lab_tools.kernel import build
from lab_tools.testbeds.virtual.testbed import VirtualTestbed


@pytest.fixture(scope="session")
def kernel():
    return build()


@pytest.fixture(scope="session")
def testbed(kernel):
    return VirtualTestbed(kernel)
