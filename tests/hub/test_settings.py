"""The hub's settings, and the files for Kubernetes as far as they can be read without a cluster."""

import getpass
import grp
import importlib.util
import os
import re
import sys
import types
from pathlib import Path

import pytest
import yaml

from lab_tools.errors import InputError, MissingToolError, StoreError, UnknownNameError
from tests.hub.machine import HUB, PROJECT

#: Keys that the chart allows, from its values.schema.yaml (additionalProperties is false there).
CHART = {
    "enabled",
    "fullnameOverride",
    "nameOverride",
    "imagePullSecret",
    "imagePullSecrets",
    "hub",
    "proxy",
    "singleuser",
    "scheduling",
    "prePuller",
    "ingress",
    "cull",
    "debug",
    "rbac",
    "global",
    "custom",
}
SINGLEUSER = {
    "networkPolicy",
    "podNameTemplate",
    "cpu",
    "memory",
    "image",
    "initContainers",
    "profileList",
    "extraFiles",
    "extraEnv",
    "nodeSelector",
    "extraTolerations",
    "extraNodeAffinity",
    "extraPodAffinity",
    "extraPodAntiAffinity",
    "cloudMetadata",
    "cmd",
    "defaultUrl",
    "events",
    "extraAnnotations",
    "extraContainers",
    "extraLabels",
    "extraPodConfig",
    "extraResource",
    "fsGid",
    "lifecycleHooks",
    "networkTools",
    "serviceAccountName",
    "startTimeout",
    "storage",
    "allowPrivilegeEscalation",
    "uid",
}
STORAGE = {
    "capacity",
    "dynamic",
    "extraLabels",
    "extraVolumeMounts",
    "extraVolumes",
    "homeMountPath",
    "static",
    "type",
}


