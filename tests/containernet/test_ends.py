"""Whatever happens to Docker or to a run, nothing of ours is left in it. Needs Docker."""

from pathlib import Path as FilePath

import pytest

from lab_tools.errors import MissingToolError, RunError
from lab_tools.experiment import Experiment, Path
from lab_tools.testbeds.containernet import ContainernetTestbed, cleanup, image

pytestmark = [pytest.mark.kernel, pytest.mark.usefixtures("daemon")]

PATH = Path(rate_bps=10e6, rtt_s=0.02, mtu_bytes=1500)


def test_an_image_that_docker_has_not_is_told():
    with pytest.raises(MissingToolError, match="no image nobody/nothing"):
        ContainernetTestbed("nobody/nothing:1").session(PATH)


def test_leftovers_are_found_by_their_mark_and_others_are_left_alone(docker):
    name = image.name()
    docker("create", "--name", "somebodys", "--label", "data-over-distance", name)
    docker(
        "create",
        "--name",
        "left",
        "--label",
        "data-over-distance",
        "--env",
        "DATA_OVER_DISTANCE_CONTAINER=1",
        name,
    )
    try:
        assert "left" in cleanup()
        assert docker("ps", "-a", "--format", "{{.Names}}").split() == ["somebodys"]
    finally:
        docker("rm", "--force", "somebodys")


def test_docker_that_is_stopped_is_told_and_leaves_nothing(daemon, docker):
    def stop(sample):
        if sample.time_s == 0.5:
            daemon.process.kill()
            daemon.process.wait()

    def containers_processes():
        found = FilePath("/proc").glob("[0-9]*/cmdline")
        return [file for file in found if file.read_bytes() == b"sleep\0infinity\0"]

    testbed = ContainernetTestbed()
    try:
        with pytest.raises(RunError, match="Docker does not answer any more") as caught:
            testbed.run(Experiment(PATH, duration_s=600.0), stop)
        assert caught.value.partial.flows["time_s"].max() >= 0.5
        assert containers_processes() == []
        assert not testbed.available().available
        with pytest.raises(RunError, match="Docker does not answer"):
            testbed.session(PATH).__enter__()
    finally:
        if daemon.process.poll() is not None:
            daemon.start()
    assert cleanup().startswith("Containers removed: ")
    assert docker("ps", "-aq") == ""
