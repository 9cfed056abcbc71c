"""Whether this Python is a notebook's."""

import sys
from typing import Any


def in_notebook() -> bool:
    """Whether a notebook's kernel runs this.

    That ipykernel was imported says nothing: ipywidgets imports it anywhere.
    """
    if "IPython" not in sys.modules:
        return False
    from IPython.core.getipython import get_ipython

    shell: Any = get_ipython()
    return hasattr(shell, "kernel")
