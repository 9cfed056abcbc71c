"""A recording run again: the same bytes, or it says so and keeps what was there."""

import json
import shutil

import pytest
from click.testing import CliRunner

from lab_tools.authoring.again import again, recordings, run_again, samples
from lab_tools.authoring.commands import again_command
from lab_tools.authoring.source import Course
from lab_tools.errors import RunError
from lab_tools.experiment import Experiment
from lab_tools.testbeds.virtual.testbed import VirtualTestbed

pytestmark = pytest.mark.kernel


def cheapest(flows):
    """Return the course's recording of so many flows that sends the least."""

    def bits(place):
        plain = json.loads((place / "record.json").read_text(encoding="utf-8"))["experiment"]
        experiment = Experiment.from_json(json.dumps(plain))
        if len(experiment.flows) != flows:
            return float("inf")
        return experiment.path.rate_bps * experiment.duration_s

    return min(recordings(Course.here()), key=bits)


@pytest.fixture
def copy(tmp_path):
    """Copy recordings into a folder of their own."""

    def made(place):
        there = tmp_path / "recordings" / place.relative_to(place.parents[2])
        shutil.copytree(place, there)
        return there

    return made


def test_one_flow_and_several_give_the_same_bytes():
    places = [cheapest(1), cheapest(2)]
    assert [(second.place, second.same) for second in again(places, jobs=2)] == [
        (place, True) for place in places
    ]


def test_keep_names_todays_kernel_and_leaves_the_samples(copy):
    place = copy(cheapest(1))
    record = (place / "record.json").read_text(encoding="utf-8")
    (place / "record.json").write_text(record.replace("kernel_recipe", "kernel_recipe_of_old"))
    before = samples(place)
    assert run_again(place, keep=True).same
    assert "kernel_recipe_of_old" not in (place / "record.json").read_text(encoding="utf-8")
    assert samples(place) == before


def test_another_recording_is_not_the_same_and_is_not_replaced(copy):
    place, other = copy(cheapest(1)), cheapest(2)
    shutil.copy(other / "flows.parquet", place / "flows.parquet")
    assert not run_again(place, keep=True).same
    assert (place / "flows.parquet").read_bytes() == (other / "flows.parquet").read_bytes()


def test_the_command_names_what_could_not_be_run(copy, monkeypatch):
    place = copy(cheapest(1))

    def fails(_self, _experiment):
        raise RunError("booting the kernel", "no memory")

    monkeypatch.setattr(VirtualTestbed, "run", fails)
    second = run_again(place)
    assert not second.same
    assert "no memory" in second.problem
    monkeypatch.setattr("lab_tools.authoring.commands.recordings", lambda _course: [place])
    monkeypatch.setattr("lab_tools.authoring.commands.again", lambda *_args, **_more: [second])
    done = CliRunner().invoke(again_command)
    assert done.exit_code == 1
    assert str(place) in done.output
    assert "no memory" in done.output
    assert "0 of 1" in done.output
