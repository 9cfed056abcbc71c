"""What a host's container may be given, what this machine lacks, and what the image is made of."""

import re
from pathlib import Path

import pytest

from lab_tools.errors import InputError, MissingToolError
from lab_tools.testbeds.containernet import ContainernetTestbed, hosts, image
from lab_tools.testbeds.containernet import worker as workers
from lab_tools.testbeds.containernet.image import building

FOLDER = Path(building.__file__).parent


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"cpu_quota": 999}, "cpu_quota"),  # the kernel's minimum is 1 ms
        ({"cpu_quota": 0.5}, "cpu_quota"),
        ({"cpu_period": 1_000_001}, "cpu_period"),  # and its longest period 1 s
        ({"mem_limit": "5m"}, "mem_limit"),  # Docker's minimum is 6 MB
        ({"mem_limit": "lots"}, "mem_limit"),
        ({"mem_limit": True}, "mem_limit"),
        ({"volumes": ["/data"]}, "volumes"),
        ({"volumes": "/data:/data:ro"}, "volumes"),
        ({"volumes": ["data:/data:ro"]}, "volumes"),
        ({"image": ""}, "image"),
    ],
)
def test_what_docker_would_refuse_is_refused_at_once(options, field):
    with pytest.raises(InputError) as caught:
        ContainernetTestbed(**options)
    assert caught.value.field == field


def test_options_have_containernets_names_and_only_what_is_limited():
    container = hosts.Container("some:1", None, 50_000, "1g", ["/data:/mnt:ro"])
    assert container.options() == {
        "dimage": "some:1",
        "dcmd": "sleep infinity",
        "cpu_quota": 50_000,
        "mem_limit": "1g",
        "volumes": ["/data:/mnt:ro"],
    }


@pytest.mark.parametrize(
    ("text", "size"),
    [("64m", 64 << 20), ("1G", 1 << 30), ("8388608b", 8 << 20), (7 << 20, 7 << 20)],
)
def test_memory_is_read_as_docker_reads_it(text, size):
    assert hosts.memory_bytes(text) == size


def test_docker_that_is_not_there_is_named_with_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    said = workers.order("--probe", "some:1")
    if "No module named" in said["problem"]:
        pytest.skip("the system's Python has no interface to Docker")
    says = hosts.availability(hosts.Container(), said)
    assert not says.available
    assert "Docker does not answer" in says.reason
    assert "systemctl start docker" in says.remedy
    with pytest.raises(MissingToolError, match="cannot be imported into Docker"):
        workers.import_image("some:1", tmp_path, [])


def test_the_projects_image_is_built_when_it_is_missing_another_is_not(monkeypatch):
    monkeypatch.setattr(hosts.hosts_image, "problem", lambda: "")
    lacks = {"docker": "20.10", "image": False}
    assert hosts.availability(hosts.Container(), lacks).available
    says = hosts.availability(hosts.Container("theirs:1"), lacks)
    assert "no image theirs:1" in says.reason
    assert "docker pull theirs:1" in says.remedy


def test_an_image_that_cannot_be_built_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("LAB_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    says = hosts.availability(hosts.Container(), {"docker": "20.10", "image": False})
    assert "mmdebstrap" in says.reason
    with pytest.raises(MissingToolError, match="scripts/install-packages"):
        image.build()


def test_a_cache_that_cannot_be_written_is_told(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("LAB_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(building, "problem", lambda: "")
    with pytest.raises(MissingToolError, match="LAB_CACHE"):
        image.build()


def test_a_built_image_is_not_built_again(monkeypatch, tmp_path):
    monkeypatch.setenv("LAB_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    image.file().parent.mkdir()
    image.file().write_bytes(b"built")
    assert image.problem() == ""
    assert image.build().read_bytes() == b"built"


def test_the_images_name_changes_with_what_it_holds(monkeypatch, tmp_path):
    before = image.name()
    assert image.name() == before
    monkeypatch.setattr(building, "key", building.key.__wrapped__)
    (tmp_path / "traffic.py").write_text("print()")
    monkeypatch.setattr(building, "_HOST_PROGRAMS", tmp_path)
    assert image.name() != before


def test_the_dockerfile_holds_the_same():
    text = (FOLDER / "Dockerfile").read_text()
    assert re.search(r"^FROM debian:12\.\d+-slim$", text, re.MULTILINE)
    for source in re.findall(r"^COPY (\S+) ", text, re.MULTILINE):
        assert list((FOLDER / "../../..").resolve().glob(source)), source
    assert text.splitlines()[-1:] == image.CHANGES
    assert {"python3", "iperf3", "nuttcp", "globus-gridftp-server-progs"} <= set(
        building.packages()
    )


def test_containernets_python_is_used_where_it_is(monkeypatch, tmp_path):
    monkeypatch.setenv("LAB_CONTAINERNET", str(tmp_path))
    assert workers.interpreter() == workers.SYSTEM_PYTHON
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").touch()
    assert workers.interpreter() == tmp_path / "bin/python"
