"""The commands ``lab course …``: each lives beside what it does and is loaded when asked for."""

import importlib

import click

#: Command to the module and the name of what it is in there.
_COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("lab_tools.course.set_up_commands", "init"),
    "release": ("lab_tools.course.set_up_commands", "release_command"),
    "collect": ("lab_tools.course.set_up_commands", "collect_command"),
    "grade": ("lab_tools.course.grade_commands", "grade_command"),
    "status": ("lab_tools.course.grade_commands", "status_command"),
    "feedback": ("lab_tools.course.grade_commands", "feedback_command"),
    "variant": ("lab_tools.course.out_commands", "variant_command"),
    "collusion": ("lab_tools.course.collusion_command", "collusion_command"),
    "export": ("lab_tools.course.out_commands", "export_command"),
    "statistics": ("lab_tools.course.page_commands", "statistics_command"),
    "report": ("lab_tools.course.page_commands", "report_command"),
}


class _Course(click.Group):
    """Loads a command's module when the command is called, and not before."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of a term."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return a command by name."""
        if name not in _COMMANDS:
            return None
        module, attribute = _COMMANDS[name]
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


@click.group(cls=_Course)
def course() -> None:
    """Run a course: release labs, collect and grade submissions, give feedback, export grades.

    The course lies in the folder LAB_COURSE (data/course without it): nbgrader's folders source,
    release, submitted, autograded and feedback, its gradebook, and its exchange.
    """
