"""How far a sweep is: a bar in a terminal, a line that is updated in a notebook."""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lab_tools.notebook import in_notebook

_BAR = 24


@dataclass(frozen=True)
class SweepProgress:
    """How far a sweep is.

    Parameters
    ----------
    total : points of the sweep.
    kept : points whose records were in the store already.
    ran, failed : points that this sweep ran, and that failed.
    elapsed_s : wall time since it began.
    """

    total: int
    kept: int
    ran: int
    failed: int
    elapsed_s: float

    @property
    def done(self) -> int:
        """Points that nothing is left to do for."""
        return self.kept + self.ran + self.failed

    @property
    def left_s(self) -> float | None:
        """Wall time that is left, from the mean so far; None before the first point."""
        worked = self.ran + self.failed
        return self.elapsed_s / worked * (self.total - self.done) if worked else None

    def __str__(self) -> str:
        left = self.left_s
        when = "" if left is None else f", about {_duration(left)} left"
        when = when if self.done < self.total else f", {_duration(self.elapsed_s)}"
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.done} of {self.total} points{failed}{when}"


OnProgress = Callable[[SweepProgress], None]


def _duration(seconds: float) -> str:
    """Say a wall time.

    >>> _duration(7.4), _duration(130), _duration(7300)
    ('7 s', '2 min 10 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def notebook_line() -> OnProgress | None:
    """Return what updates one line of a notebook's output; None outside a notebook."""
    if not in_notebook():
        return None
    from IPython.display import display

    handle: Any = display({"text/plain": "starting …"}, raw=True, display_id=True)  # type: ignore[no-untyped-call]
    shown_at = 0.0

    def show(progress: SweepProgress) -> None:
        nonlocal shown_at
        now = time.monotonic()
        if now - shown_at < 0.2 and progress.done < progress.total:
            return
        shown_at = now
        full = _BAR * progress.done // max(progress.total, 1)
        bar = "█" * full + "░" * (_BAR - full)
        handle.update({"text/plain": f"{bar} {progress}"}, raw=True)

    return show


@contextlib.contextmanager
def terminal_bar() -> Iterator[OnProgress]:
    """Show a bar on standard error, if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = (BarColumn(), TextColumn("{task.description}"))
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("starting", total=None)

        def show(progress: SweepProgress) -> None:
            bar.update(
                task, total=progress.total, completed=progress.done, description=str(progress)
            )

        yield show
