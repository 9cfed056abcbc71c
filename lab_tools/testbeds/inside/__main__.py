"""``python -m lab_tools.testbeds.inside [options] -- command``; see the package."""

import os
import sys

import click

from lab_tools import units
from lab_tools.errors import InputError, LabError
from lab_tools.testbeds import inside

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _memory_bytes(text: str) -> int:
    """Parse ``4G`` as a kernel's command line has it, or a size such as ``500 MB``."""
    number, unit = text[:-1], text[-1:].upper()
    if unit in _UNITS and number.isdigit():
        return int(number) * _UNITS[unit]
    return units.size_bytes(text, "--memory")


def _environment(words: tuple[str, ...]) -> dict[str, str]:
    for word in words:
        if "=" not in word.lstrip("="):
            raise InputError("--env", word, "NAME=VALUE")
    return dict(word.split("=", 1) for word in words)


def _write(stream: str, data: bytes) -> None:
    """Write to the stream of the same name, at once."""
    fd = {"stdout": 1, "stderr": 2}[stream]
    while data:
        data = data[os.write(fd, data) :]


@click.command(
    help="Run a command as root inside the project's kernel.",
    context_settings={"allow_interspersed_args": False},
)
@click.option("--memory", default="1G", show_default=True, help="The guest's memory.")
@click.option("--clock", default="wall", show_default=True, help="wall or virtual.")
@click.option("--timeout", default="600 s", show_default=True, help="Most wall time.")
@click.option("--tmpfs", multiple=True, help="One more folder that is empty and in memory.")
@click.option("--writable", multiple=True, help="A folder that the command may write to.")
@click.option("--env", multiple=True, help="NAME=VALUE for the command's environment.")
@click.option("--cgroups", is_flag=True, help="Mount the control groups (version 1).")
@click.argument("command", nargs=-1, required=True)
def main(
    memory: str,
    clock: str,
    timeout: str,
    tmpfs: tuple[str, ...],
    writable: tuple[str, ...],
    env: tuple[str, ...],
    cgroups: bool,
    command: tuple[str, ...],
) -> None:
    """Run a command inside the kernel and leave with its exit code."""
    try:
        code = inside.run(
            command,
            _write,
            memory_bytes=_memory_bytes(memory),
            clock=clock,
            timeout_s=units.time_s(timeout, "--timeout"),
            tmpfs=tmpfs,
            writable=writable,
            environment=_environment(env),
            cgroups=cgroups,
        )
    except LabError as error:
        click.echo(f"inside: {error}", err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(code)


if __name__ == "__main__":
    main()
