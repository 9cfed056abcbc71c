"""A class: an instructor with the toy lab in the course, a grader, and two students."""

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from lab_tools.authoring.source import read
from tests.grading.toy import NAME, make_course
from tests.hub.machine import (
    GROUP,
    PROJECT,
    Account,
    accounts,
    free_ports,
    public_folder,
    reachable,
    running_hub,
)

SEED = "a course of its own"


@dataclass(frozen=True)
class ClassRoom:
    """The hub's address, and who is there."""

    url: str
    folder: Path
    log: Path
    ada: Account
    tom: Account
    bob: Account
    eve: Account

    @property
    def course(self) -> Path:
        """The instructor's course."""
        return self.ada.home / "course"

    @property
    def exchange(self) -> Path:
        """The course's place in the exchange."""
        return self.folder / "exchange" / "data_over_distance"


def settings(folder: Path, ports: list[int]) -> Path:
    """Write the hub's settings for the toy course."""
    file = folder / "hub" / "hub.toml"
    file.parent.mkdir()
    given = {
        "instructor": "labhub-ada",
        "graders": ["labhub-tom"],
        "students": GROUP,
        "seed": SEED,
        "testbed": "replay",
        "exchange": str(folder / "exchange"),
        "state": str(folder / "state"),
        "cache": str(folder / "cache"),
        "project": str(folder / "project"),
        **dict(zip(("port", "hub_port", "proxy_port"), ports, strict=True)),
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in given.items()]
    recordings = json.dumps(str(folder / "project" / "recordings"))
    file.write_text("\n".join([*lines, "[environment]", f"LAB_RECORDINGS = {recordings}", ""]))
    return file


def put_lab(course: object, ada: Account) -> None:
    """Put the toy lab into the instructor's course, as the instructor."""
    source = ada.home / "course" / "source" / NAME
    source.mkdir(parents=True)
    nbformat.write(read(course.source(NAME)), source / f"{NAME}.ipynb")
    shutil.copy(course.about(NAME), source / "lab.toml")
    for each in (ada.home / "course", *(ada.home / "course").rglob("*")):
        shutil.chown(each, ada.name, ada.name)


@pytest.fixture(scope="module")
def classroom():
    if os.geteuid() != 0:
        pytest.skip("only root can make accounts and start servers as them")
    ports = free_ports(3)
    here = (PROJECT, Path(sys.prefix), Path(sys.base_prefix))
    with (
        public_folder() as folder,
        reachable(*here),
        accounts(folder, "ada", "tom", "bob", "eve") as who,
    ):
        put_lab(make_course(folder / "project"), who["ada"])
        url, log = f"http://127.0.0.1:{ports[0]}", folder / "hub.log"
        with running_hub(settings(folder, ports), url, log):
            yield ClassRoom(url, folder, log, **who)
