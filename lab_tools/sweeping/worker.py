"""Processes that run points: for a local sweep, or for a scheduler on the network.

    python -m lab_tools.sweeping.worker      a local cluster, told what to do on standard input

Every worker is a process of its own with one thread, under a nanny that starts it again when it is
killed. The local cluster lives as long as its standard input is open: nothing of a sweep outlives
the process that asked for it, however that one ends.
"""

import asyncio
import contextlib
import ctypes
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import dask

from lab_tools.errors import CancelledError, RunError
from lab_tools.sweeping.settings import SETTINGS, quiet

#: Time in which the scheduler must answer.
_START_S = 20
_PR_SET_CHILD_SUBREAPER = 36


def nanny(address: str, memory_bytes: int, security: Any = None, host: str | None = None) -> Any:
    """Return a nanny of one worker process that runs one point at a time.

    Parameters
    ----------
    address : the scheduler's address.
    memory_bytes : memory that the kernels of this worker may take.
    security : TLS credentials; without them, what Dask is configured with.
    host : address to listen on; without one, the one that reaches the scheduler.
    """
    from distributed import Nanny

    return Nanny(
        address,
        nthreads=1,
        resources={"kernel": 1, "memory": memory_bytes},
        # The kernel's memory is not the worker's: Dask must not judge it.
        memory_limit=0,
        security=security,
        host=host,
        dashboard=False,
        silence_logs="CRITICAL",
        config=dask.config.config,
    )


async def stop(nannies: list[Any]) -> None:
    """Kill the worker processes and wait until their kernels are gone too.

    Blocks the event loop on purpose, so that no nanny starts a worker again.
    """
    import psutil  # type: ignore[import-untyped]

    for each in nannies:
        each.auto_restart = False
    # A guardian that lost its worker already ends by itself, once it has ended its kernel.
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            if "guardian.py" not in " ".join(child.cmdline()):
                child.kill()
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def adopt_orphans() -> None:
    """Become the parent of every process whose own parent ends, to see them end (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


async def until_asked_to_stop(loop: asyncio.AbstractEventLoop, *, standard_input: bool) -> str:
    """Wait for Ctrl-C or SIGTERM, or for the end of standard input; return which."""
    asked: asyncio.Future[str] = loop.create_future()

    def ask(how: str) -> None:
        if not asked.done():
            asked.set_result(how)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, ask, signal.Signals(number).name)
    if standard_input:
        loop.add_reader(sys.stdin.fileno(), ask, "standard input")
    return await asked


async def _local_cluster(task: dict[str, Any]) -> None:
    """Serve a scheduler and its workers on this machine until standard input is closed."""
    from distributed import Scheduler, Security

    security = Security(**task["security"])  # type: ignore[no-untyped-call]
    scheduler = Scheduler(
        host="127.0.0.1",
        protocol="tls://",
        port=0,
        dashboard=False,
        dashboard_address="127.0.0.1:0",
        security=security,
    )
    await scheduler
    nannies = [
        nanny(scheduler.address, task["memory_bytes"], security, "127.0.0.1")
        for _ in range(task["workers"])
    ]
    waiting = asyncio.ensure_future(
        until_asked_to_stop(asyncio.get_running_loop(), standard_input=True)
    )
    started: asyncio.Future[Any] = asyncio.gather(*nannies)
    both: list[asyncio.Future[Any]] = [waiting, started]
    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    if not waiting.done():
        await started
        print(json.dumps({"address": scheduler.address}), flush=True)
    await waiting
    await stop(nannies)


def serve(address: str, workers: int, memory_bytes: int, on_ready: Callable[[], None]) -> None:
    """Run points for the scheduler at an address, until Ctrl-C or until the scheduler is gone.

    For a process of its own: at the end it kills all of the process's children.

    Parameters
    ----------
    address : such as ``tcp://10.0.0.1:8786``.
    workers : worker processes, one point each at a time.
    memory_bytes : memory that all their kernels together may take.
    on_ready : called when all workers are there.

    Raises
    ------
    RunError : nobody answers at the address, or the scheduler has gone.
    CancelledError : it was asked to stop.
    """
    adopt_orphans()
    with quiet():
        how = asyncio.run(_serve(address, workers, memory_bytes // workers, on_ready))
    if how.startswith("SIG"):
        raise CancelledError("serving points", f"it was stopped ({how})")
    raise RunError("serving points", f"{how} {address}. Start one with: dask scheduler")


async def _serve(
    address: str, workers: int, memory_bytes: int, on_ready: Callable[[], None]
) -> str:
    """Return why it ended, with nothing left running."""
    waiting = asyncio.ensure_future(
        until_asked_to_stop(asyncio.get_running_loop(), standard_input=False)
    )
    nannies = [nanny(address, memory_bytes) for _ in range(workers)]
    started: asyncio.Future[Any] = asyncio.gather(*nannies)
    both: list[asyncio.Future[Any]] = [waiting, started]
    try:
        await asyncio.wait(both, timeout=_START_S, return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            return waiting.result()
        if not started.done() or started.exception() is not None:
            return "no scheduler answers at"
        on_ready()
        gone: asyncio.Future[Any] = asyncio.gather(*(each.finished() for each in nannies))
        both = [waiting, gone]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        return waiting.result() if waiting.done() else "the scheduler has gone from"
    finally:
        started.cancel()
        await stop(nannies)


def main() -> None:
    """Serve a local cluster; the task is one line of JSON on standard input."""
    adopt_orphans()
    # Unbuffered: what comes after this line is for the event loop.
    with open(0, "rb", buffering=0, closefd=False) as standard_input:
        task = json.loads(standard_input.readline())
    with dask.config.set(SETTINGS):
        asyncio.run(_run_and_leave(task))


async def _run_and_leave(task: dict[str, Any]) -> None:
    await _local_cluster(task)
    # Whatever Dask has open has nobody left to talk to.
    os._exit(0)


if __name__ == "__main__":
    main()
