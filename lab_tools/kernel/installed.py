"""Find the kernel that was built."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from lab_tools.errors import MissingToolError
from lab_tools.kernel.recipe import Recipe, cache_folder


@dataclass(frozen=True)
class Kernel:
    """A built kernel.

    Parameters
    ----------
    program : the kernel, an ordinary program.
    version : its version, such as ``6.1.159-lab``.
    recipe : key of the configuration and patches that it was built from.
    source : version of Debian's source package.
    patches : names of the patches.
    size_bytes : size of the program.
    """

    program: Path
    version: str
    recipe: str
    source: str
    patches: tuple[str, ...]
    size_bytes: int

    @classmethod
    def load(cls, folder: Path) -> "Kernel":
        """Read the kernel in a folder of the cache."""
        about = json.loads((folder / "kernel.json").read_text(encoding="utf-8"))
        program = folder / "linux"
        return cls(
            program=program,
            version=about["version"],
            recipe=about["recipe"],
            source=about["source"],
            patches=tuple(about["patches"]),
            size_bytes=program.stat().st_size,
        )


def find(recipe: Recipe | None = None) -> Kernel:
    """Return the built kernel: the folder in ``LAB_KERNEL``, or the one of this recipe.

    Raises
    ------
    MissingToolError : it has not been built.
    """
    wanted = (recipe or Recipe.ours()).key
    chosen = os.environ.get("LAB_KERNEL")
    folders = [Path(chosen)] if chosen else sorted(cache_folder().glob(f"{wanted}-*"))
    complete = [folder for folder in folders if (folder / "kernel.json").is_file()]
    complete = [folder for folder in complete if (folder / "linux").is_file()]
    if not complete:
        where = chosen or str(cache_folder())
        raise MissingToolError(
            f"the virtual-time kernel is missing: no kernel of this version in {where}. "
            "Build it with `lab kernel build` (about five minutes, once)."
        )
    return Kernel.load(max(complete, key=lambda folder: folder.stat().st_mtime))
