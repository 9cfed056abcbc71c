"""What the kernel is made from: configuration, patches, and how they become a name in the cache."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).resolve().parent
#: Raised when the steps of the build change what comes out.
_STEPS = "2"


@dataclass(frozen=True)
class Recipe:
    """Configuration fragment and patches, in the order in which they are applied."""

    config: Path
    patches: tuple[Path, ...]

    @classmethod
    def ours(cls) -> "Recipe":
        """Return the project's own recipe."""
        return cls(_HERE / "config.fragment", tuple(sorted((_HERE / "patches").glob("*.patch"))))

    @property
    def key(self) -> str:
        """Name of this recipe: changes when the configuration or a patch does."""
        digest = hashlib.sha256(_STEPS.encode())
        for file in (self.config, *self.patches):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
        return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return where built kernels are kept: ``LAB_CACHE``, or the user's cache folder."""
    if chosen := os.environ.get("LAB_CACHE"):
        return Path(chosen) / "kernel"
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "data-over-distance" / "kernel"
