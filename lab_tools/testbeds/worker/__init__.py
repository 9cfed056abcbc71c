"""The part of the Mininet testbeds that runs where the network is.

It runs under the system's Python with Debian's ``mininet`` and the standard library, as a process
of its own: inside the virtual-time kernel, or on a Mininet host. Nothing here imports the rest of
the project.
"""
