"""``lab doctor``: say what this machine can do, and with ``--fix`` mend what can be mended."""

import dataclasses
import json
import os
import sys

import click
from rich.console import Console

from lab_tools.doctor_checks import Check, examine, works
from lab_tools.doctor_repairs import Repair, carry_out, repairs
from lab_tools.errors import InputError
from lab_tools.testbeds import TESTBEDS, get

Report = dict[str, tuple[Check, ...]]


def write(console: Console, report: Report, default: str) -> None:
    """Write the checks of testbeds as a table for people."""
    for name, checks in report.items():
        good = works(checks)
        mark = "[green]works[/]" if good else "[red]does not work here[/]"
        note = ", the default" if name == default else ""
        console.print(f"[bold]{name}[/]{note}: {mark}")
        for check in checks:
            sign = "[green]ok[/]" if check.ok else "[red]--[/]"
            console.print(f"  {sign}  {check.name:<20}  ", end="")
            console.print(check.found, markup=False)
            if not check.ok:
                console.print(f"      what to do: {check.remedy}", markup=False, style="yellow")
        console.print()


def fix(found: list[Repair], *, yes: bool) -> int:
    """Mend what can be mended, asking before each change; return how much could not be.

    Without ``yes`` and without a terminal to ask at, nothing is changed.
    """
    if not found:
        click.echo("There is nothing that --fix can mend.\n")
        return 0
    left = 0
    asks = a_person_is_there()
    for repair in found:
        if repair.do is not None and not yes:
            if not asks:
                click.echo(f"not done: {repair.what} (--yes does it without a question)")
                left += 1
                continue
            if not click.confirm(f"Shall I {repair.what}?", default=True):
                left += 1
                continue
        problem = carry_out(repair)
        left += bool(problem)
        click.echo(f"not mended: {repair.what}\n  {problem}" if problem else f"done: {repair.what}")
    click.echo()
    return left


def a_person_is_there() -> bool:
    """Say whether somebody can answer a question."""
    return sys.stdin.isatty()


@click.command()
@click.option("--testbed", help="Look at this one only.  [default: all]")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.option("--fix", "mend", is_flag=True, help="Mend what can be mended, and look again.")
@click.option("--yes", is_flag=True, help="With --fix: change things without asking.")
def doctor(testbed: str | None, as_json: bool, mend: bool, yes: bool) -> None:
    """Say what this machine can do, and what to do about what it cannot.

    Nothing is changed without --fix. With it, the default testbed, or the one named, is mended:
    missing Debian packages and kernel modules (as root), the virtual-time kernel, what killed runs
    and builds have left, and folders that you cannot write to. Each change is asked for first.

    Leaves with exit code 2 if the default testbed, or the one named, does not work.
    """
    if yes and not mend:
        raise InputError("--yes", True, "used together with --fix")
    if mend and as_json:
        raise InputError("--json", True, "used without --fix")
    default = get(testbed).name
    if mend:
        before = examine([default])
        write(Console(highlight=False, soft_wrap=True), before, get().name)
        fix(repairs(before[default], root=os.geteuid() == 0), yes=yes)
    report = examine([default] if testbed or mend else TESTBEDS)
    if as_json:
        testbeds = {
            name: {"works": works(checks), "checks": [dataclasses.asdict(each) for each in checks]}
            for name, checks in report.items()
        }
        click.echo(json.dumps({"default": default, "testbeds": testbeds}, indent=1))
    else:
        write(Console(highlight=False, soft_wrap=True), report, get().name)
    if not works(report[default]):
        sys.exit(2)
