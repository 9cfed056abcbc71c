"""The virtual-time kernel: Debian's Linux source, our configuration and patches, one program."""

from lab_tools.kernel.build import build
from lab_tools.kernel.installed import Kernel, find
from lab_tools.kernel.recipe import Recipe

__all__ = ["Kernel", "Recipe", "build", "find"]
