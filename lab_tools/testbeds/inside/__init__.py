"""Run a command as root inside the project's own kernel, on this machine's clock.

The project's kernel has netem, Open vSwitch and every congestion control, and whoever runs a
command in it is root there: tests that need root and kernel modules run in it on any Linux
machine, without rights, and can break nothing but the guest.

    python -m lab_tools.testbeds.inside -- uname -a
    python -m lab_tools.testbeds.inside --memory 2G --tmpfs /etc/docker --writable artefacts \\
        --env LAB_TESTBED=mininet --timeout 900 -- .venv/bin/python -m pytest -p no:cacheprovider

The guest sees this machine's files, read-only, with the rights of the user who started it;
``/tmp``, ``/run``, ``/var/tmp`` and ``/dev/shm`` are empty and in memory, and so is what
``--tmpfs`` names. A folder after ``--writable`` is the host's own, to put results in. The command
starts in the current folder, with nothing on its standard input and a small environment of its own
(``HOME`` is ``/tmp``, and ``LAB_INSIDE`` says the clock). Its output arrives as it is written, and
its exit code is the caller's. One processor, no network but the guest's own loopback.

Nothing outlives the command: the guest's other processes end with it, and everything ends when
the caller does, however it ends. A guest that is silent for too long, or takes longer than
``--timeout``, is ended too (exit code 124, as ``timeout`` has it). Starting takes 2 s, and
importing pandas 2 s more.

``--clock wall`` (the default) lets time pass as on any machine; with ``--clock virtual`` it moves
only when the guest is idle, as for experiments.
"""

from lab_tools.testbeds.inside.running import TIMED_OUT, run

__all__ = ["TIMED_OUT", "run"]
