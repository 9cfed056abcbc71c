"""The one error tree of the project.

Every message says what is wrong, where, what is allowed and what to do. The command line prints
such an error as one message without a traceback and leaves with its ``exit_code``.
"""

from collections.abc import Iterable


class LabError(Exception):
    """Base of every error that the project raises on purpose."""

    exit_code = 1

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows for this error: its message, without a traceback."""
        notes = getattr(self, "__notes__", [])
        return [f"{type(self).__name__}: {self}", *notes]


class InputError(LabError, ValueError):
    """A value given by the user is not one that is allowed.

    Parameters
    ----------
    field : name of the argument or field, as the user wrote it.
    value : what was given.
    allowed : what is allowed, in words.
    hint : what to do about it (optional).

    >>> print(InputError("rate_bps", -1.0, "a positive number of bit/s"))
    rate_bps = -1.0 is not allowed: it must be a positive number of bit/s.
    """

    exit_code = 2

    def __init__(self, field: str, value: object, allowed: str, hint: str = "") -> None:
        self.field = field
        self.value = value
        self.allowed = allowed
        text = f"{field} = {value!r} is not allowed: it must be {allowed}."
        super().__init__(f"{text} {hint}".rstrip())


class UnknownNameError(InputError):
    """A name that is not among the known ones.

    >>> print(UnknownNameError("cc", "cubik", ["cubic", "reno"]))
    cc = 'cubik' is not allowed: it must be one of cubic, reno.
    """

    def __init__(self, field: str, value: object, known: Iterable[str], hint: str = "") -> None:
        super().__init__(field, value, "one of " + ", ".join(known), hint)


class DataError(LabError, ValueError):
    """Data handed to an analysis cannot be analysed (shape, NaN, too few points, order).

    Parameters
    ----------
    argument : name of the function's argument.
    problem : what is wrong with it, with numbers.
    allowed : what the function needs.

    >>> print(DataError("rtt_s", "is not sorted", "strictly increasing values"))
    rtt_s is not sorted: it needs strictly increasing values.
    """

    exit_code = 2

    def __init__(self, argument: str, problem: str, allowed: str) -> None:
        self.argument = argument
        super().__init__(f"{argument} {problem}: it needs {allowed}.")


class MissingToolError(LabError):
    """Something that must be installed or built is not there; the message names the remedy."""

    exit_code = 2


class StoreError(LabError):
    """The store of run records cannot be read or written."""

    exit_code = 2


class RunError(LabError):
    """A run did not complete. Names the stage and shows the last lines the testbed said."""

    def __init__(self, stage: str, problem: str, last_lines: Iterable[str] = ()) -> None:
        self.stage = stage
        self.problem = problem
        self.last_lines = tuple(last_lines)
        #: What was measured before the run ended (a ``RunRecord``), or None.
        self.partial: object = None
        text = f"the run failed while {stage}: {problem}"
        if self.last_lines:
            text += "\nThe last lines it printed:\n" + "\n".join(
                f"    {line}" for line in self.last_lines
            )
        super().__init__(text)


class CancelledError(RunError):
    """The user stopped a run."""

    exit_code = 130


class CalibrationError(LabError):
    """A run was not what the experiment asked for, so its numbers must not be used."""


class GradingError(LabError):
    """An answer, prediction or submission cannot be graded as it is."""
