"""What a host's container is made of and limited to, and whether this machine can have one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lab_tools.arrays import whole
from lab_tools.errors import InputError
from lab_tools.testbeds.base import Availability
from lab_tools.testbeds.containernet import image as hosts_image

#: The kernel's own limits of CFS bandwidth control (Documentation/scheduler/sched-bwc.rst).
_LEAST_CPU_US, _MOST_PERIOD_US = 1_000, 1_000_000
#: Docker's own minimum.
_LEAST_MEMORY_BYTES = 6 << 20
_MEMORY = re.compile(r"(\d+)([bkmg]?)", re.IGNORECASE)
_UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_BUILD = "as root, run: .venv/bin/python -m lab_tools.testbeds.containernet.image"


@dataclass(frozen=True)
class Container:
    """What every end host's container gets; the names and units are Docker's.

    Parameters
    ----------
    image : a Docker image; without one, the project's own.
    cpu_period, cpu_quota : in each period of so many microseconds a host may use the processors
        for a quota of so many.
    mem_limit : the most memory of a host: bytes, or text such as ``"256m"``.
    volumes : folders of this machine in the container: ``"/data:/mnt/data:ro"``.

    Raises
    ------
    InputError : a value that Docker or the kernel would refuse.
    """

    image: str | None = None
    cpu_period: int | None = None
    cpu_quota: int | None = None
    mem_limit: int | str | None = None
    volumes: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.image is not None and not (isinstance(self.image, str) and self.image):
            raise InputError("image", self.image, "the name of a Docker image")
        if self.cpu_period is not None:
            whole("cpu_period", self.cpu_period, low=_LEAST_CPU_US, high=_MOST_PERIOD_US)
        if self.cpu_quota is not None:
            whole("cpu_quota", self.cpu_quota, low=_LEAST_CPU_US)
        if self.mem_limit is not None and memory_bytes(self.mem_limit) < _LEAST_MEMORY_BYTES:
            raise InputError("mem_limit", self.mem_limit, "at least 6m, Docker's minimum")
        if isinstance(self.volumes, str):
            raise InputError("volumes", self.volumes, "a list of texts")
        for each in self.volumes:
            parts = each.split(":") if isinstance(each, str) else []
            if len(parts) != 3 or parts[2] not in ("ro", "rw") or not parts[0].startswith("/"):
                raise InputError("volumes", each, 'texts such as "/on/this/machine:/in/it:ro"')

    @property
    def image_name(self) -> str:
        """The image's name in Docker."""
        return self.image or hosts_image.name()

    def options(self) -> dict[str, Any]:
        """Return the keywords of Containernet's ``addDocker``; what is not limited is left out."""
        found = {
            "dimage": self.image_name,
            "dcmd": "sleep infinity",
            "cpu_period": self.cpu_period,
            "cpu_quota": self.cpu_quota,
            "mem_limit": self.mem_limit,
            "volumes": list(self.volumes) or None,
        }
        return {key: value for key, value in found.items() if value is not None}


def memory_bytes(text: int | str) -> int:
    """Return bytes from what Docker takes for memory.

    >>> memory_bytes("256m")
    268435456
    """
    found = _MEMORY.fullmatch(str(text)) if not isinstance(text, bool) else None
    if found is None:
        raise InputError("mem_limit", text, 'bytes, or text such as "256m" or "1g"')
    return int(found[1]) * _UNITS[found[2].lower()]


def availability(container: Container, said: dict[str, Any]) -> Availability:
    """Say whether Docker is here and has the image, or can get it.

    Parameters
    ----------
    container : what the hosts are made of.
    said : what ``driver/orders.py --probe`` says of Docker.
    """
    if problem := said.get("problem"):
        if "No module named" in problem:
            reason = f"Python's interface to Docker is missing: {problem}"
            return Availability(False, reason, "as root, run: scripts/install-packages test")
        return Availability(
            False,
            f"Docker does not answer: {problem}",
            "install it (apt-get install docker.io) and start it (systemctl start docker); "
            "DOCKER_HOST says where it listens, if not on its usual socket",
        )
    if said["image"]:
        return Availability(True)
    if container.image is not None:
        return Availability(
            False,
            f"Docker has no image {container.image}",
            f"docker pull {container.image}, or leave the image out to use the project's own",
        )
    if why := hosts_image.problem():
        return Availability(False, f"the hosts' image is not built: {why}", _BUILD)
    return Availability(True)