def load(name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, HUB / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


classroom = load("classroom")
pods = load("pods")


def an_empty_group() -> str:
    """A group that the account of this test is not in."""
    return next(each.gr_name for each in grp.getgrall() if not each.gr_mem and each.gr_gid != 0)


def read(tmp_path: Path, text: str) -> object:
    file = tmp_path / "hub.toml"
    file.write_text(text)
    return classroom.Settings.read(file)


def minimal(**changed: str) -> str:
    given = {"instructor": getpass.getuser(), "students": an_empty_group(), "seed": "s", **changed}
    return "".join(f'{name} = "{value}"\n' for name, value in given.items())


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("seed =", StoreError, "hub.example.toml"),
        (minimal(seeed="x"), UnknownNameError, "seeed"),
        (minimal(seed=""), InputError, "seed"),
        (minimal(port="80"), InputError, "int"),
        (minimal() + "graders = 'eve'\n", InputError, "list"),
        (minimal(instructor="no-such-account"), InputError, "no-such-account"),
        (minimal(students="no-such-group"), InputError, "no-such-group"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_name(tmp_path, text, error, says):
    with pytest.raises(error, match=re.escape(says)):
        read(tmp_path, text)


def test_settings_that_cannot_be_found_are_refused(tmp_path):
    with pytest.raises(StoreError, match="LAB_HUB_SETTINGS"):
        classroom.Settings.read(tmp_path / "nowhere.toml")


def test_the_example_names_settings_that_there_are(tmp_path):
    text = (HUB / "hub.example.toml").read_text()
    for name, value in (("ada", getpass.getuser()), ("students", an_empty_group())):
        text = text.replace(f' = "{name}"', f' = "{value}"')
    assert read(tmp_path, text).testbed == "virtual"


def test_only_root_can_prepare(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(MissingToolError, match="root"):
        classroom.prepare(read(tmp_path, minimal()))


def test_a_link_in_place_of_a_folder_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir(mode=0o755)
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="link"):
        classroom.own(tmp_path / "link", os.geteuid(), os.getegid(), 0o700)
    assert (tmp_path / "elsewhere").stat().st_mode & 0o777 == 0o755


def test_students_get_no_course_and_no_checks(tmp_path):
    settings = read(tmp_path, minimal())
    of_student = classroom.environment(settings, "bob")
    of_instructor = classroom.environment(settings, settings.instructor)
    assert "LAB_COURSE" not in of_student
    assert str(PROJECT / "instructor") not in of_student["JUPYTER_CONFIG_PATH"].split(":")
    assert str(PROJECT / "instructor") in of_instructor["JUPYTER_CONFIG_PATH"].split(":")


def test_the_course_has_one_name():
    assert (
        f'course_id = "{classroom.COURSE_ID}"'
        in (PROJECT / "instructor" / "nbgrader_config.py").read_text()
    )
    assert (
        f'course_id = "{classroom.COURSE_ID}"'
        in (HUB / "jupyter" / "student" / "nbgrader_config.py").read_text()
    )


def values() -> dict:
    return yaml.safe_load((HUB / "values.yaml").read_text())


def test_the_values_have_only_keys_that_the_chart_knows():
    given = values()
    assert set(given) <= CHART
    assert set(given["singleuser"]) <= SINGLEUSER
    assert set(given["singleuser"]["storage"]) <= STORAGE
    assert set(given["hub"]) <= {"config", "extraConfig"}


def test_the_hubs_version_is_the_charts():
    """Chart 4.4.0 has JupyterHub 5.5: the project's changelog says so."""
    text = (PROJECT / "pyproject.toml").read_text()
    assert 'singleuser = ["jupyterhub>=5.5,<5.6"]' in text
    assert "chart 4.4.0 (JupyterHub 5.5)" in (HUB / "values.yaml").read_text()


def spawned(user: str) -> types.SimpleNamespace:
    """Run the values' own Python on a spawner, with what the chart would give it."""
    given = values()
    custom = given["custom"]
    z2jh = types.ModuleType("z2jh")
    z2jh.get_config = lambda key: custom[key.removeprefix("custom.")]
    config = types.SimpleNamespace(KubeSpawner=types.SimpleNamespace())
    sys.modules["z2jh"] = z2jh
    try:
        exec(given["hub"]["extraConfig"]["10-numbers"], {"c": config})
    finally:
        del sys.modules["z2jh"]
    spawner = types.SimpleNamespace(
        user=types.SimpleNamespace(name=user), environment={}, image="labs"
    )
    config.KubeSpawner.pre_spawn_hook(spawner)
    return spawner


def test_each_pod_runs_under_its_users_number():
    bob, eve = spawned("bob"), spawned("eve")
    assert bob.uid == bob.gid == bob.fs_gid == pods.number_of("bob")
    assert eve.uid == pods.number_of("eve") != bob.uid
    assert bob.uid >= 100_000
    assert bob.image == "labs"
    assert bob.environment == {}


def test_the_instructors_pod_has_the_course():
    ada = spawned(values()["custom"]["instructor"])
    assert ada.image == values()["custom"]["instructorImage"]
    assert ada.environment["LAB_COURSE"] == "/home/jovyan/course"


def test_the_exchange_is_the_same_volume_for_the_job_and_the_pods():
    claim, job = yaml.safe_load_all((HUB / "exchange.yaml").read_text())
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]
    (volume,) = job["spec"]["template"]["spec"]["volumes"]
    names = [each["name"] for each in values()["singleuser"]["storage"]["extraVolumes"]]
    assert volume["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"] == "exchange"
    assert "exchange" in names
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["command"][2] == values()["custom"]["instructor"]


def test_what_the_students_image_copies_is_there_and_holds_no_checks():
    stages = re.split(r"^FROM ", (HUB / "Dockerfile").read_text(), flags=re.MULTILINE)
    (student,) = (stage for stage in stages if " AS student" in stage.splitlines()[0])
    copied = re.findall(r"^COPY (?:--chmod=\d+ )?([^-\s]\S*)", student, re.MULTILINE)
    assert "lab_tools" in copied
    assert all((PROJECT / name).exists() for name in copied)
    for closed in classroom.CLOSED:
        for name in copied:
            assert not f"{closed}/".startswith(f"{name}/")
            assert not f"{name}/".startswith(f"{closed}/")
