"""Collecting from an exchange where numbers stand for people, as in pods, with nbgrader itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.grading.toy import NAME, make_course
from tests.hub.machine import HUB
from tests.hub.test_settings import pods

TIME = "2026-01-0{day} 00:00:00.000000 UTC"


def hand_in(tmp_path: Path, claimed: str, owner: int, day: int = 1, *, stamp: bool = True) -> Path:
    time = TIME.format(day=day)
    folder = tmp_path / "exchange/data_over_distance/inbound" / f"{claimed}+{NAME}+{time}+x{day}"
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_text('{"cells": []}')
    (folder / "who").write_text(str(owner))
    if stamp:
        (folder / "timestamp.txt").write_text(time)
    for each in (folder, *folder.iterdir()):
        os.chown(each, owner, owner)
    return folder


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Hand in honestly and otherwise, collect once; what nbgrader said, and where it put it."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    root = tmp_path_factory.mktemp("collect")
    course = make_course(root / "project")
    (root / "course").mkdir()
    (root / "secret").write_text("the checks")
    hand_in(root, "bob", pods.number_of("bob"), day=1)
    hand_in(root, "bob", pods.number_of("eve"), day=2)
    odd = hand_in(root, "mallory", pods.number_of("mallory"), stamp=False)
    for name in ("link", "timestamp.txt"):
        (odd / name).symlink_to(root / "secret")
    (odd / "folder").symlink_to(root)
    os.mkfifo(odd / "pipe")
    places = [HUB / "jupyter" / "instructor", course.root / "instructor"]
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "collect", NAME],
        cwd=root,
        env={
            **os.environ,
            "PATH": os.pathsep.join([str(Path(sys.prefix) / "bin"), os.environ["PATH"]]),
            "JUPYTER_CONFIG_PATH": os.pathsep.join(map(str, places)),
            "LAB_COURSE": str(root / "course"),
            "LAB_EXCHANGE": str(root / "exchange"),
            "LAB_OWNERS": "numbers",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr, root / "course" / "submitted"


def test_a_folder_belongs_to_its_owners_number(collected):
    """Eve's later folder under Bob's name does not replace his."""
    said, submitted = collected
    bob, eve, mallory = map(pods.number_of, ("bob", "eve", "mallory"))
    who = {each.parents[1].name: each.read_text() for each in submitted.glob(f"*/{NAME}/who")}
    assert who == {"bob": str(bob), f"number-{eve}": str(eve), "mallory": str(mallory)}
    assert "is taken as theirs" in said


def test_what_is_no_plain_file_is_left_out_and_stops_nobody(collected):
    _, submitted = collected
    copied = list((submitted / "mallory" / NAME).iterdir())
    names = {"who", f"{NAME}.ipynb", "timestamp.txt", "submission_secret.txt"}
    assert {each.name for each in copied} == names
    assert not any("the checks" in each.read_text() for each in copied)


def test_a_time_that_cannot_be_true_is_said(collected):
    """The folder says January; the system knows that it was changed now."""
    said, _ = collected
    assert "and was last changed at" in said
