"""Build the virtual-time kernel from Debian's source package, our configuration and patches."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from lab_tools.errors import MissingToolError, RunError
from lab_tools.kernel.installed import Kernel
from lab_tools.kernel.recipe import Recipe, cache_folder

SOURCE = Path("/usr/src/linux-source-6.1.tar.xz")
PACKAGES = "linux-source-6.1 gcc make flex bison bc libelf-dev xz-utils patch"
_TOOLS = ("gcc", "make", "flex", "bison", "bc", "xz", "patch", "tar", "strip")
#: Steps that `make` prints while it builds this configuration, for the progress bar.
STEPS_EXPECTED = 1500

OnStep = Callable[[str, int], None]


def build(
    recipe: Recipe | None = None, on_step: OnStep | None = None, *, force: bool = False
) -> Kernel:
    """Build the kernel, unless this source, configuration and patches were built before.

    Parameters
    ----------
    recipe : configuration and patches; without one, the project's.
    on_step : called with a stage's name and the number of files compiled so far.
    force : build even if there is one already.

    Raises
    ------
    MissingToolError : a package is missing; names the one command that installs it.
    RunError : the build failed; shows its last lines.
    """
    recipe = recipe or Recipe.ours()
    step = on_step or (lambda stage, done: None)
    check_tools()
    source = source_version()
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    place = cache / f"{recipe.key}-{source}"

    def built() -> bool:
        return (place / "kernel.json").is_file() and not force

    if built():  # without the lock: somebody may be building another kernel
        return Kernel.load(place)
    with FileLock(cache / "lock"):
        if built():
            return Kernel.load(place)
        # On the cache's own disk: a kernel tree does not fit into many a /tmp.
        with tempfile.TemporaryDirectory(prefix="building-", dir=cache) as work:
            tree = Path(work) / "tree"
            prepare(tree, recipe, step)
            compile_kernel(tree, step)
            shutil.rmtree(place, ignore_errors=True)
            install(tree, recipe, source, Path(work) / "done").rename(place)
    return Kernel.load(place)


def check_tools() -> None:
    """See that everything the build needs is installed.

    Raises
    ------
    MissingToolError : names what is missing and the one command that installs it.
    """
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if not SOURCE.is_file():
        missing.append(str(SOURCE))
    if missing:
        raise MissingToolError(
            f"the kernel cannot be built: {', '.join(missing)} missing. As root, run: "
            f"apt-get install --no-install-recommends {PACKAGES}"
        )


def source_version() -> str:
    """Return the version of Debian's kernel source package."""
    asked = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", "linux-source-6.1"],
        capture_output=True,
        text=True,
    )
    if asked.returncode == 0 and asked.stdout:
        return asked.stdout.strip()
    return f"{SOURCE.stat().st_size}-{int(SOURCE.stat().st_mtime)}"


def prepare(tree: Path, recipe: Recipe, step: OnStep) -> None:
    """Unpack the source, apply the patches, write the configuration."""
    step("unpacking the source", 0)
    tree.mkdir()
    _run("unpacking the source", ["tar", "xf", str(SOURCE), "--strip-components=1"], tree)
    for patch in recipe.patches:
        step(f"applying {patch.name}", 0)
        _run(f"applying {patch.name}", ["patch", "-p1", "-s", "-i", str(patch)], tree)
    step("configuring", 0)
    _run("configuring", ["make", "ARCH=um", "defconfig"], tree)
    merge = ["scripts/kconfig/merge_config.sh", "-m", ".config", str(recipe.config)]
    _run("configuring", merge, tree)
    _run("configuring", ["make", "ARCH=um", "olddefconfig"], tree)
    check_config(recipe.config.read_text(), (tree / ".config").read_text())


def check_config(wanted: str, got: str) -> None:
    """See that every option asked for is in the final configuration.

    Raises
    ------
    RunError : the kernel's own rules dropped an option.
    """
    lines = set(got.splitlines())
    dropped = [
        line
        for line in wanted.splitlines()
        if (line.startswith("CONFIG_") and line not in lines)
        or (line.endswith(" is not set") and f"{line[2:-11]}=y" in lines)
    ]
    if dropped:
        raise RunError("configuring the kernel", "these options were dropped", dropped)


def compile_kernel(tree: Path, step: OnStep) -> None:
    """Compile, counting files for the progress bar."""
    jobs = str(os.cpu_count() or 1)
    process = subprocess.Popen(
        ["make", "ARCH=um", f"-j{jobs}", "linux"],
        cwd=tree,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    done, last = 0, ""
    lines: list[str] = []
    try:
        for line in process.stdout or ():
            last = line.strip()
            lines = [*lines[-200:], last]
            done += bool(re.match(r"(CC|AS|LD|AR) ", last))
            step("compiling", done)
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait()
    if process.returncode != 0:
        raise RunError("compiling the kernel", f"make ended with {process.returncode}", lines[-15:])


def install(tree: Path, recipe: Recipe, source: str, place: Path) -> Path:
    """Put the stripped kernel, its configuration and its description into a folder."""
    place.mkdir()
    _run("stripping the kernel", ["strip", "-o", str(place / "linux"), "linux"], tree)
    shutil.copy(tree / ".config", place / "config")
    release = (tree / "include/config/kernel.release").read_text(encoding="ascii").strip()
    about = {
        "version": release,
        "recipe": recipe.key,
        "source": source,
        "patches": [patch.stem for patch in recipe.patches],
    }
    (place / "kernel.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return place


def _environment() -> dict[str, str]:
    """Return an environment in which the same source gives the same program."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return {
        **kept,
        "LC_ALL": "C",
        "KBUILD_BUILD_TIMESTAMP": "2000-01-01",
        "KBUILD_BUILD_USER": "lab",
        "KBUILD_BUILD_HOST": "lab",
        "KBUILD_BUILD_VERSION": "1",
    }


def _run(stage: str, argv: list[str], tree: Path) -> None:
    done = subprocess.run(
        argv,
        cwd=tree,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        lines = (done.stdout + done.stderr).splitlines()[-15:]
        raise RunError(stage, f"{argv[0]} ended with {done.returncode}", lines)
