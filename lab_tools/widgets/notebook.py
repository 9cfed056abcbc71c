"""Whether widgets can be shown, and how a view and its words reach the notebook."""

import html
import os
from typing import Any

from lab_tools.notebook import in_notebook


def widgets_on() -> bool:
    """Whether there is a notebook that can show widgets; ``LAB_WIDGETS=off`` says no."""
    return in_notebook() and os.environ.get("LAB_WIDGETS", "").lower() != "off"


def show(widget: Any, words: str) -> None:
    """Show a widget; where its state is missing later, the notebook shows the words."""
    from IPython.display import display

    bundle = widget._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    page = f"<pre>{html.escape(words)}</pre>"
    display({**data, "text/plain": words, "text/html": page}, raw=True)  # type: ignore[no-untyped-call]


def table(rows: list[tuple[str, str]]) -> str:
    """Return names and values as text in two columns.

    >>> print(table([("RTT", "20 ms"), ("Loss", "0 %")]))
    RTT   20 ms
    Loss  0 %
    """
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def show_still(figure: Any, words: str) -> None:
    """Show a figure that stays as it is; without a notebook, print the words.

    A notebook keeps such a figure: it is there without a kernel.
    """
    if not in_notebook():
        print(words)
        return
    from IPython.display import display

    display(figure)  # type: ignore[no-untyped-call]
