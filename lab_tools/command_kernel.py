"""What ``lab kernel build`` does: build the kernel, with a progress bar."""

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from lab_tools.kernel import Kernel
from lab_tools.kernel.build import STEPS_EXPECTED, build


def build_with_bar(*, force: bool) -> Kernel:
    """Build the virtual-time kernel, unless it was built before, and show how far it is.

    Raises
    ------
    MissingToolError : a package is missing; names the one command that installs it.
    RunError : the build failed; shows its last lines.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("kernel", total=STEPS_EXPECTED)
        made = build(
            on_step=lambda stage, done: progress.update(task, description=stage, completed=done),
            force=force,
        )
        progress.update(task, description="kernel ready", completed=STEPS_EXPECTED)
    return made
