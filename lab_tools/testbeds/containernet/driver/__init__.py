"""The part of the containernet testbed that runs where the network and Docker are.

It runs under the system's Python with Debian's ``mininet`` and ``docker``, or under the Python of
an environment that holds Containernet. Nothing here imports the rest of the project.
"""
