"""What the reference's pages are filled with: modules for their docstrings, the commands' help."""

from collections.abc import Iterator
from pathlib import Path

import click

from lab_tools.cli import main

ROOT = Path(__file__).resolve().parents[2]


def modules(names: str) -> str:
    """Return what makes mkdocstrings show modules; "models/" is each public module of a package.

    >>> print(modules("errors testbeds.base"))
    ::: lab_tools.errors
    <BLANKLINE>
    ::: lab_tools.testbeds.base
    """
    return "\n\n".join(f"::: lab_tools.{module}" for name in names.split() for module in _in(name))


def _in(name: str) -> list[str]:
    if not name.endswith("/"):
        return [name]
    package = name.rstrip("/")
    folder = ROOT / "lab_tools" / package.replace(".", "/")
    return [f"{package}.{file.stem}" for file in sorted(folder.glob("[!_]*.py"))]


def commands() -> str:
    """Return the help of every command, a section each."""
    return "\n\n".join(_commands(main, "lab", 2))


def _commands(command: click.Command, name: str, level: int) -> Iterator[str]:
    with click.Context(command, info_name=name, terminal_width=90) as context:
        yield f"{'#' * level} `{name}`"
        yield f"```text\n{command.get_help(context)}\n```"
        if isinstance(command, click.Group):
            for child in command.list_commands(context):
                below = command.get_command(context, child)
                if below is not None and not below.hidden:
                    yield from _commands(below, f"{name} {child}", level + 1)
