"""How Dask is set for sweeps: quiet, and idle while kernels run."""

import contextlib
import logging
from collections.abc import Iterator

import dask

#: How Dask works here. It serves no pages, samples no stacks, and writes nothing to the terminal.
SETTINGS = {
    # A point at which three workers were killed has failed.
    "distributed.scheduler.allowed-failures": 2,
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.nanny.http.routes": [],
    "distributed.worker.profile.enabled": False,
    # Dask looks at itself many times a second, on cores that belong to the kernels.
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.scheduler.active-memory-manager.start": False,
    "logging": dict.fromkeys(
        ("distributed", "distributed.client", "tornado", "tornado.application"), "critical"
    ),
}
_LOGGERS = (
    *("distributed", "distributed.client", "distributed.core", "distributed.nanny"),
    *("distributed.worker", "distributed.scheduler", "tornado.application", "asyncio"),
)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Use the settings, and keep Dask's own messages from the terminal and the notebook."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.CRITICAL + 1)
    try:
        with dask.config.set(SETTINGS):
            yield
    finally:
        for each, level in zip(loggers, before, strict=True):
            each.setLevel(level)
