# mypy: ignore-errors
"""Docker's interface, and the containers of this project's networks: marked, found and removed."""

import contextlib
import os
import select
import signal
from pathlib import Path

import docker
from requests.exceptions import RequestException

#: What Docker's interface raises when Docker refuses, or is not there.
DOCKER_ERRORS = (docker.errors.DockerException, RequestException)
LABEL = "data-over-distance"
#: In the environment of every container of a network, by either kind of host.
MARK = "DATA_OVER_DISTANCE_CONTAINER"
_CONTAINERNET_LABEL = "com.containernet"
#: Starting a container on a slow machine, with others starting at the same time.
_PATIENCE_S = 120
_END_S = 10.0


def interface(timeout_s=_PATIENCE_S):
    """Return Docker's interface, at ``DOCKER_HOST`` or its usual socket."""
    return docker.from_env(timeout=timeout_s).api


def end(node):
    """Remove a node's container and see its processes end, with Docker's help or without."""
    # Docker's shim beside a container ends a moment after the container has been removed.
    watched = [os.pidfd_open(pid) for pid in _shims(node.did)]
    try:
        node.dcli.timeout = _END_S
        node.dcli.remove_container(node.did, force=True, v=True)
    except docker.errors.NotFound:
        pass
    except DOCKER_ERRORS:
        # The shim waits for Docker to come back. The first process of a process namespace takes all
        # others of it along.
        while watched:
            os.close(watched.pop())
        with contextlib.suppress(ProcessLookupError):
            watched.append(os.pidfd_open(node.pid))
            signal.pidfd_send_signal(watched[-1], signal.SIGKILL)
    for fd in watched:
        select.select([fd], [], [], _END_S)
        os.close(fd)


def _shims(container):
    """Return the processes outside a container that carry its name."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if container.encode() in entry.read_bytes().split(b"\0"):
                found.append(int(entry.parent.name))
    return found


def remove_marked(api):
    """Remove the containers of networks of this project, nobody else's; return their names."""
    removed = []
    for label in (LABEL, _CONTAINERNET_LABEL):
        for each in api.containers(all=True, filters={"label": label}):
            about = api.inspect_container(each["Id"])
            if any(word.startswith(f"{MARK}=") for word in about["Config"]["Env"] or ()):
                with contextlib.suppress(docker.errors.NotFound):
                    api.remove_container(each["Id"], force=True, v=True)
                removed.append(about["Name"].lstrip("/"))
    return removed
