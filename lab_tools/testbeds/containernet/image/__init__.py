"""The image of a host: Debian with the programs of `lab_tools.host` and the field's own tools.

What it holds stands in ``packages.txt``. It is built without Docker and without a registry, from
Debian's packages with ``mmdebstrap`` (20 s), kept in the cache under a name that changes with its
contents, and imported into Docker when a run first needs it:

    python -m lab_tools.testbeds.containernet.image       builds and imports it now

``Dockerfile`` makes the same from Docker's Debian image, for another registry or another base.
"""

from lab_tools.testbeds.containernet.image.building import CHANGES, NAME, build, file, name, problem

__all__ = ["CHANGES", "NAME", "build", "file", "name", "problem"]
