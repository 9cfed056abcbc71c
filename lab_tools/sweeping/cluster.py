"""A Dask cluster to run on: one on this machine, or the one at an address."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import IO, Any

from distributed import Client, Security

from lab_tools.errors import InputError, RunError
from lab_tools.sweeping.settings import quiet

#: Time in which a scheduler must answer, and in which it must have a worker.
_CONNECT_S = 15
_WORKERS_S = 15
_STOP_S = 30


@contextlib.contextmanager
def local(workers: int, memory_bytes: int) -> Iterator[Client]:
    """Start a scheduler and workers on this machine, in a process of their own; end them after.

    They talk over TLS with a certificate of this sweep alone: another user of the machine can
    neither see nor send work.

    Parameters
    ----------
    workers : number of worker processes.
    memory_bytes : memory that the kernels of each may take.

    Raises
    ------
    RunError : it does not start; shows what it said.
    """
    security = Security.temporary()  # type: ignore[no-untyped-call]
    secrets = {
        name: getattr(security, name)
        for name in ("tls_ca_file", "tls_scheduler_key", "tls_scheduler_cert")
    }
    secrets |= {
        "tls_worker_key": security.tls_worker_key,
        "tls_worker_cert": security.tls_worker_cert,
        "require_encryption": True,
    }
    task = {"workers": workers, "memory_bytes": memory_bytes, "security": secrets}
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "lab_tools.sweeping.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            env=environment,
            # Ctrl-C in the terminal is for the sweep, which then ends this process in order.
            start_new_session=True,
        )
        try:
            address = _start(process, task, said)
            with _client(address, security) as client:
                yield client
        finally:
            _stop(process)


def _start(process: "subprocess.Popen[bytes]", task: dict[str, Any], said: IO[bytes]) -> str:
    line = b""
    if process.stdin and process.stdout:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps(task).encode() + b"\n")
            process.stdin.flush()
        line = process.stdout.readline()
    if not line:
        process.wait()
        said.seek(0)
        last = said.read().decode(errors="replace").splitlines()[-12:]
        raise RunError("starting the sweep's workers", "they did not start", last)
    address: str = json.loads(line)["address"]
    return address


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Close the cluster's standard input, and wait until all of it is gone."""
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()
    try:
        process.wait(_STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def existing(address: str) -> Iterator[Client]:
    """Connect to the scheduler at an address such as ``tcp://10.0.0.1:8786``.

    Raises
    ------
    InputError : no address.
    RunError : nobody answers there, or it has no workers of ours.
    """
    check_address("--scheduler", address)
    with _client(address, None) as client:
        with contextlib.suppress(TimeoutError):
            client.wait_for_workers(1, timeout=_WORKERS_S)
        if not kernels(client):
            raise RunError(
                "connecting to the scheduler",
                f"it has no workers that can run points. Start some, on any machine that shares "
                f"the store's folder: lab sweep worker {address}",
            )
        yield client


def check_address(field: str, address: str) -> None:
    """See that an address is one that Dask can connect to.

    Raises
    ------
    InputError : it is not.
    """
    protocol, _, rest = address.partition("://")
    port = rest.rpartition(":")[2]
    if protocol not in ("tcp", "tls") or not port.isdigit():
        raise InputError(field, address, "an address such as tcp://10.0.0.1:8786")


@contextlib.contextmanager
def _client(address: str, security: Security | None) -> Iterator[Client]:
    with quiet():
        try:
            client = Client(  # type: ignore[no-untyped-call]
                address, security=security, timeout=_CONNECT_S, set_as_default=False
            )
        except (OSError, ValueError, RuntimeError, TypeError) as error:
            raise RunError(
                "connecting to the scheduler",
                f"nothing answers at {address} ({error}). Start one with: dask scheduler",
            ) from error
        try:
            yield client
        finally:
            with contextlib.suppress(Exception):
                client.close(timeout=5)  # type: ignore[no-untyped-call]


def kernels(client: Client) -> int:
    """Return how many points the cluster runs at once."""
    return len(shares(client))


def shares(client: Client) -> list[int]:
    """Return the memory that the kernels of each worker may take, in bytes."""
    workers = client.scheduler_info()["workers"].values()
    found = [each.get("resources", {}) for each in workers]
    return [int(each["memory"]) for each in found if each.get("kernel") and "memory" in each]
