"""What the kernel is made from, and how it is found again."""

import json
import shutil

import pytest
from filelock import FileLock

from lab_tools.errors import MissingToolError, RunError
from lab_tools.kernel import Recipe, find
from lab_tools.kernel.build import build, check_config, check_tools, source_version

OURS = Recipe.ours()


def test_every_patch_gives_its_reason_and_licence():
    assert [p.name[:4] for p in OURS.patches] == [
        f"{n:04d}" for n in range(1, len(OURS.patches) + 1)
    ]
    for patch in OURS.patches:
        head, _, diff = patch.read_text().partition("\n---\n")
        title, *reason = head.splitlines()
        assert len(title) < 60
        assert len(" ".join(reason).split()) > 20, patch.name
        assert "SPDX-License-Identifier: GPL-2.0" in head
        assert diff.startswith("diff --git")


def test_the_key_changes_with_every_part(tmp_path):
    shutil.copytree(OURS.config.parent, tmp_path / "kernel")
    config = tmp_path / "kernel" / "config.fragment"
    patches = tuple(sorted((tmp_path / "kernel" / "patches").glob("*.patch")))
    copy = Recipe(config, patches)
    assert copy.key == OURS.key
    patches[2].write_text(patches[2].read_text() + "\n")
    changed = copy.key
    config.write_text(config.read_text() + "# CONFIG_X is not set\n")
    assert len({OURS.key, changed, copy.key, Recipe(config, patches[1:]).key}) == 4


def kernel_in(folder, recipe):
    folder.mkdir(parents=True)
    (folder / "linux").write_bytes(b"x" * 10)
    about = {"version": "6.1", "recipe": recipe, "source": "6.1-1", "patches": ["0001"]}
    (folder / "kernel.json").write_text(json.dumps(about))


def test_a_kernel_is_found_by_its_recipe_only(tmp_path, monkeypatch):
    monkeypatch.delenv("LAB_KERNEL", raising=False)
    monkeypatch.setenv("LAB_CACHE", str(tmp_path))
    with pytest.raises(MissingToolError, match="lab kernel build"):
        find()
    kernel_in(tmp_path / "kernel" / "0123-6.1", "0123")
    with pytest.raises(MissingToolError):
        find()
    kernel_in(tmp_path / "kernel" / f"{OURS.key}-6.1", OURS.key)
    assert find().recipe == OURS.key
    assert find().size_bytes == 10


def test_a_kernel_that_is_there_is_used_while_another_one_is_built(tmp_path, monkeypatch):
    monkeypatch.delenv("LAB_KERNEL", raising=False)
    monkeypatch.setenv("LAB_CACHE", str(tmp_path))
    kernel_in(tmp_path / "kernel" / f"{OURS.key}-{source_version()}", OURS.key)
    with FileLock(tmp_path / "kernel" / "lock"):
        assert build().recipe == OURS.key


def test_half_a_kernel_is_none(tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_KERNEL", str(tmp_path))
    (tmp_path / "kernel.json").write_text("{}")
    with pytest.raises(MissingToolError):
        find()


def test_missing_tools_are_named_with_the_one_command(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingToolError, match=r"flex.*apt-get install .*flex bison"):
        check_tools()


def test_an_option_that_the_kernel_drops_is_told():
    wanted = "CONFIG_A=y\n# CONFIG_B is not set\n# a remark\n"
    check_config(wanted, "CONFIG_A=y\n")
    with pytest.raises(RunError, match="CONFIG_A=y"):
        check_config(wanted, "CONFIG_B=m\n")
    with pytest.raises(RunError, match="CONFIG_B is not set"):
        check_config(wanted, "CONFIG_A=y\nCONFIG_B=y\n")
