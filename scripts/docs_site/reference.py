"""Pages of the reference: the Python package from its docstrings, the commands from their help."""

import posixpath
from collections.abc import Iterator
from pathlib import Path

import click

from lab_tools.cli import main

ROOT = Path(__file__).resolve().parents[2]

#: Page, its title, what it says first, and the modules on it (a package stands for its modules).
PAGES = (
    (
        "experiment",
        "Experiments and sweeps",
        "What to do: everything a run depends on, as data.",
        ("experiment", "path", "flow", "network", "sweep", "units"),
    ),
    (
        "record",
        "Runs and records",
        "How an experiment is run, and what is kept of it.",
        ("running", "record", "store", "sweeping.engine", "sweeping.settings"),
    ),
    (
        "testbeds",
        "Testbeds",
        "Who runs an experiment. [The five of them](../testbeds.md) compared.",
        ("testbeds.base", "testbeds", "testbeds.calibration", "testbeds.replay", "testbeds.plan"),
    ),
    (
        "models",
        "Models",
        "What to expect before anything is measured: closed forms.",
        ("models/",),
    ),
    (
        "profiles",
        "Analysis: profiles, queues and fairness",
        "What the numbers of many runs mean.",
        ("analysis.profiles/", "analysis.queues", "analysis.fairness"),
    ),
    (
        "dynamics",
        "Analysis: dynamics",
        "What the trace of one run means as a dynamical system.",
        ("analysis.dynamics/",),
    ),
    ("games", "Games", "Defending an infrastructure; choosing a congestion control.", ("games/",)),
    (
        "control",
        "Control and duality",
        "Holding a goodput by stochastic approximation; TCP and its queues as an optimisation.",
        ("control/", "duality/"),
    ),
    (
        "transfer",
        "Reservations and transfers",
        "Dedicated channels, and the pipeline from disk to disk.",
        ("reservation/", "transfer/"),
    ),
    ("figures", "Figures", "An analysis value in, a Plotly figure out.", ("figures/",)),
    (
        "grading",
        "Labs and grading",
        "What a notebook calls, and what a lab's checks call.",
        ("grading.lab", "grading.judge", "grading.verify", "grading.variant", "widgets"),
    ),
    (
        "errors",
        "Errors",
        "All errors. [What to do](../operators/troubleshooting.md) about each.",
        ("errors",),
    ),
)


def modules(names: tuple[str, ...]) -> Iterator[str]:
    """Yield dotted names of the modules; ``"models/"`` is each public module of that package.

    >>> list(modules(("errors",)))
    ['lab_tools.errors']
    """
    for name in names:
        if not name.endswith("/"):
            yield f"lab_tools.{name}"
            continue
        package = name.rstrip("/")
        folder = ROOT / "lab_tools" / package.replace(".", "/")
        for file in sorted(folder.glob("[!_]*.py")):
            yield f"lab_tools.{package}.{file.stem}"


def python_pages() -> Iterator[tuple[str, str]]:
    """Yield place and text of each page about the Python package."""
    for place, title, first, names in PAGES:
        parts = [f"# {title}", first, *(f"::: {module}" for module in modules(names))]
        yield posixpath.join("reference", f"{place}.md"), "\n\n".join(parts) + "\n"


def command_page() -> tuple[str, str]:
    """Return place and text of the page about the command line: the help of every command."""
    parts = ["# The command line", "What `.venv/bin/lab` can do; `--help` prints the same."]
    parts += _commands(main, "lab", 2)
    return "reference/commands.md", "\n\n".join(parts) + "\n"


def _commands(command: click.Command, name: str, level: int) -> Iterator[str]:
    with click.Context(command, info_name=name, terminal_width=90) as context:
        yield f"{'#' * level} `{name}`"
        yield f"```text\n{command.get_help(context)}\n```"
        if isinstance(command, click.Group):
            for child in command.list_commands(context):
                below = command.get_command(context, child)
                if below is not None and not below.hidden:
                    yield from _commands(below, f"{name} {child}", level + 1)
